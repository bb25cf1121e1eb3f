"""The .tflite of a bundle proved in LiteRT.js too: in the proof, parity.json, the report and on the terminal."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from azx import export_checkpoint, validate_bundle
from azx.bundle.case.settings import Settings
from azx.bundle.contents.manifest import dump, file_entries
from azx.bundle.export import ExportResult
from azx.errors import AzxError
from azx.sweeps.recipe import Recipe
from azx.sweeps.sweep import sweep
from azx.validate.runners.tfjs_packages import litert_ready

Azx = Callable[..., subprocess.CompletedProcess[str]]
LITERT_JS = "litert.js"

pytest.importorskip("ai_edge_litert")
needs_litert = pytest.mark.skipif(litert_ready() is not None, reason=str(litert_ready()))


@pytest.fixture(scope="module")
def connect4(tmp_path_factory: pytest.TempPathFactory) -> ExportResult:
    """The shipped Connect4 network as TFLite in float32 and in dynamic int8, each in both runtimes."""
    folder = tmp_path_factory.mktemp("connect4") / "bundle"
    precisions = ("fp32", "int8-dynamic")
    return export_checkpoint("connect4", output=folder, formats="tflite", precision=precisions, also=(LITERT_JS,))


@pytest.fixture(scope="module")
def small(small_checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small network as TFLite, proved in LiteRT alone; to be copied, not changed."""
    folder = tmp_path_factory.mktemp("small") / "bundle"
    export_checkpoint(small_checkpoint, output=folder, formats="tflite", count=30)
    return folder


@pytest.mark.whole
@needs_litert
def test_connect4_is_equal_in_both_runtimes_and_dynamic_int8_inside_the_gate(connect4: ExportResult) -> None:
    assert connect4.proof.passed
    assert connect4.proof.not_proved == {}
    exact, approximate = connect4.proof.artifacts
    for artifact in (exact, approximate):
        (web,) = artifact.also
        assert web.passed
        assert web.runtime.startswith("@litertjs/core ")
        assert artifact.runtime.startswith("ai-edge-litert ")
        assert web.title == f"{artifact.file} in LiteRT.js"
    (web,) = exact.also
    assert {head.head for head in web.heads} == {"value_head", "policy_head"}
    assert all(head.positions == exact.heads[0].positions >= 1000 for head in web.heads)
    assert all(0 < head.maximum <= head.limit for head in web.heads)
    # The limit of the artifact's own runtime, whatever the original's distance from float64 makes of it here.
    assert [head.limit for head in web.heads] == [head.limit for head in exact.heads]
    (web,) = approximate.also
    assert approximate.gate is not None
    assert web.gate is not None
    held = [[(check.kind, check.metric, check.limit) for check in gate.checks] for gate in (approximate.gate, web.gate)]
    assert held[0] == held[1]
    assert all(check.passed for check in web.gate.checks)


@pytest.mark.whole
@needs_litert
def test_parity_json_and_the_report_have_a_line_of_their_own_for_it(connect4: ExportResult, azx: Azx) -> None:
    parity = json.loads((connect4.folder / "parity.json").read_text(encoding="utf8"))
    assert [len(artifact["also"]) for artifact in parity["artifacts"]] == [1, 1]
    exact, approximate = (artifact["also"][0] for artifact in parity["artifacts"])
    assert (exact["further"], exact["passed"], exact["proved"]) == ("LiteRT.js", True, True)
    assert [head["limit"] for head in exact["heads"]] == [head["limit"] for head in parity["artifacts"][0]["heads"]]
    assert approximate["gate"]["checks"]
    for again in (False, True):
        if again:  # of what is recorded
            assert azx("report", connect4.folder).returncode == 0
        page = (connect4.folder / "report.html").read_text(encoding="utf8")
        assert "<b>TFLite fp32 in LiteRT.js</b>" in page
        assert "<b>TFLite int8-dynamic in LiteRT.js</b>" in page


@needs_litert
def test_tic_tac_toe_is_validated_in_it_and_the_table_has_its_rows(tmp_path: Path, azx: Azx) -> None:
    export_checkpoint("tictactoe", output=tmp_path / "net", formats="tflite", count=100)
    done = azx("validate", "net", "--also", LITERT_JS, env={"COLUMNS": "160"})
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stdout.splitlines() if "tictactoe.tflite in LiteRT.js" in line]
    assert lines[0].split()[:5] == ["✓", "tictactoe.tflite", "in", "LiteRT.js", "policy_head"]
    assert "@litertjs/core" in lines[1]
    assert "net: 1 artifact, equal to the 20 answers in golden.json" in done.stdout


@needs_litert
def test_without_being_asked_for_it_is_not_run(small: Path) -> None:
    (artifact,) = validate_bundle(small).proof.artifacts
    assert artifact.also == ()
    assert "also" not in json.loads((small / "parity.json").read_text(encoding="utf8"))["artifacts"][0]


@needs_litert
def test_a_damaged_file_is_one_sentence(small: Path, tmp_path: Path, azx: Azx) -> None:
    folder = Path(shutil.copytree(small, tmp_path / "net"))
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf8"))
    path = folder / manifest["artifacts"][0]["path"]
    path.write_bytes(path.read_bytes()[:500])
    manifest["files"] = [entry.as_data() for entry in file_entries(folder)]
    (folder / "manifest.json").write_text(dump(manifest), encoding="utf8")
    done = azx("validate", "net", "--also", LITERT_JS, "--quiet")
    assert done.returncode == 1
    assert done.stderr == "Error: 'small net é.tflite' is not a TFLite file that LiteRT loads: export it again.\n"


@pytest.mark.whole
def test_without_node_it_is_not_proved_here_and_no_failure(small: Path, tmp_path: Path, azx: Azx) -> None:
    nowhere = {"PATH": str(tmp_path)}
    done = azx("validate", small, "--also", LITERT_JS, env=nowhere)
    assert done.returncode == 0, done.stderr
    assert "small net é.tflite in LiteRT.js: not proved here: Node.js not found: install Node.js" in done.stdout
    told = json.loads(azx("validate", small, "--also", LITERT_JS, "--json", env=nowhere).stdout)
    assert told["passed"]
    assert list(told["not_proved"]) == ["small net é.tflite in LiteRT.js"]
    assert told["artifacts"][0]["proved"]
    assert not told["artifacts"][0]["also"][0]["proved"]
    done = azx("validate", small, "--also", LITERT_JS, "--require-all", env=nowhere)
    assert done.returncode == 1
    assert "Not every artifact can be proved here: small net é.tflite in LiteRT.js (Node.js not found" in done.stderr


@pytest.mark.whole
def test_what_was_not_proved_there_stays_recorded_when_other_formats_come(
    small_checkpoint: Path, tmp_path: Path, azx: Azx
) -> None:
    common = (small_checkpoint, "--positions", 30, "-o", "net", "--no-report")
    done = azx("export", *common, "--format", "tflite", "--also", LITERT_JS, env={"PATH": str(tmp_path)})
    assert done.returncode == 0, done.stderr
    assert azx("export", *common, "--format", "onnx").returncode == 0
    parity = json.loads((tmp_path / "net" / "parity.json").read_text(encoding="utf8"))
    assert [artifact["format"] for artifact in parity["artifacts"]] == ["onnx", "tflite"]
    assert list(parity["not_proved"]) == ["small net é.tflite in LiteRT.js"]


def test_a_sweep_without_a_tflite_is_refused_before_anything_is_done(small_checkpoint: Path, tmp_path: Path) -> None:
    with pytest.raises(AzxError, match=r"^'litert\.js' runs TFLite and there is none here"):
        sweep(
            [str(small_checkpoint)],
            Recipe(settings=Settings(formats=("onnx",), also=(LITERT_JS,))),
            output=tmp_path / "swept",
        )
    assert not (tmp_path / "swept").exists()


def test_a_bundle_that_it_runs_nothing_of_is_refused_at_once(small_checkpoint: Path, tmp_path: Path, azx: Azx) -> None:
    done = azx("export", small_checkpoint, "--format", "onnx", "--also", LITERT_JS, "-o", "net")
    assert done.returncode == 1
    assert done.stderr == "Error: 'litert.js' runs TFLite and there is none here: export with --format tflite too.\n"
    assert not (tmp_path / "net").exists()


def test_another_runtime_is_refused(small: Path, azx: Azx) -> None:
    assert azx("validate", small, "--also", "tensorflow").returncode == 2
    with pytest.raises(AzxError, match=r"^There is no further runtime 'tensorflow': azx knows litert\.js\.$"):
        validate_bundle(small, also=("tensorflow",))

"""An export in lower precisions: files, manifest, gate, exit codes, and the bundle proved again."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from azx import export_checkpoint
from azx.bundle.case.detection import game_of
from azx.bundle.case.positions import parity_positions
from azx.bundle.case.settings import Settings
from azx.bundle.contents.manifest import file_entries
from azx.bundle.export import NotEqualExport
from azx.bundle.loaded import load
from azx.bundle.precision.plan import plan_formats
from azx.bundle.precision.reached import GateSources, Player, choosing_sources, gate_sources
from azx.errors import AzxError, ConversionError
from azx.export.checkpoint.located import find_checkpoint
from azx.export.checkpoint.read import read_checkpoint
from azx.export.formats.precisions.precision import MixedArtifact
from azx.export.formats.table import FORMATS
from azx.export.graph.freeze import heads_of, try_simplify
from azx.export.graph.names import Names
from azx.validate.gate.positions import OWN
from azx.validate.positions import Positions
from azx.validate.witness.evaluate import evaluate

Azx = Callable[..., subprocess.CompletedProcess[str]]
# Of the small network hardly a layer has numbers enough to be quantized: what is asked of the gate is that it decides.
TIGHT = ("value-p99=0", "value-max=0", "kl-p99=0")


def export(checkpoint: Path, folder: Path, *precisions: str, **options: Any) -> Any:
    options = {"formats": "tflite", "count": 60, **options}
    return export_checkpoint(checkpoint, output=folder, precision=precisions, **options)


@pytest.fixture(scope="module")
def halved(small_checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small network as TFLite in float32 and in half precision."""
    folder = tmp_path_factory.mktemp("halved") / "bundle"
    export(small_checkpoint, folder, "fp32", "fp16")
    return folder


def manifest_of(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "manifest.json").read_text(encoding="utf8"))
    return found


@pytest.mark.whole
def test_float32_is_what_it_is_without_other_precisions(halved: Path, small_checkpoint: Path, tmp_path: Path) -> None:
    export(small_checkpoint, tmp_path / "alone", "fp32")
    alone, both = manifest_of(tmp_path / "alone"), manifest_of(halved)
    name = "small net é.tflite"
    assert (tmp_path / "alone" / name).read_bytes() == (halved / name).read_bytes()
    assert (tmp_path / "alone/golden.json").read_bytes() == (halved / "golden.json").read_bytes()
    assert alone["artifacts"] == [entry for entry in both["artifacts"] if entry["precision"] == "fp32"]
    assert {key: both[key] for key in both if key not in ("artifacts", "files")} == {
        key: alone[key] for key in alone if key not in ("artifacts", "files")
    }


def test_the_manifest_says_what_the_gate_found_and_the_figures_are_beside_it(halved: Path) -> None:
    entry = next(each for each in manifest_of(halved)["artifacts"] if each["precision"] == "fp16")
    assert entry["path"] == "small net é.fp16.tflite"
    assert entry["gate"]["passed"]
    assert entry["gate"]["limits"]["value_max"] == 0.05
    assert len(entry["gate"]["positions"]) == 2
    parity = json.loads((halved / "parity.json").read_text(encoding="utf8"))
    proof = next(each for each in parity["artifacts"] if each["file"] == entry["path"])
    assert proof["precision"] == "fp16"
    assert proof["gate"]["closest"]["of_limit"] < 1
    assert {check["positions"] for check in proof["gate"]["checks"]} == {"self-play", "random legal"}


def test_apps_and_readers_of_before_get_float32(halved: Path) -> None:
    assert manifest_of(halved)["recommended"] == {"android": "small net é.tflite"}
    with load(halved) as network:
        assert network.path.name == "small net é.tflite"


def test_two_exports_give_the_same_bytes(halved: Path, small_checkpoint: Path, tmp_path: Path) -> None:
    export(small_checkpoint, tmp_path / "again", "fp32", "fp16")
    assert file_entries(tmp_path / "again") == file_entries(halved)
    assert (tmp_path / "again/manifest.json").read_bytes() == (halved / "manifest.json").read_bytes()


def test_it_is_proved_again_with_the_checkpoint_and_without(azx: Azx, halved: Path, small_checkpoint: Path) -> None:
    for more in ((), ("--against", small_checkpoint)):
        done = azx("validate", halved, *more)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "closest margin: " in done.stdout
        assert "1 inside the gate" in done.stdout


def test_outside_its_gate_it_is_a_failure_and_nothing_is_published(small_checkpoint: Path, tmp_path: Path) -> None:
    with pytest.raises(NotEqualExport, match=r"small net é\.fp16\.tflite: .* \(allowed 0") as failed:
        export(small_checkpoint, tmp_path / "net", "fp16", limits=TIGHT)
    assert failed.value.exit_code == 3
    assert not (tmp_path / "net").exists()
    assert (tmp_path / "net.failed/small net é.fp16.tflite").is_file()


def test_on_request_it_is_kept_and_marked(azx: Azx, small_checkpoint: Path, tmp_path: Path) -> None:
    folder = tmp_path / "net"
    done = azx(
        "export", small_checkpoint, "-o", folder, "--format", "tflite", "--positions", 60,
        "--precision", "fp32,fp16", "--keep-failing", *(f"--limit={limit}" for limit in TIGHT),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "1 outside it, marked" in done.stdout
    entry = next(each for each in manifest_of(folder)["artifacts"] if each["precision"] == "fp16")
    assert entry["path"] == "small net é.fp16.failing.tflite"
    assert not entry["gate"]["passed"]
    assert manifest_of(folder)["recommended"] == {"android": "small net é.tflite"}
    again = azx("validate", folder)
    assert again.returncode == 0, again.stdout + again.stderr


@pytest.mark.parametrize(
    ("change", "member"),
    [
        ({"precision": "int8"}, "artifacts[0].precision"),
        ({"gate": None}, "artifacts[0].gate"),
        ({"precision": "int4"}, "artifacts[0].precision"),
    ],
)
def test_a_manifest_that_lies_about_a_precision_is_found_out(
    azx: Azx, halved: Path, tmp_path: Path, change: dict[str, Any], member: str
) -> None:
    folder = tmp_path / "forged"
    shutil.copytree(halved, folder)
    manifest = manifest_of(folder)
    entry = next(each for each in manifest["artifacts"] if each["precision"] == "fp16")
    entry.update(change)
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf8")
    done = azx("validate", folder, "--verbose")
    assert member in done.stdout
    assert done.returncode == (3 if change.get("precision") else 0)


def test_a_gate_said_to_be_passed_by_a_file_marked_as_failing_is_false(azx: Azx, halved: Path, tmp_path: Path) -> None:
    folder = tmp_path / "forged"
    shutil.copytree(halved, folder)
    manifest = manifest_of(folder)
    entry = next(each for each in manifest["artifacts"] if each["precision"] == "fp16")
    entry["gate"]["passed"] = False
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf8")
    done = azx("validate", folder)
    assert done.returncode == 3
    assert "artifacts[0].gate.passed" in done.stderr


def test_auto_keeps_float32_and_says_what_it_took(small_checkpoint: Path, tmp_path: Path) -> None:
    done = export(small_checkpoint, tmp_path / "net", "auto", formats=("pb", "tflite"))
    [auto] = done.manifest["auto"]
    assert auto["format"] == "tflite"
    paths = [entry["path"] for entry in done.manifest["artifacts"]]
    assert {"small net é.pb", "small net é.tflite"} < set(paths)
    assert [entry["precision"] for entry in done.manifest["artifacts"]].count(auto["chosen"]) == 1


@pytest.mark.whole
def test_auto_falls_back_to_float32_where_nothing_passes(small_checkpoint: Path, tmp_path: Path) -> None:
    done = export(small_checkpoint, tmp_path / "net", "auto", limits=TIGHT)
    [auto] = done.manifest["auto"]
    assert auto["chosen"] == "fp32"
    assert [fell["precision"] for fell in auto["fell"]] == ["int8-dynamic", "int8", "fp16"]
    assert auto["fell"][-1]["why"].endswith(("is outside 0", "is outside 0 %"))
    assert [entry["precision"] for entry in done.manifest["artifacts"]] == ["fp32"]
    assert sorted(path.name for path in (tmp_path / "net").glob("*.tflite")) == ["small net é.tflite"]


@pytest.mark.parametrize(
    ("formats", "precisions", "words"),
    [
        ("pb", ("fp16",), "The format 'pb' is not written in fp16: it is written only in float32, it has fp32."),
        ("all", ("fp61",), "There is no precision 'fp61': did you mean 'fp16'?"),
        ("all", ("auto", "int8"), "'auto' chooses among the precisions by itself"),
    ],
)
def test_what_there_is_not_is_a_sentence_before_anything_is_loaded(
    tmp_path: Path, formats: str, precisions: tuple[str, ...], words: str
) -> None:
    with pytest.raises(AzxError) as refused:
        export(tmp_path / "nothing.h5", tmp_path / "net", *precisions, formats=formats)
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("mixed", "words"),
    [
        (MixedArtifact("pb", "fp16"), "The format 'pb' is not written in fp16."),
        (MixedArtifact("tfjs", "fp32"), "The format 'tfjs' is not written in fp32."),
        (MixedArtifact("tfsj", "fp16"), "The format 'tfsj' is not written in fp16."),
        (MixedArtifact("tfjs", "fp16", ("stem_conv",)), "In fp16 no layer of 'tfjs' stays in float: name none."),
    ],
)
def test_a_mixed_artifact_that_there_is_not_is_a_sentence(tmp_path: Path, mixed: MixedArtifact, words: str) -> None:
    with pytest.raises(AzxError, match=words):
        export(tmp_path / "nothing.h5", tmp_path / "net", "fp32", formats="all", mixed=[mixed])


def test_a_mixed_artifact_comes_beside_the_others_unless_it_comes_anyway() -> None:
    mixed = (MixedArtifact("tfjs", "int8-weights", ("stem_conv",)), MixedArtifact("tflite", "fp16"))
    formats = [FORMATS["tfjs"], FORMATS["onnx"]]
    plan = plan_formats(formats, ("fp32",), ("all",), mixed)
    assert (plan.exact, plan.mixed, plan.needs_gate, plan.chooses) == (tuple(formats), mixed[:1], True, False)
    assert plan_formats(formats, ("fp32", "int8-weights"), ("all",), mixed).mixed == ()
    assert plan_formats(formats, ("auto",), ("all",), mixed).mixed == ()


@pytest.mark.whole
def test_a_mixed_artifact_has_the_layers_in_float_that_were_named_and_nothing_is_searched_for(tmp_path: Path) -> None:
    steps: list[str] = []
    mixed = [MixedArtifact("tfjs", "int8-weights", ("value_hidden",))]
    done = export(
        find_checkpoint("reversi"), tmp_path / "net", "fp32", formats="tfjs", mixed=mixed, on_step=steps.append
    )
    exact, small = sorted(done.manifest["artifacts"], key=lambda entry: str(entry["precision"]))
    assert (exact["precision"], small["precision"], small["float_layers"]) == ("fp32", "int8-weights", ["value_hidden"])
    assert small["gate"]["passed"]
    assert [step for step in steps if "to choose" in step or "harm" in step] == []
    assert "auto" not in done.manifest


def test_a_network_of_no_known_game_is_judged_on_boards_and_its_best_moves_are_not_counted(
    azx: Azx, small_checkpoint: Path, tmp_path: Path
) -> None:
    done = azx(
        "export", small_checkpoint, "-o", tmp_path / "net", "--format", "tflite", "--precision", "fp16",
        "--positions", 60, "--game", "none",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "best legal moves were not counted on random boards" in done.stdout
    assert "self-play" not in done.stdout


@pytest.mark.parametrize(("formats", "words"), [
    ("all", "cannot be written in int8-dynamic: tflite int8-dynamic (TFLite: no layer has enough weights"),
    ("tflite", "the file would hold only float32): leave that precision out, or ask for auto."),
])  # fmt: skip
def test_what_has_too_few_weights_is_refused_before_the_network_plays(tmp_path: Path, formats: str, words: str) -> None:
    steps: list[str] = []
    with pytest.raises(ConversionError) as refused:
        export(find_checkpoint("tictactoe"), tmp_path / "net", "int8-dynamic", formats=formats, on_step=steps.append)
    assert words in str(refused.value)
    assert [step for step in steps if "playing" in step] == []


def test_nothing_is_chosen_on_what_it_is_judged_on(small_checkpoint: Path, here: Any) -> None:
    graph = read_checkpoint(small_checkpoint)
    network = try_simplify(graph).network
    assert network is not None
    heads = heads_of(graph, [head.shape for head in network.outputs], Names())
    reading, settings = game_of(graph, heads, None).reading, Settings(count=60)
    player = Player(graph, heads, reading)
    judging = gate_sources(here, player, parity_positions(graph, heads, reading, settings), settings)
    choosing, answers = choosing_sources(here, player, None, judging, settings)
    assert judging.played is not None
    assert choosing.played is not None
    assert (len(judging.played.positions), len(judging.drawn)) == (1000, 36)  # the random ones of the proof
    assert (len(choosing.played.positions), len(choosing.drawn)) == (1000, 1000)
    assert all(len(rows) == 2000 for rows in answers.values())
    (name,) = player.inputs
    feeds = np.concatenate([choosing.played.positions.feeds[name][-5:], choosing.drawn.feeds[name][:5]])
    exact = evaluate(graph, {name: feeds})
    for name, rows in answers.items():
        np.testing.assert_allclose(rows[995:1005], exact[name], atol=1e-9)
    seeds = [each.seed for each in (judging.drawn, choosing.drawn, judging.played.positions, choosing.played.positions)]
    assert len(set(seeds)) == 2, seeds


def test_of_ones_own_positions_every_other_one_chooses(small_checkpoint: Path, here: Any) -> None:
    graph = read_checkpoint(small_checkpoint)
    name = graph.inputs[0].name
    drawn = Positions({name: np.arange(5 * 84, dtype=np.float32).reshape(5, *graph.inputs[0].shape)}, None, "mine")
    judging = GateSources(drawn, OWN)
    player = Player(graph, (), None)
    choosing, answers = choosing_sources(here, player, None, judging, Settings())
    np.testing.assert_array_equal(choosing.drawn.feeds[name], drawn.feeds[name][::2])
    assert all(len(rows) == 3 for rows in answers.values())

"""`azx sweep` of three checkpoints and a file that is none: what it says, what lies there, what a second one does."""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from azx.bundle.contents.manifest import load_manifest
from azx.cli import cli
from azx.errors import NotEqual
from azx.sweeps import exported as exporting
from azx.sweeps.outcome import COLUMNS
from azx.sweeps.recipe import Recipe
from azx.sweeps.sources import Item
from azx.sweeps.twins import find_twins

Azx = Callable[..., subprocess.CompletedProcess[str]]
QUICK = ("--format", "onnx", "--positions", "50")
NAMES = ["version1", "version2", "version10"]
SAME = ("runs/best net.h5", "runs/version2.h5")


@pytest.fixture(scope="module")
def swept(
    versions: Path, run_in: Azx, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """A folder with runs/, of which broken.h5 is text, and bundles/ after a sweep with two jobs."""
    folder = tmp_path_factory.mktemp("swept")
    shutil.copytree(versions, folder / "runs")
    (folder / "runs" / "broken.h5").write_text("<b>no network</b>")
    return folder, run_in(folder, "sweep", "runs", "--jobs", 2, *QUICK)


@pytest.fixture
def again(swept: tuple[Path, Any], tmp_path: Path) -> Path:
    """A copy of that folder, without the broken file, to be swept again."""
    shutil.copytree(swept[0], tmp_path, dirs_exist_ok=True)
    (tmp_path / "runs" / "broken.h5").unlink()
    return tmp_path


class Fake:
    """`azx sweep` in this process, with exports that fail as told and else leave the bundle that is there."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, whole: Path) -> None:
        self.whole = whole
        self.exported: list[str] = []
        self.errors: dict[str, Exception] = {}
        self._monkeypatch = monkeypatch
        monkeypatch.setattr(exporting, "export_checkpoint", self.export)

    def export(self, checkpoint: Any, settings: Any, *, output: Path, **options: Any) -> Any:
        self.exported.append(output.name)
        if output.name in self.errors:
            raise self.errors[output.name]
        # What a test has damaged is as it was made.
        shutil.rmtree(output)
        shutil.copytree(self.whole / output.name, output)
        return type("Done", (), {"seconds": 1.0, "skipped": {}})

    def __call__(self, folder: Path, *arguments: str) -> Any:
        self._monkeypatch.chdir(folder)
        return CliRunner().invoke(cli, ["sweep", *arguments])


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch, swept: tuple[Path, Any]) -> Fake:
    return Fake(monkeypatch, swept[0] / "bundles")


def table(folder: Path) -> list[dict[str, str]]:
    with (folder / "bundles" / "results.csv").open(encoding="utf8", newline="") as file:
        return list(csv.DictReader(file))


def statuses(folder: Path) -> list[str]:
    return [row["status"] for row in table(folder)]


@pytest.mark.whole
def test_one_that_fails_is_reported_and_stops_no_other(
    swept: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    folder, done = swept
    assert done.returncode == 1
    assert "'runs/broken.h5' is not an HDF5 file" in done.stdout
    assert done.stderr.splitlines()[-1].startswith("Error: 1 of 4 checkpoints failed (first 'runs/broken.h5'): ")
    assert {path.name for path in (folder / "bundles").iterdir()} == {
        *NAMES,
        ".azx-sweep.json",
        "index.html",
        "results.csv",
    }
    for name in NAMES:
        assert load_manifest(folder / "bundles" / name).checkpoint.file == f"{name}.h5"


def test_progress_has_an_estimate_once_one_is_proved(
    swept: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    lines = [line for line in swept[1].stderr.splitlines() if line.startswith("Sweep ")]
    assert [line.split(":")[0] for line in lines] == [f"Sweep {number}/4" for number in (1, 2, 3, 4)]
    between = [line for line in lines[:-1] if " proved in " in line]
    assert between
    assert all("; about " in line and line.endswith(" left") for line in between)


def test_the_table_has_a_line_for_each_artifact_and_for_what_failed(swept: tuple[Path, Any]) -> None:
    rows = table(swept[0])
    assert list(rows[0]) == list(COLUMNS)
    assert [(row["checkpoint"], row["status"], row["format"]) for row in rows] == [
        ("runs/broken.h5", "failed", ""),
        *((f"runs/{name}.h5", "proved", "onnx") for name in NAMES),
    ]
    for row in rows[1:]:
        assert 0 < float(row["max_error"]) < float(row["limit"])
        assert (row["equal"], row["game"], row["best_move"], row["positions"]) == ("True", "tictactoe", "1.0", "50")
        assert int(row["bytes"]) == (swept[0] / row["bundle"] / row["file"]).stat().st_size


def test_the_page_is_whole_and_no_text_in_it_becomes_a_tag(swept: tuple[Path, Any], tmp_path: Path) -> None:
    from azx.sweeps.outcome import FAILED, Outcome
    from azx.sweeps.page import page
    from azx.sweeps.sources import Item

    text = (swept[0] / "bundles" / "index.html").read_text(encoding="utf8")
    assert all(f'<a href="{name}/">{name}</a>' in text for name in NAMES)
    assert "3 of 4 are equal to their originals" in text
    assert text.count(">Tic-tac-toe<") == 3
    assert not {"src=", "http", "<link"} & set(text.replace('"', " ").split())
    evil = page([Outcome(Item(Path("x"), "<script>"), FAILED, code=1, message='"><img src=x>')], tmp_path)
    assert "<script" not in evil
    assert "<img" not in evil
    body = evil[evil.index("<body>") : evil.index("</html>")]
    tree = ElementTree.fromstring(body.replace("<br>", "<br/>"))  # noqa: S314 - of this process's own making
    assert tree.findtext(".//td/small") == '"><img src=x>'


@pytest.mark.parametrize(("share", "told"), [(1.0, "100 %"), (0.999_999, "99.99 %"), (0.97, "97 %"), (0.0, "0 %")])
def test_what_not_all_positions_keep_is_not_called_all(share: float, told: str) -> None:
    from azx.pages.tables import share_text

    assert share_text(share) == told


def test_a_bundle_of_a_sweep_is_bit_for_bit_that_of_an_export(
    swept: tuple[Path, Any], tmp_path: Path, azx: Azx
) -> None:
    """The second or third in its processes, too."""
    done = azx("export", swept[0] / "runs" / "version10.h5", *QUICK, "-o", "one")
    assert done.returncode == 0, done.stderr
    for name in ("manifest.json", "golden.json", "version10.onnx"):
        assert (tmp_path / "one" / name).read_bytes() == (swept[0] / "bundles" / "version10" / name).read_bytes()


def test_what_is_done_is_not_done_again(again: Path, azx: Azx) -> None:
    before = {path: path.stat().st_mtime_ns for path in (again / "bundles").glob("*/*")}
    done = azx("sweep", "runs", *QUICK)
    assert done.returncode == 0, done.stderr
    assert statuses(again) == ["kept"] * 3
    assert {path: path.stat().st_mtime_ns for path in (again / "bundles").glob("*/*")} == before


@pytest.mark.parametrize("name", ["version2.onnx", "manifest.json", "parity.json", "golden.json"])
def test_what_was_changed_since_is_done_again_and_nothing_else(name: str, again: Path, fake: Fake) -> None:
    file = again / "bundles" / "version2" / name
    file.write_bytes(file.read_bytes().replace(b" ", b"  ", 1) if name.endswith("json") else b"")
    assert fake(again, "runs", *QUICK).exit_code == 0
    assert fake.exported == ["version2"]


def test_another_checkpoint_under_the_same_name_and_other_options_are_done(
    again: Path, fake: Fake, version: Callable[[Path, int], Path]
) -> None:
    version(again / "other", 3).replace(again / "runs" / "version2.h5")
    fake(again, "runs", *QUICK)
    assert fake.exported == ["version2"]
    fake(again, "runs", *QUICK, "--seed", "1", "--jobs", "1")
    assert fake.exported == ["version2", *NAMES]


def test_the_same_bytes_under_two_names_are_proved_once(again: Path, fake: Fake, azx: Azx) -> None:
    """The copy is bit for bit what an export of it by itself would have been, and the next sweep knows it again."""
    shutil.copy(again / "runs" / "version2.h5", again / "runs" / "best net.h5")
    done = fake(again, "runs", *QUICK)
    assert (done.exit_code, fake.exported) == (0, [])
    assert statuses(again) == ["proved", "kept", "kept", "kept"]
    assert len({row["sha256"] for row in table(again) if row["checkpoint"] in SAME}) == 1
    bundle = again / "bundles" / "best net"
    assert load_manifest(bundle).checkpoint.file == "best net.h5"
    assert azx("export", "runs/best net.h5", *QUICK, "-o", "alone").returncode == 0
    for name in ("manifest.json", "golden.json", "best net.onnx"):
        assert (bundle / name).read_bytes() == (again / "alone" / name).read_bytes()
    parities = [json.loads((folder / "parity.json").read_text()) for folder in (bundle, again / "alone")]
    for parity in parities:
        for artifact in parity["artifacts"]:
            del artifact["seconds"]
    assert parities[0] == parities[1]
    assert fake(again, "runs", *QUICK).exit_code == 0
    assert fake.exported == []
    assert statuses(again) == ["kept"] * 4


def test_the_same_bytes_that_fail_are_told_of_each_name(again: Path, fake: Fake) -> None:
    shutil.copy(again / "runs" / "version2.h5", again / "runs" / "copy.h5")
    fake.errors = {name: NotEqual(f"{name}.onnx differs.") for name in ("copy", "version2")}
    done = fake(again, "runs", *QUICK, "--seed", "7")
    assert done.exit_code == 3
    assert all(f"runs/{name}.h5: {name}.onnx differs." in done.stdout for name in ("copy", "version2"))


def test_what_cannot_be_read_has_no_twin(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.h5").write_bytes(b"the same")
    items = [Item(tmp_path / f"{name}.h5", name) for name in ("a", "b", "c")]
    assert find_twins(items, Recipe(), lambda item: False) == {}


def test_notes_that_are_damaged_are_not_believed(again: Path, fake: Fake) -> None:
    notes = again / "bundles" / ".azx-sweep.json"
    value = json.loads(notes.read_text())
    for damaged in ('{"schema_version": 1, "bundles"', json.dumps({**value, "bundles": {"version1": 3}}), "[]"):
        notes.write_text(damaged)
        fake.exported.clear()
        assert fake(again, "runs", *QUICK, "--jobs", "1").exit_code == 0
        assert fake.exported == NAMES


def test_a_builder_is_asked_every_time(again: Path, fake: Fake) -> None:
    """Its function may have been changed."""
    for _ in range(2):
        fake(again, "runs/version1.h5", *QUICK, "--builder", "mine:build")
    assert fake.exported == ["version1"] * 2


def test_the_exit_code_is_the_worst_of_all(again: Path, fake: Fake) -> None:
    fake.errors = {
        "version1": OSError(28, "No space left on device", "somewhere"),
        "version2": NotEqual("version2.onnx differs."),
        "version10": ValueError("odd"),
    }
    done = fake(again, "runs", *QUICK, "--seed", "2", "--json")
    assert done.exit_code == 3
    told = json.loads(done.stdout)
    assert (told["exit_code"], told["passed"]) == (3, False)
    assert [row["message"] for row in told["checkpoints"]] == [
        "No space left on device: 'somewhere'.",
        "version2.onnx differs.",
        "unexpected error (ValueError: odd).",
    ]
    assert statuses(again) == ["failed"] * 3


def test_what_concerns_all_is_said_before_anything_is_done(again: Path, fake: Fake) -> None:
    (again / "mine").mkdir()
    (again / "mine" / "index.html").write_text("<h1>Mine</h1>")
    for arguments, sentence in (
        (("runs", "nowhere.h5"), "Error: There is no checkpoint at 'nowhere.h5'"),
        (("runs", "-o", "bundles/version1"), "Error: 'bundles/version1' is a bundle itself"),
        (("runs", "-o", "runs/version1.h5"), "Error: 'runs/version1.h5' cannot be written"),
        (("runs", "-o", "mine"), "Error: 'mine/index.html' is there and no page of azx sweep"),
    ):
        done = fake(again, *arguments)
        assert (done.exit_code, done.stdout) == (1, "")
        assert done.stderr.splitlines()[-1].startswith(sentence)
    assert fake.exported == []
    assert (again / "mine" / "index.html").read_text() == "<h1>Mine</h1>"


def test_export_of_several_is_their_sweep(again: Path, fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(again)
    done = CliRunner().invoke(cli, ["export", "runs/version1.h5", "runs/version2.h5", *QUICK])
    assert (done.exit_code, fake.exported) == (0, [])
    assert statuses(again) == ["kept"] * 2


def test_the_table_is_parquet_too_where_pyarrow_is_installed(swept: tuple[Path, Any], tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    from azx.sweeps import table as tables
    from azx.sweeps.outcome import FAILED, PROVED, Outcome, of_bundle
    from azx.sweeps.sources import Item

    folder = swept[0] / "bundles" / "version2"
    failed = Outcome(Item(Path("x.h5"), "x"), FAILED, code=1, message="It is none.")
    written = tables.write([of_bundle(Item(Path("version2.h5"), "version2"), PROVED, folder), failed], tmp_path)
    assert [path.name for path in written] == ["results.csv", "results.parquet"]
    rows = parquet.read_table(tmp_path / "results.parquet").to_pylist()
    assert [(row["status"], row["format"], row["equal"]) for row in rows] == [
        ("proved", "onnx", True),
        ("failed", None, None),
    ]
    assert list(rows[0]) == list(COLUMNS)

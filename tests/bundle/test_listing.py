"""files.json: every file of a bundle is listed with size and hash, and what is not listed is named and never opened."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from azx.bundle.contents.listing import describe_unlisted, find_unlisted, read_listing, read_measured
from azx.bundle.contents.manifest import LISTING, PARITY, REPORT, file_entry, load_manifest
from azx.bundle.export import export_checkpoint
from azx.bundle.report import report_bundle
from azx.bundle.validate import validate_bundle
from azx.errors import BundleError


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle as an export writes it."""
    folder = tmp_path_factory.mktemp("listing") / "tictactoe"
    export_checkpoint("tictactoe", output=folder, formats=("onnx", "coreml"), count=40)
    return folder


@pytest.fixture
def bundle(made: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    shutil.copytree(made, tmp_path / "tictactoe")
    return tmp_path / "tictactoe"


def test_every_file_of_an_export_is_listed_with_its_size_and_hash(bundle: Path) -> None:
    listed = read_listing(bundle)
    assert listed is not None
    assert set(listed) == {PARITY, REPORT}
    for name, entry in listed.items():
        assert entry == file_entry(bundle, bundle / name)
    assert find_unlisted(bundle, load_manifest(bundle)) == []


def test_an_export_without_a_page_lists_none(tmp_path: Path) -> None:
    export_checkpoint("tictactoe", output=tmp_path / "net", formats="onnx", count=40, report=False)
    assert set(read_listing(tmp_path / "net") or {}) == {PARITY}


def append(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b" ")


def list_elsewhere(path: Path) -> None:
    data = json.loads(path.read_text())
    data["files"][0]["path"] = "../secret"
    path.write_text(json.dumps(data))


FAULTS: dict[str, tuple[str, Callable[[Path], Any], str]] = {
    "another proof": (PARITY, append, "is not the file that the bundle's files.json records"),
    "another page": (REPORT, append, "is not the file that the bundle's files.json records"),
    "no proof": (PARITY, Path.unlink, "is missing"),
    "a list of something else": (LISTING, list_elsewhere, "lists other files than azx writes"),
    "no list at all": (LISTING, lambda path: path.write_text("[]"), "is damaged"),
    "a newer list": (LISTING, lambda path: path.write_text('{"schema_version": 9, "files": []}'), "schema version 9"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_measured_file_that_is_not_the_listed_one_is_damage(bundle: Path, fault: str) -> None:
    name, change, says = FAULTS[fault]
    change(bundle / name)
    with pytest.raises(BundleError, match=says):
        validate_bundle(bundle)
    if name == REPORT:
        report_bundle(bundle)  # it writes another page
        assert validate_bundle(bundle).passed
        return
    with pytest.raises(BundleError, match=says):
        report_bundle(bundle)


@pytest.mark.parametrize("below", ["Data/more.bin", "weights.bin"])
def test_a_file_in_an_artifact_that_the_manifest_does_not_list_is_refused_before_anything_runs(
    bundle: Path, below: str
) -> None:
    (bundle / "tictactoe.mlpackage" / below).write_bytes(b"more")
    with pytest.raises(BundleError, match=f"{below}' lies in an artifact, and the manifest does not list it"):
        load_manifest(bundle)


def test_a_page_may_be_taken_away_and_comes_back(bundle: Path) -> None:
    (bundle / REPORT).unlink()
    assert validate_bundle(bundle).passed
    report_bundle(bundle)
    assert (bundle / REPORT).is_file()


def test_what_is_not_listed_is_named_and_stays_closed(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (bundle / "notes.txt").write_text("mine")
    (bundle / "more").mkdir()
    opened = watch(monkeypatch)
    done = validate_bundle(bundle)
    assert done.passed
    assert done.unlisted == f"'{bundle}': not listed with size and hash, and not opened: more/, notes.txt."
    assert "notes.txt" not in opened()


def watch(monkeypatch: pytest.MonkeyPatch) -> Callable[[], set[str]]:
    """The names of the files that this process opens from now on."""
    import sys

    names: set[str] = set()
    sys.addaudithook(lambda event, arguments: names.add(Path(str(arguments[0])).name) if event == "open" else None)
    return lambda: names


def test_a_bundle_of_before_opens_and_says_what_is_not_listed(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (bundle / LISTING).unlink()
    (bundle / PARITY).write_text("no proof at all")
    opened = watch(monkeypatch)
    done = validate_bundle(bundle)
    assert done.passed
    assert done.unlisted is not None
    assert "not opened: parity.json, report.html" in done.unlisted
    assert not opened() & {PARITY, REPORT}
    assert read_measured(bundle) is None


def test_a_page_that_is_drawn_again_is_listed_in_the_same_step(bundle: Path) -> None:
    (bundle / "notes.txt").write_text("mine")
    report_bundle(bundle)
    listed = read_listing(bundle)
    assert listed is not None
    assert listed[REPORT] == file_entry(bundle, bundle / REPORT)
    assert (bundle / "notes.txt").read_text() == "mine"
    assert [path.name for path in bundle.parent.iterdir() if not path.name.endswith(".azx-lock")] == ["tictactoe"]
    assert describe_unlisted(bundle, load_manifest(bundle)) is not None


def test_an_export_over_a_bundle_keeps_a_file_of_somebody_elses_by_the_lists_name(tmp_path: Path) -> None:
    export_checkpoint("tictactoe", output=tmp_path / "net", formats="onnx", count=40)
    (tmp_path / "net" / LISTING).write_text("mine")
    with pytest.raises(BundleError, match=r"files\.json"):
        export_checkpoint("tictactoe", output=tmp_path / "net", formats="onnx", count=40)
    assert (tmp_path / "net" / LISTING).read_text() == "mine"

"""The manifest's model: what it accepts, what it writes, and the schema that is published from it."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any, get_type_hints

import manifest_table
import pytest

from azx.bundle.claims.table import CHOSEN, DATED, DERIVED, OPEN, TABLE, kind_of
from azx.bundle.contents.manifest import dump, load_manifest, read_manifest, text
from azx.bundle.contents.manifest_model import first_fault, read_part, schema
from azx.errors import BundleError
from azx.manifest import Manifest, Part, members

Data = dict[str, Any]

PLATFORMS = {"android": "tflite", "ios": "coreml", "web": "tfjs", "desktop": "onnx", "server": "pb"}


@pytest.fixture
def data(small_bundle: Path) -> Data:
    """What an export wrote."""
    found: Data = json.loads((small_bundle / "manifest.json").read_text(encoding="utf8"))
    return found


def unknown_members(part: Part) -> Iterator[str]:
    """Members that the model does not describe, at any depth."""
    yield from part.unknown
    for name in members(type(part)):
        value = getattr(part, name)
        for item in value if isinstance(value, tuple) else [value]:
            if isinstance(item, Part):
                yield from unknown_members(item)


@pytest.mark.smoke
def test_the_published_schema_is_the_model() -> None:
    published = resources.files("azx.bundle.contents").joinpath("manifest.schema.json").read_text(encoding="utf8")
    assert published == schema(), "run `python -m azx.bundle.contents.manifest_model`"


def test_the_schema_describes_every_member() -> None:
    described = json.loads(schema())
    for name, member in described["properties"].items():
        assert member.get("description") or "$ref" in member, name


def leaves(part: type[Part], path: str = "") -> Iterator[str]:
    """Every member that is no object itself, as docs/bundle-format.md writes it: `files[].path`."""
    hints = get_type_hints(part)
    for name in members(part):
        text = str(hints[name])
        kind = next((k for k in Part.__subclasses__() if re.search(rf"\b{k.__name__}\b", text)), None)
        here = f"{path}{name}"
        yield from [here] if kind is None else leaves(kind, f"{here}{'[].' if 'tuple[' in text else '.'}")


def test_the_documentations_table_is_the_models(repository: Path) -> None:
    page = (repository / "docs" / "bundle-format.md").read_text(encoding="utf8")
    assert manifest_table.written(page) == page, "run `make docs`"
    rows = dict(re.findall(r"^\| `(.+?)` \| (.*) \|$", page, re.MULTILINE))
    named = set(leaves(Manifest))
    assert {"threads", "encoding.board", "files[].sha256", "artifacts[].opset"} <= named
    # An object that two members have is listed with the first of them.
    twice = {name: text.split("those of `")[1].split("`")[0] for name, text in rows.items() if "those of `" in text}
    assert set(twice) == {
        "assumed.others[].encoding", "strength[].elo", "tuned.search", "tuned.against", "tuned.elo"
    }  # fmt: skip
    listed = set(rows) | {
        f"{name}{other.removeprefix(first)}"
        for name, first in twice.items()
        for other in rows
        if other.startswith(first)
    }
    assert named - listed == set()


def test_the_table_says_of_every_member_what_proves_it() -> None:
    named = set(leaves(Manifest))
    assert {kind_of(member) for member in named} == {DERIVED, DATED, CHOSEN, OPEN}
    for row in TABLE:
        assert any(member == row or member.startswith((f"{row}.", f"{row}[]")) for member in named), row


def test_an_export_writes_nothing_that_the_model_does_not_describe(data: Data) -> None:
    assert list(unknown_members(read_part(Manifest, data))) == []


def test_the_model_writes_back_the_bytes_that_it_read(small_bundle: Path, data: Data) -> None:
    written = (small_bundle / "manifest.json").read_text(encoding="utf8")
    assert text(read_part(Manifest, data)) == dump(data) == written


def test_members_are_written_in_the_models_order_whatever_order_they_came_in(data: Data) -> None:
    assert text(read_part(Manifest, dict(reversed(data.items())))) == text(read_part(Manifest, data))


def test_what_is_recommended_for_each_platform_is_listed_and_hashed(data: Data) -> None:
    formats = {artifact["path"]: artifact["format"] for artifact in data["artifacts"]}
    listed = [entry["path"] for entry in data["files"]]
    for platform, path in data["recommended"].items():
        assert formats[path] == PLATFORMS[platform]
        assert any(f"{entry}/".startswith(f"{path}/") for entry in listed)
    assert "android" in data["recommended"]
    assert data["threads"] == 1


def test_a_manifest_of_before_threads_were_recommended_is_sound(data: Data) -> None:
    del data["threads"]
    assert first_fault(data) is None


def test_a_manifest_of_before_a_member_is_written_again_without_it(data: Data) -> None:
    """And what a member's absence means is its default."""
    del data["threads"], data["settings"]
    assert (read_part(Manifest, data).threads, read_part(Manifest, data).settings) == (1, None)
    assert json.loads(text(read_part(Manifest, data))) == data
    assert read_part(Manifest, data | {"chosen": None}).as_data()["chosen"] is None


def test_a_manifest_without_a_known_game_is_sound(data: Data) -> None:
    data.update(game=None, settings=None, encoding=None, actions=None)
    assert first_fault(data) is None


def test_a_manifest_from_before_settings_is_sound(data: Data) -> None:
    del data["settings"]
    assert first_fault(data) is None


def test_a_signed_value_read_as_usual_adds_no_member(data: Data) -> None:
    assert set(data["encoding"]) == {"layout", "board", "planes"}
    assert all({"value_range", "order"}.isdisjoint(head) for head in data["outputs"])


def test_other_readings_are_sound_and_kept(data: Data) -> None:
    data["encoding"].update(flip=True, transpose=True, history="repeated", value="player0")
    data["outputs"][0].update(value_range="wdl", order=["loss", "draw", "win"])
    assert first_fault(data) is None
    assert json.loads(text(read_part(Manifest, data))) == data


def test_a_member_that_a_later_azx_added_is_passed_over_and_kept(data: Data) -> None:
    data["theme"] = {"colour": "blue"}
    data["artifacts"][0]["delegates"] = ["gpu"]
    assert first_fault(data) is None
    assert json.loads(text(read_part(Manifest, data))) == data


FAULTS: dict[str, tuple[Callable[[Data], Any], tuple[str, ...]]] = {
    "missing": (lambda d: d.pop("positions"), ("positions",)),
    "true for a number": (lambda d: d["checkpoint"].update(parameters=True), ("checkpoint", "parameters")),
    "text for a number": (lambda d: d.update(batch="1"), ("batch",)),
    "batch of none": (lambda d: d.update(batch=0), ("batch",)),
    "empty axis": (lambda d: d["inputs"][0]["shape"].insert(0, 0), ("inputs", "0", "shape", "0")),
    "no outputs": (lambda d: d.update(outputs=[]), ("outputs",)),
    "unknown role": (lambda d: d["outputs"][1].update(role="pass"), ("outputs", "1", "role")),
    "unknown layout": (lambda d: d["encoding"].update(layout="rows"), ("encoding", "layout")),
    "flip is a text": (lambda d: d["encoding"].update(flip="yes"), ("encoding", "flip")),
    "value of nobody": (lambda d: d["encoding"].update(value="white"), ("encoding", "value")),
    "unknown range": (lambda d: d["outputs"][0].update(value_range="centipawns"), ("outputs", "0", "value_range")),
    "order of two": (lambda d: d["outputs"][0].update(order=["win", "loss"]), ("outputs", "0", "order")),
    "no hash": (lambda d: d["files"][0].update(sha256="0"), ("files", "0", "sha256")),
    "negative size": (lambda d: d["files"][0].update(size=-1), ("files", "0", "size")),
    "artifact without path": (lambda d: d["artifacts"][0].pop("path"), ("artifacts", "0", "path")),
    "recommended is a list": (lambda d: d.update(recommended=[]), ("recommended",)),
    "newer": (lambda d: d.update(schema_version=2), ("schema_version",)),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_where_it_is(fault: str, data: Data) -> None:
    spoil, where = FAULTS[fault]
    spoil(data)
    assert first_fault(data) == where


def test_a_manifest_with_a_fault_is_not_written(data: Data) -> None:
    data["outputs"] = []
    with pytest.raises(ValueError, match="no sound 'outputs'"):
        text(read_part(Manifest, data))


def edited(bundle: Path, folder: Path, change: Callable[[Data], Any]) -> Path:
    """A copy of the bundle with another manifest."""
    copy = Path(shutil.copytree(bundle, folder / "copy"))
    data = json.loads((copy / "manifest.json").read_text(encoding="utf8"))
    change(data)
    (copy / "manifest.json").write_text(json.dumps(data), encoding="utf8")
    return copy


def test_the_sentence_about_a_fault_says_where_it_is(small_bundle: Path, tmp_path: Path) -> None:
    copy = edited(small_bundle, tmp_path, lambda d: d["outputs"][1].pop("name"))
    with pytest.raises(BundleError, match=r"has no sound 'outputs' \(at outputs\.1\.name\): export the checkpoint"):
        read_manifest(copy)


def test_a_newer_schema_is_told_before_anything_else_is_looked_at(small_bundle: Path, tmp_path: Path) -> None:
    copy = edited(small_bundle, tmp_path, lambda d: d.update(schema_version=9, outputs=None))
    with pytest.raises(BundleError, match="has schema version 9 and this azx reads 1: use the azx that wrote it"):
        read_manifest(copy)


OUTSIDE = ["../x", "/etc/passwd", "a/../../x", "..\\x", "C:x", "..", "."]


@pytest.mark.parametrize("path", OUTSIDE)
def test_a_path_that_leaves_the_folder_is_refused(path: str, small_bundle: Path, tmp_path: Path) -> None:
    copy = edited(small_bundle, tmp_path, lambda d: d["files"][0].update(path=path))
    with pytest.raises(BundleError, match="outside the bundle"):
        load_manifest(copy)


def test_a_bundle_that_was_moved_is_as_sound_as_before(small_bundle: Path, tmp_path: Path) -> None:
    moved = Path(shutil.copytree(small_bundle, tmp_path / "elsewhere" / "another name"))
    assert load_manifest(moved) == load_manifest(small_bundle)


def test_an_assumed_reading_is_in_the_bundle_and_its_form_is_checked(data: Data) -> None:
    assumed = data["assumed"]["others"]
    assert assumed[0]["name"] == "connect4-mover-opponent-bottom-first"
    assert len(assumed) == 8
    assert first_fault(data) is None
    for edit, fault in [
        ({"others": [*assumed, assumed[0]]}, ("assumed", "others")),
        ({}, ("assumed", "others")),
        ({"others": [{**assumed[0], "name": "Connect 4"}]}, ("assumed", "others", "0", "name")),
        ({"others": [{**assumed[0], "name": "c" * 121}]}, ("assumed", "others", "0", "name")),
        ({"others": [{**assumed[0], "actions": [-1]}]}, ("assumed", "others", "0", "actions", "0")),
        ({"others": [{**assumed[0], "encoding": {"layout": "flat"}}]}, ("assumed", "others", "0", "encoding", "board")),
    ]:
        assert first_fault({**data, "assumed": edit}) == fault
    assert first_fault({name: value for name, value in data.items() if name != "assumed"}) is None

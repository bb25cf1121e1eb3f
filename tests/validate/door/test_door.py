"""The door for artifacts: nothing that does more than calculate gets through, and no runtime sees it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from types import ModuleType

import pytest
from sibling import sibling

from azx.errors import BundleError, Refused, UnsafeArtifact
from azx.export.formats.table import FORMATS
from azx.validate.door.look import look_at, look_at_all
from azx.validate.runners.runner import Runner

HOSTILE: dict[str, ModuleType] = {
    name: sibling(__file__, f"hostile_{name}") for name in ("pb", "onnx", "tflite", "coreml", "tfjs")
}
pb = HOSTILE["pb"]
OPERATIONS = {name: getattr(module, "OPERATIONS", pb.OPERATIONS) for name, module in HOSTILE.items()}
EVERY_OPERATION = [
    (name, operation) for name, table in OPERATIONS.items() for names in table.values() for operation in names.split()
]
EVERY_CHANGE = [(name, change) for name, module in HOSTILE.items() for change in module.CHANGES]


@pytest.fixture(scope="module")
def sound(small_bundle: Path) -> dict[str, Path]:
    """The artifact of each format of the small network."""
    return {
        name: next(path for path in sorted(small_bundle.iterdir()) if path.name.endswith(FORMATS[name].suffix))
        for name in HOSTILE
    }


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The artifacts that any runner opens during the test."""
    seen: list[Path] = []
    for entry in FORMATS.values():
        for runner in (entry.runner, *(further.runner for further in entry.also)):
            monkeypatch.setattr(_class_of(runner), "open", lambda self: seen.append(self.path))
    return seen


def _class_of(runner: str) -> type[Runner]:
    from importlib import import_module

    module, _, name = runner.partition(":")
    found: type[Runner] = getattr(import_module(module), "TfjsRunner" if name == "open_tfjs" else name)
    assert issubclass(found, Runner)
    return found


def refused(name: str, path: Path, opened: list[Path]) -> str:
    """The sentence about an artifact that no runner may open."""
    with pytest.raises(BundleError) as told, FORMATS[name].open(path):
        pytest.fail("it was opened")
    assert not isinstance(told.value, Refused)
    assert opened == []
    text = str(told.value)
    assert "\n" not in text
    assert "Traceback" not in text
    return text


@pytest.mark.parametrize("name", HOSTILE)
def test_what_azx_writes_goes_through(name: str, sound: dict[str, Path]) -> None:
    look_at(name, sound[name])


@pytest.mark.parametrize(("name", "operation"), EVERY_OPERATION)
def test_an_operation_that_does_more_than_calculate_is_refused(
    name: str, operation: str, sound: dict[str, Path], opened: list[Path], tmp_path: Path
) -> None:
    path = tmp_path / f"net{FORMATS[name].suffix}"
    HOSTILE[name].edit(sound[name], path, HOSTILE[name].add(operation))
    text = refused(name, path, opened)
    assert operation in text
    assert str(path) in text
    if name != "tflite":
        assert HOSTILE[name].EVIL in text
    with pytest.raises(UnsafeArtifact):
        look_at_all([(name, path)])


@pytest.mark.parametrize(("name", "change"), EVERY_CHANGE)
def test_each_other_way_to_do_more_is_refused(
    name: str, change: str, sound: dict[str, Path], opened: list[Path], tmp_path: Path
) -> None:
    path = tmp_path / f"net{FORMATS[name].suffix}"
    HOSTILE[name].edit(sound[name], path, HOSTILE[name].CHANGES[change])
    assert str(path) in refused(name, path, opened)


@pytest.mark.parametrize("change", HOSTILE["coreml"].PACKAGES)
def test_a_package_with_more_than_a_model_and_its_weights_is_refused(
    change: str, sound: dict[str, Path], opened: list[Path], tmp_path: Path
) -> None:
    path = Path(shutil.copytree(sound["coreml"], tmp_path / "net.mlpackage"))
    HOSTILE["coreml"].PACKAGES[change](path)
    assert str(path) in refused("coreml", path, opened)


@pytest.mark.parametrize("change", HOSTILE["tfjs"].BROKEN)
def test_a_broken_tfjs_model_is_one_sentence(
    change: str, sound: dict[str, Path], opened: list[Path], tmp_path: Path
) -> None:
    path = tmp_path / "net_tfjs"
    HOSTILE["tfjs"].edit(sound["tfjs"], path, HOSTILE["tfjs"].BROKEN[change])
    assert "export" in refused("tfjs", path, opened)


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("kept", [0, 1, 7, 100, 0.3, 0.9, -1])
def test_a_file_that_is_cut_off_leaves_one_sentence(
    name: str, kept: float, sound: dict[str, Path], tmp_path: Path
) -> None:
    path = tmp_path / sound[name].name
    file = path
    if sound[name].is_dir():
        shutil.copytree(sound[name], path)
        file = next(each for each in path.rglob("*") if each.name in ("model.json", "model.mlmodel"))
        content = file.read_bytes()
    else:
        content = sound[name].read_bytes()
    end = int(kept * len(content)) if isinstance(kept, float) else kept
    file.write_bytes(content[:end])
    try:
        look_at(name, path)
    except BundleError as error:
        assert "\n" not in str(error)  # noqa: PT017 - a protobuf that is cut off between two nodes is one still


@pytest.mark.parametrize("name", HOSTILE)
def test_a_file_with_any_byte_changed_leaves_one_sentence(name: str, sound: dict[str, Path], tmp_path: Path) -> None:
    import random

    path, lots = tmp_path / sound[name].name, random.Random(7)  # noqa: S311 - no secret
    file = path
    if sound[name].is_dir():
        shutil.copytree(sound[name], path)
        file = next(each for each in path.rglob("*") if each.name in ("model.json", "model.mlmodel"))
        content = file.read_bytes()
    else:
        content = sound[name].read_bytes()
    for _ in range(150):
        changed = bytearray(content)
        for _ in range(lots.choice([1, 1, 4])):
            changed[lots.randrange(len(changed))] = lots.randrange(256)
        file.write_bytes(changed)
        try:
            look_at(name, path)
        except BundleError as error:
            assert "\n" not in str(error)  # noqa: PT017 - most changes are in weights, and do not matter


def test_a_format_without_a_door_is_not_opened(tmp_path: Path) -> None:
    path = tmp_path / "net.new"
    path.touch()
    with pytest.raises(UnsafeArtifact, match="cannot look into"):
        look_at("new", path)


def test_all_of_a_bundle_that_are_hostile_are_named(sound: dict[str, Path], tmp_path: Path) -> None:
    paths = []
    for name, module in HOSTILE.items():
        path = tmp_path / f"net{FORMATS[name].suffix}"
        module.edit(sound[name], path, module.add(OPERATIONS[name]["lots"].split()[0]))
        paths.append((name, path))
    with pytest.raises(UnsafeArtifact) as told:
        look_at_all([("pb", sound["pb"]), *paths])
    assert str(told.value).count("is random") == 5
    assert all(str(path) in str(told.value) for _, path in paths)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    folder = tmp_path / "net_tfjs"
    folder.mkdir()
    os.mkfifo(folder / "model.json")
    with pytest.raises(BundleError):
        look_at("tfjs", folder)

"""The house: rooms that README names, imports that every tool follows, none of them upward."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest
from source_tree import source_files

OUTSIDE = {"apps", "benchmarks", "docs", "release", "requirements", "tests"}


def modules(repository: Path) -> Iterator[Path]:
    return (path for path in source_files(repository, ".py") if path.relative_to(repository).parts[0] not in OUTSIDE)


def rooms(repository: Path) -> dict[str, list[Path]]:
    """The modules of each room by its folder, `__init__` aside; the root is no room."""
    found: dict[str, list[Path]] = {}
    for path in modules(repository):
        room = path.parent.relative_to(repository).as_posix()
        if room != "." and path.stem != "__init__":
            found.setdefault(room, []).append(path)
    return found


def named_in(readme: str) -> set[str]:
    """The rooms that the tree of README names, a line each: two more blanks are one folder further in."""
    tree = readme.split("## The house")[1].split("## ")[0]
    named, above = set[str](), list[str]()
    for blanks, name in re.findall(r"^    ( *)([\w-]+)/ ", tree, re.MULTILINE):
        above = [*above[: len(blanks) // 2], name]
        named.add("/".join(above))
    return named


def test_no_room_has_one_file(repository: Path) -> None:
    assert [room for room, files in rooms(repository).items() if len(files) == 1] == []


def test_readme_names_every_room_and_no_other(repository: Path) -> None:
    named = {
        room for room in named_in((repository / "README.md").read_text(encoding="utf8")) if not room.startswith("apps")
    }
    # Recipes of the shipped networks are alike, a folder a game: the tree says so once.
    known = {room for room in rooms(repository) if not room.startswith("training/")}
    assert named - {"export", "games/data"} == known


SOURCES_OF_APPS = {
    "web": (("src",), ".ts"),
    "android": (("play/src/main/kotlin/org/azx/app", "app/src/main/kotlin/org/azx/app"), ".kt"),
    "ios": (("Sources",), ".swift"),
}


@pytest.mark.parametrize("app", SOURCES_OF_APPS)
def test_readme_names_every_room_of_an_app_and_no_other(app: str, repository: Path) -> None:
    places, suffix = SOURCES_OF_APPS[app]
    rooms_of_app = {
        path.parent.relative_to(repository / "apps" / app / place).as_posix()
        for place in places
        for path in source_files(repository, suffix)
        if path.is_relative_to(repository / "apps" / app / place)
    } - {"."}
    named = named_in((repository / "README.md").read_text(encoding="utf8"))
    here = f"apps/{app}/"
    # A module of C has no file in Swift.
    assert {room.removeprefix(here) for room in named if room.startswith(here)} - {"CSystem"} == rooms_of_app
    assert len(rooms_of_app) > 10


def folders_both_ways(repository: Path, imported: dict[str, set[str]]) -> list[str]:
    """The folders whose modules import, and are imported by, modules of the folder that they lie in."""
    folder_of = {
        "azx." + path.relative_to(repository).with_suffix("").as_posix().replace("/", "."): path.parent
        for path in modules(repository)
        if path.stem != "__init__"
    }
    up, down = set[Path](), set[Path]()
    for module, others in imported.items():
        for one, other in ((folder_of.get(module), folder_of.get(name)) for name in others):
            if one is None or other is None or repository in (one, other):
                continue
            if other in one.parents:
                up |= {inner for inner in (one, *one.parents) if inner.parent == other}
            if one in other.parents:
                down |= {inner for inner in (other, *other.parents) if inner.parent == one}
    return sorted(str(folder.relative_to(repository)) for folder in up & down)


def imports_of_azx() -> dict[str, set[str]]:
    """What each module of azx imports, types included."""
    graph = grimp.build_graph("azx", cache_dir=None)
    return {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}


def test_no_folder_and_its_parent_import_each_other(repository: Path) -> None:
    imported = imports_of_azx()
    assert folders_both_ways(repository, imported) == []
    imported["azx.games.state"] = {*imported["azx.games.state"], "azx.games.known.catalogue"}
    assert folders_both_ways(repository, imported) == ["games/known"]


def test_imports_inside_the_package_are_relative(repository: Path) -> None:
    absolute = []
    for path in modules(repository):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [str(node.module)]
            else:
                continue
            absolute += [f"{path}:{node.lineno}" for name in names if name.split(".")[0] == "azx"]
    assert absolute == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Types included; the root is left out, which hands names on and has the version that several ask for."""
    above = {module: imported - {"azx"} for module, imported in imports_of_azx().items() if module != "azx"}
    assert list(TopologicalSorter(above).static_order())


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-logo", "--no-cache"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


@pytest.fixture(scope="module")
def copied(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package, to plant imports in; as it stands its linter has nothing to say."""
    place = tmp_path_factory.mktemp("house")
    for path in modules(repository):
        target = place / "azx" / path.relative_to(repository)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    shutil.copy(repository / "pyproject.toml", place)
    assert lint(place).returncode == 0
    return place


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("games/state.py", "from ..export.checkpoint import layer_graph"),
        ("export/checkpoint/weights.py", "from ..network import simplify"),
        ("validate/witness/layers.py", "from ...export.network import activations"),
        ("match/games.py", "from ..mobile_assets import install"),
    ],
)
def test_an_import_up_the_house_is_refused(copied: Path, module: str, line: str) -> None:
    file = copied / "azx" / module
    before = file.read_text(encoding="utf-8")
    file.write_text(f"{before}\n{line}\n", encoding="utf-8")
    done = lint(copied)
    file.write_text(before, encoding="utf-8")
    assert done.returncode == 1, done.stdout
    assert f"azx.{module.removesuffix('.py').replace('/', '.')} -> " in done.stdout

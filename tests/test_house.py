"""The house: rooms of a size that can be taken in, imports that every tool follows, none of them upward."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest

OUTSIDE = {"apps", "benchmarks", "build", "dist", "docs", "requirements", "tests"}
LARGEST_ROOM = 15


def modules(repository: Path) -> Iterator[Path]:
    for path in repository.rglob("*.py"):
        parts = path.relative_to(repository).parts
        if parts[0] not in OUTSIDE and not any(part.startswith(".") or part == "node_modules" for part in parts):
            yield path


def test_no_room_has_more_modules_than_can_be_taken_in(repository: Path) -> None:
    rooms = Counter(path.parent.relative_to(repository) for path in modules(repository) if path.stem != "__init__")
    assert {str(room): count for room, count in rooms.items() if count > LARGEST_ROOM} == {}


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
    graph = grimp.build_graph("azx", cache_dir=None)
    above = {module: graph.find_modules_directly_imported_by(module) - {"azx"} for module in graph.modules - {"azx"}}
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
        ("play/match.py", "from ..mobile_assets import install"),
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

"""Which tests have to do with what differs from a commit: `changed.py [COMMIT]` prints their files.

A module counts with all that import it (grimp reads the imports); another file of a room counts as every module there.
What is not sure to have no say is taken in: a change of what all tests use selects all of them.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import grimp

PACKAGE = "azx"
# What every test may depend on.
OF_ALL = ("pyproject.toml", "requirements/", "tests/conftest.py", "tests/support/")
# Tested by the apps' own commands, but for what Python reads of them.
APPS = ("apps/web/", "apps/android/", "apps/ios/")
# Data outside a room, and the module that reads it.
READ_BY = {"apps/texts/": "azx.texts"}
# A fixture of tests/conftest.py, and the commands that it runs by itself.
RUNS = {"azx": (), "run_in": (), "small_bundle": ("export",), "bundle": ("export",)}


def changed_since(root: Path, commit: str) -> list[str]:
    """The files that differ from `commit`, and those that git does not know yet, as paths from `root`."""
    asked = (["diff", "--name-only", commit, "--"], ["ls-files", "--others", "--exclude-standard"])
    return [
        line
        for arguments in asked
        for line in subprocess.run(
            ["git", *arguments], cwd=root, check=True, capture_output=True, text=True
        ).stdout.splitlines()
    ]


def affected_by(root: Path, files: Iterable[str]) -> list[str]:
    """The test files, as paths from `root`, that these files have to do with; ["tests"] for all of them."""
    files = list(files)
    if any(file.startswith(OF_ALL) for file in files):
        return ["tests"]
    graph = grimp.build_graph(PACKAGE, cache_dir=None)
    modules = {module for file in files for module in _modules_of(file, graph.modules)}
    touched = modules.union(*(graph.find_downstream_modules(module) for module in modules))
    # The commands are loaded one by one: which a test runs stands in the test.
    touched -= {f"{PACKAGE}.cli"} - modules
    found = {file for file in files if Path(file).name.startswith("test_") and (root / file).is_file()}
    for test in sorted((root / "tests").rglob("test_*.py")):
        text = test.read_text(encoding="utf8")
        if _asks_of(text, graph.modules) & touched or any(_names(text, file) for file in files):
            found.add(str(test.relative_to(root)))
    return sorted(found)


def _modules_of(file: str, known: set[str]) -> Iterator[str]:
    """The module that a file is; every module of its room for a file of another kind."""
    path = Path(file)
    yield from (module for place, module in READ_BY.items() if file.startswith(place))
    if file.startswith(("tests/", *APPS)):
        return
    if path.suffix == ".py":
        parts = path.with_suffix("").parts
        module = ".".join((PACKAGE, *(parts[:-1] if parts[-1] == "__init__" else parts)))
        yield from {module} & known
    else:
        rooms = (".".join((PACKAGE, *folder.parts)) for folder in path.parents if folder.parts)
        nearest = next((room for room in rooms if room in known), None)
        yield from (module for module in known if nearest and f"{module}.".startswith(f"{nearest}."))


def _asks_of(text: str, known: set[str]) -> set[str]:
    """The modules that a test imports, or whose command it runs."""
    tree = ast.parse(text)
    asked: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            asked.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            asked.update({node.module, *(f"{node.module}.{alias.name}" for alias in node.names)})
    fixtures = {
        argument.arg for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) for argument in node.args.args
    }
    if fixtures & RUNS.keys() or "sys.executable" in text:
        words = {
            node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        words.update(command for fixture in fixtures & RUNS.keys() for command in RUNS[fixture])
        asked.update({f"{PACKAGE}.cli", *(f"{PACKAGE}.commands.{word}" for word in words)})
    return asked & known


def _names(text: str, file: str) -> bool:
    """Whether a test speaks of a file that is no module: of its name, or of its folder of documents."""
    path = Path(file)
    return path.suffix != ".py" and (f'"{path.name}"' in text or f'"{path.parts[0]}"' in text)


if __name__ == "__main__":
    here = Path(__file__).resolve().parent.parent.parent
    sys.stdout.write(" ".join(affected_by(here, changed_since(here, *(sys.argv[1:] or ["HEAD"])))))

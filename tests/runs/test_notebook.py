"""The example notebooks: sound files without outputs, whose cells run as they stand."""

from __future__ import annotations

import ast
import importlib
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

# Each notebook's first cell says how much is done; the tests do less.
SMALL: dict[str, dict[str, Any]] = {
    "train": {
        "RECIPE": {"net": "dense:1x8", "games": 6, "simulations": 4},
        "MINUTES": 0.001,
        "FORMATS": ("onnx",),
        "FOLDER": "run",
    },
    "network": {"POSITIONS": 64, "EPOCHS": 1, "GAMES": 2, "FORMATS": ("onnx",), "FILE": "small.h5", "FOLDER": "bundle"},
}
BUNDLES = {"train": "bundles/run-gen0001", "network": "bundle"}


@pytest.fixture(params=sorted(SMALL))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def notebook(repository: Path, name: str) -> dict[str, Any]:
    path = repository / "examples" / "notebook" / f"{name}.ipynb"
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf8"))
    return data


@pytest.fixture
def cells(notebook: dict[str, Any]) -> list[str]:
    """The code, cell by cell."""
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def test_the_notebook_is_of_a_known_form_without_outputs(notebook: dict[str, Any]) -> None:
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
    for cell in notebook["cells"]:
        assert set(cell) - {"outputs", "execution_count"} == {"cell_type", "id", "metadata", "source"}
        assert cell.get("outputs", []) == []
        assert cell.get("execution_count") is None


def test_its_azx_names_exist(cells: list[str]) -> None:
    found = 0
    for node in ast.walk(ast.parse("\n".join(cells))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("azx."):
            module = importlib.import_module(node.module or "")
            assert all(hasattr(module, name.name) for name in node.names), node.module
            found += 1
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "azx":
            assert hasattr(importlib.import_module("azx"), node.attr)
            found += 1
    assert found >= 4


@pytest.mark.whole
@pytest.mark.filterwarnings("ignore:__array__ implementation doesn't accept a copy keyword:DeprecationWarning")
def test_its_cells_run(cells: list[str], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = list[str]()
    display = ModuleType("IPython.display")
    display.__dict__["IFrame"] = lambda path, **size: shown.extend([path])
    monkeypatch.setitem(sys.modules, "IPython", ModuleType("IPython"))
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for at, cell in enumerate(cells):
        exec(compile(cell, f"cell {at}", "exec"), names)  # noqa: S102
        if at == 0:
            assert set(SMALL[name]) <= set(names)
            names.update(SMALL[name])
    assert [Path(path).is_file() for path in shown] == [True] * (name == "train")
    assert (tmp_path / BUNDLES[name] / "manifest.json").is_file()
    assert names["done"].proof.passed

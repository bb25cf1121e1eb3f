"""The notebook of training: a sound file without outputs, whose cells run as they stand."""

from __future__ import annotations

import ast
import importlib
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

SMALL = {
    "RECIPE": {"net": "dense:1x8", "games": 6, "simulations": 4},
    "MINUTES": 0.001,
    "FORMATS": ("onnx",),
    "FOLDER": "run",
}


@pytest.fixture(scope="module")
def notebook(repository: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((repository / "examples" / "train.ipynb").read_text(encoding="utf8"))
    return data


@pytest.fixture(scope="module")
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
def test_its_cells_run(cells: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
            assert set(SMALL) <= set(names)
            names.update(SMALL)
    assert [Path(path).is_file() for path in shown] == [True]
    assert (tmp_path / "bundles" / "run-gen0001" / "manifest.json").is_file()
    assert names["done"].proof.passed

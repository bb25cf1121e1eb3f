"""Random boards of a network that takes illegal moves away: each leaves a move, since no answer has a meaning else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx_models import NodeOf, model

from azx import export_checkpoint
from azx.bundle.case.answered import LARGE, boards_answered, takes_away
from azx.bundle.case.positions import draw_positions
from azx.export.checkpoint.layer_graph import LayerGraph
from azx.export.checkpoint.read import read_checkpoint

COLUMNS = 4


def masked(path: Path, number: float) -> Path:
    """Logits of four columns, less `number` where the top cell is full, then a softmax."""
    random = np.random.default_rng(2)
    weights: dict[str, Any] = {"p.weight": random.normal(size=(COLUMNS, 24)).astype(np.float32)}
    weights |= {"v.weight": (random.normal(size=(1, 24)) / 5).astype(np.float32), "axes": np.array([1])}
    weights |= {"begin": np.array([0]), "end": np.array([1]), "row": np.array([2])}
    weights |= {"number": np.array(number, np.float32)}
    nodes: list[NodeOf] = [
        ("Flatten", ["board"], ["flat"], {"axis": 1}),
        ("Gemm", ["flat", "p.weight"], ["logits"], {"transB": 1}),
        ("Gemm", ["flat", "v.weight"], ["single"], {"transB": 1}),
        ("Tanh", ["single"], ["value"], {}),
        ("Slice", ["board", "begin", "end", "row"], ["top"], {}),
        ("Squeeze", ["top", "row"], ["cells"], {}),
        ("ReduceSum", ["cells", "axes"], ["full"], {"keepdims": 0}),
        ("Mul", ["full", "number"], ["taken"], {}),
        ("Sub", ["logits", "taken"], ["left"], {}),
        ("Softmax", ["left"], ["policy"], {"axis": -1}),
    ]
    return Path(model(path, nodes, weights, {"board": ("b", 2, 3, COLUMNS)}, ["policy", "value"]))


def boards(graph: LayerGraph) -> Any:
    return draw_positions(graph, None, 400, 3).feeds["board"]


@pytest.mark.parametrize(("number", "leaves"), [(1e9, True), (2e6, True), (5.0, False)])
def test_a_board_leaves_a_move_where_a_large_number_takes_them_away(
    number: float, leaves: bool, tmp_path: Path
) -> None:
    graph = read_checkpoint(masked(tmp_path / "net.onnx", number))
    assert takes_away(graph) is leaves
    full = boards(graph)[:, :, 0].sum(axis=1).astype(bool)
    # Most columns are full somewhere, and all of them where 5 is no number that takes a move away.
    assert full.any(axis=1).mean() > 0.5
    assert full.all(axis=1).any() is np.bool_(not leaves)


def test_several_groups_of_boards_are_looked_through_in_their_order(tmp_path: Path) -> None:
    graph = read_checkpoint(masked(tmp_path / "net.onnx", LARGE * 2))
    drawn = np.zeros((700, 2, 3, COLUMNS), np.float32)
    drawn[[5, 300, 699], 0, 0] = 1
    is_answered = boards_answered(graph)
    assert is_answered is not None
    assert np.flatnonzero(~is_answered({"board": drawn})).tolist() == [5, 300, 699]


def test_a_policy_without_its_illegal_moves_is_exported_with_proof(tmp_path: Path) -> None:
    """Float32 keeps none of a logit beside 1e9, so that the original and the witness differ without a legal move."""
    path = masked(tmp_path / "net.onnx", 1e9)
    done = export_checkpoint(path, output=tmp_path / "bundle", formats=["onnx"], game="none", count=60)
    assert [artifact.format for artifact in done.contents.artifacts] == ["onnx"]

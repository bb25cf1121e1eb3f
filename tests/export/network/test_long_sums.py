"""The mean of a distribution over many places: its numbers nearly cancel, so that one long sum loses too much."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx_models import NodeOf, model

from azx import export_checkpoint
from azx.bundle.inspect import inspect_checkpoint
from azx.export.checkpoint.read import read_checkpoint
from azx.export.graph.freeze import try_simplify
from azx.export.network.long_sums import LONG
from azx.export.network.network import Dense, Network, Reduce

PLACES = 601
WAYS: dict[str, tuple[list[NodeOf], tuple[int, ...]]] = {
    "a sum": (
        [
            ("Mul", ["chances", "places"], ["terms"], {}),
            ("ReduceSum", ["terms", "axes"], ["value"], {"keepdims": 1}),
        ],
        (PLACES,),
    ),
    "a matrix": ([("MatMul", ["chances", "places"], ["value"], {})], (PLACES, 1)),
    "a vector": (
        [("MatMul", ["chances", "places"], ["flat"], {}), ("Unsqueeze", ["flat", "axes"], ["value"], {})],
        (PLACES,),
    ),
    "an Einstein sum": (
        [
            ("Einsum", ["chances", "places"], ["flat"], {"equation": "bn,n->b"}),
            ("Unsqueeze", ["flat", "axes"], ["value"], {}),
        ],
        (PLACES,),
    ),
}


def written(path: Path, way: str) -> Path:
    """MuZero's prediction: a policy, and the mean of a softmax over -300 to 300."""
    random = np.random.default_rng(4)
    nodes, shape = WAYS[way]
    head: list[NodeOf] = [
        ("Flatten", ["board"], ["flat_board"], {"axis": 1}),
        ("Gemm", ["flat_board", "v.weight"], ["logits"], {"transB": 1}),
        ("Softmax", ["logits"], ["chances"], {"axis": -1}),
        ("Gemm", ["flat_board", "p.weight"], ["policy"], {"transB": 1}),
    ]
    weights = {"v.weight": (random.normal(size=(PLACES, 72)) / 6).astype(np.float32)}
    weights |= {"p.weight": (random.normal(size=(36, 72)) / 6).astype(np.float32), "axes": np.array([1])}
    weights["places"] = (np.arange(PLACES) - PLACES // 2).astype(np.float32).reshape(shape)
    if way == "a matrix":
        del weights["axes"]
    return Path(model(path, [*head, *nodes], weights, {"board": ("b", 2, 6, 6)}, ["policy", "value"]))


def simplified(path: Path) -> Network:
    network = try_simplify(read_checkpoint(path)).network
    assert network is not None
    return network


@pytest.mark.parametrize("way", WAYS)
def test_no_step_adds_many_numbers_of_a_distribution(way: str, tmp_path: Path) -> None:
    network = simplified(written(tmp_path / "net.onnx", way))
    shapes = {op.output: op.shape for op in network.ops}
    sums = [op for op in network.ops if isinstance(op, Reduce)]
    assert [op.function for op in sums] == ["sum", "sum"]
    added = [np.prod([shapes[op.inputs[0]][axis] for axis in op.over]) for op in sums]
    assert added == [25, 25]
    assert max(added) < LONG < PLACES
    assert all(op.kernel.shape[0] == 72 for op in network.ops if isinstance(op, Dense))


@pytest.mark.parametrize("way", ["a sum", pytest.param("a vector", marks=pytest.mark.whole)])
def test_a_mean_over_601_places_is_exported_with_proof_for_every_board(way: str, tmp_path: Path) -> None:
    path = written(tmp_path / "net.onnx", way)
    done = export_checkpoint(path, output=tmp_path / "bundle", formats=["tfjs", "onnx"], game="none", count=24)
    verdicts = [artifact.calculation.verdict for artifact in done.contents.artifacts if artifact.calculation]
    assert verdicts == ["same", "same"]


def test_the_distribution_of_the_value_is_not_taken_for_the_policy(tmp_path: Path) -> None:
    """It is the wider of the two, and the value is computed of it; alone it may be scores of moves."""
    path = written(tmp_path / "net.onnx", "a sum")
    names = {"policy": "out0", "value": "out2", "logits": "out1"}
    for ends, policy in ((("out0", "out1", "out2"), "out0"), (("out1", "out2"), "out1")):
        whole = onnx.load(path)
        for node in whole.graph.node:
            node.input[:], node.output[:] = (
                [names.get(name, name) for name in side] for side in (node.input, node.output)
            )
        del whole.graph.output[:]
        whole.graph.output.extend(
            onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None) for name in ends
        )
        onnx.save(whole, tmp_path / "named.onnx")
        found = {head.role: head.source_name for head in inspect_checkpoint(tmp_path / "named.onnx").heads}
        assert (found["value"], found["policy"]) == ("out2", policy)

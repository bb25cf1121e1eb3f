"""ONNX models become layers that answer as ONNX Runtime does, operation by operation, and what has no form is named."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from onnx_models import NodeOf, conv_net, model

from azx.errors import AzxError, CheckpointError
from azx.export.checkpoint.layer_graph import LayerGraph
from azx.export.checkpoint.read import read_checkpoint
from azx.export.formats.table import FORMATS
from azx.export.graph.freeze import freeze, try_simplify
from azx.export.graph.names import Names
from azx.validate.reference import run_reference
from azx.validate.witness.evaluate import evaluate

Array = NDArray[Any]
random = np.random.default_rng(11)


def draw(*shape: int) -> Array:
    return random.normal(size=shape).astype(np.float32)


def ints(*values: int) -> Array:
    return np.array(values, np.int64)


def one(kind: str, *weights: Array, opset: int = 17, **attributes: Any) -> tuple[list[NodeOf], dict[str, Array], int]:
    """A model of one operation on the board and these numbers."""
    named = {f"w{at}": weight for at, weight in enumerate(weights)}
    return [(kind, ["board", *named], ["y"], attributes)], named, opset


def chain(*nodes: NodeOf, opset: int = 17, **weights: Array) -> tuple[list[NodeOf], dict[str, Array], int]:
    return list(nodes), weights, opset


BOARD = (4, 6, 7)
NORM = (1 + draw(4) / 9, draw(4), draw(4), 1 + np.abs(draw(4)))
HALF, ROOT, ONE = (np.array([number], np.float32) for number in (0.5, 2**0.5, 1))
CASES: dict[str, tuple[list[NodeOf], dict[str, Array], int]] = {
    "conv same": one("Conv", draw(5, 4, 3, 3), draw(5), pads=[1, 1, 1, 1]),
    "conv valid without bias": one("Conv", draw(5, 4, 2, 3)),
    "conv padded unlike same": one("Conv", draw(5, 4, 3, 3), pads=[0, 2, 1, 0]),
    "conv even, more zeros in front": one("Conv", draw(5, 4, 4, 4), pads=[2, 2, 1, 1]),
    "conv strides": one("Conv", draw(5, 4, 3, 3), strides=[2, 2], pads=[1, 1, 1, 1]),
    "conv holes": one("Conv", draw(5, 4, 3, 3), dilations=[2, 1], pads=[2, 1, 2, 1]),
    "conv groups": one("Conv", draw(6, 2, 3, 3), draw(6), group=2),
    "conv by plane": one("Conv", draw(8, 1, 3, 3), draw(8), group=4, pads=[1, 1, 1, 1]),
    "conv upper": one("Conv", draw(5, 4, 4, 4), auto_pad="SAME_UPPER"),
    "conv lower": one("Conv", draw(5, 4, 4, 4), auto_pad="SAME_LOWER"),
    "max pool": one("MaxPool", kernel_shape=[2, 2], strides=[2, 2]),
    "average pool, zeros counted": one("AveragePool", kernel_shape=[3, 3], pads=[1, 1, 1, 1], count_include_pad=1),
    "average pool, zeros not counted": one("AveragePool", kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
    "average pool, other margins": one("AveragePool", kernel_shape=[3, 2], pads=[1, 1, 0, 1], strides=[2, 2]),
    "max pool, other margins": one("MaxPool", kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[2, 2]),
    "max pool, last windows over the edge": one("MaxPool", kernel_shape=[3, 2], strides=[2, 2], ceil_mode=1),
    "average pool over the edge": one("AveragePool", kernel_shape=[4, 2], strides=[3, 2], ceil_mode=1),
    "max pool, an edge that is none": one("MaxPool", kernel_shape=[2, 1], strides=[2, 1], ceil_mode=1),
    "max pool of a line": chain(
        ("Reshape", ["board", "s"], ["l"], {}), ("MaxPool", ["l"], ["y"], {"kernel_shape": [3], "strides": [2]}),
        s=ints(-1, 4, 42),
    ),
    "pools of a cube": chain(
        ("Unsqueeze", ["board", "one"], ["c"], {}),
        ("AveragePool", ["c"], ["m"], {"kernel_shape": [2, 2, 2], "strides": [2, 2, 2]}),
        ("MaxPool", ["m"], ["y"], {"kernel_shape": [2, 1, 3]}), one=ints(1),
    ),
    "between cells": one(
        "Resize", np.array([], np.float32), np.array([1, 1, 1.5, 5 / 7], np.float32), mode="linear"
    ),
    "between cells, corners as they are": one(
        "Resize", np.array([], np.float32), np.array([1, 1, 2, 2], np.float32), mode="linear",
        coordinate_transformation_mode="align_corners",
    ),
    "planes as cells": one("DepthToSpace", blocksize=2),
    "planes as cells, columns first": one("DepthToSpace", blocksize=2, mode="CRD"),
    "cells as planes": chain(
        ("Slice", ["board", "a", "b", "c"], ["e"], {}), ("SpaceToDepth", ["e"], ["y"], {"blocksize": 2}),
        a=ints(0), b=ints(6), c=ints(3),
    ),
    "celu of another slope": one("Celu", alpha=0.7),
    "powers": chain(
        ("Abs", ["board"], ["a"], {}), ("Pow", ["a", "p"], ["b"], {}), ("Pow", ["b", "q"], ["c"], {}),
        ("Pow", ["board", "r"], ["d"], {}), ("Add", ["c", "d"], ["y"], {}),
        p=np.array(1.5, np.float32), q=np.array(0.7, np.float32), r=np.array(3, np.float32),
    ),
    "a step from nothing": chain(
        ("ConstantOfShape", ["s"], ["h"], {}), ("Gemm", ["h", "w", "b"], ["g"], {"transB": 1}),
        ("Split", ["g"], ["r", "z"], {"axis": 1}), ("Sigmoid", ["z"], ["q"], {}), ("Mul", ["board", "q"], ["p"], {}),
        ("Add", ["p", "r"], ["y"], {}), s=ints(1, 5), w=draw(14, 5), b=draw(14),
    ),
    "a stack": chain(
        ("Neg", ["board"], ["n"], {}), ("Unsqueeze", ["board", "z"], ["p"], {}), ("Unsqueeze", ["n", "z"], ["q"], {}),
        ("Concat", ["p", "q"], ["s"], {"axis": 0}), ("Mul", ["s", "s"], ["m"], {}),
        ("ReduceSum", ["m", "z"], ["y"], {"keepdims": 0}), z=ints(0),
    ),
    "a matrix from the left": chain(("MatMul", ["w", "board"], ["y"], {}), w=draw(5, 6)),
    "a matrix of one axis more": one("MatMul", draw(1, 7, 3)),
    "a vector": one("MatMul", draw(7)),
    "global pools": chain(
        ("GlobalAveragePool", ["board"], ["a"], {}), ("GlobalMaxPool", ["board"], ["b"], {}),
        ("Sub", ["a", "b"], ["y"], {}),
    ),
    "batch norm": one("BatchNormalization", *NORM, epsilon=0.01),
    "instance norm": one("InstanceNormalization", draw(4), draw(4), epsilon=0.01),
    "layer norm": one("LayerNormalization", draw(7), draw(7), axis=-1),
    "layer norm of the board": one("LayerNormalization", draw(*BOARD), axis=1),
    "prelu": one("PRelu", draw(4, 1, 1)),
    "clip": one("Clip", np.array(-0.5, np.float32), np.array(0.7, np.float32)),
    "clip before 11": one("Clip", min=-0.5, max=0.7, opset=9),
    "hard sigmoid": one("HardSigmoid", alpha=0.3, beta=0.4),
    "leaky": one("LeakyRelu", alpha=0.2),
    "elu": one("Elu", alpha=0.7),
    "power": one("Pow", np.array(2, np.float32)),
    "one minus": chain(("Sub", ["one", "board"], ["y"], {}), one=ONE),
    "times planes": one("Mul", draw(4, 1, 1)),
    "divided": one("Div", draw(1, 1, 1, 7)),
    "softmax of planes": one("Softmax", axis=1),
    "softmax before 13": one("Softmax", axis=2, opset=11),
    "log softmax": one("LogSoftmax", axis=-1),
    "mean of rows": one("ReduceMean", axes=[2], keepdims=0),
    "largest": one("ReduceMax", axes=[-1, -2], keepdims=1),
    "sum": one("ReduceSum", ints(1), keepdims=0),
    "transposed": one("Transpose", perm=[0, 2, 3, 1]),
    "flattened after a transposition": chain(
        ("Transpose", ["board"], ["t"], {"perm": [0, 2, 3, 1]}), ("Reshape", ["t", "s"], ["y"], {}), s=ints(-1, 168)
    ),
    "reshaped with zeros": one("Reshape", ints(0, 0, -1)),
    "reshaped by a computed shape": chain(
        ("Shape", ["board"], ["whole"], {}),
        ("Gather", ["whole", "first"], ["n"], {"axis": 0}),
        ("Unsqueeze", ["n", "zero"], ["n1"], {}),
        ("Concat", ["n1", "rest"], ["s"], {"axis": 0}),
        ("Reshape", ["board", "s"], ["y"], {}),
        first=np.array(0, np.int64), zero=ints(0), rest=ints(-1),
    ),
    "squeezed and not": chain(
        ("ReduceMax", ["board"], ["m"], {"axes": [1], "keepdims": 1}),
        ("Squeeze", ["m", "at"], ["s"], {}),
        ("Unsqueeze", ["s", "end"], ["y"], {}),
        at=ints(1), end=ints(-1),
    ),
    "joined": chain(("Neg", ["board"], ["n"], {}), ("Concat", ["board", "n"], ["y"], {"axis": 1})),
    "cut": one("Slice", ints(1, -3), ints(3, 9223372036854775807), ints(1, 3)),
    "split": chain(
        ("Split", ["board", "sizes"], ["a", "b"], {"axis": 1}),
        ("Sigmoid", ["a"], ["g"], {}), ("ReduceMean", ["b"], ["m"], {"axes": [1], "keepdims": 1}),
        ("Mul", ["g", "m"], ["y"], {}), sizes=ints(3, 1),
    ),
    "one plane": chain(("Gather", ["board", "at"], ["y"], {"axis": 1}), at=np.array(2, np.int64)),
    "zeros around": one("Pad", ints(0, 0, 1, 0, 0, 0, 0, 2)),
    "gelu of erf": chain(
        ("Div", ["board", "root"], ["d"], {}), ("Erf", ["d"], ["e"], {}), ("Add", ["e", "one"], ["p"], {}),
        ("Mul", ["board", "p"], ["m"], {}), ("Mul", ["m", "half"], ["y"], {}), root=ROOT, one=ONE, half=HALF,
    ),
    "gelu of a half": chain(
        ("Mul", ["board", "root"], ["d"], {}), ("Erf", ["d"], ["e"], {}), ("Add", ["e", "one"], ["p"], {}),
        ("Mul", ["half", "p"], ["m"], {}), ("Mul", ["board", "m"], ["y"], {}), root=ROOT / 2, one=ONE, half=HALF,
    ),
    "gelu of tanh": chain(
        ("Mul", ["board", "board"], ["q"], {}), ("Mul", ["board", "q"], ["c"], {}), ("Mul", ["s", "c"], ["d"], {}),
        ("Add", ["board", "d"], ["e"], {}), ("Mul", ["r", "e"], ["f"], {}), ("Tanh", ["f"], ["t"], {}),
        ("Add", ["one", "t"], ["p"], {}), ("Mul", ["board", "p"], ["m"], {}), ("Mul", ["half", "m"], ["y"], {}),
        s=np.array([0.044715], np.float32), r=np.array([(2 / np.pi) ** 0.5], np.float32), one=ONE, half=HALF,
    ),
    "spread over the board": chain(
        ("ReduceMean", ["board"], ["m"], {"axes": [2, 3], "keepdims": 1}), ("Expand", ["m", "s"], ["x"], {}),
        ("Mul", ["board", "x"], ["y"], {}), s=ints(1, 4, 6, 7),
    ),
    "spread and joined": chain(
        ("ReduceMean", ["board"], ["m"], {"axes": [2, 3], "keepdims": 1}), ("Expand", ["m", "s"], ["x"], {}),
        ("Concat", ["board", "x"], ["y"], {"axis": 1}), s=ints(1, 4, 6, 7),
    ),
    "matrix of each row": one("MatMul", draw(7, 3)),
    "two tensors": chain(
        ("Transpose", ["board"], ["t"], {"perm": [0, 1, 3, 2]}), ("MatMul", ["board", "t"], ["y"], {})
    ),
    "queries and keys by a split": chain(
        ("Transpose", ["board"], ["t"], {"perm": [1, 0, 2, 3]}), ("Split", ["t"], ["a", "b"], {"axis": 0}),
        ("Gather", ["a", "first"], ["q"], {"axis": 0}), ("Slice", ["q", "one", "two", "two"], ["r"], {}),
        ("Split", ["b"], ["c", "d"], {"axis": 0}), ("Squeeze", ["d", "zero"], ["k"], {}),
        ("Mul", ["k", "r"], ["y"], {}),
        first=np.array(1, np.int64), zero=ints(0), one=ints(1), two=ints(2),
    ),
    "queries and keys": chain(
        ("Transpose", ["board"], ["t"], {"perm": [1, 0, 2, 3]}), ("Gather", ["t", "q"], ["a"], {"axis": 0}),
        ("Gather", ["t", "k"], ["b"], {"axis": 0}), ("Transpose", ["b"], ["c"], {"perm": [0, 2, 1]}),
        ("MatMul", ["a", "c"], ["y"], {}), q=np.array(0, np.int64), k=np.array(2, np.int64),
    ),
    "a convolution along a line": chain(
        ("ReduceMax", ["board"], ["m"], {"axes": [2], "keepdims": 0}),
        ("Conv", ["m", "w", "b"], ["y"], {"kernel_shape": [3], "pads": [1, 1]}), w=draw(5, 4, 3), b=draw(5),
    ),
    "transposed convolution": one("ConvTranspose", draw(4, 3, 3, 3), draw(3), strides=[2, 2], pads=[1, 1, 1, 0]),
    "the other way round": one("Slice", ints(-1), ints(-(1 << 62)), ints(2), ints(-1)),
    "every second row": one("Slice", ints(0), ints(6), ints(2), ints(2)),
    "planes in another order": one("Gather", ints(2, 0, 3), axis=1),
    "looked up": chain(
        ("Softmax", ["board"], ["s"], {"axis": 1}), ("Greater", ["s", "third"], ["g"], {}),
        ("Cast", ["g"], ["i"], {"to": 7}), ("Gather", ["table", "i"], ["y"], {"axis": 0}),
        third=np.array(0.3, np.float32), table=draw(2, 5),
    ),
    "einsum of two": chain(("Einsum", ["board", "board"], ["y"], {"equation": "bcij,bckj->bcik"})),
    "einsum with a matrix": chain(("Einsum", ["board", "w"], ["y"], {"equation": "bcij,jk->bcki"}), w=draw(7, 3)),
    "erf": one("Erf"),
    "sign": one("Sign"),
    "masked by a comparison": chain(
        ("LessOrEqual", ["board", "zero"], ["low"], {}), ("Not", ["low"], ["high"], {}),
        ("Where", ["high", "board", "least"], ["w"], {}), ("Softmax", ["w"], ["y"], {"axis": -1}),
        zero=np.array(-3, np.float32), least=np.array(-np.inf, np.float32),
    ),
    "chosen by both": chain(
        ("Neg", ["board"], ["n"], {}), ("Equal", ["board", "n"], ["e"], {}), ("Less", ["board", "n"], ["l"], {}),
        ("Or", ["e", "l"], ["o"], {}), ("Where", ["o", "n", "board"], ["y"], {}),
    ),
    "masked by the file": chain(
        ("Where", ["mask", "board", "least"], ["w"], {}), ("Softmax", ["w"], ["y"], {"axis": -1}),
        mask=np.tri(6, 7, dtype=bool)[None, None], least=np.array(-1e9, np.float32),
    ),
    "planes of the file joined": chain(
        ("Shape", ["board"], ["whole"], {}), ("Slice", ["whole", "zero", "one"], ["n"], {}),
        ("Concat", ["n", "rest"], ["s"], {"axis": 0}), ("Expand", ["w", "s"], ["e"], {}),
        ("Concat", ["board", "e"], ["y"], {"axis": 1}), w=draw(1, 2, 6, 7),
        zero=ints(0), one=ints(1), rest=ints(2, 6, 7),
    ),
    "each cell twice": chain(
        ("Resize", ["board", "", "scales"], ["y"],
         {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}),
        scales=np.array([1, 1, 2, 3], np.float32),
    ),
    "length": one("ReduceL2", axes=[1], keepdims=1),
    **{
        f"{kind} over rows{' from the last' if 'direction' in more else ''}": chain(
            ("Reshape", ["board", "rows"], ["x"], {}), ("Transpose", ["x"], ["t"], {"perm": [1, 0, 2]}),
            (kind, ["t", "w", "r", "b"], ["s", "h"], {"hidden_size": 5, **more}),
            ("Squeeze", ["s", "one"], ["u"], {}), ("Transpose", ["u"], ["y"], {"perm": [1, 0, 2]}),
            rows=ints(0, 4, 42), one=ints(1),
            w=draw(1, 5 * gates, 42) / 6, r=draw(1, 5 * gates, 5), b=draw(1, 10 * gates),
        )
        for kind, gates, more in (
            ("GRU", 3, {"linear_before_reset": 1}), ("GRU", 3, {"direction": "reverse"}),
            ("LSTM", 4, {}), ("RNN", 1, {}),
        )
    },
    "over depth": chain(
        ("Unsqueeze", ["board", "one"], ["u"], {}),
        ("Conv", ["u", "w", "b"], ["y"], {"kernel_shape": [3, 3, 3], "pads": [1] * 6}),
        one=ints(1), w=draw(2, 1, 3, 3, 3), b=draw(2),
    ),
    "halves": chain(("Cast", ["board"], ["h"], {"to": 11}), ("Cast", ["h"], ["y"], {"to": 1})),
    **{name: one(name) for name in ("Tanh", "Sigmoid", "Softplus", "Softsign", "Selu", "HardSwish", "Exp", "Abs")},
    "Celu": one("Celu"),
}  # fmt: skip


MOVING = (
    *(
        "conv padded unlike same",
        "conv even, more zeros in front",
        "conv by plane",
        "instance norm",
        "softmax of planes",
    ),
    *("flattened after a transposition", "squeezed and not", "cut", "split", "one plane", "spread and joined"),
    *("the other way round", "planes of the file joined", "over depth", "einsum of two", "masked by a comparison"),
    *(
        "LSTM over rows",
        "matrix of each row",
        "layer norm",
        "times planes",
        "queries and keys",
        "transposed convolution",
    ),
)


def written(path: Path, case: tuple[list[NodeOf], dict[str, Array], int], board: Sequence[int] = BOARD) -> Path:
    nodes, weights, opset = case
    file: Path = model(path, nodes, weights, {"board": ("batch", *board)}, ["y"], opset=opset)
    return file


@pytest.fixture(autouse=True)
def drawn_alike_in_any_order() -> None:
    """Each test draws the same boards, whichever tests ran before it."""
    global random
    random = np.random.default_rng(12)


@pytest.mark.parametrize("case", CASES)
def test_an_operation_answers_as_in_onnx_runtime(case: str, tmp_path: Path) -> None:
    graph = read_checkpoint(written(tmp_path / "net.onnx", CASES[case]))
    boards = draw(5, *BOARD)
    expected = run_reference(graph, {"board": boards}).outputs["y"]
    exact = evaluate(graph, {"board": boards})["y"]
    assert exact.shape == expected.shape
    np.testing.assert_allclose(exact, expected, atol=2e-5, rtol=1e-5)
    assert try_simplify(graph).reason is None


def test_the_canonical_networks_answer_alike(tmp_path: Path) -> None:
    """In TensorFlow, from the graph that all formats are written of: cases in which a tensor moves in memory."""
    boards = draw(1, *BOARD)
    for name in MOVING:
        graph = read_checkpoint(written(tmp_path / "net.onnx", CASES[name]))
        frozen = freeze(graph, Names(policy_head="y"))
        FORMATS["pb"].write(frozen, tmp_path / "net.pb")
        with FORMATS["pb"].open(tmp_path / "net.pb") as runner:
            answer = runner.run_batch({"main_input": boards})["policy_head"]
        exact = evaluate(graph, {"board": boards})["y"]
        np.testing.assert_allclose(answer, exact, atol=2e-5, rtol=1e-5, err_msg=name)


REFUSED: dict[str, tuple[tuple[list[NodeOf], dict[str, Array], int], str]] = {
    "two tensors": (chain(("MatMul", ["board", "board"], ["y"], {})), "MatMul"),
    "positions mixed": (one("Reshape", ints(7, -1)), "Reshape"),
    "over positions": (one("ReduceMean", axes=[0], keepdims=1), "reduces over the positions"),
    "softmax over positions": (one("Softmax", axis=0), "along the positions"),
    "lots": (chain(("RandomNormalLike", ["board"], ["y"], {})), "RandomNormalLike"),
    "the largest place": (one("ArgMax", axis=1), "ArgMax"),
    "a constant": (chain(("Identity", ["w"], ["y"], {}), w=ONE), "does not depend on the position"),
    "many numbers": (
        chain(("ConstantOfShape", ["s"], ["big"], {}), ("Add", ["board", "big"], ["y"], {}), s=ints(1 << 20, 1 << 20)),
        "makes over 16,777,216 numbers",
    ),
    "a missing name": (chain(("Add", ["board", "nowhere"], ["y"], {})), "nowhere"),
    "not a number": (one("Conv", np.full((5, 4, 3, 3), np.nan, np.float32)), "holds NaN or infinity"),
    "training": (chain(("Dropout", ["board"], ["y"], {})), "model.eval()"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_has_no_form_is_named(case: str, tmp_path: Path) -> None:
    path = written(tmp_path / "net.onnx", REFUSED[case][0])
    with pytest.raises(CheckpointError) as error:
        read_checkpoint(path)
    assert REFUSED[case][1] in str(error.value)
    assert str(error.value).count("\n") == 0


def refused(path: Path, change: Callable[[Any], None]) -> str:
    """What is said of a model that was changed."""
    import onnx

    whole = onnx.load(path, load_external_data=False)
    change(whole)
    path.write_bytes(whole.SerializeToString())
    with pytest.raises(AzxError) as error:
        read_checkpoint(path)
    assert str(error.value).count("\n") == 0
    return str(error.value)


def elsewhere(location: str) -> Callable[[Any], None]:
    def change(whole: Any) -> None:
        for pair in whole.graph.initializer[0].external_data:
            if pair.key == "location":
                pair.value = location

    return change


def test_values_are_read_beside_the_model_and_nowhere_else(tmp_path: Path) -> None:
    folder = tmp_path / "net"
    folder.mkdir()
    path = conv_net(folder / "net.onnx", external="net.data")
    whole = conv_net(tmp_path / "whole.onnx")
    boards = draw(4, 2, 3, 3)
    graph = read_checkpoint(path)
    for name, answer in run_reference(read_checkpoint(whole), {"board": boards}).outputs.items():
        np.testing.assert_array_equal(run_reference(graph, {"board": boards}).outputs[name], answer)
    assert graph.source.sha256 != read_checkpoint(whole).source.sha256
    shutil.copy(folder / "net.data", tmp_path / "net.data")
    (folder / "link.data").symlink_to(tmp_path / "net.data")
    for location in ("../net.data", str(tmp_path / "net.data"), "link.data", ""):
        assert "lie outside its folder" in refused(path, elsewhere(location))
    assert "copy it there too" in refused(path, elsewhere("nothing.data"))


def test_a_damaged_model_is_said_to_be(tmp_path: Path) -> None:
    data = conv_net(tmp_path / "net.onnx").read_bytes()
    path = tmp_path / "cut.onnx"
    for end in range(1, len(data), 97):
        path.write_bytes(data[:end])
        with pytest.raises(CheckpointError):
            read_checkpoint(path)
    spoiled = bytearray(data)
    for at in random.integers(0, len(data), 60):
        spoiled[at] ^= 0xFF
        path.write_bytes(spoiled)
        with suppress(CheckpointError):  # nothing else is raised, and what is read is a network
            assert isinstance(read_checkpoint(path), LayerGraph)
        spoiled[at] ^= 0xFF


def test_operations_of_others_and_functions_are_refused(tmp_path: Path) -> None:
    path = conv_net(tmp_path / "net.onnx")

    def other_domain(whole: Any) -> None:
        whole.graph.node[1].domain = "com.microsoft"

    def function(whole: Any) -> None:
        whole.functions.add(name="Relu", domain="")

    assert "which is not ONNX's own" in refused(path, other_domain)
    conv_net(path)
    assert "operations of its own" in refused(path, function)
    with pytest.raises(CheckpointError, match="is whole: leave --config"):
        read_checkpoint(conv_net(path), preset="zeta36")


def test_a_file_with_a_fixed_batch_and_a_value_without_an_axis_is_asked_for_any_number_of_positions(
    tmp_path: Path,
) -> None:
    nodes: list[NodeOf] = [
        ("Reshape", ["board", "s"], ["f"], {}),
        ("Gemm", ["f", "w"], ["p"], {}),
        ("ReduceMean", ["p"], ["v"], {"axes": [1], "keepdims": 0}),
    ]
    path = model(tmp_path / "n.onnx", nodes, {"s": ints(2, 18), "w": draw(18, 5)}, {"board": (2, 2, 3, 3)}, ["p", "v"])
    graph, boards = read_checkpoint(path), draw(5, 2, 3, 3)
    by_runtime, exact = run_reference(graph, {"board": boards}).outputs, evaluate(graph, {"board": boards})
    for name, shape in (("p", (5, 5)), ("v", (5, 1))):
        assert by_runtime[name].shape == exact[name].shape == shape
        np.testing.assert_allclose(by_runtime[name], exact[name], atol=1e-6)


def test_a_product_of_rows_and_its_bias_are_one_layer(tmp_path: Path) -> None:
    nodes: list[NodeOf] = [("MatMul", ["board", "w"], ["m"], {}), ("Add", ["b", "m"], ["y"], {})]
    case = chain(*nodes, w=draw(7, 3), b=draw(3))
    graph, boards = read_checkpoint(written(tmp_path / "net.onnx", case)), draw(3, *BOARD)
    assert [(call.layer.kind, sorted(call.layer.weights)) for call in graph.calls] == [("Dense", ["bias", "kernel"])]
    by_runtime = run_reference(graph, {"board": boards}).outputs["y"]
    np.testing.assert_allclose(evaluate(graph, {"board": boards})["y"], by_runtime, atol=1e-5)
    # Where somebody else reads the product it stays by itself.
    both = chain(*nodes, ("Mul", ["m", "y"], ["z"], {}), ("Identity", ["z"], ["y2"], {}), w=draw(7, 3), b=draw(3))
    path = model(tmp_path / "two.onnx", both[0], both[1], {"board": ("batch", *BOARD)}, ["y2"])
    kinds = [call.layer.kind for call in read_checkpoint(path).calls]
    assert kinds == ["Dense", "ops.Add", "Multiply"]


def test_each_way_of_writing_a_gelu_is_one(tmp_path: Path) -> None:
    for case in ("gelu of erf", "gelu of a half", "gelu of tanh"):
        graph = read_checkpoint(written(tmp_path / "net.onnx", CASES[case]))
        assert [call.layer.kind for call in graph.calls] == ["ops.Gelu"]


# (cells, positions, features) through a dense layer, heads joined with positions, products, and back.
JOINED: list[NodeOf] = [
    ("Reshape", ["board", "cells"], ["x"], {}),
    ("Transpose", ["x"], ["t"], {"perm": [1, 0, 2]}),
    ("MatMul", ["t", "w"], ["m"], {}),
    ("Add", ["m", "b"], ["q"], {}),
    ("Reshape", ["q", "heads"], ["h"], {}),
    ("Transpose", ["h"], ["k"], {"perm": [1, 0, 2]}),
    ("Transpose", ["h"], ["l"], {"perm": [1, 2, 0]}),
    ("MatMul", ["k", "l"], ["s"], {}),
    ("Softmax", ["s"], ["a"], {"axis": -1}),
    ("MatMul", ["a", "k"], ["o"], {}),
    ("Transpose", ["o"], ["p"], {"perm": [1, 0, 2]}),
    ("Reshape", ["p", "rows"], ["r"], {}),
    ("Gemm", ["r", "w2", "b2"], ["g"], {}),
    ("Reshape", ["g", "back"], ["u"], {}),
    ("Transpose", ["u"], ["y"], {"perm": [1, 0, 2]}),
]


@pytest.mark.parametrize("batch", [1, 3])
def test_positions_that_lie_behind_cells_and_with_heads_are_answered_one_by_one(batch: int, tmp_path: Path) -> None:
    sizes = {"cells": ints(batch, 6, 28), "heads": ints(6, batch * 2, 4), "rows": ints(6 * batch, 8)}
    sizes["back"] = ints(6, batch, 5)
    weights = {**sizes, "w": draw(28, 8) / 5, "b": draw(8), "w2": draw(8, 5), "b2": draw(5)}
    path = model(tmp_path / "net.onnx", JOINED, weights, {"board": (batch, *BOARD)}, ["y"])
    graph, boards = read_checkpoint(path), draw(6, *BOARD)
    by_runtime = run_reference(graph, {"board": boards}).outputs["y"]
    exact = evaluate(graph, {"board": boards})["y"]
    assert exact.shape == (6, 6, 5)
    np.testing.assert_allclose(exact, by_runtime, atol=2e-5)


def test_what_would_take_positions_together_behind_cells_is_refused(tmp_path: Path) -> None:
    nodes: list[NodeOf] = [
        ("Reshape", ["board", "cells"], ["x"], {}),
        ("Transpose", ["x"], ["t"], {"perm": [1, 2, 0]}),
        ("Softmax", ["t"], ["s"], {"axis": -1}),
        ("Transpose", ["s"], ["y"], {"perm": [2, 0, 1]}),
    ]
    path = model(tmp_path / "net.onnx", nodes, {"cells": ints(0, 6, 28)}, {"board": ("batch", *BOARD)}, ["y"])
    with pytest.raises(CheckpointError, match="takes positions together"):
        read_checkpoint(path)

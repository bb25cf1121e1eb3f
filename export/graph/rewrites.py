"""Rewrites a GraphDef node by node: operations that some runtime lacks become operations that all have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

Graph = Any  # tensorflow.GraphDef
Node = Any  # tensorflow.NodeDef

_ATTRIBUTES = {
    "Conv2D": ("strides", "padding", "explicit_paddings", "data_format", "dilations"),
    "DepthwiseConv2dNative": ("strides", "padding", "explicit_paddings", "data_format", "dilations"),
    "MatMul": ("transpose_a", "transpose_b"),
    "BiasAdd": ("data_format",),
    "LeakyRelu": ("alpha",),
}
_TO_NHWC, _TO_NCHW = (0, 2, 3, 1), (0, 3, 1, 2)
_DT_FLOAT, _DT_INT32, _DT_BOOL = 1, 3, 10


def channels_last(graph: Graph) -> Graph:
    """The same network without NCHW operations, which no runtime on a phone, in a browser or on a CPU supports."""
    return replace(graph, lambda node: "data_format" in node.attr and node.attr["data_format"].s == b"NCHW", _nhwc)


def without_erfc(graph: Graph) -> Graph:
    """The same network without Erfc."""
    return replace(graph, lambda node: node.op == "Erfc", _erfc)


def without_softsign(graph: Graph) -> Graph:
    """The same network without Softsign."""
    return replace(graph, lambda node: node.op == "Softsign", _softsign)


def without_batch_statistics(graph: Graph) -> Graph:
    """The same network without FusedBatchNorm in training mode, which Keras uses to normalise a layer or a group."""
    return replace(graph, lambda node: node.op.startswith("FusedBatchNorm") and node.attr["is_training"].b, _normalise)


def without_one_hot(graph: Graph) -> Graph:
    """The same network without OneHot along the last axis, on which the runtimes disagree.

    For an index below 0 TensorFlow gives zeros, ONNX counts from the end, and Core ML does not define it. TF.js' wasm
    backend differs for every index.
    """
    constants = {node.name: node for node in graph.node if node.op == "Const"}
    return replace(graph, lambda node: _is_plain_one_hot(node, constants), lambda node: _one_hot(node, constants))


def _is_plain_one_hot(node: Node, constants: Mapping[str, Node]) -> bool:
    """Whether a node makes float32 vectors of 0 and 1 as its last axis, of a known length."""
    if node.op != "OneHot" or node.attr["axis"].i != -1 or node.attr["T"].type != _DT_FLOAT:
        return False
    values = [constants.get(source_of(name)) for name in node.input[1:]]
    return None not in values and [_scalar(each) for each in values[1:]] == [1, 0]


def _one_hot(node: Node, constants: Mapping[str, Node]) -> list[Node]:
    """OneHot(x, depth, 1, 0) as comparisons of x with each of 0 .. depth - 1."""
    name, depth = node.name, int(_scalar(constants[source_of(node.input[1])]))
    places, last = _integers(node, f"{name}/places", tuple(range(depth))), _integers(node, f"{name}/last", (-1,))
    index = make(node, "Cast", f"{name}/index", node.input[0])
    apart = make(node, "ExpandDims", f"{name}/apart", index.name, last.name)
    equal, made = (
        make(node, "Equal", f"{name}/equal", apart.name, places.name),
        make(node, "Cast", name, f"{name}/equal"),
    )
    for cast, source, target in ((index, node.attr["TI"].type, _DT_INT32), (made, _DT_BOOL, _DT_FLOAT)):
        del cast.attr["T"]
        cast.attr["SrcT"].type, cast.attr["DstT"].type = source, target
    apart.attr["T"].type = equal.attr["T"].type = apart.attr["Tdim"].type = _DT_INT32
    return [places, last, index, apart, equal, made]


def _scalar(node: Node) -> float:
    """The number of a constant."""
    from tensorflow import make_ndarray

    return float(make_ndarray(node.attr["value"].tensor))


def _softsign(node: Node) -> list[Node]:
    """Softsign(x) as x / (1 + |x|)."""
    name, (value,) = node.name, node.input
    return [
        constant(node, f"{name}/one", 1.0),
        make(node, "Abs", f"{name}/abs", value),
        make(node, "AddV2", f"{name}/sum", f"{name}/abs", f"{name}/one"),
        make(node, "RealDiv", name, value, f"{name}/sum"),
    ]


def _erfc(node: Node) -> list[Node]:
    """Erfc(x) as 1 - erf(x)."""
    name, (value,) = node.name, node.input
    return [
        constant(node, f"{name}/one", 1.0),
        make(node, "Erf", f"{name}/erf", value),
        make(node, "Sub", name, f"{name}/one", f"{name}/erf"),
    ]


def _nhwc(node: Node) -> list[Node]:
    """An NCHW operation between two transposes; Grappler cancels these against the transposes of its neighbours."""
    name, inner = node.name, type(node)()
    inner.CopyFrom(node)
    inner.name, inner.input[0] = f"{name}/nhwc", f"{name}/channels_last"
    inner.attr["data_format"].s = b"NHWC"
    for key in {"strides", "dilations", "ksize"} & set(node.attr):
        _permute(inner.attr[key].list.i, 1)
    if "explicit_paddings" in node.attr:
        _permute(inner.attr["explicit_paddings"].list.i, 2)
    return [
        *_transpose(node, f"{name}/channels_last", node.input[0], _TO_NHWC),
        inner,
        *_transpose(node, name, inner.name, _TO_NCHW),
    ]


def _normalise(node: Node) -> list[Node]:
    """(x - mean) / sqrt(variance + epsilon) * scale + offset, over all axes except the last."""
    name, (value, scale, offset) = node.name, node.input[:3]
    axes = _integers(node, f"{name}/axes", (0, 1, 2))
    mean = _mean(node, f"{name}/mean", value, axes.name)
    return [
        axes,
        mean,
        make(node, "Sub", f"{name}/centred", value, mean.name),
        make(node, "Mul", f"{name}/squares", f"{name}/centred", f"{name}/centred"),
        _mean(node, f"{name}/variance", f"{name}/squares", axes.name),
        constant(node, f"{name}/epsilon", node.attr["epsilon"].f),
        make(node, "AddV2", f"{name}/sum", f"{name}/variance", f"{name}/epsilon"),
        make(node, "Rsqrt", f"{name}/factor", f"{name}/sum"),
        make(node, "Mul", f"{name}/normalised", f"{name}/centred", f"{name}/factor"),
        make(node, "Mul", f"{name}/scaled", f"{name}/normalised", scale),
        make(node, "AddV2", name, f"{name}/scaled", offset),
    ]


def _mean(node: Node, name: str, value: str, axes: str) -> Node:
    mean = make(node, "Mean", name, value, axes)
    mean.attr["Tidx"].type, mean.attr["keep_dims"].b = _DT_INT32, True
    return mean


def _permute(values: Any, width: int) -> None:
    """Reorder a list of four groups of `width` numbers from NCHW to NHWC in place; an empty list is unchanged."""
    groups = [list(values[at : at + width]) for at in range(0, len(values), width)]
    if groups:
        values[:] = [number for axis in _TO_NHWC for number in groups[axis]]


def _transpose(node: Node, name: str, value: str, axes: tuple[int, ...]) -> list[Node]:
    """A Transpose and its constant."""
    perm = _integers(node, f"{name}/perm", axes)
    move = make(node, "Transpose", name, value, perm.name)
    move.attr["Tperm"].type = _DT_INT32
    return [perm, move]


def _integers(node: Node, name: str, values: tuple[int, ...]) -> Node:
    """A constant vector of int32."""
    result = type(node)(op="Const", name=name)
    result.attr["dtype"].type = result.attr["value"].tensor.dtype = _DT_INT32
    result.attr["value"].tensor.tensor_shape.dim.add(size=len(values))
    result.attr["value"].tensor.int_val.extend(values)
    return result


def constant(node: Node, name: str, value: float) -> Node:
    """A float32 scalar."""
    result = type(node)(op="Const", name=name)
    result.attr["dtype"].type = result.attr["value"].tensor.dtype = _DT_FLOAT
    result.attr["value"].tensor.float_val.append(value)
    return result


def make(like: Node, op: str, name: str, *inputs: str) -> Node:
    """A float32 node with those attributes of `like` that its operation has."""
    result = type(like)(op=op, name=name, input=inputs)
    result.attr["T"].type = _DT_FLOAT
    for key in _ATTRIBUTES.get(op, ()):
        source = "leakyrelu_alpha" if key == "alpha" else key
        if source in like.attr:
            result.attr[key].CopyFrom(like.attr[source])
    return result


def replace(graph: Graph, wanted: Callable[[Node], bool], parts: Callable[[Node], Iterable[Node]]) -> Graph:
    """A copy of the graph with each wanted node replaced by its parts."""
    result = empty(graph)
    for node in graph.node:
        result.node.extend(parts(node) if wanted(node) else [node])
    return result


def source_of(name: str) -> str:
    """The node to which an input string refers: "^a" and "a:1" refer to a."""
    return name.removeprefix("^").split(":")[0]


def empty(graph: Graph) -> Graph:
    """A graph without nodes, of the same version."""
    return type(graph)(versions=graph.versions, library=graph.library)

"""A frozen TensorFlow graph as the operations of a network for inference, in ONNX' words, which `onnx_layers` reads.

A graph of TensorFlow 1 keeps training beside it: Switch sends a tensor to one of two branches, by whether training goes
on, and Merge takes what came. `keras_learning_phase` is a placeholder with a default, which says no. The numbers of
fields are those of tensorflow/core/framework/{graph,node_def,attr_value,tensor}.proto.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import CheckpointError
from .door.limits import FILE_BYTES, Budget, bytes_on_disk
from .layer_graph import Array
from .onnx_model import NODES, Node, signed, unpacked
from .onnx_values import NoForm
from .protobuf import Message, Parser, message, messages, number, text

# tensorflow.DataType: float, double, int32, uint8, int16, int8, int64, bool, half.
_DTYPES = {1: "<f4", 2: "<f8", 3: "<i4", 4: "u1", 5: "<i2", 6: "i1", 9: "<i8", 10: "?", 19: "<f2"}
_VALUES = {1: 5, 2: 6, 9: 10, 10: 11}
_PASSING = frozenset({"Identity", "StopGradient", "CheckNumerics", "PlaceholderWithDefault", "Snapshot"})
_DOORS = frozenset({"Placeholder"})
# Where a value goes that no branch of inference makes.
DEAD = ""


@dataclass(frozen=True, eq=False)
class GraphNode:
    """A node of a GraphDef; `inputs` without those that only order, `attributes` still as protobuf's."""

    name: str
    kind: str
    inputs: tuple[str, ...]
    attributes: Mapping[str, Message]


def read_graph_def(path: Path) -> tuple[list[GraphNode], dict[str, Array]]:
    """The nodes of a frozen graph in its order, and the values of its constants; CheckpointError if it is damaged."""
    where, parser = f"'{path}'", Parser()
    if path.stat().st_size > FILE_BYTES:
        raise CheckpointError(f"{where} is of over {FILE_BYTES >> 30} GiB: it is no board-game network.")
    budget = Budget(bytes_on_disk(path), where)
    try:
        fields = parser.fields(path.read_bytes())
        if messages(parser.fields(message(fields, 2)), 1):
            raise CheckpointError(
                f"{where} has a library of functions, which azx does not read: freeze it without one."
            )
        nodes, constants = [], {}
        for data in messages(fields, 1):
            node = _node(parser, data)
            nodes.append(node)
            if node.kind == "Const":
                constants[node.name] = _array(parser, node, budget)
        if not nodes or len(nodes) > NODES:
            raise ValueError(f"it has {len(nodes):,} nodes")
    except (IndexError, KeyError, TypeError, UnicodeDecodeError, ValueError) as error:
        raise CheckpointError(
            f"{where} is a TensorFlow graph that is damaged ({str(error)[:100]}): copy it again."
        ) from error
    return nodes, constants


def _node(parser: Parser, data: bytes) -> GraphNode:
    fields = parser.fields(data)
    attributes = {}
    for each in messages(fields, 5):
        pair = parser.fields(each)
        attributes[text(pair, 1)] = parser.fields(message(pair, 2))
    inputs = [each.decode() for each in messages(fields, 3)]
    return GraphNode(text(fields, 1), text(fields, 2), tuple(each for each in inputs if each[0] != "^"), attributes)


def _array(parser: Parser, node: GraphNode, budget: Budget) -> Array:
    fields = parser.fields(message(node.attributes["value"], 8))
    kind = number(fields, 1)
    shape = _shape(parser, message(fields, 2))
    if kind not in _DTYPES or shape is None or min(shape, default=1) < 0:
        return np.zeros(0)  # a text, which an assertion prints
    dtype = np.dtype(_DTYPES[kind])
    budget.spend(prod(shape) * dtype.itemsize, node.name[:60])
    if raw := message(fields, 4):
        return np.frombuffer(raw, dtype).reshape(shape)
    field = _VALUES.get(kind, 7)
    if field in (5, 6):
        values = np.frombuffer(b"".join(messages(fields, field)), dtype)
    else:
        values = np.array([signed(one) for name, value in fields if name == field for one in unpacked(value)]).astype(
            dtype
        )
    # The last value stands for all that follow.
    filled = (
        values if values.size in (0, prod(shape)) else np.append(values, [values[-1]] * (prod(shape) - values.size))
    )
    return (filled if filled.size else np.zeros(prod(shape))).astype(dtype).reshape(shape)


def _shape(parser: Parser, data: bytes) -> tuple[int, ...] | None:
    """The sizes of a TensorShapeProto, -1 for a free one; None if even their number is."""
    fields = parser.fields(data)
    if number(fields, 3):
        return None
    return tuple(signed(number(parser.fields(each), 1)) for each in messages(fields, 2))


def door_shape(node: GraphNode) -> tuple[int | None, ...]:
    """The shape of a placeholder, None for a free size; empty if it is not known."""
    parser = Parser()
    sizes = _shape(parser, message(node.attributes.get("shape", []), 7))
    return tuple(None if size < 0 else size for size in sizes or ())


def resolve(nodes: Sequence[GraphNode], constants: Mapping[str, Array]) -> dict[str, str]:
    """By each tensor's name that which it is in inference: past what passes a value on, and past Switch and Merge.

    DEAD for what only training makes.
    """
    known: dict[str, str] = {}

    for node in nodes:
        inputs = [known.get(name, name) for name in map(_plain, node.inputs)]
        if node.kind == "Switch" and inputs[1] in constants:
            goes_on = bool(constants[inputs[1]].reshape(-1)[0])
            known[node.name], known[f"{node.name}:1"] = (DEAD, inputs[0]) if goes_on else (inputs[0], DEAD)
        elif node.kind == "Merge":
            known[node.name] = next((name for name in inputs if name), DEAD)
        elif inputs and DEAD in inputs:
            known[node.name] = DEAD
        elif node.kind in _PASSING:
            known[node.name] = inputs[0]
    return known


def network_nodes(nodes: Sequence[GraphNode], constants: Mapping[str, Array]) -> tuple[list[GraphNode], list[str]]:
    """The nodes of inference with their inputs resolved, in their order, and the names of the outputs.

    An output follows from a placeholder, and nothing in the file reads it, in training neither.
    """
    known = resolve(nodes, constants)
    live = {
        node.name: replace(node, inputs=tuple(known.get(name, name) for name in map(_plain, node.inputs)))
        for node in nodes
        if node.name not in known and node.kind not in ("Const", "NoOp", "Assert")
    }
    read = {name.partition(":")[0] for node in nodes for name in node.inputs}
    last = [known.get(node.name, node.name) for node in nodes if node.name not in read and node.kind != "NoOp"]
    ends = [name for name in dict.fromkeys(last) if name in live and live[name].kind not in _DOORS]
    waiting, needed = list(ends), set(ends)
    for name in waiting:
        more = [each for each in live[name].inputs if each in live and each not in needed]
        needed.update(more)
        waiting += more
    kept = [node for node in live.values() if node.name in needed]
    behind: set[str] = set()
    for node in kept:
        if node.kind in _DOORS or not behind.isdisjoint(node.inputs):
            behind.add(node.name)
    return kept, [name for name in ends if name in behind]


def _plain(name: str) -> str:
    return name.removesuffix(":0")


# TensorFlow's operations of one or more operands under ONNX' names.
_SAME = {
    **{
        name: name
        for name in ("Relu", "Tanh", "Sigmoid", "Softplus", "Softsign", "Elu", "Selu", "Exp", "Abs", "Sqrt", "Log")
    },
    **{name: name for name in ("Add", "Sub", "Mul", "Pow", "Neg", "Reciprocal", "Shape", "Concat")},
    **{"AddV2": "Add", "BiasAdd": "Add", "AddN": "Sum", "RealDiv": "Div", "Maximum": "Max", "Minimum": "Min"},
    **{"Mean": "ReduceMean", "Sum": "ReduceSum", "Max": "ReduceMax", "Min": "ReduceMin", "Prod": "ReduceProd"},
}
_REDUCTIONS = frozenset({"Mean", "Sum", "Max", "Min", "Prod"})


class Translator:
    """One node of TensorFlow as nodes of ONNX; `numbers` gives what is known of an input beforehand."""

    def __init__(self, numbers: Callable[[str], Array | None], rank: Callable[[str], int]) -> None:
        self._numbers, self._rank = numbers, rank
        self.made: dict[str, Array] = {}

    def nodes(self, node: GraphNode) -> list[Node]:
        """The same in ONNX' words; NoForm if there are none."""
        special = getattr(self, f"_{node.kind.lower()}", None)
        if special is not None:
            return list(special(node))
        if node.kind not in _SAME:
            raise NoForm("it is none that azx knows")
        if node.kind in _REDUCTIONS:
            axes = [int(axis) for axis in np.atleast_1d(self._known(node, 1))]
            keep = {"axes": axes, "keepdims": number(node.attributes.get("keep_dims", []), 5)}
            return [_made(node, _SAME[node.kind], node.inputs[:1], **keep)]
        return [_made(node, _SAME[node.kind], node.inputs)]

    def _known(self, node: GraphNode, at: int) -> Array:
        value = self._numbers(node.inputs[at])
        if value is None:
            raise NoForm(f"its {at + 1}. input is computed from the position")
        return value

    def _constant(self, node: GraphNode, name: str, value: Any) -> str:
        self.made[f"{node.name}/{name}"] = np.asarray(value)
        return f"{node.name}/{name}"

    def _windowed(self, node: GraphNode, kind: str, weights: Sequence[str], **more: Any) -> list[Node]:
        """A window over a board whose channels lie last, or first."""
        first = _text(node, "data_format") == "NCHW"
        padding = {"SAME": "SAME_UPPER", "VALID": "VALID"}.get(_text(node, "padding"))
        if padding is None:
            raise NoForm("its padding is explicit")
        at = (2, 3) if first else (1, 2)
        strides, holes = (_ints(node, name) or [1] * 4 for name in ("strides", "dilations"))
        more |= {"auto_pad": padding, "strides": [strides[each] for each in at]}
        more |= {"dilations": [holes[each] for each in at]} if kind == "Conv" else {}
        if first:
            return [_made(node, kind, [node.inputs[0], *weights], **more)]
        door, inner = f"{node.name}/first", f"{node.name}/board"
        return [
            Node(door, "Transpose", (node.inputs[0],), (door,), {"perm": [0, 3, 1, 2]}),
            Node(node.name, kind, (door, *weights), (inner,), more),
            Node(f"{node.name}/last", "Transpose", (inner,), (node.name,), {"perm": [0, 2, 3, 1]}),
        ]

    def _conv2d(self, node: GraphNode) -> list[Node]:
        kernel = self._constant(node, "kernel", self._known(node, 1).transpose(3, 2, 0, 1))
        return self._windowed(node, "Conv", [kernel])

    def _depthwiseconv2dnative(self, node: GraphNode) -> list[Node]:
        kernel = self._known(node, 1)
        rows, columns, channels, multiplier = kernel.shape
        deep = kernel.transpose(2, 3, 0, 1).reshape(channels * multiplier, 1, rows, columns)
        return self._windowed(node, "Conv", [self._constant(node, "kernel", deep)], group=channels)

    def _maxpool(self, node: GraphNode) -> list[Node]:
        size = _ints(node, "ksize")
        board = size[2:] if _text(node, "data_format") == "NCHW" else size[1:3]
        kind = "MaxPool" if node.kind == "MaxPool" else "AveragePool"
        return self._windowed(node, kind, [], kernel_shape=board)

    _avgpool = _maxpool

    def _biasadd(self, node: GraphNode) -> list[Node]:
        bias = self._known(node, 1)
        if _text(node, "data_format") == "NCHW" and self._rank(node.inputs[0]) > 1:
            bias = bias.reshape(-1, 1, 1)
        return [_made(node, "Add", [node.inputs[0], self._constant(node, "bias", bias)])]

    def _fusedbatchnorm(self, node: GraphNode) -> list[Node]:
        if number(node.attributes.get("is_training", [(5, 1)]), 5):
            raise NoForm("it is in training")
        scale, shift, mean, variance = (self._known(node, at).astype(np.float64) for at in (1, 2, 3, 4))
        epsilon = _float(node, "epsilon", 1e-4)
        factor = scale / np.sqrt(variance + epsilon)
        shape = (-1, 1, 1) if _text(node, "data_format") == "NCHW" else (-1,)
        names = [
            self._constant(node, name, value.reshape(shape))
            for name, value in (("scale", factor), ("shift", shift - mean * factor))
        ]
        inner = f"{node.name}/scaled"
        return [Node(inner, "Mul", (node.inputs[0], names[0]), (inner,), {}), _made(node, "Add", [inner, names[1]])]

    _fusedbatchnormv2 = _fusedbatchnormv3 = _fusedbatchnorm

    def _matmul(self, node: GraphNode) -> list[Node]:
        if number(node.attributes.get("transpose_a", []), 5):
            raise NoForm("it turns its input")
        matrix = self._known(node, 1)
        kernel = matrix.T if number(node.attributes.get("transpose_b", []), 5) else matrix
        return [_made(node, "MatMul", [node.inputs[0], self._constant(node, "kernel", kernel)])]

    def _relu6(self, node: GraphNode) -> list[Node]:
        bounds = [self._constant(node, name, np.float32(value)) for name, value in (("low", 0), ("high", 6))]
        return [_made(node, "Clip", [node.inputs[0], *bounds])]

    def _leakyrelu(self, node: GraphNode) -> list[Node]:
        return [_made(node, "LeakyRelu", node.inputs, alpha=_float(node, "alpha", 0.2))]

    def _rsqrt(self, node: GraphNode) -> list[Node]:
        inner = f"{node.name}/root"
        return [Node(inner, "Sqrt", node.inputs, (inner,), {}), _made(node, "Reciprocal", [inner])]

    def _square(self, node: GraphNode) -> list[Node]:
        return [_made(node, "Pow", [node.inputs[0], self._constant(node, "two", np.float32(2))])]

    def _softmax(self, node: GraphNode) -> list[Node]:
        return [_made(node, node.kind, node.inputs, axis=-1)]

    _logsoftmax = _softmax

    def _reshape(self, node: GraphNode) -> list[Node]:
        return [
            _made(
                node, "Reshape", [node.inputs[0], self._constant(node, "sizes", self._known(node, 1).astype(np.int64))]
            )
        ]

    def _transpose(self, node: GraphNode) -> list[Node]:
        return [_made(node, "Transpose", node.inputs[:1], perm=[int(axis) for axis in self._known(node, 1)])]

    def _squeeze(self, node: GraphNode) -> list[Node]:
        axes = _ints(node, "squeeze_dims") or None
        known = [node.inputs[0], *([self._constant(node, "axes", np.array(axes, np.int64))] if axes else [])]
        return [_made(node, "Squeeze", known)]

    def _expanddims(self, node: GraphNode) -> list[Node]:
        return [
            _made(
                node, "Unsqueeze", [node.inputs[0], self._constant(node, "axes", np.atleast_1d(self._known(node, 1)))]
            )
        ]

    def _concatv2(self, node: GraphNode) -> list[Node]:
        return [_made(node, "Concat", node.inputs[:-1], axis=int(self._known(node, len(node.inputs) - 1)))]

    def _pad(self, node: GraphNode) -> list[Node]:
        pads = self._known(node, 1).astype(np.int64)
        if len(pads) != 4 or pads[0].any() or pads[3].any():
            raise NoForm("it fills along another axis than a board's rows and columns")
        first, inner = f"{node.name}/first", f"{node.name}/board"
        margins = self._constant(node, "margins", [0, 0, *pads[1:3, 0], 0, 0, *pads[1:3, 1]])
        return [
            Node(first, "Transpose", (node.inputs[0],), (first,), {"perm": [0, 3, 1, 2]}),
            Node(node.name, "Pad", (first, margins), (inner,), {}),
            Node(f"{node.name}/last", "Transpose", (inner,), (node.name,), {"perm": [0, 2, 3, 1]}),
        ]

    def _pack(self, node: GraphNode) -> list[Node]:
        values = [self._known(node, at) for at in range(len(node.inputs))]
        return [
            Node(
                node.name,
                "Constant",
                (),
                (node.name,),
                {"value": np.stack(values, signed(number(node.attributes.get("axis", []), 3)))},
            )
        ]

    def _stridedslice(self, node: GraphNode) -> list[Node]:
        """Of sizes that are known: one, or some of them."""
        value, first, last = (self._known(node, at) for at in (0, 1, 2))
        masks = {
            name: number(node.attributes.get(f"{name}_mask", []), 3)
            for name in ("begin", "end", "shrink_axis", "new_axis", "ellipsis")
        }
        if value.ndim != 1 or masks["new_axis"] or masks["ellipsis"] or self._known(node, 3).tolist() != [1]:
            raise NoForm("it cuts otherwise than a run of sizes")
        start = None if masks["begin"] else int(first[0])
        part = value[int(first[0])] if masks["shrink_axis"] else value[start : None if masks["end"] else int(last[0])]
        return [Node(node.name, "Constant", (), (node.name,), {"value": np.asarray(part)})]

    def _cast(self, node: GraphNode) -> list[Node]:
        to = {1: 1, 2: 11, 19: 10, 3: 6, 9: 7}.get(number(node.attributes.get("DstT", []), 6))
        if to is None:
            raise NoForm("it makes whole numbers")
        return [_made(node, "Cast", node.inputs, to=to)]


def _made(node: GraphNode, kind: str, inputs: Sequence[str], **attributes: Any) -> Node:
    return Node(node.name, kind, tuple(inputs), (node.name,), attributes)


def _text(node: GraphNode, name: str) -> str:
    return message(node.attributes.get(name, []), 2).decode()


def _float(node: GraphNode, name: str, default: float) -> float:
    data = message(node.attributes.get(name, []), 4)
    return float(np.frombuffer(data, "<f4")[0]) if len(data) == 4 else default


def _ints(node: GraphNode, name: str) -> list[int]:
    fields = Parser().fields(message(node.attributes.get(name, []), 1))
    return [signed(one) for field, value in fields if field == 3 for one in unpacked(value)]

"""Translates one node of a TensorFlow graph into ONNX nodes, which `onnx_layers` reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..layer_graph import Array
from ..onnx.model import Node, signed, unpacked
from ..onnx.values import NoForm
from ..protobuf import Parser, message, number
from .definition import GraphNode

# TensorFlow's operations on one or more operands, with ONNX' names.
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
    """Translates one TensorFlow node; `numbers` gives an input's value if it is known in advance."""

    def __init__(self, numbers: Callable[[str], Array | None], rank: Callable[[str], int]) -> None:
        self._numbers, self._rank = numbers, rank
        self.made: dict[str, Array] = {}

    def nodes(self, node: GraphNode) -> list[Node]:
        """The ONNX nodes for a node; NoForm if it has none."""
        special = getattr(self, f"_op_{node.kind.lower()}", None)
        if special is not None:
            return list(special(node))
        if node.kind not in _SAME:
            raise NoForm("azx does not know it")
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
        """A window over a board with channels last or first."""
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
        return _with_planes_first(node, kind, weights, more)

    def _op_pyfunc(self, node: GraphNode) -> list[Node]:
        raise NoForm("it calls a Python function, which is not in the file")

    _op_eagerpyfunc = _op_pyfuncstateless = _op_pyfunc

    def _op_randomuniform(self, node: GraphNode) -> list[Node]:
        raise NoForm("it draws random numbers, so that one board has many answers: save the network without it")

    _op_randomstandardnormal = _op_truncatednormal = _op_multinomial = _op_randomuniform
    _op_statelessrandomuniform = _op_statelessrandomuniformv2 = _op_statelessrandomnormal = (
        _op_statelessrandomnormalv2
    ) = _op_randomuniform

    def _op_conv2d(self, node: GraphNode) -> list[Node]:
        kernel = self._constant(node, "kernel", self._known(node, 1).transpose(3, 2, 0, 1))
        return self._windowed(node, "Conv", [kernel])

    def _op_depthwiseconv2dnative(self, node: GraphNode) -> list[Node]:
        kernel = self._known(node, 1)
        rows, columns, channels, multiplier = kernel.shape
        deep = kernel.transpose(2, 3, 0, 1).reshape(channels * multiplier, 1, rows, columns)
        return self._windowed(node, "Conv", [self._constant(node, "kernel", deep)], group=channels)

    def _op_maxpool(self, node: GraphNode) -> list[Node]:
        size = _ints(node, "ksize")
        board = size[2:] if _text(node, "data_format") == "NCHW" else size[1:3]
        kind = "MaxPool" if node.kind == "MaxPool" else "AveragePool"
        return self._windowed(node, kind, [], kernel_shape=board)

    _op_avgpool = _op_maxpool

    def _op_biasadd(self, node: GraphNode) -> list[Node]:
        bias = self._known(node, 1)
        if _text(node, "data_format") == "NCHW" and self._rank(node.inputs[0]) > 1:
            bias = bias.reshape(-1, 1, 1)
        return [_made(node, "Add", [node.inputs[0], self._constant(node, "bias", bias)])]

    def _op_fusedbatchnorm(self, node: GraphNode) -> list[Node]:
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

    _op_fusedbatchnormv2 = _op_fusedbatchnormv3 = _op_fusedbatchnorm

    def _op_matmul(self, node: GraphNode) -> list[Node]:
        if number(node.attributes.get("transpose_a", []), 5):
            raise NoForm("it transposes its input")
        matrix = self._known(node, 1)
        kernel = matrix.T if number(node.attributes.get("transpose_b", []), 5) else matrix
        return [_made(node, "MatMul", [node.inputs[0], self._constant(node, "kernel", kernel)])]

    def _op_batchmatmulv2(self, node: GraphNode) -> list[Node]:
        """A product over the last two axes; tf.matmul writes it if the number of axes is not known in advance."""
        left, right = node.inputs
        if number(node.attributes.get("adj_x", []), 5):
            raise NoForm("it transposes its first input")
        if not number(node.attributes.get("adj_y", []), 5):
            return [_made(node, "MatMul", [left, right])]
        turned = f"{node.name}/turned"
        *first, rows, columns = range(self._rank(right))
        turn = Node(turned, "Transpose", (right,), (turned,), {"perm": [*first, columns, rows]})
        return [turn, _made(node, "MatMul", [left, turned])]

    _op_batchmatmul = _op_batchmatmulv2

    def _op_relu6(self, node: GraphNode) -> list[Node]:
        bounds = [self._constant(node, name, np.float32(value)) for name, value in (("low", 0), ("high", 6))]
        return [_made(node, "Clip", [node.inputs[0], *bounds])]

    def _op_leakyrelu(self, node: GraphNode) -> list[Node]:
        return [_made(node, "LeakyRelu", node.inputs, alpha=_float(node, "alpha", 0.2))]

    def _op_rsqrt(self, node: GraphNode) -> list[Node]:
        inner = f"{node.name}/root"
        return [Node(inner, "Sqrt", node.inputs, (inner,), {}), _made(node, "Reciprocal", [inner])]

    def _op_square(self, node: GraphNode) -> list[Node]:
        return [_made(node, "Pow", [node.inputs[0], self._constant(node, "two", np.float32(2))])]

    def _op_softmax(self, node: GraphNode) -> list[Node]:
        return [_made(node, node.kind, node.inputs, axis=-1)]

    _op_logsoftmax = _op_softmax

    def _op_reshape(self, node: GraphNode) -> list[Node]:
        return [
            _made(
                node, "Reshape", [node.inputs[0], self._constant(node, "sizes", self._known(node, 1).astype(np.int64))]
            )
        ]

    def _op_transpose(self, node: GraphNode) -> list[Node]:
        return [_made(node, "Transpose", node.inputs[:1], perm=[int(axis) for axis in self._known(node, 1)])]

    def _op_squeeze(self, node: GraphNode) -> list[Node]:
        axes = _ints(node, "squeeze_dims") or None
        known = [node.inputs[0], *([self._constant(node, "axes", np.array(axes, np.int64))] if axes else [])]
        return [_made(node, "Squeeze", known)]

    def _op_expanddims(self, node: GraphNode) -> list[Node]:
        return [
            _made(
                node, "Unsqueeze", [node.inputs[0], self._constant(node, "axes", np.atleast_1d(self._known(node, 1)))]
            )
        ]

    def _op_concatv2(self, node: GraphNode) -> list[Node]:
        return [_made(node, "Concat", node.inputs[:-1], axis=int(self._known(node, len(node.inputs) - 1)))]

    def _op_pad(self, node: GraphNode) -> list[Node]:
        pads = self._known(node, 1).astype(np.int64)
        if len(pads) != 4 or pads[0].any() or pads[3].any():
            raise NoForm("it fills along another axis than a board's rows and columns")
        margins = self._constant(node, "margins", [0, 0, *pads[1:3, 0], 0, 0, *pads[1:3, 1]])
        return _with_planes_first(node, "Pad", [margins], {})

    def _op_pack(self, node: GraphNode) -> list[Node]:
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

    def _op_stridedslice(self, node: GraphNode) -> list[Node]:
        """A cut of known sizes: one of them, or a run."""
        value, first, last = (self._known(node, at) for at in (0, 1, 2))
        masks = {
            name: number(node.attributes.get(f"{name}_mask", []), 3)
            for name in ("begin", "end", "shrink_axis", "new_axis", "ellipsis")
        }
        if value.ndim != 1 or masks["new_axis"] or masks["ellipsis"] or self._known(node, 3).tolist() != [1]:
            raise NoForm("it cuts something other than a run of sizes")
        start = None if masks["begin"] else int(first[0])
        part = value[int(first[0])] if masks["shrink_axis"] else value[start : None if masks["end"] else int(last[0])]
        return [Node(node.name, "Constant", (), (node.name,), {"value": np.asarray(part)})]

    def _op_cast(self, node: GraphNode) -> list[Node]:
        to = {1: 1, 2: 11, 19: 10, 3: 6, 9: 7}.get(number(node.attributes.get("DstT", []), 6))
        if to is None:
            raise NoForm("it makes whole numbers")
        return [_made(node, "Cast", node.inputs, to=to)]


def _made(node: GraphNode, kind: str, inputs: Sequence[str], **attributes: Any) -> Node:
    return Node(node.name, kind, tuple(inputs), (node.name,), attributes)


def _with_planes_first(node: GraphNode, kind: str, more: Sequence[str], attributes: dict[str, Any]) -> list[Node]:
    """ONNX' node on a board with channels last, between two transposes; `more` are its inputs behind the board."""
    first, inner = f"{node.name}/first", f"{node.name}/board"
    return [
        Node(first, "Transpose", (node.inputs[0],), (first,), {"perm": [0, 3, 1, 2]}),
        Node(node.name, kind, (first, *more), (inner,), attributes),
        Node(f"{node.name}/last", "Transpose", (inner,), (node.name,), {"perm": [0, 2, 3, 1]}),
    ]


def _text(node: GraphNode, name: str) -> str:
    return message(node.attributes.get(name, []), 2).decode()


def _float(node: GraphNode, name: str, default: float) -> float:
    data = message(node.attributes.get(name, []), 4)
    return float(np.frombuffer(data, "<f4")[0]) if len(data) == 4 else default


def _ints(node: GraphNode, name: str) -> list[int]:
    fields = Parser().fields(message(node.attributes.get(name, []), 1))
    return [signed(one) for field, value in fields if field == 3 for one in unpacked(value)]

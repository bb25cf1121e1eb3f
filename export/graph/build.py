"""Network -> one frozen TensorFlow graph: constants only, final names, biases by AddV2."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any

import numpy as np

from ..checkpoint.head import Head
from ..checkpoint.layer_graph import Array
from ..network.network import (
    Activation,
    Affine,
    Combine,
    Concat,
    Conv,
    Crop,
    Dense,
    DepthwiseConv,
    Gather,
    Network,
    Op,
    Pad,
    Pool,
    PRelu,
    Product,
    Reduce,
    Reshape,
    Transpose,
    WindowOp,
)
from .frozen import FrozenGraph, Port
from .names import input_names, node_name, unique
from .tf_activations import activate

Tensor = Any
# max(x, LOWEST) is x: a copy that no converter removes, for an output that is also an input or another output.
LOWEST = float(np.finfo(np.float32).min)


def build(network: Network, heads: Sequence[Head], batch: int | None, *, keep_names: bool = False) -> FrozenGraph:
    """The frozen graph of a network.

    `heads` are in the artifacts' order with their final names; a `batch` of None is free. Nodes have the names that
    Keras gives them (conv2d_1/Conv2D, value_head/Tanh).
    """
    names = input_names([door.name for door in network.inputs], heads, keep_names=keep_names)
    plain = _Builder(network, heads, batch, names, bias_op="AddV2")
    twin = _Builder(network, heads, batch, names, bias_op="BiasAdd")
    graph_def, nodes = plain.graph_def()
    inputs = tuple(
        Port(name, (batch, *door.shape), source_name=door.name)
        for name, door in zip(names, network.inputs, strict=True)
    )
    outputs = tuple(replace(head, node=nodes[head.name]) for head in heads)
    return FrozenGraph(graph_def, twin.graph_def()[0], inputs, outputs)


def scopes(network: Network, heads: Sequence[Head], inputs: Sequence[str]) -> dict[str, str]:
    """The scope of each layer's nodes: the layer's name, unless a head or an input has that name.

    The layer that makes a head takes the head's name, and so do its nodes.
    """
    ports = {head.name for head in heads} | set(inputs)
    named: dict[str, str] = {}
    for op in network.ops:
        first, slash, rest = node_name(op.layer).partition("/")
        named[op.layer] = f"{unique(first, ports)}{slash}{rest}"
    makers = {op.output: op.layer for op in network.ops}
    exits = {output.source_name: output.tensor for output in network.outputs}
    made = {makers[exits[head.source_name]]: head.name for head in heads if exits[head.source_name] in makers}
    return named | made


@dataclass
class _Builder:
    """Emits a network's operations into a tf.Graph."""

    network: Network
    heads: Sequence[Head]
    batch: int | None
    input_names: Sequence[str]
    bias_op: str
    tensors: dict[str, Tensor] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    prefix: str = ""

    def graph_def(self) -> tuple[bytes, dict[str, str]]:
        """The serialised GraphDef, and the node that computes each head."""
        import tensorflow as tf

        self.used = {head.name for head in self.heads}
        with tf.Graph().as_default() as graph:
            self._doors(tf)
            scope = scopes(self.network, self.heads, self.input_names)
            for op in self.network.ops:
                self.prefix = scope[op.layer]
                self.tensors[op.output] = _EMIT[type(op)](self, op, [self.tensors[name] for name in op.inputs])
            nodes = self._exits(tf)
            return graph.as_graph_def().SerializeToString(deterministic=True), nodes

    def _doors(self, tf: Any) -> None:
        for door, name in zip(self.network.inputs, self.input_names, strict=True):
            self.used.add(name)
            # A trailing slash keeps the name: otherwise TensorFlow would treat `Board` and `board` as one.
            shape = (self.batch, *door.shape)
            self.tensors[door.name] = tf.raw_ops.Placeholder(dtype=tf.float32, shape=shape, name=f"{name}/")

    def _exits(self, tf: Any) -> dict[str, str]:
        exits = {output.source_name: output.tensor for output in self.network.outputs}
        nodes: dict[str, str] = {}
        doors = {self.tensors[door.name].op.name for door in self.network.inputs}
        for head in self.heads:
            tensor = self.tensors[exits[head.source_name]]
            if tensor.op.name in doors or tensor.op.name in nodes.values():
                self.prefix = head.name
                tensor = self.node("Maximum", x=tensor, y=self.scalar(LOWEST))
            nodes[head.name] = tensor.op.name
            tf.raw_ops.Identity(input=tensor, name=f"{head.name}/")
        return nodes

    def node(self, op: str, name: str | None = None, **inputs: Any) -> Tensor:
        """Emit a TensorFlow node under the current layer's name."""
        import tensorflow as tf

        return getattr(tf.raw_ops, op)(**inputs, name=self._unique(f"{self.prefix}/{name or op}") + "/")

    def constant(self, value: Any, name: str = "constant") -> Tensor:
        """Emit a constant under the current layer's name."""
        import tensorflow as tf

        return tf.constant(np.asarray(value), name=self._unique(f"{self.prefix}/{name}") + "/")

    def scalar(self, value: float) -> Tensor:
        """Emit a float32 scalar."""
        return self.constant(np.float32(value))

    def add_bias(self, x: Tensor, bias: Array | None) -> Tensor:
        """Add a bias, under the name that Keras gives it, whichever op adds it."""
        if bias is None:
            return x
        values = self.constant(bias, "bias")
        if self.bias_op == "BiasAdd":
            return self.node("BiasAdd", value=x, bias=values)
        return self.node("AddV2", "BiasAdd", x=x, y=values)

    def _unique(self, name: str) -> str:
        result = unique(name, self.used)
        self.used.add(result)
        return result


# TensorFlow's op, Keras' name of the node if it differs, and Keras' name of its kernel.
_WINDOWED = {
    Conv: ("Conv2D", None, "kernel"),
    DepthwiseConv: ("DepthwiseConv2dNative", "depthwise", "depthwise_kernel"),
}


def _add_window(builder: _Builder, op: WindowOp, inputs: list[Tensor]) -> Tensor:
    kind, name, kernel = _WINDOWED[type(op)]
    made = builder.node(
        kind,
        name,
        input=inputs[0],
        filter=builder.constant(op.kernel, kernel),
        strides=[1, *op.strides, 1],
        padding=op.padding,
        dilations=[1, *op.dilations, 1],
    )
    return builder.add_bias(made, op.bias)


def _dense(builder: _Builder, op: Dense, inputs: list[Tensor]) -> Tensor:
    return builder.add_bias(builder.node("MatMul", a=inputs[0], b=builder.constant(op.kernel, "kernel")), op.bias)


def _affine(builder: _Builder, op: Affine, inputs: list[Tensor]) -> Tensor:
    x = inputs[0]
    if op.scale is not None:
        x = builder.node("Mul", x=x, y=builder.constant(op.scale, "scale"))
    if op.shift is not None:
        x = builder.node("AddV2", x=x, y=builder.constant(op.shift, "shift"))
    return x


def _activation(builder: _Builder, op: Activation, inputs: list[Tensor]) -> Tensor:
    return activate(builder.node, builder.scalar, inputs[0], op.function, op.parameters)


def _prelu(builder: _Builder, op: PRelu, inputs: list[Tensor]) -> Tensor:
    low = builder.node("Minimum", x=inputs[0], y=builder.scalar(0.0))
    below = builder.node("Mul", x=low, y=builder.constant(op.alpha, "alpha"))
    return builder.node("AddV2", x=builder.node("Relu", features=inputs[0]), y=below)


_COMBINE = {
    "add": "AddV2",
    "subtract": "Sub",
    "multiply": "Mul",
    "divide": "RealDiv",
    "maximum": "Maximum",
    "minimum": "Minimum",
}


def _concat(builder: _Builder, op: Concat, inputs: list[Tensor]) -> Tensor:
    return builder.node("ConcatV2", "concat", values=inputs, axis=builder.constant(np.int32(op.axis + 1), "axis"))


def _pool(builder: _Builder, op: Pool, inputs: list[Tensor]) -> Tensor:
    name, key = ("MaxPool", "input") if op.function == "max" else ("AvgPool", "value")
    window: dict[str, Any] = {"ksize": [1, *op.size, 1], "strides": [1, *op.strides, 1], "padding": op.padding}
    return builder.node(name, **{key: inputs[0]}, **window)


_REDUCE = {"mean": "Mean", "sum": "Sum", "max": "Max", "min": "Min"}


def _reduce(builder: _Builder, op: Reduce, inputs: list[Tensor]) -> Tensor:
    axes = builder.constant(np.array([axis + 1 for axis in op.over], np.int32), "axes")
    return builder.node(_REDUCE[op.function], input=inputs[0], axis=axes, keep_dims=op.keep)


def _pad(builder: _Builder, op: Pad, inputs: list[Tensor]) -> Tensor:
    paddings = builder.constant(np.array([[0, 0], op.rows, op.columns, [0, 0]], np.int32), "paddings")
    return builder.node("Pad", input=inputs[0], paddings=paddings)


def _crop(builder: _Builder, op: Crop, inputs: list[Tensor]) -> Tensor:
    begin = builder.constant(np.array([0, *op.begin], np.int32), "begin")
    size = builder.constant(np.array([-1, *op.shape], np.int32), "size")
    return builder.node("Slice", input=inputs[0], begin=begin, size=size)


def _gather(builder: _Builder, op: Gather, inputs: list[Tensor]) -> Tensor:
    places, axis = (
        builder.constant(np.array(op.places, np.int32), "places"),
        builder.constant(np.int32(op.axis + 1), "axis"),
    )
    return builder.node("GatherV2", params=inputs[0], indices=places, axis=axis)


def _reshape(builder: _Builder, op: Reshape, inputs: list[Tensor]) -> Tensor:
    shape = builder.constant(np.array([builder.batch or -1, *op.shape], np.int32), "shape")
    return builder.node("Reshape", tensor=inputs[0], shape=shape)


def _transpose(builder: _Builder, op: Transpose, inputs: list[Tensor]) -> Tensor:
    order = builder.constant(np.array([0, *(axis + 1 for axis in op.axes)], np.int32), "perm")
    return builder.node("Transpose", "transpose", x=inputs[0], perm=order)


_EMIT: dict[type[Op], Callable[[_Builder, Any, list[Tensor]], Tensor]] = {
    Conv: _add_window,
    DepthwiseConv: _add_window,
    Dense: _dense,
    Affine: _affine,
    Activation: _activation,
    PRelu: _prelu,
    Combine: lambda builder, op, inputs: reduce(lambda x, y: builder.node(_COMBINE[op.function], x=x, y=y), inputs),
    Concat: _concat,
    Pool: _pool,
    Product: lambda builder, op, inputs: builder.node("BatchMatMulV2", "MatMul", x=inputs[0], y=inputs[1]),
    Reduce: _reduce,
    Pad: _pad,
    Crop: _crop,
    Gather: _gather,
    Reshape: _reshape,
    Transpose: _transpose,
}

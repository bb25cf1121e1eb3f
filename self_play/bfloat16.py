"""A network in training as a TensorFlow function in bfloat16, on a processor that multiplies it in hardware.

bfloat16 is the upper half of a float32, so an answer has two or three decimal digits. For choosing moves in training
games that is enough, and a processor with units for it answers several times as many boards a second. What is judged
and what is kept is computed in float32.
"""

from __future__ import annotations

import math
import operator
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Answers = Callable[[Floats], list[Floats]]
CPUINFO = Path("/proc/cpuinfo")
FLAGS = {"amx_bf16", "avx512_bf16"}
# A batch is filled up to a multiple of this, since oneDNN prepares each size anew.
STEP = 16
# Multiplications of a call that float32 makes sooner, because TensorFlow takes half a millisecond for any call. On a
# Xeon with AMX, 4x32 on 6x7 cells took 0.46 ms for one board and 0.54 ms for 12; ONNX Runtime took 0.08 and 0.59 ms.
SMALL_CALL = 40_000_000
# The order of a graph's NCHW tensor that is held as NHWC.
CHANNELS_LAST = (0, 3, 1, 2)
# ONNX's functions of one tensor that tf.nn has by the same name in small letters.
FUNCTIONS = ("Relu", "Tanh", "Sigmoid", "Elu", "Selu", "Softplus", "Softsign")


@cache
def is_multiplied_here() -> bool:
    """Whether this processor multiplies matrices of bfloat16; False if the system does not say."""
    try:
        lines = CPUINFO.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return False
    return any(line.startswith("flags") and FLAGS & set(line.split()) for line in lines)


class Half(NamedTuple):
    """A function from boards (N, *input) to the graph's outputs, each float32 (N, width), that calculates in bfloat16.

    With fewer than `fewest` boards float32 is faster.
    """

    ask: Answers
    fewest: int


class _Tensor(NamedTuple):
    """A TensorFlow tensor whose axis `order[i]` is the graph's axis i: a transposition only notes another order."""

    held: Any
    order: tuple[int, ...]


def in_bfloat16(graph: bytes) -> Half | None:
    """The graph in bfloat16; None if it has no convolution, which alone gains by this, or a node not known here."""
    import onnx

    model = onnx.load_from_string(graph).graph
    if not any(node.op_type == "Conv" for node in model.node):
        return None
    weights = {each.name: onnx.numpy_helper.to_array(each) for each in model.initializer}
    nodes = [_Node.read(onnx, node) for node in model.node]
    if any(node.kind not in FUNCTIONS and not hasattr(_Translator, node.kind.lower()) for node in nodes):
        return None
    tf = _tensorflow()
    shape = [each.dim_value for each in model.input[0].type.tensor_type.shape.dim][1:]
    outputs = [each.name for each in model.output]
    translator = _Translator(tf, weights)

    @tf.function(input_signature=[tf.TensorSpec([None, *shape], tf.float32)])  # type: ignore[untyped-decorator]
    def answer(boards: Any) -> list[Any]:
        with tf.device("CPU:0"):
            return translator.answers(boards, nodes, outputs)

    concrete = answer.get_concrete_function()

    def ask(boards: Floats) -> list[Floats]:
        count = len(boards)
        filled = np.zeros((-(-count // STEP) * STEP, *boards.shape[1:]), np.float32)
        filled[:count] = boards
        return [each.numpy()[:count] for each in concrete(tf.constant(filled))]

    return Half(ask, 1 + SMALL_CALL // max(1, translator.multiplications))


def _tensorflow() -> Any:
    """TensorFlow, without a GPU unless Keras learns there: it would take the GPU's memory from whoever does."""
    keras = sys.modules.get("keras")
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import tensorflow as tf

    if keras is None or keras.backend.backend() != "tensorflow":
        with suppress(RuntimeError):  # it runs already
            tf.config.set_visible_devices([], "GPU")
    return tf


class _Node(NamedTuple):
    """A node of the graph: its kind, inputs, output and attributes."""

    kind: str
    inputs: Sequence[str]
    output: str
    about: Mapping[str, Any]

    @staticmethod
    def read(onnx: Any, node: Any) -> _Node:
        about = {each.name: onnx.helper.get_attribute_value(each) for each in node.attribute}
        return _Node(node.op_type, list(node.input), node.output[0], about)


class _Translator:
    """Writes nodes as TensorFlow operations: convolutions and what follows in bfloat16, dense layers in float32.

    `multiplications` counts those of the convolutions written so far, for one board.
    """

    def __init__(self, tf: Any, weights: Mapping[str, NDArray[Any]]) -> None:
        self._tf, self._weights, self._made = tf, weights, dict[str, _Tensor]()
        self.multiplications = 0

    def answers(self, boards: Any, nodes: Sequence[_Node], outputs: Sequence[str]) -> list[Any]:
        """The outputs for the boards, as float32 tensors."""
        self._made["main_input"] = _as_held(boards)
        for node in nodes:
            write = self.function if node.kind in FUNCTIONS else getattr(self, node.kind.lower())
            self._made[node.output] = write(node)
        return [self._read(name) for name in outputs]

    def _read(self, name: str) -> Any:
        """A tensor or a weight as the graph has it, in float32."""
        if name in self._weights:
            return self._tf.constant(self._weights[name])
        held, order = self._made[name]
        return self._tf.cast(self._transposed(held, order), self._tf.float32)

    def _transposed(self, held: Any, axes: Sequence[int]) -> Any:
        return held if list(axes) == sorted(axes) else self._tf.transpose(held, axes)

    def conv(self, node: _Node) -> _Tensor:
        """A convolution, in bfloat16."""
        tf, (source, kernel, bias) = self._tf, node.inputs
        held, order = self._made[source]
        boards = self._transposed(held, [order[axis] for axis in np.argsort(CHANNELS_LAST)])
        weights = tf.constant(self._weights[kernel].transpose(2, 3, 1, 0), tf.bfloat16)
        padding = "VALID" if node.about.get("auto_pad") == b"VALID" else "SAME"
        steps, gaps = (list(node.about.get(name, (1, 1))) for name in ("strides", "dilations"))
        made = tf.nn.conv2d(tf.cast(boards, tf.bfloat16), weights, steps, padding, dilations=gaps)
        self.multiplications += self._weights[kernel].size * math.prod(made.shape[1:3])
        return _Tensor(tf.nn.bias_add(made, tf.constant(self._weights[bias], tf.bfloat16)), CHANNELS_LAST)

    def function(self, node: _Node) -> _Tensor:
        """A function of each number."""
        held, order = self._made[node.inputs[0]]
        return _Tensor(getattr(self._tf.nn, node.kind.lower())(held), order)

    def leakyrelu(self, node: _Node) -> _Tensor:
        """A ReLU that keeps a share of what is below zero."""
        held, order = self._made[node.inputs[0]]
        return _Tensor(self._tf.nn.leaky_relu(held, node.about["alpha"]), order)

    def identity(self, node: _Node) -> _Tensor:
        """The tensor by another name."""
        return self._made[node.inputs[0]]

    def transpose(self, node: _Node) -> _Tensor:
        """The same tensor in another order."""
        held, order = self._made[node.inputs[0]]
        return _Tensor(held, tuple(order[axis] for axis in node.about["perm"]))

    def add(self, node: _Node) -> _Tensor:
        """A sum."""
        return self._combined(node, operator.add)

    def mul(self, node: _Node) -> _Tensor:
        """A product, number by number."""
        return self._combined(node, operator.mul)

    def _combined(self, node: _Node, combine: Callable[[Any, Any], Any]) -> _Tensor:
        """Two tensors combined; in one order and type without converting them."""
        one, other = (self._made.get(name) for name in node.inputs)
        if one and other and one.order == other.order and one.held.dtype == other.held.dtype:
            return _Tensor(combine(one.held, other.held), one.order)
        return _as_held(combine(self._read(node.inputs[0]), self._read(node.inputs[1])))

    def concat(self, node: _Node) -> _Tensor:
        """Tensors side by side."""
        return _as_held(self._tf.concat([self._read(name) for name in node.inputs], node.about["axis"]))

    def matmul(self, node: _Node) -> _Tensor:
        """A product with a matrix."""
        return _as_held(self._tf.matmul(*map(self._read, node.inputs)))

    def gemm(self, node: _Node) -> _Tensor:
        """A product with a matrix, and a bias."""
        source, kernel, bias = map(self._read, node.inputs)
        return _as_held(self._tf.matmul(source, kernel) + bias)

    def reshape(self, node: _Node) -> _Tensor:
        """The same numbers in another shape."""
        return _as_held(self._tf.reshape(self._read(node.inputs[0]), self._weights[node.inputs[1]]))

    def flatten(self, node: _Node) -> _Tensor:
        """The same numbers in one row for each board."""
        held = self._read(node.inputs[0])
        return _as_held(self._tf.reshape(held, [-1, int(np.prod(held.shape[1:]))]))


def _as_held(tensor: Any) -> _Tensor:
    return _Tensor(tensor, tuple(range(len(tensor.shape))))

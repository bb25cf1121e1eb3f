"""The layers of `networks.py` as ONNX nodes, with batch normalisation folded into the convolution before it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]


class Graph:
    """The ONNX nodes and weights of a network of `networks.py`; convolutions in it have channels first."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.weights: list[Any] = []
        # Convolutions that still wait for their normalisation: tensor's name to kernel.
        self._kernels: dict[str, Array] = {}

    def add(self, layer: Any, inputs: list[str]) -> str:
        """Write a layer; returns its output's name."""
        write = getattr(self, f"_{type(layer).__name__.lower()}")
        made: str = write(layer, inputs)
        return made

    def _node(self, kind: str, inputs: list[str], name: str, **attributes: Any) -> str:
        from onnx import helper

        made = f"{name}:0"  # apart from the outputs' own names
        self.nodes.append(helper.make_node(kind, inputs, [made], **attributes))
        return made

    def _weight(self, name: str, values: NDArray[Any]) -> str:
        from onnx import numpy_helper

        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def _inputlayer(self, layer: Any, inputs: list[str]) -> str:
        if len(layer.batch_shape) == 4:
            return self._node("Transpose", ["main_input"], "board", perm=[0, 3, 1, 2])
        return "main_input"

    def _reshape(self, layer: Any, inputs: list[str]) -> str:
        *planes, rows, columns = layer.target_shape if layer.target_shape[-1] != 1 else (1, *layer.target_shape[:2])
        target = self._weight(f"{layer.name}_shape", np.array([-1, *planes, rows, columns], np.int64))
        return self._node("Reshape", [inputs[0], target], layer.name)

    def _permute(self, layer: Any, inputs: list[str]) -> str:
        return inputs[0]  # channels are first already

    def _conv2d(self, layer: Any, inputs: list[str]) -> str:
        kernel, *bias = (np.asarray(each) for each in layer.get_weights())
        if bias:  # no normalisation follows
            weights = [
                self._weight(f"{layer.name}_kernel", kernel.transpose(3, 2, 0, 1)),
                self._weight(f"{layer.name}_bias", bias[0]),
            ]
            return self._node("Conv", [*inputs, *weights], layer.name, auto_pad="SAME_UPPER")
        self._kernels[layer.name] = kernel
        return f"{layer.name}<{inputs[0]}"

    def _batchnormalization(self, layer: Any, inputs: list[str]) -> str:
        convolution, _, source = inputs[0].partition("<")
        gamma, beta, mean, variance = (np.asarray(each, np.float64) for each in layer.get_weights())
        scale = gamma / np.sqrt(variance + layer.epsilon)
        kernel = (self._kernels.pop(convolution) * scale).transpose(3, 2, 0, 1).astype(np.float32)
        weights = [
            self._weight(f"{layer.name}_kernel", kernel),
            self._weight(f"{layer.name}_bias", (beta - mean * scale).astype(np.float32)),
        ]
        return self._node("Conv", [source, *weights], layer.name, auto_pad="SAME_UPPER")

    def _activation(self, layer: Any, inputs: list[str]) -> str:
        return self._node("Relu", inputs, layer.name)

    def _add(self, layer: Any, inputs: list[str]) -> str:
        return self._node("Add", inputs, layer.name)

    def _multiply(self, layer: Any, inputs: list[str]) -> str:
        return self._node("Mul", inputs, layer.name)

    def _concatenate(self, layer: Any, inputs: list[str]) -> str:
        return self._node("Concat", inputs, layer.name, axis=layer.axis)

    def _flatten(self, layer: Any, inputs: list[str]) -> str:
        # A board without a channel axis has Keras' layout.
        if len(layer.input.shape) == 4:
            inputs = [self._node("Transpose", inputs, f"{layer.name}_last", perm=[0, 2, 3, 1])]
        return self._node("Flatten", inputs, layer.name)

    def _dense(self, layer: Any, inputs: list[str]) -> str:
        kernel, bias = (np.asarray(each) for each in layer.get_weights())
        weights = [self._weight(f"{layer.name}_kernel", kernel), self._weight(f"{layer.name}_bias", bias)]
        name = self._node("Gemm", [*inputs, *weights], layer.name)
        kind = {"relu": "Relu", "tanh": "Tanh"}.get(layer.activation.__name__)
        return self._node(kind, [name], f"{layer.name}_{kind}") if kind else name

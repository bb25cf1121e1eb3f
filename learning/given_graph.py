"""Writes the ONNX graph of a given network (`given.py`), with tensors in Keras' layout.

It puts transpositions around each convolution; ONNX Runtime removes pairs of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .graph_nodes import Graph


class GivenGraph(Graph):
    """Writes the layers that `given.py` builds."""

    def _inputlayer(self, layer: Any, inputs: list[str]) -> str:
        return "main_input"

    def _conv2d(self, layer: Any, inputs: list[str]) -> str:
        kernel, bias = (np.asarray(each) for each in layer.get_weights())
        weights = [
            self._weight(f"{layer.name}_kernel", kernel.transpose(3, 2, 0, 1)),
            self._weight(f"{layer.name}_bias", bias),
        ]
        first = self._node("Transpose", inputs, f"{layer.name}_first", perm=[0, 3, 1, 2])
        padding = "SAME_UPPER" if layer.padding == "same" else "VALID"
        steps = {"strides": list(layer.strides), "dilations": list(layer.dilation_rate)}
        made = self._node("Conv", [first, *weights], f"{layer.name}_conv", auto_pad=padding, **steps)
        return self._node("Transpose", [made], layer.name, perm=[0, 2, 3, 1])

    def _dense(self, layer: Any, inputs: list[str]) -> str:
        kernel, bias = (np.asarray(each) for each in layer.get_weights())
        product = self._node("MatMul", [*inputs, self._weight(f"{layer.name}_kernel", kernel)], f"{layer.name}_product")
        return self._node("Add", [product, self._weight(f"{layer.name}_bias", bias)], layer.name)

    def _activation(self, layer: Any, inputs: list[str]) -> str:
        name = layer.activation.__name__
        return self._node("Identity" if name == "linear" else name.capitalize(), inputs, layer.name)

    def _leakyrelu(self, layer: Any, inputs: list[str]) -> str:
        return self._node("LeakyRelu", inputs, layer.name, alpha=float(layer.negative_slope))

    def _reshape(self, layer: Any, inputs: list[str]) -> str:
        shape = self._weight(f"{layer.name}_shape", np.array([-1, *layer.target_shape], np.int64))
        return self._node("Reshape", [inputs[0], shape], layer.name)

    def _permute(self, layer: Any, inputs: list[str]) -> str:
        return self._node("Transpose", inputs, layer.name, perm=[0, *layer.dims])

"""A Keras network of `networks.py` as an ONNX graph, straight from its weights: what a generation plays with.

An export with proof takes seconds, this some milliseconds. It writes the few layers that those networks have, with
batch normalisation folded into the convolution before it. It is a means of training alone: what is kept is exported
and proved like any checkpoint.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

OPSET, IR_VERSION = 17, 8
HEADS = ("policy_head", "value_head")
Array = NDArray[np.float32]


def write_graph(model: Any) -> bytes:
    """The serialised ONNX graph: `main_input` (N, *board) to `policy_head` (N, actions) logits, `value_head` (N, 1)."""
    from onnx import TensorProto, helper

    from .given import GIVEN
    from .given_graph import GivenGraph

    graph = GivenGraph() if model.name == GIVEN else Graph()
    tensors: dict[str, str] = {}
    for layer in model.layers:
        inputs = [tensors[each] for each in _inputs_of(layer)]
        tensors[layer.name] = graph.add(layer, inputs)
    shape = model.inputs[0].shape
    heads = {name: tensor.shape[-1] for name, tensor in zip(HEADS, model.outputs, strict=True)}
    graph.nodes += [helper.make_node("Identity", [tensors[name]], [name]) for name in heads]
    made = helper.make_graph(
        graph.nodes,
        "generation",
        [helper.make_tensor_value_info("main_input", TensorProto.FLOAT, ["N", *shape[1:]])],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["N", width]) for name, width in heads.items()],
        graph.weights,
    )
    whole = helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    data: bytes = whole.SerializeToString()
    return data


def _inputs_of(layer: Any) -> list[str]:
    """The names of the layers that a layer reads."""
    nodes = layer._inbound_nodes
    return [tensor._keras_history.operation.name for tensor in nodes[0].input_tensors] if nodes else []


class Graph:
    """Nodes and weights of the networks of `networks.py`; inside, convolutions have channels first."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.weights: list[Any] = []
        # Convolutions whose normalisation has not come yet: name of the tensor to kernel.
        self._kernels: dict[str, Array] = {}

    def add(self, layer: Any, inputs: list[str]) -> str:
        """Write a layer; the name of what it makes."""
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
        self._kernels[layer.name] = np.asarray(layer.get_weights()[0])
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

    def _flatten(self, layer: Any, inputs: list[str]) -> str:
        # A board without a channel axis lies as Keras has it.
        if len(layer.input.shape) == 4:
            inputs = [self._node("Transpose", inputs, f"{layer.name}_last", perm=[0, 2, 3, 1])]
        return self._node("Flatten", inputs, layer.name)

    def _dense(self, layer: Any, inputs: list[str]) -> str:
        kernel, bias = (np.asarray(each) for each in layer.get_weights())
        weights = [self._weight(f"{layer.name}_kernel", kernel), self._weight(f"{layer.name}_bias", bias)]
        name = self._node("Gemm", [*inputs, *weights], layer.name)
        kind = {"relu": "Relu", "tanh": "Tanh"}.get(layer.activation.__name__)
        return self._node(kind, [name], f"{layer.name}_{kind}") if kind else name

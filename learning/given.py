"""Rebuilds a network from any file in Keras, so that a run can train it.

Every file that azx reads gets the same canonical form (`export.network`): channels last, batch normalisation folded
into the weights before it. So a file of an old Keras, of PyTorch or of ONNX trains in the same way. A run keeps the
layers as data in network.json; the weights are in its generations.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import AzxError, CheckpointError
from ..export.checkpoint.head import POLICY, VALUE
from ..export.checkpoint.read import read_checkpoint
from ..export.graph.freeze import heads_of
from ..export.network import network as canonical
from ..export.network.simplify import simplify
from ..system.plain_file import read_plain

# The model's name in its graph.
GIVEN = "given"
SCHEMA, LARGEST = 1, 1 << 20
L2 = 1e-4
INPUT, POLICY_HEAD, VALUE_HEAD = "main_input", "policy_head", "value_head"
# Functions without parameters, by their Keras name, with ONNX's.
FUNCTIONS = ("linear", "relu", "tanh", "sigmoid", "softplus", "softsign", "elu", "selu")
# Of two tensors, number by number.
COMBINED = ("add", "multiply")
SOFT = ("softmax", "log_softmax")
# Activations that end a value of one number from -1 to +1.
BOUNDED = ("tanh", "softsign")
Data = Mapping[str, Any]
Weights = dict[str, list[NDArray[np.float32]]]


@dataclass(frozen=True)
class GivenNetwork:
    """The layers of a network as data: its input's shape, and each layer with its name and inputs."""

    shape: tuple[int, ...]
    layers: tuple[Data, ...]

    def as_data(self) -> dict[str, Any]:
        """The content of network.json."""
        return {"azx_network": SCHEMA, "input": list(self.shape), "layers": [dict(layer) for layer in self.layers]}

    @property
    def width(self) -> int:
        """The policy's width; AzxError if the policy is no vector."""
        last = next((layer for layer in self.layers if layer["name"] == POLICY_HEAD), {})
        if last.get("kind") == "dense":
            return int(last["units"])
        if last.get("kind") == "reshape" and len(last["shape"]) == 1:
            return int(last["shape"][0])
        raise AzxError("the network cannot be trained: its policy is no vector.")

    def build(self) -> Any:
        """A new `keras.Model` to train: `main_input` to [policy logits, value]; AzxError for unsound layers."""
        import keras

        tensors = {INPUT: keras.layers.Input(self.shape, name=INPUT)}
        try:
            for layer in self.layers:
                made = _layer(keras.layers, keras.regularizers.l2(L2), layer)
                read = [tensors[name] for name in layer["inputs"]]
                tensors[layer["name"]] = made(read if len(read) > 1 else read[0])
            return keras.Model(tensors[INPUT], [tensors[POLICY_HEAD], tensors[VALUE_HEAD]], name=GIVEN)
        except (KeyError, TypeError, ValueError) as error:
            raise AzxError(
                f"the layers of network.json make no network ({type(error).__name__}): restore it."
            ) from error


def read_given(path: Path) -> GivenNetwork:
    """The network of a run's network.json; AzxError if it is none."""
    try:
        data = json.loads(read_plain(path, LARGEST))
        if data["azx_network"] != SCHEMA:
            raise ValueError("another schema")
        return GivenNetwork(tuple(map(int, data["input"])), tuple(data["layers"]))
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise AzxError(f"'{path}', which has the layers of the run's network, is damaged: restore it.") from error


def take(path: Path) -> tuple[GivenNetwork, Weights]:
    """The network of a checkpoint, and the weights of its layers; AzxError if it cannot be trained.

    It needs one input, a policy, and a value of one number from -1 to +1.
    """
    graph = read_checkpoint(path)
    network = simplify(graph)
    heads = {head.role: head for head in heads_of(graph, [head.shape for head in network.outputs])}
    outputs = {head.source_name: head.tensor for head in network.outputs}
    if len(network.inputs) != 1 or VALUE not in heads or POLICY not in heads:
        raise CheckpointError(f"'{path}' cannot be trained on: it needs one input, a policy and a value.")
    value = heads[VALUE]
    if value.width != 1 or value.activation not in BOUNDED:
        raise CheckpointError(f"'{path}' cannot be trained on: its value is not one number from -1 to +1.")
    ends = {POLICY_HEAD: outputs[heads[POLICY].source_name], VALUE_HEAD: outputs[value.source_name]}
    layers, weights = _Taken(path, network, ends).layers()
    return layers, weights if layers.width else {}


class _Taken:
    def __init__(self, path: Path, network: canonical.Network, ends: Mapping[str, str]) -> None:
        self._path, self._network = path, network
        self._by_output = {op.output: op for op in network.ops}
        self._ends = {self._before_softmax(tensor): name for name, tensor in ends.items()}

    def layers(self) -> tuple[GivenNetwork, Weights]:
        needed = self._needed(self._ends)
        door = self._network.inputs[0]
        names, layers, weights = {door.name: INPUT}, list[Data](), Weights()
        for at, op in enumerate(op for op in self._network.ops if op.output in needed):
            data, values = self._described(op)
            name = self._ends.get(op.output, f"{data['kind']}{at}")
            layers.append({**data, "name": name, "inputs": [names[each] for each in op.inputs]})
            names[op.output] = name
            if values:
                weights[name] = values
        return GivenNetwork(tuple(door.shape), tuple(layers)), weights

    def _before_softmax(self, tensor: str) -> str:
        """The policy without its softmax, since it learns as logits."""
        op = self._by_output.get(tensor)
        is_soft = isinstance(op, canonical.Activation) and op.function in SOFT
        return op.inputs[0] if op is not None and is_soft else tensor

    def _needed(self, ends: Mapping[str, str]) -> set[str]:
        needed, waiting = set[str](), list(ends)
        while waiting:
            op = self._by_output.get(waiting.pop())
            if op is not None and op.output not in needed:
                needed.add(op.output)
                waiting += op.inputs
        return needed

    def _described(self, op: canonical.Op) -> tuple[dict[str, Any], list[NDArray[np.float32]]]:
        """The layer for an operation as data, and its weights; CheckpointError if no known layer fits."""
        if isinstance(op, canonical.Conv):
            rows, columns, _, filters = op.kernel.shape
            data = {"kind": "conv", "filters": filters, "kernel": [rows, columns], "padding": op.padding.lower()}
            strides = {"strides": list(op.strides), "dilations": list(op.dilations)}
            return data | strides, [op.kernel, _bias(op.bias, filters)]
        if isinstance(op, canonical.Dense):
            return {"kind": "dense", "units": op.kernel.shape[1]}, [op.kernel, _bias(op.bias, op.kernel.shape[1])]
        if isinstance(op, canonical.Activation) and _is_known(op):
            slope = [float(each) for each in op.parameters] if op.function == "leaky_relu" else []
            return {"kind": "activation", "function": op.function, "slope": slope}, []
        if isinstance(op, canonical.Combine) and op.function in COMBINED and len(op.inputs) == 2:
            return {"kind": op.function}, []
        if isinstance(op, canonical.Concat):
            return {"kind": "concat", "axis": op.axis}, []
        if isinstance(op, canonical.Reshape):
            return {"kind": "reshape", "shape": list(op.shape)}, []
        if isinstance(op, canonical.Transpose):
            return {"kind": "transpose", "axes": list(op.axes)}, []
        what = f"{type(op).__name__} {getattr(op, 'function', '')}".strip()
        raise CheckpointError(
            f"'{self._path}' cannot be trained on: azx has no layer to train for {what} (layer '{op.layer}'). Begin "
            "without --start-from, with a --net of your choice."
        )


def _is_known(op: canonical.Activation) -> bool:
    if op.function == "elu":
        return op.parameters in ((), (1.0,))
    return op.function in FUNCTIONS or op.function == "leaky_relu"


def _bias(bias: Any, width: int) -> NDArray[np.float32]:
    return np.zeros(width, np.float32) if bias is None else np.asarray(bias, np.float32).reshape(width)


def _layer(layers: Any, regular: Any, data: Data) -> Any:
    """A Keras layer from data; KeyError, TypeError or ValueError if the data is unsound."""
    kind, name = data["kind"], str(data["name"])
    if kind == "conv":
        return layers.Conv2D(
            int(data["filters"]),
            tuple(data["kernel"]),
            strides=tuple(data["strides"]),
            padding=str(data["padding"]),
            dilation_rate=tuple(data["dilations"]),
            data_format="channels_last",
            kernel_regularizer=regular,
            name=name,
        )
    if kind == "dense":
        return layers.Dense(int(data["units"]), kernel_regularizer=regular, name=name)
    if kind == "activation" and data["function"] == "leaky_relu":
        return layers.LeakyReLU(negative_slope=float(data["slope"][0]), name=name)
    if kind == "activation" and data["function"] in FUNCTIONS:
        return layers.Activation(data["function"], name=name)
    if kind in COMBINED:
        return (layers.Add if kind == "add" else layers.Multiply)(name=name)
    if kind == "concat":
        return layers.Concatenate(axis=int(data["axis"]) + 1, name=name)
    if kind == "reshape":
        return layers.Reshape(tuple(data["shape"]), name=name)
    if kind == "transpose":
        return layers.Permute(tuple(axis + 1 for axis in data["axes"]), name=name)
    raise ValueError(f"no kind of layer: {kind}")


def set_weights(model: Any, weights: Weights) -> None:
    """Give a built network its first weights."""
    for name, values in weights.items():
        model.get_layer(name).set_weights(values)

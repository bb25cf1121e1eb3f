"""Which activation an output ends with, read off the layers as they are written."""

from __future__ import annotations

from azx.export.activations import LAYERS, activation_of
from azx.export.errors import UnsupportedLayer
from azx.export.layer_graph import Call, LayerGraph

# Layers that leave the values as they are: the activation is that of the layer before.
_TRANSPARENT = frozenset({"Flatten", "Reshape", "Permute", "Dropout", "InputLayer"})


def head_activation(graph: LayerGraph, tensor: str) -> str:
    """tanh, softmax, linear, ... of an output tensor; "unknown" where no name here fits."""
    calls = {call.output: call for call in graph.calls}
    call = calls.get(tensor)
    while call is not None and (call.layer.kind in _TRANSPARENT or _is_linear(call)):
        call = calls.get(call.inputs[0])
    if call is None:
        return "linear"
    try:
        return _of(call, graph.source.keras_major)
    except UnsupportedLayer:
        return "unknown"


def _is_linear(call: Call) -> bool:
    return call.layer.kind == "Activation" and call.layer.config.get("activation") == "linear"


def _of(call: Call, keras_major: int) -> str:
    if call.layer.kind in LAYERS:
        return LAYERS[call.layer.kind](call.layer)[0]
    operation = str(call.layer.config.get("function") or call.layer.kind.removeprefix("ops."))
    name = operation.rsplit(".", 1)[-1].lower()
    if name in ("tanh", "softmax", "sigmoid", "relu"):
        return name
    return activation_of(call.layer, call.layer.config.get("activation"), keras_major)[0]

"""Which activation an output ends with, read off the layers as they are written."""

from __future__ import annotations

from ...errors import UnsupportedLayer
from ..checkpoint.layer_graph import Call, LayerGraph
from ..network.activations import LAYERS, activation_of
from ..network.rules_ops import operation_name, rule_for

# Layers that leave the values as they are: the activation is that of the layer before.
_TRANSPARENT = frozenset({"Flatten", "Reshape", "Permute", "Dropout", "InputLayer"})
_MOVES = frozenset({"reshape", "batch_flatten", "transpose", "squeeze", "expand_dims", "identity", "cast"})
_OPERATIONS = frozenset({"tanh", "softmax", "log_softmax", "sigmoid", "relu", "softsign", "hard_sigmoid"})


def head_activation(graph: LayerGraph, tensor: str) -> str:
    """tanh, softmax, linear, ... of an output tensor; "unknown" where no name here fits."""
    calls = {call.output: call for call in graph.calls}
    call = calls.get(tensor)
    while call is not None and _is_transparent(call):
        call = calls.get(call.inputs[0])
    if call is None:
        return "linear"
    try:
        return _of(call, graph.source.keras_major)
    except UnsupportedLayer:
        return "unknown"


def _is_transparent(call: Call) -> bool:
    if rule_for(call.layer.kind):
        return operation_name(call) in _MOVES
    linear = call.layer.kind == "Activation" and call.layer.config.get("activation") == "linear"
    return linear or call.layer.kind in _TRANSPARENT


def _of(call: Call, keras_major: int) -> str:
    if call.layer.kind == "Softmax":
        return "softmax"
    if call.layer.kind in LAYERS:
        return LAYERS[call.layer.kind](call.layer)[0]
    if rule_for(call.layer.kind):
        name = operation_name(call)
        return name if name in _OPERATIONS else "linear"
    return activation_of(call.layer, call.layer.config.get("activation"), keras_major)[0]

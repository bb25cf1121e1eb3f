"""Recognises value and policy among the outputs, with their activation; gives each output its name and place."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from ...errors import HeadError, UnsupportedLayer
from ..checkpoint.head import OTHER, POLICY, UNKNOWN, VALUE, Head
from ..checkpoint.layer_graph import Call, LayerGraph
from ..network.activations import LAYERS, activation_of
from ..network.operations import operation_name, rule_for
from ..statements.outputs import NOBODY, Shapes, assign_roles
from .names import CONTRACT_INPUT, CONTRACT_NAMES, METADATA_NODE, safe_name, unique

_ORDER = {VALUE: 0, POLICY: 1, OTHER: 2}
# Layers that do not change the values: the activation is that of the previous layer.
_TRANSPARENT = frozenset({"Flatten", "Reshape", "Permute", "Dropout", "InputLayer"})
_MOVES = frozenset({"reshape", "batch_flatten", "transpose", "squeeze", "expand_dims", "identity", "cast"})
_OPERATIONS = frozenset({"tanh", "softmax", "log_softmax", "sigmoid", "relu", "softsign", "hard_sigmoid"})


def recognise(
    heads: Sequence[Head],
    where: str,
    inputs: Shapes = (),
    *,
    value_head: str | None = None,
    policy_head: str | None = None,
    keep_names: bool = False,
    inner: Collection[str] = (),
) -> tuple[Head, ...]:
    """The heads with roles and names: value, then policy, then the others.

    `inputs` are the inputs' shapes without the batch. `value_head` and `policy_head` are the checkpoint's own names and
    decide if given; "none" means that no output has the role. `inner` are the outputs that lead to a single number.
    HeadError, naming `where`, if no output has such a name.
    """
    names = [head.source_name for head in heads]
    for role, name in ((VALUE, value_head), (POLICY, policy_head)):
        if name not in (None, NOBODY, *names):
            known = ", ".join(f"'{each}'" for each in names)
            raise HeadError(f"{where} has no output '{name}' for --{role}-head: its outputs are {known}.")
    if value_head == policy_head is not None and value_head in names:
        raise HeadError(f"{where}: '{value_head}' is named as value and as policy: give one of them another output.")
    assigned = assign_roles(heads, inputs, value_head, policy_head, inner)
    return _name_heads(sorted(assigned, key=lambda head: _ORDER[head.role]), keep_names)


def _name_heads(heads: Sequence[Head], keep_names: bool) -> tuple[Head, ...]:
    """The heads with unique names, which neither the inputs nor the metadata have."""
    taken = {METADATA_NODE} if keep_names else {METADATA_NODE, CONTRACT_INPUT}
    named = []
    for head in heads:
        own = keep_names or head.role == OTHER
        name = unique(safe_name(head.source_name) if own else CONTRACT_NAMES[head.role], taken)
        taken.add(name)
        named.append(replace(head, name=name))
    return tuple(named)


def leading_to(graph: LayerGraph, tensors: Collection[str]) -> set[str]:
    """The outputs of the network, by the checkpoint's names, that are used to calculate one of `tensors`."""
    needed = set(tensors)
    for call in reversed(graph.calls):
        if call.output in needed:
            needed.update(name.split("#")[0] for name in call.inputs)
    return {head.source_name for head in graph.outputs if head.tensor in needed - set(tensors)}


def head_activation(graph: LayerGraph, tensor: str) -> str:
    """The activation of an output tensor: tanh, softmax, linear, ...; "unknown" if no name here fits."""
    calls = {call.output: call for call in graph.calls}
    call = calls.get(tensor.split("#")[0])  # name#1 is the second output of a layer
    while call is not None and _is_transparent(call):
        call = calls.get(call.inputs[0].split("#")[0])
    if call is None:
        return "linear"
    try:
        return _of(call, graph.source.keras_major)
    except UnsupportedLayer:
        return UNKNOWN


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

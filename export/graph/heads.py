"""Which output is the value and which the policy, what it ends with, and its name and place in every artifact."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ...errors import HeadError, UnsupportedLayer
from ..checkpoint.head import OTHER, POLICY, UNKNOWN, VALUE, Head
from ..checkpoint.layer_graph import Call, LayerGraph
from ..network.activations import LAYERS, activation_of
from ..network.operations import operation_name, rule_for
from .names import CONTRACT_INPUT, CONTRACT_NAMES, METADATA_NODE, safe_name, unique

_ORDER = {VALUE: 0, POLICY: 1, OTHER: 2}
# What people call their heads, as whole words of the layer's name.
_WORDS = {
    VALUE: frozenset({"value", "v", "values", "val"}),
    POLICY: frozenset({"policy", "pi", "p", "probs", "prob", "policies", "move", "moves", "action", "actions"}),
}
# Heads that say how a game ends, in three values: won, drawn, lost.
_RESULT_WORDS = frozenset({"result", "results", "wdl", "outcome", "outcomes"})
RESULT_WIDTH, RESULT_REASON = 3, "three classes of a result"
# Layers that leave the values as they are: the activation is that of the layer before.
_TRANSPARENT = frozenset({"Flatten", "Reshape", "Permute", "Dropout", "InputLayer"})
_MOVES = frozenset({"reshape", "batch_flatten", "transpose", "squeeze", "expand_dims", "identity", "cast"})
_OPERATIONS = frozenset({"tanh", "softmax", "log_softmax", "sigmoid", "relu", "softsign", "hard_sigmoid"})
_VALUE_ACTIVATIONS = frozenset({"tanh", "linear", "sigmoid", "hard_sigmoid", "softsign"})


def recognise(
    heads: Sequence[Head],
    where: str,
    *,
    value_head: str | None = None,
    policy_head: str | None = None,
    keep_names: bool = False,
) -> tuple[Head, ...]:
    """The heads with roles and names, value first, then policy, then any others.

    `value_head` and `policy_head` are the checkpoint's own names and decide if given. Otherwise a descriptive name
    decides, then the shape: one bounded or linear unit is the value, the widest output the policy. A result of three
    chances (win, draw, loss) is no policy; it is the value if no other output is. Raises HeadError, naming `where`, for
    an output that none of these tells.
    """
    told = [*_find_head(heads, VALUE, value_head, where), *_find_head(heads, POLICY, policy_head, where)]
    found = told + [head for head in _by_name(heads) if _is_free(head, told)]
    found += _results(heads, found)
    found += _by_shape([head for head in heads if _is_free(head, found)], {head.role for head in found})
    rest = [head for head in heads if all(head.source_name != other.source_name for other in found)]
    missing = [role for role in (VALUE, POLICY) if role not in {head.role for head in found}]
    if told:
        # Whoever names one output leaves the others without a role, unless they have as many values as the other role.
        missing = [role for role in missing if any(_could_be(head, role) for head in rest)]
    if rest and missing:
        head = rest[0]
        listed = ", ".join(f"'{other.source_name}' ({other.width} {other.activation})" for other in heads)
        options = " and ".join(f"--{role}-head NAME" for role in ((VALUE, POLICY) if not told else missing))
        which = (
            f"which one is the {missing[0]} with {options}"
            if told
            else f"which is which with {options}, or one of them"
        )
        raise HeadError(
            f"{where}: output '{head.source_name}' ({head.width} values, {head.activation}) cannot be told to be value "
            f"or policy among {listed}: say {which}."
        )
    found += [replace(head, reason="neither value nor policy") for head in rest]
    return _name_heads(sorted(found, key=lambda head: _ORDER[head.role]), keep_names)


def _could_be(head: Head, role: str) -> bool:
    """Whether an output has as many values as one of this role may have."""
    return head.width in (1, RESULT_WIDTH) if role == VALUE else head.width > 1


def _find_head(heads: Sequence[Head], role: str, name: str | None, where: str) -> list[Head]:
    if name is None:
        return []
    for head in heads:
        if head.source_name == name:
            return [replace(head, role=role, reason=f"--{role}-head")]
    known = ", ".join(f"'{head.source_name}'" for head in heads)
    raise HeadError(f"{where} has no output '{name}' for --{role}-head: its outputs are {known}.")


def _is_free(head: Head, taken: Sequence[Head]) -> bool:
    same = any(head.source_name == other.source_name for other in taken)
    return not same and (head.role == OTHER or all(head.role != other.role for other in taken))


def _by_name(heads: Sequence[Head]) -> list[Head]:
    """Heads whose own name says the role, if no second head says the same."""
    found = []
    for role, words in _WORDS.items():
        matches = [head for head in heads if words & set(re.split(r"[^a-z]+", head.source_name.lower()))]
        if len(matches) == 1:
            found.append(replace(matches[0], role=role, reason=f"named '{matches[0].source_name}'"))
    both = len(found) == 2 and found[0].source_name == found[1].source_name
    return [] if both else found


def _results(heads: Sequence[Head], found: Sequence[Head]) -> list[Head]:
    """The results among the heads that are not `found`: a lone one is the value if no single unit is."""
    taken = {head.source_name for head in found}
    free = [head for head in heads if head.source_name not in taken]
    results = [replace(head, reason=RESULT_REASON) for head in free if _is_result(head, heads)]
    valued = any(head.role == VALUE for head in found) or any(head.width == 1 for head in free)
    return results if valued or len(results) != 1 else [replace(results[0], role=VALUE)]


def _is_result(head: Head, heads: Sequence[Head]) -> bool:
    """Whether three outputs are a game's chances and no moves: named so, or a softmax beside nothing that is wide."""
    if head.width != RESULT_WIDTH:
        return False
    named = _RESULT_WORDS & set(re.split(r"[^a-z]+", head.source_name.lower()))
    return bool(named) or (head.activation == "softmax" and sum(other.width > 1 for other in heads) == 1)


def _by_shape(heads: Sequence[Head], taken: set[str]) -> list[Head]:
    found = []
    values = [head for head in heads if head.width == 1 and head.activation in _VALUE_ACTIVATIONS]
    if VALUE not in taken and len(values) == 1:
        found.append(replace(values[0], role=VALUE, reason=f"one {values[0].activation} unit"))
    wide = sorted((head for head in heads if head.width > 1), key=lambda head: -head.width)
    alone = len(wide) == 1 or (len(wide) > 1 and wide[0].width > wide[1].width)
    if POLICY not in taken and wide and alone:
        found.append(replace(wide[0], role=POLICY, reason="the wide output"))
    return found


def _name_heads(heads: Sequence[Head], keep_names: bool) -> tuple[Head, ...]:
    """The heads under names of their own, none of which the input or the metadata has."""
    taken = {METADATA_NODE} if keep_names else {METADATA_NODE, CONTRACT_INPUT}
    named = []
    for head in heads:
        own = keep_names or head.role == OTHER
        name = unique(safe_name(head.source_name) if own else CONTRACT_NAMES[head.role], taken)
        taken.add(name)
        named.append(replace(head, name=name))
    return tuple(named)


def head_activation(graph: LayerGraph, tensor: str) -> str:
    """tanh, softmax, linear, ... of an output tensor; "unknown" if no name here fits."""
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

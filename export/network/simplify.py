"""LayerGraph -> Network: every Keras layer to its canonical form, then batch norm folded away."""

from __future__ import annotations

from dataclasses import replace

from ...errors import CheckpointError, UnsupportedLayer
from ..checkpoint.layer_graph import Call, LayerGraph
from .board_layers import BOARD_RULES
from .emitter import Emitter
from .fold import fold
from .layers import RULES
from .layout import Value, identity
from .network import Door, Network
from .norm_layers import NORM_RULES
from .rules_ops import rule_for

_RULES = {**RULES, **BOARD_RULES, **NORM_RULES}


def simplify(graph: LayerGraph) -> Network:
    """The canonical network of a checkpoint.

    Raises UnsupportedLayer, naming the first layer that has no canonical form; the caller then
    traces the graph from Keras as it stands.
    """
    emitter = _walk(graph, strict=True)
    doors = tuple(Door(spec.name, spec.shape) for spec in graph.inputs)
    heads = []
    for head in graph.outputs:
        emitter.name_after(head.tensor)
        value = emitter.plain(emitter.values[head.tensor])
        heads.append(replace(head, tensor=value.name, shape=value.shape))
    return fold(Network(doors, tuple(emitter.ops), tuple(heads)))


def shapes(graph: LayerGraph) -> dict[str, tuple[int, ...]]:
    """Keras' own shape, without the batch, of every tensor up to the layers that are not known here."""
    return {name: value.shape for name, value in _walk(graph, strict=False).values.items()}


def _walk(graph: LayerGraph, *, strict: bool) -> Emitter:
    emitter = Emitter(graph.source.keras_major)
    for spec in graph.inputs:
        emitter.values[spec.tensor] = Value(spec.tensor, spec.shape, identity(len(spec.shape)))
    for call in graph.calls:
        try:
            emitter.values[call.output] = _apply(emitter, call)
        except UnsupportedLayer:
            if strict:
                raise
        except CheckpointError as error:
            raise CheckpointError(f"'{graph.source.path}': {error}") from error
    return emitter


def _apply(emitter: Emitter, call: Call) -> Value:
    kind = call.layer.kind.rsplit(">", 1)[-1]
    rule = _RULES.get(kind) or rule_for(call.layer.kind)
    if rule is None:
        raise UnsupportedLayer(call.layer.name, f"class {call.layer.kind} has no canonical form")
    inputs = emitter.begin(call)
    try:
        return rule(emitter, call, inputs)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise UnsupportedLayer(call.layer.name, f"its configuration is not understood ({error})") from error

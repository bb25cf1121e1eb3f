"""Turns a model's tree into one list of calls: nested models are opened, inputs and outputs get names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...errors import CheckpointError
from .door.limits import LAYERS
from .door.members import NotAsWritten, shorten
from .head import Head
from .keras_json import LayerConfig, ModelConfig, Node, Ref, input_shape
from .layer_graph import Call, InputSpec, Layer, LayerGraph, Source
from .quirks import find_quirks
from .weights import FLIPPED_BY_THEANO, Assigned, name_weights

Made = dict[tuple[str, int], list[str]]
_DTYPES = frozenset(f"{kind}{bits}" for kind in ("float", "int", "uint") for bits in (8, 16, 32, 64)) | {"bool"}
# One call of a layer: the layer, the number of its earlier calls, and its inputs.
_Item = tuple[LayerConfig, int, Node]


def flatten(model: ModelConfig, assigned: Assigned, source: Source, training: Mapping[str, Any]) -> LayerGraph:
    """The LayerGraph of a model.

    Raises CheckpointError if an input has no fixed shape, if nodes do not connect, or if weights do not fit. It also
    raises CheckpointError if the opened inner models have more layers than `door.limits` allows.
    """
    try:
        return _flatten(model, assigned, source, training)
    except NotAsWritten as error:
        raise CheckpointError(f"'{source.path}': {error}: save the model again.") from error


def _flatten(model: ModelConfig, assigned: Assigned, source: Source, training: Mapping[str, Any]) -> LayerGraph:
    inputs = []
    by_name = {layer.name: layer for layer in model.layers}
    for ref in model.inputs:
        layer = by_name[ref.layer]
        # In nested models, only the inner one may give the board's size.
        shape = input_shape(layer.config) or (input_shape(layer.model.layers[0].config) if layer.model else None)
        if shape is None or not all(shape[1:]):
            sizes = "none" if shape is None else tuple(shape[1:])
            raise CheckpointError(
                f"'{source.path}': input '{ref.layer}' has no fixed shape ({sizes}): "
                "give the board's size with --board ROWSxCOLUMNS, or in the architecture with --config or --builder."
            )
        board = tuple(size for size in shape[1:] if size)
        inputs.append(InputSpec(ref.layer, ref.layer, board, _dtype(layer.config.get("dtype"), ref.layer)))
    flat = _Flat(assigned, source)
    outputs = flat.run(model, {spec.name: spec.tensor for spec in inputs}, "")
    makers = [ref.layer for ref in model.outputs]
    # Each output has one name: a layer's second output is name_1, as in tf.keras.
    names = [f"{name}_{makers[:at].count(name)}" if name in makers[:at] else name for at, name in enumerate(makers)]
    heads = tuple(Head(name, tensor=tensor) for name, tensor in zip(names, outputs, strict=True))
    if len({*(spec.tensor for spec in inputs), *(call.output for call in flat.calls)}) != len(inputs) + len(flat.calls):
        raise NotAsWritten("two calls of its layers have one name")
    calls = tuple(calls_needed(flat.calls, {head.tensor for head in heads}))
    quirks = find_quirks(calls, source, training)
    return LayerGraph(source, model.name, calls, tuple(inputs), heads, quirks)


def _dtype(value: object, name: str) -> str:
    """The type of an input's numbers under NumPy's name; NotAsWritten for any other text."""
    if not isinstance(value, str):
        return "float32"  # Keras 3 may write a policy object, which means floats
    if value not in _DTYPES:
        raise NotAsWritten(f"input '{name}' is of type {shorten(value)}, which is not a type of numbers")
    return value


@dataclass
class _Flat:
    """Collects calls while nested models are opened; a layer with several calls becomes one Layer."""

    assigned: Assigned
    source: Source
    calls: list[Call] = field(default_factory=list)
    layers: dict[int, Layer] = field(default_factory=dict)
    opened: int = 0

    def run(self, model: ModelConfig, feeds: Mapping[str, str], prefix: str) -> list[str]:
        """Append the model's calls with these inputs (input layer -> tensor); returns its output tensors."""
        self.opened += 1
        made: Made = {(name, 0): [tensor] for name, tensor in feeds.items()}
        inner, outer = _node_offsets(model, self.source.keras_major)
        for layer, index, node in self._in_order(model, made, inner):
            if len(self.calls) + self.opened > LAYERS:
                raise NotAsWritten(
                    f"it has over {LAYERS:,} layers, those of the models inside models counted each time"
                )
            tensors = tuple(_tensor(ref, made, inner) for ref in node.inputs)
            name = f"{prefix}{layer.name}" + (f":{index}" if index else "")
            if layer.model:
                doors = [ref.layer for ref in layer.model.inputs]
                if len(doors) != len(tensors):
                    raise NotAsWritten(f"model '{layer.name}' has {len(doors)} inputs and is called on {len(tensors)}")
                made[layer.name, index] = self.run(layer.model, dict(zip(doors, tensors, strict=True)), f"{name}/")
            else:
                self.calls.append(Call(self._layer(layer), tensors, name, node.arguments))
                made[layer.name, index] = [name]
        for ref in model.outputs:
            if _key(ref, outer) not in made:
                raise NotAsWritten(f"output '{ref.layer}' has no path from the input")
        return [_tensor(ref, made, outer) for ref in model.outputs]

    def _in_order(self, model: ModelConfig, made: Made, offsets: Mapping[str, int]) -> list[_Item]:
        """The calls of a model in an order in which they can run, and otherwise in the file's order.

        Keras lists layers in the order in which they were made, which may differ. Each call is visited once: its
        missing inputs are counted, and it follows when the last of them is made.
        """
        items = [(layer, at, node) for layer in model.layers for at, node in enumerate(layer.nodes) if node.inputs]
        waiting: dict[int, int] = {}
        readers: dict[tuple[str, int], list[int]] = {}
        for at, (_, _, node) in enumerate(items):
            wanted = {_key(ref, offsets) for ref in node.inputs} - made.keys()
            waiting[at] = len(wanted)
            for key in wanted:
                readers.setdefault(key, []).append(at)
        order: list[_Item] = []
        ready = [at for at, count in waiting.items() if not count]
        while ready:
            order += [items[at] for at in ready]
            following = []
            for at in ready:
                del waiting[at]
                layer, index, _ = items[at]
                for reader in readers.get((layer.name, index), ()):
                    waiting[reader] -= 1
                    if not waiting[reader]:
                        following.append(reader)
            ready = sorted(following)
        if waiting:
            name = items[min(waiting)][0].name
            raise CheckpointError(f"'{self.source.path}': layer '{name}' has no path from the input.")
        return order

    def _layer(self, layer: LayerConfig) -> Layer:
        """The Layer of a configuration, made at its first call; Theano's kernels are rotated to the usual form."""
        if id(layer) not in self.layers:
            weights = name_weights(layer, self.assigned.get(id(layer), []), f"'{self.source.path}'")
            if self.source.backend == "theano" and layer.kind in FLIPPED_BY_THEANO:
                weights["kernel"] = weights["kernel"][::-1, ::-1].copy()
            self.layers[id(layer)] = Layer(layer.name, layer.kind, layer.config, weights)
        return self.layers[id(layer)]


def _node_offsets(model: ModelConfig, keras_major: int) -> tuple[dict[str, int], dict[str, int]]:
    """The number of the first call of each nested model: in references of layers, and in references of outputs.

    [layer, node, tensor] refers to the node-th call of a layer. For a plain layer the file lists calls 0, 1, ... and
    nothing needs to be done. A model that is called like a layer was itself built by a first call on its own inputs.
    The outer file omits that call from its `inbound_nodes`, but may still count it:

    * Keras 2 and tf.keras 2 always count it, so the first listed call is node 1;
    * Keras 3 does not count it where another layer refers to the model, but counts it in `output_layers`, unless the
      inner model is a Sequential.

    (As written by tf_keras 2.21 and Keras 3.15.) If a file disagrees, its number is used only if the expected one gives
    no existing call. The same holds for references that keras_json makes for a Sequential.
    """
    inside = _nodes_asked(ref for layer in model.layers for node in layer.nodes for ref in node.inputs)
    outside = _nodes_asked(model.outputs)

    def offset(layer: LayerConfig, refs: Mapping[str, set[int]], expected: int) -> int:
        asked = refs.get(layer.name, set())
        fits = [first for first in (expected, 1 - expected) if asked <= set(range(first, first + len(layer.nodes)))]
        return fits[0] if fits else expected

    inner, outer = {}, {}
    for layer in model.layers:
        if layer.model:
            inner[layer.name] = offset(layer, inside, int(keras_major == 2))
            outer[layer.name] = offset(layer, outside, int(keras_major == 2 or layer.kind != "Sequential"))
    return inner, outer


def _nodes_asked(refs: Iterable[Ref]) -> dict[str, set[int]]:
    """The calls of each layer to which references point, as the file counts them."""
    nodes: dict[str, set[int]] = {}
    for ref in refs:
        nodes.setdefault(ref.layer, set()).add(ref.node)
    return nodes


def _key(ref: Ref, offsets: Mapping[str, int]) -> tuple[str, int]:
    return ref.layer, ref.node - offsets.get(ref.layer, 0)


def _tensor(ref: Ref, made: Made, offsets: Mapping[str, int]) -> str:
    """The tensor's name; the second output of a layer with several is name#1."""
    tensors = made[_key(ref, offsets)]
    return tensors[ref.tensor] if ref.tensor < len(tensors) else f"{tensors[0]}#{ref.tensor}"


def calls_needed(calls: list[Call], wanted: set[str]) -> list[Call]:
    """The calls on which the outputs depend, in order."""
    needed = {tensor.split("#")[0] for tensor in wanted}
    calls_kept = []
    for call in reversed(calls):
        if call.output in needed:
            needed.update(tensor.split("#")[0] for tensor in call.inputs)
            calls_kept.append(call)
    return calls_kept[::-1]

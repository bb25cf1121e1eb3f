"""A model's tree into one list of calls: nested models opened, inputs and outputs named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from azx.export.errors import CheckpointError
from azx.export.keras_config import LayerConfig, ModelConfig, Node, Ref, input_shape
from azx.export.layer_graph import Array, Call, InputSpec, Layer, LayerGraph, OutputSpec, Source
from azx.export.quirks import find_quirks
from azx.export.weights import Assigned, named

# Theano convolves where the others correlate: Keras flips these kernels when it changes backend.
_FLIPPED_BY_THEANO = frozenset({"Conv2D", "Conv2DTranspose"})


def flatten(model: ModelConfig, assigned: Assigned, source: Source, training: Mapping[str, Any]) -> LayerGraph:
    """The LayerGraph of a model; CheckpointError where its nodes do not connect or weights do not fit."""
    inputs = tuple(_input_spec(model, ref, source) for ref in model.inputs)
    flat = _Flat(assigned, source)
    outputs = flat.run(model, {spec.name: spec.tensor for spec in inputs}, "")
    specs = tuple(OutputSpec(ref.layer, tensor) for ref, tensor in zip(model.outputs, outputs, strict=True))
    calls = tuple(_needed(flat.calls, {spec.tensor for spec in specs}))
    quirks = find_quirks(calls, source, training)
    return LayerGraph(source, model.name, calls, inputs, specs, quirks)


def _input_spec(model: ModelConfig, ref: Ref, source: Source) -> InputSpec:
    layer = next(layer for layer in model.layers if layer.name == ref.layer)
    shape = input_shape(layer.config) or (input_shape(layer.model.layers[0].config) if layer.model else None)
    free = shape is None or any(size is None for size in shape[1:])
    if shape is None or free:
        sizes = "none" if shape is None else tuple(shape[1:])
        raise CheckpointError(
            f"'{source.path}': input '{ref.layer}' has no fixed shape ({sizes}): "
            "give the board's size in the architecture with --config or --builder."
        )
    dtype = layer.config.get("dtype") or "float32"
    return InputSpec(
        ref.layer, ref.layer, tuple(int(size or 0) for size in shape[1:]), dtype if isinstance(dtype, str) else "float32"
    )


@dataclass
class _Flat:
    """Collects calls while nested models are opened; a layer that is called twice stays one Layer."""

    assigned: Assigned
    source: Source
    calls: list[Call] = field(default_factory=list)
    layers: dict[int, Layer] = field(default_factory=dict)

    def run(self, model: ModelConfig, feeds: Mapping[str, str], prefix: str) -> list[str]:
        """Append the model's calls on these feeds (input layer -> tensor); returns its output tensors."""
        made: dict[tuple[str, int], list[str]] = {(name, 0): [tensor] for name, tensor in feeds.items()}
        offsets = _node_offsets(model)
        waiting = list(_nodes(model))
        while waiting:
            ready = [item for item in waiting if all(_known(ref, made, offsets) for ref in item[2].inputs)]
            if not ready:
                raise CheckpointError(f"'{self.source.path}': layer '{waiting[0][0].name}' has no path from the input.")
            for layer, index, node in ready:
                tensors = tuple(_tensor(ref, made, offsets) for ref in node.inputs)
                made[layer.name, index] = self._call(layer, index, node, tensors, prefix)
            waiting = [item for item in waiting if item not in ready]
        return [_tensor(ref, made, offsets) for ref in model.outputs]

    def _call(self, layer: LayerConfig, index: int, node: Node, tensors: tuple[str, ...], prefix: str) -> list[str]:
        name = f"{prefix}{layer.name}" + (f":{index}" if index else "")
        if layer.model:
            doors = [ref.layer for ref in layer.model.inputs]
            return self.run(layer.model, dict(zip(doors, tensors, strict=True)), f"{name}/")
        self.calls.append(Call(self._layer(layer), tensors, name, node.arguments))
        return [name]

    def _layer(self, layer: LayerConfig) -> Layer:
        if id(layer) not in self.layers:
            weights = named(layer, self.assigned.get(id(layer), []), f"'{self.source.path}'")
            if self.source.backend == "theano" and layer.kind in _FLIPPED_BY_THEANO:
                weights["kernel"] = _flipped(weights["kernel"])
            self.layers[id(layer)] = Layer(layer.name, layer.kind, layer.config, weights)
        return self.layers[id(layer)]


def _flipped(kernel: Array) -> Array:
    return kernel[::-1, ::-1].copy()


def _nodes(model: ModelConfig) -> Iterator[tuple[LayerConfig, int, Node]]:
    for layer in model.layers:
        for index, node in enumerate(layer.nodes):
            if node.inputs:
                yield layer, index, node


def _node_offsets(model: ModelConfig) -> dict[str, int]:
    """1 for the nested models whose own node counts as the first, so that calls are numbered from 1."""
    calls = {layer.name: len(layer.nodes) for layer in model.layers if layer.model}
    asked: dict[str, set[int]] = {name: set() for name in calls}
    refs = [ref for layer in model.layers for node in layer.nodes for ref in node.inputs]
    for ref in [*refs, *model.outputs]:
        asked.setdefault(ref.layer, set()).add(ref.node)
    return {name: 1 for name, count in calls.items() if asked[name] and 0 not in asked[name] and count in asked[name]}


def _key(ref: Ref, offsets: Mapping[str, int]) -> tuple[str, int]:
    return ref.layer, ref.node - offsets.get(ref.layer, 0)


def _known(ref: Ref, made: Mapping[tuple[str, int], list[str]], offsets: Mapping[str, int]) -> bool:
    return _key(ref, offsets) in made


def _tensor(ref: Ref, made: Mapping[tuple[str, int], list[str]], offsets: Mapping[str, int]) -> str:
    """The tensor's name; the second output of a layer that has several is name#1."""
    tensors = made[_key(ref, offsets)]
    return tensors[ref.tensor] if ref.tensor < len(tensors) else f"{tensors[0]}#{ref.tensor}"


def _needed(calls: list[Call], wanted: set[str]) -> list[Call]:
    """The calls that the outputs depend on, in order."""
    needed = {tensor.split("#")[0] for tensor in wanted}
    kept = []
    for call in reversed(calls):
        if call.output in needed:
            needed.update(tensor.split("#")[0] for tensor in call.inputs)
            kept.append(call)
    return kept[::-1]

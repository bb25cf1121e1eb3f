"""Keras' JSON of a model as a tree: layers, the nodes that connect them, and nested models."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...errors import CheckpointError
from .door.limits import DEPTH, LAYERS, PORTS, REFERENCES
from .door.members import (
    NotAsWritten,
    check_members,
    index_of,
    list_of,
    name_of,
    object_of,
    shape_of_input,
    shorten,
)

# Arguments of a call about training or masking, which never change inference.
IGNORED_ARGUMENTS = frozenset({"mask", "training", "name"})
# TensorFlow 1.13 and 1.14 wrote the versions of their own classes into the name.
RENAMED = {"BatchNormalizationV1": "BatchNormalization", "BatchNormalizationV2": "BatchNormalization"}
# Places with an input's shape, the batch first; the last is for a Sequential that was built by a call.
SHAPE_KEYS = ("batch_input_shape", "batch_shape", "build_input_shape")
MODEL_CLASSES = frozenset({"Model", "Functional", "Sequential", "Container"})


@dataclass(frozen=True)
class Ref:
    """A reference to a tensor: the `tensor`-th output of the `node`-th call of `layer`, as Keras counts."""

    layer: str
    node: int
    tensor: int


@dataclass(frozen=True)
class Node:
    """One call of a layer: its tensors, and its other arguments (constants, axes)."""

    inputs: tuple[Ref, ...]
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class LayerConfig:
    """A layer in a model's JSON; `model` is set if the layer is itself a model."""

    name: str
    kind: str
    config: Mapping[str, Any]
    nodes: tuple[Node, ...]
    model: ModelConfig | None = None


@dataclass(frozen=True, eq=False)
class ModelConfig:
    """A Functional or Sequential model; `inputs` and `outputs` are in the model's own order."""

    name: str
    layers: tuple[LayerConfig, ...]
    inputs: tuple[Ref, ...]
    outputs: tuple[Ref, ...]

    def leaves(self) -> Iterator[LayerConfig]:
        """Every layer that is not itself a model, depth first, in the file's order."""
        for layer in self.layers:
            if layer.model:
                yield from layer.model.leaves()
            else:
                yield layer


@dataclass
class _Tally:
    """The numbers of layers, calls and tensors of calls that an architecture may still list."""

    layers: int = LAYERS
    references: int = REFERENCES

    def take(self, layers: int, references: int = 0) -> None:
        """Count them; NotAsWritten if there are more than azx reads."""
        self.layers -= layers
        self.references -= references
        if self.layers < 0 or self.references < 0:
            raise NotAsWritten(f"it has over {LAYERS:,} layers or calls of them, or {REFERENCES:,} tensors in these")


def parse_model(entry: Mapping[str, Any], where: str) -> ModelConfig:
    """The tree of a model's {"class_name", "config"}.

    Raises CheckpointError, naming `where`, unless the model is Functional or Sequential and has Keras' form. It also
    raises CheckpointError if the model has more layers or nested models than `door.limits` allows.
    """
    try:
        model = _model(entry, _Tally(), 1)
    except (KeyError, TypeError, IndexError, ValueError) as error:
        reason = str(error) if isinstance(error, NotAsWritten) else f"{type(error).__name__}: {error}"
        raise CheckpointError(
            f"{where}: the architecture is not as Keras writes it ({reason}): "
            "save the model again, or give its JSON with --config."
        ) from error
    if model is not None:
        return model
    raise CheckpointError(
        f"{where}: a model of class {shorten(entry.get('class_name'))} has no list of layers: only Functional and "
        "Sequential models can be read; rebuild it as a Functional model with --builder MODULE:FUNCTION."
    )


def _model(entry: Mapping[str, Any], tally: _Tally, depth: int) -> ModelConfig | None:
    """A model from {"class_name", "config"}; None if it lists no layers."""
    if depth > DEPTH:
        raise NotAsWritten(f"it has over {DEPTH} models within one another")
    config = entry.get("config")
    if entry.get("class_name") == "Sequential":
        return _sequential(config, tally, depth)
    if not isinstance(config, Mapping) or not {"layers", "output_layers"} <= set(config):
        return None
    layers = [object_of(layer, "a layer") for layer in list_of(config["layers"], "its list of layers")]
    tally.take(len(layers))
    names = {name_of(_name_in(layer), "the name of a layer") for layer in layers}
    if len(names) != len(layers):
        raise NotAsWritten("two of its layers have the same name")
    inputs, outputs = (tuple(_refs(config[key])) for key in ("input_layers", "output_layers"))
    for ports, what in ((inputs, "inputs"), (outputs, "outputs")):
        if not 1 <= len(ports) <= PORTS:
            raise NotAsWritten(f"it has {len(ports):,} {what}, and azx reads 1 to {PORTS}")
        if odd := next((port.layer for port in ports if port.layer not in names), None):
            raise NotAsWritten(f"{shorten(odd)} among its {what} is not one of its layers")
    return ModelConfig(
        name=name_of(config.get("name") or "model", "the name of a model"),
        layers=tuple(_layer(layer, names, tally, depth) for layer in layers),
        inputs=inputs,
        outputs=outputs,
    )


def _name_in(entry: Mapping[str, Any]) -> Any:
    """A layer's name, which is beside its configuration or in it."""
    return entry.get("name") or object_of(entry.get("config"), "the configuration of a layer").get("name")


def _layer(entry: Mapping[str, Any], names: set[str], tally: _Tally, depth: int) -> LayerConfig:
    """One layer of a model; `names` are the names of the model's layers."""
    name = name_of(_name_in(entry), "the name of a layer")
    listed = list_of(entry.get("inbound_nodes", ()), f"the calls of layer '{name}'")
    tally.take(max(len(listed) - 1, 0))
    nodes = tuple(_node(node, names) for node in listed)
    tally.take(0, sum(len(node.inputs) for node in nodes))
    kind = name_of(entry.get("class_name"), f"the class of layer '{name}'")
    kind = RENAMED.get(kind, kind)
    if ".ops." in str(entry.get("module") or ""):
        kind = f"ops.{kind}"  # in Keras 3, x + y has the class Add, like the layer Add
    model = _inner_model(entry, tally, depth)
    config = {} if model and isinstance(entry["config"], list) else object_of(entry.get("config"), f"layer '{name}'")
    check_members(kind, config, name)
    return LayerConfig(name, kind, config, nodes, model)


def _inner_model(entry: Mapping[str, Any], tally: _Tally, depth: int) -> ModelConfig | None:
    config = entry.get("config")
    looks_so = isinstance(config, Mapping) and {"layers", "output_layers"} <= set(config)
    if entry.get("class_name") not in MODEL_CLASSES and not looks_so:
        return None
    inner = dict(entry)
    if isinstance(config, Mapping) and "name" not in config:
        inner["config"] = {**config, "name": entry.get("name")}
    model = _model(inner, tally, depth + 1)
    if model is None:
        raise NotAsWritten(f"model {shorten(entry.get('name'))} has no list of layers")
    return model


def _refs(value: Any) -> Iterator[Ref]:
    """Every [layer, node, tensor] in a nested list or dict (Keras 3 keeps the author's own structure)."""
    if isinstance(value, Mapping):
        for item in value.values():
            yield from _refs(item)
    elif isinstance(value, list) and value and isinstance(value[0], str):
        yield _ref(value)
    elif isinstance(value, list):
        for item in value:
            yield from _refs(item)


def _ref(value: Sequence[Any]) -> Ref:
    """One [layer, node, tensor]; NotAsWritten for any other value."""
    if len(value) not in (3, 4):
        raise NotAsWritten(f"{shorten(value)} is not an output of a layer")
    layer = name_of(value[0], "the layer of a tensor")
    node, tensor = (index_of(index, f"a tensor of layer '{layer}'") for index in value[1:3])
    return Ref(layer, node, tensor)


def _is_ref(value: Any, names: set[str]) -> bool:
    triple = isinstance(value, list) and len(value) in (3, 4) and isinstance(value[0], str) and value[0] in names
    return triple and all(isinstance(index, int) for index in value[1:3])


class _Arguments:
    """Collects a call's tensors in order, and replaces each by {"tensor": i}."""

    def __init__(self, names: set[str]) -> None:
        self._names = names
        self.tensors: list[Ref] = []

    def take(self, value: Any) -> Any:
        if isinstance(value, Mapping) and value.get("class_name") == "__keras_tensor__":
            config = object_of(value.get("config"), "a tensor")
            return self._tensor(list_of(config.get("keras_history"), "a tensor's history"))
        if isinstance(value, Mapping):
            return {key: self.take(item) for key, item in value.items()}
        if _is_ref(value, self._names):
            return self._tensor(value)
        if isinstance(value, (list, tuple)):
            return [self.take(item) for item in value]
        return value

    def _tensor(self, history: Sequence[Any]) -> dict[str, int]:
        self.tensors.append(_ref(history))
        return {"tensor": len(self.tensors) - 1}


def _node(node: Any, names: set[str]) -> Node:
    """One call, from the file's form.

    Keras 3: {"args", "kwargs"} with a tensor as {"class_name": "__keras_tensor__", ...}. Keras 2: a list of [layer,
    node, tensor, kwargs], one for each tensor. Constants appear in it as ["_CONSTANT_VALUE", -1, value, kwargs].
    tf.keras writes an operation's single tensor without the outer list.
    """
    taken = _Arguments(names)
    if isinstance(node, Mapping):
        named = object_of(node.get("kwargs") or {}, "the arguments of a call")
        arguments = {"args": taken.take(list_of(node.get("args", ()), "the tensors of a call")), **taken.take(named)}
    else:
        listed = list_of(node, "a call")
        entries = [listed] if listed and isinstance(listed[0], str) else listed
        positional, named = [], {}
        for entry in entries:
            one = list_of(entry, "a tensor of a call")
            positional.append(one[2] if one[0] == "_CONSTANT_VALUE" else taken.take(one[:3]))
            if len(one) > 3 and isinstance(one[3], Mapping):
                named = {**named, **{key: item for key, item in one[3].items() if key not in ("args", *named)}}
        arguments = {"args": positional, **taken.take(named)}
    stated = {key: value for key, value in arguments.items() if key not in IGNORED_ARGUMENTS}
    return Node(tuple(taken.tensors), stated)


def _sequential(config: Any, tally: _Tally, depth: int) -> ModelConfig:
    """A Sequential model (a bare list before Keras 2.2.3) as a chain of calls after one input."""
    entries = _sequential_layers(config)
    name = "sequential" if isinstance(config, list) else name_of(config.get("name") or "sequential", "a model's name")
    tally.take(len(entries))
    if entries[0].get("class_name") != "InputLayer":
        shape = _sequential_shape(config)
        if shape is None:
            raise NotAsWritten("a Sequential model has no input shape")
        door = {"name": f"{name}_input", "batch_input_shape": shape}
        entries.insert(0, {"class_name": "InputLayer", "config": door})
    layers: list[LayerConfig] = []
    for entry in entries:
        layer = _layer({**entry, "inbound_nodes": []}, set(), tally, depth)
        if layers:
            # azx counts the nodes here from 0, whatever numbers the file would have.
            layer = replace(layer, nodes=(Node((Ref(layers[-1].name, 0, 0),), {"args": [{"tensor": 0}]}),))
        layers.append(layer)
    if len({layer.name for layer in layers}) != len(layers):
        raise NotAsWritten("two of its layers have the same name")
    return ModelConfig(name, tuple(layers), (Ref(layers[0].name, 0, 0),), (Ref(layers[-1].name, 0, 0),))


def _sequential_layers(config: Any) -> list[Mapping[str, Any]]:
    """The layers that a Sequential model's configuration lists, at least one."""
    listed = config if isinstance(config, list) else object_of(config, "a Sequential model").get("layers")
    entries = [object_of(entry, "a layer") for entry in list_of(listed, "a Sequential model's list of layers")]
    if not entries:
        raise NotAsWritten("a Sequential model has no layers")
    return entries


def _sequential_shape(config: Any, depth: int = 1) -> list[int | None] | None:
    """The shape of a Sequential model's input, the batch first; None if unknown.

    Keras 2 gives it to the first layer; if that is a model, to that model's first layer. If the model was only built by
    a call, tf.keras 2 notes the shape at the end. Inner models are searched but not parsed: each would be parsed again
    for every model around it.
    """
    first = _sequential_layers(config)[0]
    inner = first.get("config")
    shape = None
    if isinstance(inner, Mapping):
        shape = input_shape(inner)
    if shape is None and first.get("class_name") == "Sequential" and depth <= DEPTH:
        shape = _sequential_shape(inner, depth + 1)
    elif shape is None and isinstance(inner, Mapping) and inner.get("layers"):
        within = object_of(list_of(inner["layers"], "a list of layers")[0], "a layer")
        shape = input_shape(object_of(within.get("config"), "the configuration of a layer"))
    if shape is None and isinstance(config, Mapping) and config.get("build_input_shape") is not None:
        shape = shape_of_input(config["build_input_shape"], "the input shape of a Sequential model")
    return shape


def with_board(architecture: Mapping[str, Any], board: tuple[int, int], where: str) -> dict[str, Any]:
    """The architecture with (rows, columns) of the board, if its inputs leave both free, as (None, None, C) does.

    Raises CheckpointError, which begins with `where`, if no input leaves them free and none has that size.
    """
    result: dict[str, Any] = json.loads(json.dumps(architecture))
    config = result.get("config")
    listed = config.get("layers", []) if isinstance(config, dict) else config
    entries = [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []
    holders = [entry.get("config") for entry in entries if entry.get("class_name") == "InputLayer"]
    if result.get("class_name") == "Sequential" and entries:
        holders += [config, entries[0].get("config")]
    configs = [holder for holder in holders if isinstance(holder, dict)]
    shapes = [
        (holder, key) for holder in configs for key in SHAPE_KEYS if isinstance(holder.get(key), list) and holder[key]
    ]
    boards = [holder[key][1:] for holder, key in shapes]
    for holder, key in shapes:
        if _leaves_board_free(holder[key][1:]):
            sizes = iter(board)
            rest = [next(sizes) if size is None else size for size in holder[key][1:]]
            holder[key] = [holder[key][0], *rest]
    if not any(_leaves_board_free(shape) or list(board) in (shape[:2], shape[1:]) for shape in boards):
        sizes_seen = " and ".join(str(tuple(shape)) for shape in boards) or "unknown"
        raise CheckpointError(f"{where}: its input is {sizes_seen} and not of any board: leave --board out.")
    return result


def _leaves_board_free(shape: Sequence[int | None]) -> bool:
    """Whether a shape without the batch belongs to a network for boards of any size."""
    return len(shape) == 3 and list(shape).count(None) == 2


def input_shape(config: Mapping[str, Any]) -> list[int | None] | None:
    """The input shape, batch first, that an InputLayer or a Sequential's first layer has.

    NotAsWritten if it is not a shape, or has too many values.
    """
    for key in SHAPE_KEYS[:2]:
        if config.get(key) is not None:
            return shape_of_input(config[key], "the shape of an input")
    return None

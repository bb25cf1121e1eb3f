"""Keras' JSON of a model as a tree: layers, the nodes that connect them, models inside models."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...errors import CheckpointError

# What a call is told about training or masking never changes an inference.
IGNORED_ARGUMENTS = frozenset({"mask", "training", "name"})
# TensorFlow 1.13 and 1.14 wrote the versions of their own classes into the name.
RENAMED = {"BatchNormalizationV1": "BatchNormalization", "BatchNormalizationV2": "BatchNormalization"}
# Where an input's shape is noted, the batch first; the last is a Sequential's that was built by being called.
SHAPE_KEYS = ("batch_input_shape", "batch_shape", "build_input_shape")
MODEL_CLASSES = frozenset({"Model", "Functional", "Sequential", "Container"})


@dataclass(frozen=True)
class Ref:
    """A tensor: the `tensor`-th output of the `node`-th call of `layer`, as Keras counts."""

    layer: str
    node: int
    tensor: int


@dataclass(frozen=True)
class Node:
    """One call of a layer: its tensors, and what it was given besides (constants, axes)."""

    inputs: tuple[Ref, ...]
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class LayerConfig:
    """A layer of a model's JSON; `model` is set where the layer is itself a model."""

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


def json_object(data: str | bytes, where: object) -> dict[str, Any]:
    """`data` as a JSON object; CheckpointError, which begins with `where`, for anything else."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"{where} is not valid JSON ({error}): save it again.") from error
    if not isinstance(value, dict):
        raise CheckpointError(f"{where} holds JSON that is not an object: give what Keras' to_json() wrote.")
    return value


def parse_model(entry: Mapping[str, Any], where: str) -> ModelConfig:
    """The tree of a model's {"class_name", "config"}.

    Raises CheckpointError, naming `where`, for anything but a Functional or Sequential model.
    """
    kind, config = str(entry.get("class_name")), entry.get("config")
    try:
        if kind == "Sequential":
            return _sequential(config)
        if isinstance(config, Mapping) and "layers" in config and "output_layers" in config:
            names = {layer.get("name") or layer["config"]["name"] for layer in config["layers"]}
            return ModelConfig(
                name=str(config.get("name", "model")),
                layers=tuple(_layer(layer, names) for layer in config["layers"]),
                inputs=tuple(_refs(config["input_layers"])),
                outputs=tuple(_refs(config["output_layers"])),
            )
    except (KeyError, TypeError, IndexError, ValueError) as error:
        raise CheckpointError(
            f"{where}: the architecture is not as Keras writes it ({type(error).__name__}: {error}): "
            "save the model again, or give its JSON with --config."
        ) from error
    raise CheckpointError(
        f"{where}: a model of class '{kind}' has no list of layers: only Functional and Sequential models can be read; "
        "rebuild it as a Functional model with --builder MODULE:FUNCTION."
    )


def _layer(entry: Mapping[str, Any], names: set[str]) -> LayerConfig:
    """One layer of a model whose layers have these `names`."""
    name = str(entry.get("name") or entry["config"]["name"])
    nodes = tuple(_node(node, names) for node in entry.get("inbound_nodes", ()))
    kind = RENAMED.get(str(entry["class_name"]), str(entry["class_name"]))
    if ".ops." in str(entry.get("module") or ""):
        kind = f"ops.{kind}"  # x + y of Keras 3 is of class Add, as the layer Add is
    return LayerConfig(name, kind, entry["config"], nodes, _inner_model(entry))


def _inner_model(entry: Mapping[str, Any]) -> ModelConfig | None:
    config = entry.get("config")
    looks_so = isinstance(config, Mapping) and "layers" in config and "output_layers" in config
    if entry["class_name"] in MODEL_CLASSES or looks_so:
        inner = dict(entry)
        if isinstance(config, Mapping) and "name" not in config:
            inner["config"] = {**config, "name": entry.get("name")}
        return parse_model(inner, f"model '{entry.get('name')}'")
    return None


def _refs(value: Any) -> Iterator[Ref]:
    """Every [layer, node, tensor] in a nested list or dict (Keras 3 keeps the user's own structure)."""
    if isinstance(value, Mapping):
        for item in value.values():
            yield from _refs(item)
    elif _is_ref(value):
        yield Ref(value[0], value[1], value[2])
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for item in value:
            yield from _refs(item)


def _is_ref(value: Any, names: set[str] | None = None) -> bool:
    triple = isinstance(value, list) and len(value) in (3, 4) and isinstance(value[0], str)
    if not triple or not all(isinstance(index, int) for index in value[1:3]):
        return False
    return names is None or value[0] in names


class _Arguments:
    """Collects a call's tensors in order and leaves {"tensor": i} where each stood."""

    def __init__(self, names: set[str]) -> None:
        self._names = names
        self.tensors: list[Ref] = []

    def take(self, value: Any) -> Any:
        if isinstance(value, Mapping) and value.get("class_name") == "__keras_tensor__":
            return self._tensor(value["config"]["keras_history"])
        if isinstance(value, Mapping):
            return {key: self.take(item) for key, item in value.items()}
        if _is_ref(value, self._names):
            return self._tensor(value)
        if isinstance(value, (list, tuple)):
            return [self.take(item) for item in value]
        return value

    def _tensor(self, history: Sequence[Any]) -> dict[str, int]:
        self.tensors.append(Ref(str(history[0]), int(history[1]), int(history[2])))
        return {"tensor": len(self.tensors) - 1}


def _node(node: Any, names: set[str]) -> Node:
    """One call as the file writes it.

    Keras 3: {"args", "kwargs"} with a tensor as {"class_name": "__keras_tensor__", ...}. Keras 2: a list
    of [layer, node, tensor, kwargs], one a tensor, constants among them as ["_CONSTANT_VALUE", -1, value,
    kwargs]; tf.keras writes an operation's one tensor without the outer list.
    """
    found = _Arguments(names)
    if isinstance(node, Mapping):
        arguments = {"args": found.take(node.get("args", ())), **found.take(node.get("kwargs") or {})}
    else:
        entries = [node] if node and isinstance(node[0], str) else list(node)
        positional = [e[2] if e[0] == "_CONSTANT_VALUE" else found.take(list(e[:3])) for e in entries]
        named: dict[str, Any] = {}
        for entry in entries:
            if len(entry) > 3 and isinstance(entry[3], Mapping):
                named = {**named, **{key: item for key, item in entry[3].items() if key not in ("args", *named)}}
        arguments = {"args": positional, **found.take(named)}
    kept = {key: value for key, value in arguments.items() if key not in IGNORED_ARGUMENTS}
    return Node(tuple(found.tensors), kept)


def _sequential(config: Any) -> ModelConfig:
    """A Sequential model (a bare list before Keras 2.2.3) as a chain of calls behind one input."""
    entries = list(config) if isinstance(config, list) else list(config["layers"])
    name = "sequential" if isinstance(config, list) else str(config.get("name", "sequential"))
    if entries[0]["class_name"] != "InputLayer":
        # Keras 2 gives the input's shape to the first layer; where that is a model, to the first layer of it;
        # tf.keras 2 notes it at last where the model was only built by being called.
        inner = _inner_model(entries[0])
        shape = input_shape(entries[0]["config"]) or (input_shape(inner.layers[0].config) if inner else None)
        if shape is None and isinstance(config, Mapping):
            shape = config.get("build_input_shape")
        if shape is None:
            raise ValueError("a Sequential model without an input shape")
        door = {"name": f"{name}_input", "batch_input_shape": list(shape)}
        entries.insert(0, {"class_name": "InputLayer", "config": door})
    layers: list[LayerConfig] = []
    for entry in entries:
        layer = _layer({**entry, "inbound_nodes": []}, set())
        if layers:
            # Nodes are counted as we list them, from 0, whatever the file would have called them.
            layer = replace(layer, nodes=(Node((Ref(layers[-1].name, 0, 0),), {"args": [{"tensor": 0}]}),))
        layers.append(layer)
    return ModelConfig(name, tuple(layers), (Ref(layers[0].name, 0, 0),), (Ref(layers[-1].name, 0, 0),))


def with_board(architecture: Mapping[str, Any], board: tuple[int, int], where: str) -> dict[str, Any]:
    """The architecture with (rows, columns) of the board where its inputs leave both free, as (None, None, C) does.

    Raises CheckpointError, which begins with `where`, where no input does so and none has that size.
    """
    result: dict[str, Any] = json.loads(json.dumps(architecture))
    config = result.get("config")
    entries = config.get("layers", []) if isinstance(config, dict) else config
    holders = [entry.get("config") for entry in entries or [] if entry.get("class_name") == "InputLayer"]
    if result.get("class_name") == "Sequential" and entries:
        holders += [config, entries[0].get("config")]
    configs = [holder for holder in holders if isinstance(holder, dict)]
    shapes = [
        (holder, key) for holder in configs for key in SHAPE_KEYS if isinstance(holder.get(key), list) and holder[key]
    ]
    seen = [holder[key][1:] for holder, key in shapes]
    for holder, key in shapes:
        if _leaves_board_free(holder[key][1:]):
            sizes = iter(board)
            rest = [next(sizes) if size is None else size for size in holder[key][1:]]
            holder[key] = [holder[key][0], *rest]
    if not any(_leaves_board_free(shape) or list(board) in (shape[:2], shape[1:]) for shape in seen):
        told = " and ".join(str(tuple(shape)) for shape in seen) or "unknown"
        raise CheckpointError(f"{where}: its input is {told} and not of any board: leave --board out.")
    return result


def _leaves_board_free(shape: Sequence[int | None]) -> bool:
    """Whether a shape without the batch is that of a network for boards of any size."""
    return len(shape) == 3 and list(shape).count(None) == 2


def input_shape(config: Mapping[str, Any]) -> list[int | None] | None:
    """The shape with the batch first that an InputLayer, or a Sequential's first layer, was given."""
    for key in SHAPE_KEYS[:2]:
        if config.get(key) is not None:
            return list(config[key])
    return None

"""The folder of a SavedModel that Keras 2 wrote: the architecture in its metadata, the weights of each layer.

tf.keras describes every layer as JSON in keras_metadata.pb (from 2.5 on) or in saved_model.pb (before), at a path from
the model to the layer (root.layer_with_weights-0). The checkpoint in `variables` has the same paths.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import CheckpointError
from .door.limits import DEPTH, JSON_BYTES, MESSAGE_BYTES
from .door.members import NotAsWritten, json_object, object_of, version_of
from .keras_json import ModelConfig
from .layer_graph import Array
from .protobuf import Message, Parser, message, messages, number, text, top_fields
from .tensor_bundle import OBJECT_GRAPH, Bundle
from .weights import Assigned, weight_names

GRAPH, METADATA, FINGERPRINT = "saved_model.pb", "keras_metadata.pb", "fingerprint.pb"
OF_SAVED_MODEL = frozenset({GRAPH, METADATA, FINGERPRINT})
# The whole model, and each layer again.
_METADATA_BYTES = 2 * JSON_BYTES
_VALUE = "VARIABLE_VALUE"
# The field of a SavedModel that holds its graphs, and its wire type, a message.
_META_GRAPH = (2, 2)
# For each model, by its path, the paths of its layers by their names.
_Places = dict[str, dict[str, str]]


@dataclass(frozen=True)
class KerasDescription:
    """Keras' description of the model: `architecture` is {"class_name", "config"}, `layers` maps paths to names."""

    architecture: Mapping[str, Any]
    layers: Mapping[str, str]
    keras_version: str
    training: Mapping[str, Any]


def is_saved_model(path: Path) -> bool:
    """Whether a path is the folder of a SavedModel in which Keras describes its layers."""
    return path.is_dir() and (path / GRAPH).is_file() and _descriptions_in(path) is not None


def read_description(path: Path) -> KerasDescription:
    """Keras' description of the model in a folder accepted by `is_saved_model`; CheckpointError if it is damaged."""
    where = f"'{path}'"
    # The rest of the file is not read; but if it is cut off, the folder is incomplete.
    if _META_GRAPH not in (top_fields(path / GRAPH) or ()):
        raise CheckpointError(f"{where} is damaged (its {GRAPH} is cut off): copy the folder again.")
    nodes = dict(_descriptions_in(path) or ())
    place = f"{where}: its Keras metadata"
    root = json_object(nodes.pop("root"), place)
    whole = _plain(root.get("model_config") or {"class_name": root.get("class_name"), "config": root.get("config")})
    layers = {}
    for name, data in nodes.items():
        if name.rpartition(".")[2].startswith("layer"):
            layers[name] = str(json_object(data, place).get("name"))
    training = _plain(root.get("training_config") or {})
    try:
        described = object_of(whole, "its model_config")
    except NotAsWritten as error:
        raise CheckpointError(f"{place} is not as Keras writes it ({error}): save the model again.") from error
    version = version_of(root.get("keras_version"), where) or "2.4.0"
    return KerasDescription(described, layers, version, training if isinstance(training, Mapping) else {})


def _plain(value: Any) -> Any:
    """The JSON with tuples and shapes, which have marks here, as lists, as in an .h5 file."""
    if isinstance(value, Mapping):
        if value.get("class_name") in ("__tuple__", "TensorShape") and "items" in value:
            return _plain(value["items"])
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _descriptions_in(path: Path) -> list[tuple[str, str]] | None:
    """(path of a layer, its JSON) for each description, the model itself at "root"; None if there are none."""
    parser = Parser()
    try:
        if (path / METADATA).is_file():
            nodes = [
                parser.fields(node) for node in messages(parser.fields(_read(path / METADATA, _METADATA_BYTES)), 1)
            ]
            descriptions = [(text(node, 3), text(node, 5)) for node in nodes]
        else:
            descriptions = list(_in_graph(parser.fields(_read(path / GRAPH, MESSAGE_BYTES)), parser))
    except (IndexError, ValueError, OSError):
        return None
    return descriptions if any(name == "root" and data for name, data in descriptions) else None


def _in_graph(saved_model: Message, parser: Parser) -> Iterator[tuple[str, str]]:
    """The descriptions in saved_model.pb: meta_graphs, object_graph_def, its nodes with children and user_object."""
    graph = parser.fields(message(parser.fields(message(saved_model, 2)), 7))
    nodes = [parser.fields(node) for node in messages(graph, 1)]
    waiting, known = deque([(0, "root")]), {0}
    while waiting:
        at, name = waiting.popleft()
        if name.count(".") > DEPTH:
            raise ValueError(f"over {DEPTH} models within one another")
        user_object = parser.fields(message(nodes[at], 4))
        if text(user_object, 1).startswith("_tf_keras"):
            yield name, text(user_object, 3)
        # A layer with weights is a child under two names; it gets the one under which its weights are stored.
        children = [parser.fields(child) for child in messages(nodes[at], 1)]
        for child in sorted(children, key=lambda child: not text(child, 2).startswith("layer_with_weights-")):
            to, local = number(child, 1), text(child, 2)
            if local.startswith("layer") and to not in known:
                known.add(to)
                waiting.append((to, f"{name}.{local}"))


def _read(path: Path, limit: int) -> bytes:
    if path.stat().st_size > limit or path.resolve().parent != path.parent.resolve():
        raise ValueError("too large, or elsewhere")
    return path.read_bytes()


def assign_saved(model: ModelConfig, described: KerasDescription, path: Path) -> Assigned:
    """The weights of each layer of the model; CheckpointError if the checkpoint lacks some."""
    where = f"'{path}'"
    bundle = Bundle(path / "variables" / "variables", where)
    try:
        places: _Places = {}
        for place, name in described.layers.items():
            places.setdefault(place.rpartition(".")[0], {})[name] = place
        return dict(_assign_weights(model, "root", places, _Objects(bundle)))
    except (KeyError, IndexError, ValueError) as error:
        reason = str(error).strip("'\"") or type(error).__name__
        raise CheckpointError(
            f"{where}: its variables are not those of the layers that it describes ({reason}): copy it again."
        ) from error


def _assign_weights(
    model: ModelConfig, folder: str, places: _Places, graph: _Objects
) -> Iterator[tuple[int, list[tuple[str, Array]]]]:
    by_name = places.get(folder, {})
    for layer in model.layers:
        place = by_name.get(layer.name)
        if place is None and layer.kind == "InputLayer":
            continue
        if place is None:
            raise KeyError(f"layer '{layer.name}' is not described")
        if layer.model:
            yield from _assign_weights(layer.model, place, places, graph)
        else:
            yield id(layer), graph.weights(place, weight_names(layer))


class _Objects:
    """The tree of objects in a checkpoint: each has named children, and variables have a key in the bundle."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle, self._parser = bundle, Parser()
        parsed = self._parser.fields(bundle.text(OBJECT_GRAPH))
        self._nodes = [self._parser.fields(node) for node in messages(parsed, 1)]
        self._found: dict[int, dict[str, int]] = {}

    def weights(self, place: str, names: tuple[str, ...] | None) -> list[tuple[str, Array]]:
        """The weights of the layer at a path, by Keras' names for them, or by the layer's own list of variables."""
        node = 0
        for part in place.split(".")[1:]:
            node = self._children(node)[part]
        children = self._children(node)
        if names is not None and set(names) <= set(children):
            return [(name, self._value(children[name])) for name in names]
        listed = self._children(children["variables"]) if "variables" in children else {}
        return [(name, self._value(listed[name])) for name in sorted(listed, key=int)]

    def _children(self, node: int) -> dict[str, int]:
        if node not in self._found:  # the model's own children are needed for every layer
            children = (self._parser.fields(child) for child in messages(self._nodes[node], 1))
            self._found[node] = {text(child, 2): number(child, 1) for child in children}
        return self._found[node]

    def _value(self, node: int) -> Array:
        for attribute in messages(self._nodes[node], 2):
            fields = self._parser.fields(attribute)
            if text(fields, 1) == _VALUE:
                return self._bundle.value(text(fields, 3))
        raise KeyError(f"a weight at object {node}")

"""Checks a TF.js graph model as JSON: pure operations, and weights that fill their files exactly."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod
from pathlib import Path
from typing import Any

from ...errors import BundleError
from ...system.plain_file import read_plain
from .limits import JSON_BYTES, NAME_LENGTH, RANK
from .pb import as_sizes
from .refusal import quoted, unsafe
from .tf_nodes import Attribute, Node, check_nodes

Json = Mapping[str, Any]

# The members that model.json may have; some others make TF.js run things on loading (`modelInitializer`).
_MEMBERS = frozenset(
    {"format", "generatedBy", "convertedBy", "signature", "modelTopology", "weightsManifest", "userDefinedMetadata"}
)
_TOPOLOGY = frozenset({"node", "library", "versions"})
# The members of a node; the last two are TensorFlow's notes on types and on the origin, which TF.js does not read.
_NODE = frozenset({"name", "op", "input", "attr", "device", "experimentalType", "experimentalDebugInfo"})
# The bytes of a weight's value; text is not included.
_BYTES = {"float32": 4, "int32": 4, "bool": 1, "uint8": 1, "uint16": 2, "float16": 2, "complex64": 8}
_STORED = frozenset({"uint8", "uint16", "float16"})
# The form of a file name: TF.js appends it to the address from which the model came.
_FILE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_FEW = 64
# Errors that a wrong document can cause while it is read.
_BROKEN = (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError, binascii.Error, OverflowError)


def look(path: Path) -> None:
    """Raise UnsafeArtifact unless the model only calculates; BundleError if the folder has no model. Nothing runs."""
    folder = path if path.is_dir() else path.parent
    file = folder / "model.json"
    document = read_document(file)
    try:
        _check_members(file, document)
        topology = document["modelTopology"]
        if odd := sorted(set(topology) - _TOPOLOGY):
            raise unsafe(file, f"its graph has the member {quoted(odd[0])}")
        functions = topology.get("library") or {}
        if functions.get("function") or functions.get("gradient"):
            raise unsafe(file, "it brings functions of its own")
        weights = _check_weights(file, document["weightsManifest"])
        nodes = [_node(file, each) for each in topology["node"]]
        check_nodes(file, nodes, "tfjs", _constants(weights))
        _check_signature(file, document["signature"], nodes)
    except _BROKEN as error:
        raise BundleError(
            f"{file} is not a complete TF.js graph model ({type(error).__name__}: {error}): export it again."
        ) from error


def read_document(file: Path) -> Json:
    """model.json, within limits; BundleError if it cannot be read, or is not a graph model."""
    try:
        document = json.loads(read_plain(file, JSON_BYTES).decode("utf-8"), object_pairs_hook=_members_once)
    except OSError as error:
        raise BundleError(f"{file} cannot be read ({error.strerror}): export the TF.js format again.") from error
    except (ValueError, RecursionError) as error:
        raise BundleError(f"{file} is damaged, it is not JSON: export the TF.js format again.") from error
    if not isinstance(document, dict) or document.get("format") != "graph-model":
        raise BundleError(f"{file} is not a TF.js graph model: export the TF.js format again.")
    return document


def _members_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; ValueError for a repeated member, of which two readers may take different ones."""
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a member is present twice")
    return made


def _check_members(file: Path, document: Json) -> None:
    if odd := sorted(set(document) - _MEMBERS):
        raise unsafe(file, f"it has the member {quoted(odd[0])}")


class _Weights(dict[str, tuple[Json, bytes]]):
    """Each weight's entry and, for a small weight, its bytes."""


def _check_weights(file: Path, manifest: Sequence[Json]) -> _Weights:
    """The weights by name: numbers, one weight per name, in files beside model.json that they fill exactly."""
    weights = _Weights()
    for group in manifest:
        shards = [_shard(file, name) for name in group["paths"]]
        size, at = sum(shard.stat().st_size for shard in shards), 0
        needed = [(entry, _bytes_of(file, entry)) for entry in group["weights"]]
        small = _small_weights(shards, needed)
        for entry, count in needed:
            if entry["name"] in weights:
                raise unsafe(file, f"it has two weights called {quoted(entry['name'])}")
            weights[str(entry["name"])] = (entry, small.get(at, b""))
            at += count
        if at != size:
            raise BundleError(
                f"{file} is not a complete TF.js graph model (ValueError: the weight files hold {size} bytes where "
                f"model.json says {at}): export it again."
            )
    return weights


def _shard(file: Path, name: str) -> Path:
    """The path of a file of weights; BundleError unless it is a plain file beside model.json."""
    shard = file.parent / name
    if not _FILE.fullmatch(name) or not shard.resolve().is_relative_to(file.parent.resolve()):
        raise BundleError(f"{file} names the weight file {quoted(name)} outside its folder: do not use it.")
    if not shard.is_file():
        raise BundleError(f"{shard} cannot be read (it is not there): export the TF.js format again.")
    return shard


def _bytes_of(file: Path, entry: Json) -> int:
    """The number of bytes of a weight in its file."""
    stored = entry.get("quantization", entry)["dtype"]
    shape = entry["shape"]
    if len(shape) > RANK or any(not isinstance(size, int) or isinstance(size, bool) or size < 0 for size in shape):
        raise unsafe(file, f"its weight {quoted(entry['name'])} has no shape")
    known = stored in _STORED if "quantization" in entry else stored in _BYTES
    if not known or entry["dtype"] not in _BYTES:
        raise unsafe(file, f"its weight {quoted(entry['name'])} is of type {quoted(stored)}, which is not a number")
    return prod(shape) * _BYTES[stored]


def _small_weights(shards: Sequence[Path], needed: Sequence[tuple[Json, int]]) -> dict[int, bytes]:
    """The bytes of the small weights, by where they begin; these weights may give a size."""
    wanted, at = list[tuple[int, int]](), 0
    for _, count in needed:
        if count <= _FEW * 8:
            wanted.append((at, count))
        at += count
    contents, begin = dict.fromkeys((at for at, _ in wanted), b""), 0
    for shard in shards:
        end = begin + shard.stat().st_size
        with shard.open("rb") as stream:
            for at, count in wanted:
                first, last = max(at, begin), min(at + count, end)
                if first < last:
                    stream.seek(first - begin)
                    contents[at] += stream.read(last - first)
        begin = end
    return contents


def _constants(weights: _Weights) -> Callable[[str], Sequence[int] | None]:
    """A function that gives the numbers of a small constant by its node's name."""
    import numpy as np

    def constant(name: str) -> Sequence[int] | None:
        entry, stored = weights.get(name, ({}, b""))
        kind = {"float32": "<f4", "int32": "<i4"}.get(str(entry.get("dtype")))
        if kind is None or "quantization" in entry or prod(entry["shape"]) > _FEW:
            return None
        return as_sizes(np.frombuffer(stored, kind).tolist())

    return constant


def _node(file: Path, data: Json) -> Node:
    if odd := sorted(set(data) - _NODE):
        raise unsafe(file, f"its node {quoted(data.get('name'))} has the member {quoted(odd[0])}")
    if not isinstance(data["name"], str) or not isinstance(data["op"], str) or len(data["name"]) > NAME_LENGTH:
        raise ValueError("a node has no name")
    inputs = data.get("input", [])
    if not all(isinstance(name, str) for name in inputs):
        raise ValueError(f"node {data['name']} reads what has no name")
    attributes = {key: _attribute(value) for key, value in data.get("attr", {}).items()}
    return Node(data["name"], data["op"], inputs, data.get("device", ""), attributes)


def _attribute(data: Json) -> Attribute:
    """An attribute in the form of `tf_nodes`; its kind is unknown if it has several."""
    filled = list(data.items())
    if len(filled) > 1:
        return Attribute("several")
    if not filled or filled[0][0] != "list":
        return Attribute(filled[0][0], _plain(filled[0][0], [filled[0][1]])) if filled else Attribute("")
    listed = list(filled[0][1].items())
    if len(listed) > 1:
        return Attribute("several")
    return Attribute(listed[0][0], _plain(*listed[0])) if listed else Attribute("empty list")


def _plain(kind: str, values: Sequence[Any]) -> list[Any]:
    """The values in the form of `Attribute`; protobuf's JSON has bytes in base 64, and large numbers as text."""
    read: dict[str, Callable[[Any], Any]] = {
        "s": lambda word: base64.b64decode(word, validate=True).decode("utf-8", "replace"),
        "i": int,
        "type": _type,
        "shape": lambda shape: [int(dim.get("size", 0)) for dim in shape.get("dim", [])],
    }
    return [read.get(kind, lambda each: each)(each) for each in values]


def _type(name: Any) -> str:
    return str(name).removeprefix("DT_")


def _check_signature(file: Path, signature: Json, nodes: Sequence[Node]) -> None:
    """Check that the signature has every input of the graph, and that each of its tensors is a node's first."""
    placed = {node.name for node in nodes if node.operation == "Placeholder"}
    named = {str(info["name"]).split(":")[0] for info in signature["inputs"].values()}
    if odd := sorted(placed - named):
        raise unsafe(file, f"its signature leaves the input {quoted(odd[0])} out")
    for name in _tensors(signature):
        if name.partition(":")[2] not in ("", "0"):
            raise unsafe(file, f"its signature names the tensor {quoted(name)}, which is not the first of its node")


def _tensors(signature: Json) -> Iterator[str]:
    for side in ("inputs", "outputs"):
        yield from (str(info["name"]) for info in signature[side].values())

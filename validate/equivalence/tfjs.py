"""Reads a TF.js graph model: model.json, and the weights in its shards."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Mapping, Sequence
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from .graph_def import input_names
from .lower import CodedConstant, dequantized, widened
from .normal import NoRuleError
from .program import Constant, FileNode, LeftOverError, Program

_MODEL = "model.json"
_KINDS = {"float32": "<f4", "int32": "<i4"}
_STORED = {**_KINDS, "float16": "<f2", "uint8": "u1"}
# One scale spans a constant's numbers, smallest to largest: the farther end has at least this code.
_FULL = 127


def read(path: Path, _: Sequence[str]) -> Program:
    """The program of a TF.js folder, or of its model.json."""
    folder = path if path.is_dir() else path.parent
    model = json.loads((folder / _MODEL).read_bytes())
    constants = _weights(folder, model)
    inputs, nodes, held = {}, [], set[str]()
    for node in model["modelTopology"]["node"]:
        name, operation = node["name"], node["op"]
        if operation == "Placeholder":
            if node["attr"]["dtype"]["type"] not in ("DT_FLOAT", 1):
                raise NoRuleError(operation, name, "it is not float32")
            inputs[name] = tuple(int(dim["size"]) for dim in node["attr"]["shape"]["shape"]["dim"])
        elif operation == "Const":
            held.add(name)
        else:
            attributes = {key: _attribute(value) for key, value in node.get("attr", {}).items()}
            nodes.append(FileNode(operation, name, input_names(node.get("input", ())), (name,), attributes))
    odd = next(iter(sorted(held ^ constants.keys())), None)
    if odd is not None:
        raise LeftOverError(f"the constant '{odd}' without a node or without numbers")
    outputs = {name: str(port["name"]).removesuffix(":0") for name, port in model["signature"]["outputs"].items()}
    return Program(inputs, constants, nodes, outputs)


def _weights(folder: Path, model: Mapping[str, Any]) -> dict[str, Constant | CodedConstant]:
    """The constants by their names; every byte of the shards belongs to one of them."""
    constants: dict[str, Constant | CodedConstant] = {}
    for group in model["weightsManifest"]:
        content = b"".join((folder / name).read_bytes() for name in group["paths"])
        start = 0
        for entry in group["weights"]:
            stored, count = _stored(entry), prod(entry["shape"])
            if entry["name"] in constants:
                raise NoRuleError("Const", entry["name"], "two have one name")
            flat = np.frombuffer(content, stored, count, start)
            constants[entry["name"]] = _read(entry, flat.reshape(entry["shape"]))
            start += count * stored.itemsize
        if start != len(content):
            raise LeftOverError(f"{len(content) - start:,} bytes of weights behind the last")
    return constants


def _stored(entry: Mapping[str, Any]) -> np.dtype[Any]:
    """The type in which the shards store a constant."""
    kind = entry.get("quantization", {}).get("dtype", entry["dtype"])
    if kind not in _STORED or entry["dtype"] not in _KINDS:
        raise NoRuleError("Const", entry["name"], f"weights of {kind} have no rule")
    return np.dtype(_STORED[kind])


def _read(entry: Mapping[str, Any], stored: Constant) -> Constant | CodedConstant:
    """A constant as TF.js reads it: codes times the scale, plus the smallest number."""
    packing = entry.get("quantization", {})
    if stored.dtype == np.uint8:
        scale, zero = np.float32(packing["scale"]), -round(float(packing["min"]) / float(packing["scale"]))
        return dequantized(stored, np.asarray(scale), zero, entry["name"], full=_FULL)
    return widened(stored) if stored.dtype == np.float16 else stored


def _attribute(value: Mapping[str, Any]) -> Any:
    """An attribute in protobuf's JSON: whole numbers are text, and text is base64."""
    if len(value) != 1:
        return None if not value else str(value)
    (kind, held), *_ = value.items()
    if kind == "list":
        return [_single(key, item) for key, items in held.items() for item in items]
    return _single(kind, held)


def _single(kind: str, held: Any) -> Any:
    if kind == "i":
        return int(held)
    if kind == "s":
        return b64decode(held).decode("utf-8", "replace")
    return held if kind in ("f", "b", "type") else str(held)

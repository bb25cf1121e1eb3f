"""An ONNX model as plain data, read from protobuf's wire format: its graph's nodes, weights, inputs and outputs.

The numbers of fields come from onnx/onnx.proto. Neither the package onnx nor a runtime is needed.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from ....errors import CheckpointError
from ..door.limits import FILE_BYTES, LAYERS, PORTS, Budget, bytes_on_disk
from ..layer_graph import Array
from ..protobuf import Message, Parser, message, messages, number, text, varint

# TensorProto.DataType: float, uint8, int8, uint16, int16, int32, int64, bool, float16, double, uint32, uint64.
DTYPES = {1: "<f4", 2: "u1", 3: "i1", 4: "<u2", 5: "<i2", 6: "<i4", 7: "<i8", 9: "?", 10: "<f2", 11: "<f8"}
DTYPES |= {12: "<u4", 13: "<u8"}
_BFLOAT16 = 16
STANDARD = ("", "ai.onnx")
# The most nodes in a graph; one Keras layer has up to ten if the exporter calculates shapes beside it.
NODES = 10 * LAYERS


@dataclass(frozen=True, eq=False)
class Node:
    """One operation; an empty name in `inputs` is an omitted input."""

    name: str
    kind: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: Mapping[str, Any]


@dataclass(frozen=True)
class Port:
    """An input or output; a size is None if it is free or has a name."""

    name: str
    dtype: int
    shape: tuple[int | None, ...] | None


@dataclass(frozen=True, eq=False)
class OnnxModel:
    """The content of a file; `opset` is the version of the standard operations, `external` are files beside it."""

    producer: str
    opset: int
    nodes: tuple[Node, ...]
    weights: Mapping[str, Array]
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    external: tuple[Path, ...]


def read_onnx(path: Path) -> OnnxModel:
    """The model in a file; CheckpointError if it is damaged, or exceeds the limits for a board network."""
    where = f"'{path}'"
    if path.stat().st_size > FILE_BYTES:
        raise CheckpointError(f"{where} is of over {FILE_BYTES >> 30} GiB: it is not a board-game network.")
    try:
        return _Reading(path).model(path.read_bytes())
    except (IndexError, KeyError, UnicodeDecodeError, ValueError, TypeError, struct.error) as error:
        raise CheckpointError(
            f"{where} is an ONNX model that is damaged ({str(error)[:100]}): copy it again."
        ) from error


class _Reading:
    """Reads one file; the fields of all its messages together are limited."""

    def __init__(self, path: Path) -> None:
        self._path, self._where = path, f"'{path}'"
        self._parser = Parser()
        self._budget = Budget(bytes_on_disk(path), self._where)
        self._external: dict[Path, int] = {}

    def model(self, data: bytes) -> OnnxModel:
        fields = self._parser.fields(data)
        if messages(fields, 25) or messages(fields, 20):
            raise CheckpointError(f"{self._where} brings operations of its own: export it without functions.")
        graph = self._parser.fields(message(fields, 7))
        opsets = [self._parser.fields(each) for each in messages(fields, 8)]
        opset = max((number(each, 2) for each in opsets if text(each, 1) in STANDARD), default=0)
        nodes, weights = messages(graph, 1), {}
        if not opset or not nodes or len(nodes) > NODES:
            raise ValueError("no graph of operations" if not nodes else f"over {NODES:,} operations")
        for each in messages(graph, 5):
            tensor = self._parser.fields(each)
            weights[text(tensor, 8)] = self._array(tensor)
        ports = [[self._port(each) for each in messages(graph, field)] for field in (11, 12)]
        if any(len(each) > PORTS for each in ports):
            raise ValueError(f"over {PORTS} inputs or outputs")
        return OnnxModel(
            f"{text(fields, 2)} {text(fields, 3)}".strip(),
            opset,
            tuple(map(self._node, nodes)),
            weights,
            tuple(port for port in ports[0] if port.name not in weights),
            tuple(ports[1]),
            tuple(self._external),
        )

    def _node(self, data: bytes) -> Node:
        fields = self._parser.fields(data)
        kind = text(fields, 4)
        if text(fields, 7) not in STANDARD:
            raise CheckpointError(
                f"{self._where} uses the operation '{kind[:60]}' of '{text(fields, 7)[:60]}', which is not ONNX's own: "
                "export it with standard operations (docs/other-frameworks.md)."
            )
        attributes = dict(self._attribute(each) for each in messages(fields, 5))
        inputs, outputs = (tuple(each.decode() for each in messages(fields, at)) for at in (1, 2))
        return Node(text(fields, 3), kind, inputs, outputs, attributes)

    def _attribute(self, data: bytes) -> tuple[str, Any]:
        """An attribute's name and value: a number, a text, an array, or a list of numbers or texts."""
        fields = self._parser.fields(data)
        by_kind: dict[int, Callable[[], Any]] = {
            1: lambda: (_floats(fields, 2) or [0.0])[-1],
            2: lambda: signed(number(fields, 3)),
            3: lambda: text(fields, 4),
            4: lambda: self._array(self._parser.fields(message(fields, 5))),
            6: lambda: _floats(fields, 7),
            7: lambda: _ints(fields, 8),
            8: lambda: [each.decode() for each in messages(fields, 9)],
        }
        kind = number(fields, 20)
        return text(fields, 1), by_kind[kind]() if kind in by_kind else None

    def _port(self, data: bytes) -> Port:
        fields = self._parser.fields(data)
        tensor = self._parser.fields(message(self._parser.fields(message(fields, 2)), 1))
        shape = None
        if any(name == 2 for name, _ in tensor):
            sizes = (self._parser.fields(each) for each in messages(self._parser.fields(message(tensor, 2)), 1))
            shape = tuple(number(size, 1) or None for size in sizes)
        return Port(text(fields, 1), number(tensor, 1), shape)

    def _array(self, fields: Message) -> Array:
        """A TensorProto's values, in the file's type; a bfloat16 becomes float32."""
        shape, kind, name = tuple(_ints(fields, 1)), number(fields, 2), text(fields, 8)
        dtype = "<u2" if kind == _BFLOAT16 else DTYPES.get(kind)
        if dtype is None or min(shape, default=1) < 0:
            raise CheckpointError(f"{self._where}: '{name[:60]}' is of a type that azx does not read ({kind}).")
        size = prod(shape) * np.dtype(dtype).itemsize
        self._budget.spend(size, name[:60])
        if number(fields, 14) == 1:
            values = np.frombuffer(self._elsewhere(fields, size, name), dtype)
        elif raw := message(fields, 9):
            values = np.frombuffer(raw, dtype)
        else:
            values = _typed(fields, kind, dtype)
        if values.size != prod(shape):
            raise ValueError(f"'{name[:60]}' is cut off")
        if kind == _BFLOAT16:
            values = (values.astype("<u4") << 16).view("<f4")
        return values.reshape(shape)

    def _elsewhere(self, fields: Message, size: int, name: str) -> bytes:
        """Values in a file beside the model, within its folder."""
        pairs = (self._parser.fields(each) for each in messages(fields, 13))
        place = {text(pair, 1): text(pair, 2) for pair in pairs}
        location, folder = place.get("location", ""), self._path.parent
        path = folder / location
        if not location or Path(location).is_absolute() or not path.resolve().is_relative_to(folder.resolve()):
            raise CheckpointError(
                f"{self._where}: the values of '{name[:60]}' lie outside its folder ('{location[:60]}'): do not use it."
            )
        if not path.is_file():
            raise CheckpointError(
                f"{self._where} needs '{location[:60]}' beside it, with its values: copy it there too."
            )
        if path not in self._external:
            self._external[path] = path.stat().st_size
            self._budget = Budget(bytes_on_disk(self._path) + sum(map(bytes_on_disk, self._external)), self._where)
        with path.open("rb") as file:
            file.seek(int(place.get("offset") or 0))
            data = file.read(size)
        if len(data) != size:
            raise CheckpointError(f"{self._where}: '{location[:60]}' beside it is cut off: copy it again.")
        return data


def signed(value: int) -> int:
    """A varint read as a signed 64-bit number."""
    return value - (1 << 64) if value >> 63 else value


def _ints(fields: Message, field: int) -> list[int]:
    """A repeated int64, packed or one by one."""
    return [signed(each) for name, value in fields if name == field for each in unpacked(value)]


def unpacked(value: int | bytes) -> Iterator[int]:
    """The varints of a repeated field, which holds a single one or several packed ones."""
    if isinstance(value, int):
        yield value
        return
    at = 0
    while at < len(value):
        one, at = varint(value, at)
        yield one


def _floats(fields: Message, field: int) -> list[float]:
    data = b"".join(value for name, value in fields if name == field and isinstance(value, bytes))
    return list(struct.unpack(f"<{len(data) // 4}f", data))


def _typed(fields: Message, kind: int, dtype: str) -> Array:
    """The values in the field for their type: float_data, double_data, int64_data, uint64_data, else int32_data."""
    field = {1: 4, 11: 10, 7: 7, 12: 11, 13: 11}.get(kind, 5)
    if field in (4, 10):
        return np.frombuffer(b"".join(messages(fields, field)), dtype)
    values: Sequence[int] = _ints(fields, field)
    if kind == 10:  # the bits of a half float
        return np.array(values, "<u2").view("<f2")
    return np.array(values, np.int64).astype(dtype)

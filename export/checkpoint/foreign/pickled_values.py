"""The values for the names in a pickle of arrays: tensors of PyTorch and arrays of NumPy, made by azx itself.

PyTorch's writer is torch/serialization.py; NumPy's is numpy/core/src/multiarray.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from ..door.limits import NAME_LENGTH, WEIGHT_BYTES
from ..layer_graph import Array

# The types of PyTorch's storages; a bfloat16 is the upper half of a float32.
BFLOAT16 = "bfloat16"
STORAGES = {
    "FloatStorage": "<f4",
    "DoubleStorage": "<f8",
    "HalfStorage": "<f2",
    "BFloat16Storage": BFLOAT16,
    "LongStorage": "<i8",
    "IntStorage": "<i4",
    "ShortStorage": "<i2",
    "CharStorage": "i1",
    "ByteStorage": "u1",
    "BoolStorage": "?",
}
_KINDS = "fiub"


@dataclass(frozen=True)
class Storage:
    """A run of numbers outside the pickle, under a key."""

    key: str
    dtype: str
    count: int


@dataclass(frozen=True)
class Tensor:
    """A view of a storage, as PyTorch defines a tensor; offset, shape and strides count numbers, not bytes."""

    storage: Storage
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


class NotPlain(ValueError):  # noqa: N818 - what it is, and the caller makes a sentence of it
    """The pickle holds other data than arrays, dicts, lists and numbers; the message is a clause about it."""


@dataclass(frozen=True)
class Name:
    """A function or class that a pickle names; azx never looks it up."""

    full: str


@dataclass(eq=False)
class NumPyArray:
    """An unfinished array of NumPy; the next BUILD gives its shape, type and bytes."""

    array: Array | None = None


@dataclass(eq=False)
class NumPyType:
    """A dtype of NumPy; its BUILD gives the order of bytes."""

    code: str
    order: str = "<"

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of its numbers; NotPlain if it is not a type of numbers."""
        if self.code[:1] not in _KINDS or len(self.code) > 3:
            raise NotPlain(f"it holds an array of '{self.code[:20]}', which is not a type of numbers")
        return np.dtype(f"{self.order}{self.code}")


def named(full: str) -> Name:
    """The name `full`; NotPlain if it is not needed to write arrays."""
    full = full.replace("numpy._core.", "numpy.core.")
    if full not in MADE and full not in _PLAIN_NAMES:
        raise NotPlain(f"it names '{full[:NAME_LENGTH]}', code of Python that azx does not run")
    return Name(full)


def array_of(data: Any, kind: Any, shape: Any, order: Any) -> Array:
    """An array of NumPy from its bytes."""
    if not isinstance(kind, NumPyType) or not isinstance(data, bytes | str):
        raise NotPlain("it holds an array that is not of numbers")
    raw = data.encode("latin1") if isinstance(data, str) else data
    sizes = tuple(int(size) for size in shape)
    if any(size < 0 for size in sizes) or prod(sizes) * kind.dtype.itemsize != len(raw) or order not in ("C", "F"):
        raise NotPlain("it holds an array that is cut off")
    return np.frombuffer(raw, kind.dtype).reshape(sizes, order=order)


def _scalar(kind: Any, data: Any) -> Any:
    return array_of(data, kind, (), "C").item()


def _reconstruct(kind: Any, shape: Any = (0,), _: Any = b"b") -> NumPyArray:
    if kind != Name("numpy.ndarray"):
        raise NotPlain("it makes an array of another class")
    return NumPyArray()


def _type(code: Any, *_: Any) -> NumPyType:
    return NumPyType(code.decode("latin1") if isinstance(code, bytes) else str(code))


def _encode(text: Any, coding: Any = "latin1") -> bytes:
    if coding not in ("latin1", "latin-1") or not isinstance(text, str):
        raise NotPlain("it holds a text in another coding")
    return text.encode("latin1")


def _tensor(storage: Any, offset: Any, shape: Any, strides: Any, *_: Any) -> Tensor:
    sizes, steps = (tuple(int(size) for size in value) for value in (shape, strides))
    if (
        not isinstance(storage, Storage)
        or min((*sizes, *steps, int(offset)), default=0) < 0
        or len(sizes) != len(steps)
    ):
        raise NotPlain("it holds a tensor with wrong members")
    return Tensor(storage, int(offset), sizes, steps)


def _parameter(data: Any, *_: Any) -> Any:
    return data


def _ordered(pairs: Any = ()) -> dict[Any, Any]:
    return dict_of([each for pair in pairs for each in pair])


def view(tensor: Tensor, numbers: Array) -> Array:
    """A copy of a tensor's values; `numbers` (count,) are its storage's. NotPlain if the tensor exceeds them."""
    last = tensor.offset + sum((size - 1) * step for size, step in zip(tensor.shape, tensor.strides, strict=True))
    if 0 in tensor.shape:
        return np.zeros(tensor.shape, numbers.dtype)
    if last >= len(numbers) or prod(tensor.shape) * numbers.itemsize > WEIGHT_BYTES:
        raise NotPlain("it holds a tensor that is larger than its numbers")
    steps = [step * numbers.itemsize for step in tensor.strides]
    return np.lib.stride_tricks.as_strided(numbers[tensor.offset :], tensor.shape, steps).copy()


def as_numbers(data: bytes, dtype: str) -> Array:
    """A storage's bytes as numbers (count,)."""
    if dtype == BFLOAT16:
        return (np.frombuffer(data, "<u2").astype("<u4") << 16).view("<f4")
    return np.frombuffer(data, dtype)


MADE: dict[str, Callable[..., Any]] = {
    "collections.OrderedDict": _ordered,
    "torch._utils._rebuild_tensor_v2": _tensor,
    "torch._utils._rebuild_tensor": _tensor,
    "torch._utils._rebuild_parameter": _parameter,
    "torch.Size": lambda sizes=(): tuple(sizes),
    "numpy.core.multiarray._reconstruct": _reconstruct,
    "numpy.core.multiarray.scalar": _scalar,
    "numpy.core.numeric._frombuffer": lambda data, kind, shape, order: NumPyArray(array_of(data, kind, shape, order)),
    "numpy.dtype": _type,
    "_codecs.encode": _encode,
}
_PLAIN_NAMES = frozenset({"numpy.ndarray", *(f"torch.{name}" for name in STORAGES)})


def dict_of(values: list[Any]) -> dict[Any, Any]:
    """A dict from alternating keys and values; keys must be simple, because hashing nested tuples can take for ever."""
    if not all(isinstance(key, str | int) for key in values[::2]):
        raise NotPlain("it has a dict whose keys are not names")
    return dict(zip(values[::2], values[1::2], strict=True))

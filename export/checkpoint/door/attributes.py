"""Attributes of HDF5 objects, each read as its expected type: a text, or a list of texts."""

from __future__ import annotations

from typing import Any

import h5py
import numpy as np

from ....errors import CheckpointError
from ....system.plain_file import size_text
from .limits import JSON_BYTES, NAME_LENGTH, NAMES

# Errors that h5py raises for an attribute that is damaged, or has a type that NumPy lacks.
UNREADABLE = (OSError, RuntimeError, KeyError, TypeError, ValueError, OverflowError, AttributeError)


class Attributes:
    """The attributes of a group or a file; `where` begins the sentence about a wrong one."""

    def __init__(self, holder: h5py.Group | h5py.Dataset, where: str) -> None:
        self._holder, self._where = holder, where

    def __contains__(self, name: str) -> bool:
        try:
            return name in self._holder.attrs
        except UNREADABLE as error:
            raise self._error(name, "cannot be read, the file is damaged", "copy the checkpoint again") from error

    def text(self, name: str, default: str = "") -> str:
        """An attribute as text; it may be a text or a whole number. `default` if it is missing.

        Raises CheckpointError for any other type, and for bytes that are not UTF-8.
        """
        if name not in self:
            return default
        value = self._value(name)
        if isinstance(value, np.ndarray) and value.shape == ():
            value = value.item()
        return self._text(name, value)

    def texts(self, name: str) -> list[str]:
        """A list of texts; empty if it is missing. Keras splits one over 64 KiB, HDF5's limit, into name0, name1, ...

        Raises CheckpointError for any other type.
        """
        if name in self:
            return self._list(name)
        items: list[str] = []
        chunk = 0
        while f"{name}{chunk}" in self:
            items += self._list(f"{name}{chunk}")
            chunk += 1
        return items

    def _list(self, name: str) -> list[str]:
        value = self._value(name)
        if isinstance(value, np.ndarray) and value.size == 0:
            return []  # h5py stores an empty list as a list of floats
        if not isinstance(value, np.ndarray) or value.ndim != 1:
            raise self._error(name, f"is {_kind(value)} and no list of names")
        items = [self._text(name, item) for item in value]
        if any(len(item) > NAME_LENGTH for item in items):
            raise self._error(name, f"holds a name of over {NAME_LENGTH:,} letters")
        return items

    def _value(self, name: str) -> Any:
        """The value from h5py, after a check of its size."""
        try:
            stored = h5py.h5a.open(self._holder.id, name.encode())
            count, width = stored.get_space().get_simple_extent_npoints(), stored.get_type().get_size()
        except UNREADABLE as error:
            raise self._error(name, "cannot be read, the file is damaged", "copy the checkpoint again") from error
        if count > NAMES or count * width > JSON_BYTES:
            raise self._error(name, f"claims {count:,} values of {width:,} bytes, azx reads {size_text(JSON_BYTES)}")
        try:
            return self._holder.attrs[name]
        except UNREADABLE as error:
            raise self._error(name, "cannot be read, or is of a kind that Keras does not write") from error

    def _text(self, name: str, value: object) -> str:
        if isinstance(value, bytes):
            try:
                return value.decode("utf8")
            except UnicodeDecodeError as error:
                raise self._error(name, "is not text, because its bytes are not UTF-8") from error
        if isinstance(value, str):
            if not is_printable(value):
                raise self._error(name, "is not text, because its bytes are not UTF-8")
            return str(value)
        if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
            return str(value)
        raise self._error(name, f"is {_kind(value)} and no text")

    def _error(self, name: str, reason: str, do: str = "save the model again") -> CheckpointError:
        return CheckpointError(f"{self._where}: the attribute {name!a} of {self._holder.name!a} {reason}: {do}.")


def is_printable(value: str) -> bool:
    """Whether a text can be written; half of a surrogate pair cannot, although JSON and HDF5 accept it."""
    if value.isascii():
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _kind(value: object) -> str:
    """A value's type, in words."""
    if isinstance(value, h5py.Empty):
        return "empty"
    if isinstance(value, np.ndarray):
        return f"an array {value.shape} of {value.dtype}"[:80]
    return f"of type {type(value).__name__}"

"""Arrays of any library as NumPy's: lists, and all that supports `__array__`, the buffer protocol or DLPack."""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray


class SpeaksDLPack(Protocol):
    """An array of another library: PyTorch, JAX, CuPy, TensorFlow, Arrow."""

    def __dlpack__(self, *, stream: Any = None) -> Any:
        """A capsule with the array's memory."""

    def __dlpack_device__(self) -> tuple[int, int]:
        """Where that memory is."""


AnyArray: TypeAlias = ArrayLike | SpeaksDLPack


def as_array(value: AnyArray) -> NDArray[Any]:
    """The numbers of `value` as a NumPy array, without a copy if its library shares its memory.

    A PyTorch tensor may be on a GPU or have a gradient. TypeError or ValueError if NumPy cannot read it; lists of
    unequal lengths are such a case.
    """
    for name in ("detach", "cpu"):
        if callable(change := getattr(value, name, None)):
            value = change()
    if hasattr(value, "__dlpack__") and not hasattr(value, "__array__"):
        return np.from_dlpack(value)  # type: ignore[arg-type]
    return np.asarray(value)


def as_float32(value: AnyArray) -> NDArray[np.float32] | None:
    """The numbers of `value` as float32; None if they are no real numbers.

    TypeError or ValueError as `as_array`.
    """
    array = as_array(value)
    return array.astype(np.float32, copy=False) if array.dtype.kind in "biuf" else None

"""Numba's compiler, for the few loops that Python is too slow for, and a loop that searches share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

Function = TypeVar("Function", bound=Callable[..., Any])


def compile_function(function: Function) -> Function:
    """The function compiled by Numba, with the same type.

    The machine code is stored on disk, beside the source or else in the user's cache folder. If neither is writable,
    each process compiles it anew, which takes some seconds. Nothing is fused or reordered (no `fastmath`).
    """
    try:
        return cast(Function, numba.njit(cache=True)(function))
    except RuntimeError:
        return compile_anew(function)


def compile_anew(function: Function) -> Function:
    """The compiled form of a recursive function and of its callers, compiled in every process.

    Loaded from a cache, a recursive function crashes the process (seen with numba 0.68).
    """
    return cast(Function, numba.njit(function))


@compile_function
def insert(move: np.uint64, key: int, moves: NDArray[np.uint64], keys: NDArray[np.int64], known: int) -> None:
    """Insert a move of a search into the `known` first `moves`, which are sorted by their `keys`, smallest first.

    Both arrays have room for one more. Of equal keys the one inserted first comes first.
    """
    place = known
    while place > 0 and keys[place - 1] > key:
        moves[place], keys[place] = moves[place - 1], keys[place - 1]
        place -= 1
    moves[place], keys[place] = move, key

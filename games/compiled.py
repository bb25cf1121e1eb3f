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
def insert(
    moves: NDArray[Any], scores: NDArray[np.signedinteger], count: int, width: int, move: np.integer | int, score: int
) -> int:
    """Put a move into the first `count` of `moves`, which are sorted by falling score; returns their new number.

    At most `width` are kept. Of equal scores the one inserted first comes first.
    """
    if count == width and score <= scores[count - 1]:
        return count
    at = min(count, width - 1)
    while at > 0 and scores[at - 1] < score:
        moves[at], scores[at] = moves[at - 1], scores[at - 1]
        at -= 1
    moves[at], scores[at] = move, score
    return min(count + 1, width)

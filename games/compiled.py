"""Numba's compiler, for the few loops that Python is too slow for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

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

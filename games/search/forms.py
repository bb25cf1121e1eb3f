"""The functions of `tree.py` in two forms: compiled by Numba, and as plain Python for few simulations.

Python runs them several times more slowly, but without the second that Numba takes to load. Both read and write the
same memory: compiled functions take NumPy's arrays, the others take views of them, which give Python's own numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import tree
from .nodes import NODE


@dataclass(frozen=True)
class Form:
    """`tree.py`'s functions. Convert a tree by `nodes` and any other array by `numbers` before you pass it to one.

    Legal actions and their weights are passed as NumPy arrays.
    """

    advance: Callable[..., tuple[int, int, int]]
    expand_and_advance: Callable[..., tuple[int, int, int]]
    close_above: Callable[..., None]
    score_moves: Callable[..., None]
    subtree: Callable[..., int]
    nodes: Callable[[NDArray[np.void]], Any]
    numbers: Callable[[NDArray[Any]], Any]


def _functions(names: dict[str, Any]) -> dict[str, Any]:
    return {name: names[name] for name in Form.__dataclass_fields__ if name in names}


def columns(nodes: NDArray[np.void]) -> dict[str, memoryview]:
    """The fields of a tree, each as a view that Python reads and writes quickly."""
    return {name: view(nodes[name]) for name in NODE.names or ()}


def view(numbers: NDArray[Any]) -> memoryview:
    """An array's memory, read and written as Python's numbers."""
    return numbers.data


def _expand_and_advance(*given: Any) -> tuple[int, int, int]:
    *others, legal, weights = given
    return tree.expand_and_advance(*others, view(legal), view(weights))  # type: ignore[call-arg]


# Python's own loops read Python's numbers, because NumPy's cost several times as much.
PLAIN = Form(**{**_functions(vars(tree)), "expand_and_advance": _expand_and_advance}, nodes=columns, numbers=view)


@cache
def compiled_form() -> Form:
    """The compiled form; the first call loads Numba."""
    return Form(**_functions(compile_module(tree)), nodes=lambda nodes: nodes, numbers=lambda numbers: numbers)


def compile_module(module: ModuleType) -> dict[str, Any]:
    """The names of a module, with its own functions compiled, each at its first call."""
    from ..compiled import compile_function

    names = dict(vars(module))
    for name, function in vars(module).items():
        if isinstance(function, FunctionType) and function.__module__ == module.__name__:
            # The copy looks its names up in `names`, so it calls the compiled functions.
            again = FunctionType(function.__code__, names, name)
            again.__qualname__, again.__module__ = name, function.__module__
            names[name] = compile_function(again)
    return names

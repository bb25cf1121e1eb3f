"""Artifacts with one change each, made in the bytes of a sound one: what every format's editor does in its own way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np

Change = Callable[[Any], None]


class Editor(Protocol):
    """A sound artifact, opened to be changed."""

    def floats(self) -> list[str]:
        """The names of its float32 weights."""

    def get(self, name: str) -> Any:
        """One weight."""

    def put(self, name: str, value: Any) -> None:
        """The weight in its place."""

    def inner(self) -> list[str]:
        """The tensors that operations make and others read."""

    def bypass(self, tensor: str) -> None:
        """What reads `tensor` reads what the operation behind it reads first."""

    def insert(self, tensor: str, constant: Any) -> None:
        """What reads `tensor` reads its tanh instead, or its sum with a constant."""

    def attributes(self) -> list[tuple[str, Change]]:
        """A change of each attribute of each operation."""

    def plant(self) -> None:
        """A weight that nothing reads."""

    def look_up(self, cells: Any) -> None:
        """An amount for the value head if the input has ones at the `cells` (N, 1) and zeros elsewhere."""

    def save(self) -> Path:
        """The changed artifact."""


def mutants(editor: Editor, size: int) -> Iterator[tuple[str, Change]]:
    """Every change of an artifact whose input has `size` numbers, by what it is."""
    yield from _of_weights(editor)
    for tensor in editor.inner():
        yield f"dropped: {tensor}", partial(_call, "bypass", tensor)
        yield f"tanh behind: {tensor}", partial(_call, "insert", tensor, None)
        yield f"sum behind: {tensor}", partial(_call, "insert", tensor, np.float32(1e-6))
    yield from editor.attributes()
    yield "planted weight", partial(_call, "plant")
    for seed in range(4):
        cells = np.zeros((size, 1), np.float32)
        cells[np.random.default_rng(seed).choice(size, 8, replace=False)] = 1
        yield f"look-up on eight cells {seed}", partial(_call, "look_up", cells)


def _of_weights(editor: Editor) -> Iterator[tuple[str, Change]]:
    for at, name in enumerate(editor.floats()):
        value = editor.get(name)
        for seed in range(2):
            place = int(np.random.default_rng(100 * at + seed).integers(value.size))
            yield f"two ulp in {name} {seed}", partial(_two_ulp, name, place)
        for axis in range(value.ndim):
            first, last = value.take(0, axis), value.take(-1, axis)
            if value.shape[axis] > 1 and not np.allclose(first, last, rtol=1e-5):
                yield f"swapped on axis {axis} of {name}", partial(_swap, name, axis)


def _call(method: str, *given: Any) -> None:
    *arguments, editor = given
    getattr(editor, method)(*arguments)


def _two_ulp(name: str, place: int, editor: Editor) -> None:
    value = editor.get(name).copy()
    towards = np.float32(np.inf if place % 2 else -np.inf)
    once = np.nextafter(value.flat[place], towards, dtype=np.float32)
    value.flat[place] = np.nextafter(once, towards, dtype=np.float32)
    editor.put(name, value)


def _swap(name: str, axis: int, editor: Editor) -> None:
    value = np.moveaxis(editor.get(name).copy(), axis, 0)
    value[[0, -1]] = value[[-1, 0]]
    editor.put(name, np.moveaxis(value, 0, axis))

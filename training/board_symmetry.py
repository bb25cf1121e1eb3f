"""The 8 symmetries of a square board, on arrays of boards and on action numbers."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray


def turned(boards: NDArray[Any], turn: int) -> NDArray[Any]:
    """Boards (N, size, size, ...) turned by symmetry 0 to 7: turn % 4 quarter turns, from 4 on mirrored first."""
    mirrored = boards[:, :, ::-1] if turn >= 4 else boards
    return np.ascontiguousarray(np.rot90(mirrored, turn % 4, axes=(1, 2)))


@cache
def turned_actions(size: int, turn: int, passes: bool = False) -> NDArray[np.int64]:
    """Where each action's point goes under a symmetry, int64 (size^2,), with one more entry for a pass."""
    moved = turned(np.arange(size * size).reshape(1, size, size), turn).reshape(-1)
    targets = np.argsort(moved)
    return np.append(targets, size * size) if passes else targets

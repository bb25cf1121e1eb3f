"""Remembers answers: a search reaches a position by several orders of moves, and a match in several games."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..validate.runners.runner import Tensors

# Bytes of boards and answers, enough for a hundred games of Go with 200 simulations a move. If more are needed, the
# oldest are dropped.
ROOM = 1 << 28
Run = Callable[[NDArray[np.float32]], Tensors]
Row = dict[str, NDArray[np.floating]]


class RememberedAnswers:
    """Asks a network each board only once, as long as this object lasts; `run` answers boards (N, ...).

    Boards are identified by their bytes, so an answer never depends on how a board was reached.
    """

    def __init__(self, run: Run, room: int = ROOM) -> None:
        self._run, self._room, self._used = run, room, 0
        self._rows: dict[bytes, Row] = {}

    def run(self, boards: NDArray[np.float32]) -> Tensors:
        """{output: (N, ...)}; boards without a known answer are asked in one batch, each once."""
        keys = [board.tobytes() for board in boards]
        # Stored here as well, because the new answers may displace them.
        known = {key: self._rows[key] for key in keys if key in self._rows}
        new = {key: at for at, key in enumerate(keys) if key not in known}
        if new:
            answers = self._run(boards[list(new.values())])
            for row, key in enumerate(new):
                known[key] = {name: values[row].copy() for name, values in answers.items()}
                self._keep(key, known[key])
            if len(new) == len(keys):
                return answers
        return _stacked([known[key] for key in keys])

    def _keep(self, key: bytes, row: Row) -> None:
        self._rows[key] = row
        self._used += _size(key, row)
        while self._used > self._room:
            oldest = next(iter(self._rows))
            self._used -= _size(oldest, self._rows.pop(oldest))


def _size(key: bytes, row: Row) -> int:
    return len(key) + sum(values.nbytes for values in row.values())


def _stacked(rows: Sequence[Row]) -> Tensors:
    return {name: np.stack([row[name] for row in rows]) for name in rows[0]}

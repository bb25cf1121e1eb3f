"""Connect4 by an exact solver, BitBully, if it is installed."""

from __future__ import annotations

from typing import Any

from ...games.rules.connect4 import COLUMNS, Connect4


class Connect4Solver:
    """Says which moves of a position of the usual board keep its value. ImportError without BitBully."""

    def __init__(self) -> None:
        from bitbully import BitBully, Board

        self._solver: Any = BitBully()
        self._board: Any = Board

    def keeping(self, state: Connect4) -> frozenset[int]:
        """The legal actions after which a win is still a win, and a draw a draw; all in a lost position."""
        first, second = state.plane("mover"), state.plane("opponent")
        if state.to_move:
            first, second = second, first
        scores = self._solver.score_all_moves(self._board((first + 2 * second).astype(int).tolist()))
        value = _sign(max(scores.values()))
        columns = {column for column, score in scores.items() if _sign(score) == value}
        return frozenset(action for action in state.legal_actions() if action % COLUMNS in columns)


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)

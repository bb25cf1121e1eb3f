"""Players of Reversi that the network is measured against: none of them learns.

`OnePly` turns the most discs. `Corners` takes a corner, avoids the cells beside an empty one, and leaves the opponent
the fewest moves. `AlphaBeta` looks some plies ahead (alpha_beta.py). The player's generator chooses among equal moves.
"""

from __future__ import annotations

from ...games.rules.reversi import Reversi
from ...games.state import State
from ..strength import DrawingPlayer
from .alpha_beta import CORNERS, DIAGONALS, EDGES, best_moves


class OnePly(DrawingPlayer):
    """Plays the move that turns the most discs."""

    def choose(self, state: State) -> int:
        """Its move."""
        assert isinstance(state, Reversi)  # noqa: S101
        legal = state.legal_actions()
        if len(legal) == 1:
            return legal[0]
        scores = [self.score(state, action) for action in legal]
        best = [action for action, score in zip(legal, scores, strict=True) if score == max(scores)]
        return best[int(self._rng.integers(len(best)))]

    def score(self, state: Reversi, action: int) -> int:
        """What it thinks of a move."""
        return state.apply(action).scores[state.to_move]


class Corners(OnePly):
    """Plays for the corners, and for few moves of the opponent."""

    def score(self, state: Reversi, action: int) -> int:
        """What it thinks of a move."""
        taken, bit, size = state.discs[0] | state.discs[1], 1 << action, state.size
        score = -state.apply(action).moves.bit_count()
        for corner in range(4):
            if bit & int(CORNERS[size, corner]):
                score += 1_000
            elif not taken & int(CORNERS[size, corner]):
                score -= 100 * (bit & int(DIAGONALS[size, corner]) > 0) + 50 * (bit & int(EDGES[size, corner]) > 0)
        return score


class AlphaBeta(OnePly):
    """Looks `depth` plies ahead."""

    def __init__(self, seed: int, depth: int = 4) -> None:
        super().__init__(seed)
        self._depth = depth

    def choose(self, state: State) -> int:
        """Its move."""
        assert isinstance(state, Reversi)  # noqa: S101
        best = best_moves(state, self._depth)
        return best[int(self._rng.integers(len(best)))]

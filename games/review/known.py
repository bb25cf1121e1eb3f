"""What the rules alone prove of a position within two plies, and what they say of a move by it.

A reason is said where it is proven, whatever a network thinks of the position: a win at once that was left, one of the
opponent's that was open and could have been stopped, one that the move itself has opened.
"""

from __future__ import annotations

from typing import NamedTuple

from ..rules.go import Go
from ..state import State
from ..tactics import forced_moves

MISSED_WIN, NOT_BLOCKED, ALLOWS_WIN = "missed_win", "not_blocked", "allows_win"


class Known(NamedTuple):
    """The `legal` actions, those `left` to choose among, and the `result` for the mover, as `Forced` has them."""

    legal: tuple[int, ...]
    left: tuple[int, ...]
    result: int | None

    def is_choice(self, action: int) -> bool:
        """Whether who plays `action` here could have lost something by another move, or has lost it by this one.

        Not with one legal action, nor where every action has the same proven result, nor by the one that is forced.
        """
        if len(self.legal) < 2 or self.result == -1:
            return False
        return self.left != (self.legal if self.result == 1 else (action,))


class Reason(NamedTuple):
    """Why a move is bad: a `code`, and the winning `action` that was missed, not blocked or allowed."""

    code: str
    action: int


def known_of(state: State) -> Known:
    """What two plies prove of a position; nothing in Go, where people agree on dead stones after two passes."""
    legal = state.legal_actions()
    if isinstance(state, Go):
        return Known(legal, legal, None)
    return Known(legal, *forced_moves(state))


def reason_of(before: Known, after: Known, action: int) -> Reason | None:
    """Why `action`, which leads from one position to the other, is bad; None where nothing is proven to be lost by it.

    A win that is missed is none while it cannot be stopped. Where the opponent wins at once whatever is played, nothing
    was left to lose.
    """
    if before.result == 1:
        is_kept = action in before.left or after.result == -1
        return None if is_kept else Reason(MISSED_WIN, before.left[0])
    if before.result is not None or after.result != 1:
        return None
    # A piece of the mover's never helps the opponent: what wins now and could be played before was a threat before.
    threats = [win for win in after.left if win in before.legal]
    return Reason(NOT_BLOCKED, threats[0]) if threats else Reason(ALLOWS_WIN, after.left[0])

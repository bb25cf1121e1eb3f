"""What the rules alone prove of a position within two plies, or to the end of a game that is counted, and of a move.

A reason is said where it is proven, whatever a network thinks of the position: a win at once that was left, one of the
opponent's that was open and could have been stopped, one that the move itself has opened.
"""

from __future__ import annotations

from typing import NamedTuple

from ..rules import boxes_end, reversi_end
from ..rules.dots_and_boxes import DotsAndBoxes
from ..rules.go import Go
from ..rules.reversi import Reversi
from ..state import State
from ..tactics import forced_moves

# What a margin is counted in.
BOXES, DISCS = "boxes", "discs"
MISSED_WIN, NOT_BLOCKED, ALLOWS_WIN = "missed_win", "not_blocked", "allows_win"


class Known(NamedTuple):
    """The `legal` actions, those `left` to choose among, and the `result` for the mover, as `Forced` has them.

    In Dots and Boxes and in Reversi `margin` is how many boxes or discs (`unit`) more than the opponent the mover ends
    with if both play perfectly, and `left` are the actions that keep it. None in other games, and while more is open
    than is solved.
    """

    legal: tuple[int, ...]
    left: tuple[int, ...]
    result: int | None
    margin: int | None = None
    unit: str = BOXES

    @property
    def chance(self) -> float | None:
        """The mover's chance of winning where it is proven: 1, 0.5 or 0."""
        if self.margin is not None:
            return (1 + (self.margin > 0) - (self.margin < 0)) / 2
        return None if self.result is None else (1 + self.result) / 2

    def is_choice(self, action: int) -> bool:
        """Whether who plays `action` here could have lost something by another move, or has lost it by this one.

        Not with one legal action, nor where every action has the same proven result, nor by the one that is forced.
        """
        if len(self.legal) < 2 or self.result == -1:
            return False
        is_any = self.result == 1 or self.margin is not None
        return self.left != (self.legal if is_any else (action,))


class Reason(NamedTuple):
    """Why a move is bad: a `code`, and the winning `action` that was missed, not blocked or allowed."""

    code: str
    action: int


def known_of(state: State) -> Known:
    """What the rules prove of a position: nothing in Go, where people agree on dead stones after two passes.

    Nothing in Reversi either until its end is solved: a disc of the mover's may open the opponent's cells, so that the
    reasons below would not be true of it.
    """
    legal = state.legal_actions()
    if isinstance(state, DotsAndBoxes) and (boxes := boxes_end.solve_end(state)):
        return Known(legal, boxes.best, None, boxes.margin)
    if isinstance(state, Reversi) and (discs := reversi_end.solve_end(state)):
        return Known(legal, discs.best, None, discs.margin, DISCS)
    if isinstance(state, Reversi):
        return Known(legal, legal, None, unit=DISCS)
    if isinstance(state, Go):
        return Known(legal, legal, None)
    return Known(legal, *forced_moves(state))


def margin_lost(before: Known, after: Known) -> int | None:
    """By how much the move between two positions makes the player's margin worse; None where it is not known."""
    if before.margin is None or after.margin is None:
        return None
    return before.margin + after.margin


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

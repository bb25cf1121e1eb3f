"""What is proven of a position: within two plies, to the end of a game that is counted, by a table; and of a move.

A reason is said where it is proven, whatever a network thinks of the position: a win at once that was left, one of the
opponent's that was open and could have been stopped, one that the move itself has opened.
"""

from __future__ import annotations

from typing import NamedTuple

from ..rules import boxes_end, reversi_end
from ..rules.connect4 import Connect4
from ..rules.connect4_opening import solve_opening
from ..rules.dots_and_boxes import DotsAndBoxes
from ..rules.go import Go
from ..rules.reversi import Reversi
from ..state import State
from ..tactics import forced_moves

# What a margin is counted in.
BOXES, DISCS = "boxes", "discs"
MISSED_WIN, NOT_BLOCKED, ALLOWS_WIN = "missed_win", "not_blocked", "allows_win"
GAVE_WIN, GAVE_DRAW = "gave_win", "gave_draw"


class Known(NamedTuple):
    """The `legal` actions, those `left` to choose among, and the `result` for the mover, as `Forced` has them.

    In Dots and Boxes and in Reversi `margin` is how many boxes or discs (`unit`) more than the opponent the mover ends
    with if both play perfectly, and `left` are the actions that keep it. None in other games, and while more is open
    than is solved.

    In an opening of Connect4 `outcome` is 1, 0 or -1: the mover wins, draws or loses if both play perfectly, and the
    actions `left` keep that, too. None elsewhere.
    """

    legal: tuple[int, ...]
    left: tuple[int, ...]
    result: int | None
    margin: int | None = None
    unit: str = BOXES
    outcome: int | None = None

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
        is_any = self.result == 1 or self.margin is not None or self.outcome is not None
        return self.left != (self.legal if is_any else (action,))


class Reason(NamedTuple):
    """Why a move is bad: a `code`, and the winning `action` that was missed, not blocked or allowed.

    Where a win or a draw of an opening was given away it is the lowest action that keeps it.
    """

    code: str
    action: int


def known_of(state: State) -> Known:
    """What is proven of a position: nothing in Go, where people agree on dead stones after two passes.

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
    left, result = forced_moves(state)
    opening = solve_opening(state) if isinstance(state, Connect4) and result is None else None
    if opening is None:
        return Known(legal, left, result)
    return Known(legal, tuple(at for at in left if at in opening.kept), None, outcome=opening.outcome)


def margin_lost(before: Known, after: Known) -> int | None:
    """By how much the move between two positions makes the player's margin worse; None where it is not known."""
    if before.margin is None or after.margin is None:
        return None
    return before.margin + after.margin


def gives_away(before: Known, action: int) -> bool:
    """Whether `action` gives away the win or the draw that an opening is proven to be."""
    return before.outcome is not None and before.outcome >= 0 and action not in before.left


def reason_of(before: Known, after: Known, action: int) -> Reason | None:
    """Why `action`, which leads from one position to the other, is bad; None where nothing is proven to be lost by it.

    A win that is missed is none while it cannot be stopped. Where the opponent wins at once whatever is played, nothing
    was left to lose. That a win or a draw is given away is said where the opponent cannot win at once.
    """
    if before.result == 1:
        is_kept = action in before.left or after.result == -1
        return None if is_kept else Reason(MISSED_WIN, before.left[0])
    if before.result is None and after.result != 1 and gives_away(before, action):
        return Reason(GAVE_WIN if before.outcome else GAVE_DRAW, before.left[0])
    if before.result is not None or after.result != 1:
        return None
    # A piece of the mover's never helps the opponent: what wins now and could be played before was a threat before.
    threats = [win for win in after.left if win in before.legal]
    return Reason(NOT_BLOCKED, threats[0]) if threats else Reason(ALLOWS_WIN, after.left[0])

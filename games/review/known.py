"""What is proven of a position and of a move: within two plies, to the end of a counted game, or by a table.

A reason is given only if it is proven, whatever a network thinks of the position. The move missed an immediate win, did
not stop an open win of the opponent, or opened one.
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

# The units of a margin.
BOXES, DISCS = "boxes", "discs"
MISSED_WIN, NOT_BLOCKED, ALLOWS_WIN = "missed_win", "not_blocked", "allows_win"
GAVE_WIN, GAVE_DRAW = "gave_win", "gave_draw"
# A proven loss may come nearer by fewer plies than this without a mark.
NEARER_LOSS = 4


class ProvenFacts(NamedTuple):
    """The `legal` actions, those `left` to choose among, and the `result` for the mover, as in `ForcedMoves`.

    In Dots and Boxes and in Reversi `margin` is the mover's final lead in boxes or discs (`unit`) if both play
    perfectly, and `left` are the actions that keep it. None in other games, and while the end is too far to be
    solved.

    In an opening of Connect4 `outcome` is 1, 0 or -1: the mover wins, draws or loses if both play perfectly. Then the
    actions in `left` also keep that outcome. None elsewhere. `distance` is the number of plies to the end if a solver
    has counted them.
    """

    legal: tuple[int, ...]
    left: tuple[int, ...]
    result: int | None
    margin: int | None = None
    unit: str = BOXES
    outcome: int | None = None
    distance: int | None = None

    @property
    def chance(self) -> float | None:
        """The mover's chance of winning if it is proven: 1, 0.5 or 0."""
        if self.margin is not None:
            return (1 + (self.margin > 0) - (self.margin < 0)) / 2
        return None if self.result is None else (1 + self.result) / 2

    def is_choice(self, action: int) -> bool:
        """Whether `action` was a real choice: another move could have lost something, or this one did.

        False with one legal action, if every action has the same proven result, and for the forced action.
        """
        if len(self.legal) < 2 or self.result == -1:
            return False
        is_any = self.result == 1 or self.margin is not None or self.outcome is not None
        return self.left != (self.legal if is_any else (action,))


class Reason(NamedTuple):
    """Why a move is bad: a `code`, and the winning `action` that it missed, did not block, or allowed.

    If a win or a draw of an opening was given away, `action` is the lowest one that keeps it.
    """

    code: str
    action: int


def known_of(state: State) -> ProvenFacts:
    """What is proven of a position: nothing in Go, because people agree on dead stones after two passes.

    In Reversi nothing is proven until its end is solved: a disc of the mover may open cells for the opponent, so the
    reasons below would be false.
    """
    legal = state.legal_actions()
    if isinstance(state, DotsAndBoxes) and (boxes := boxes_end.solve_end(state)):
        return ProvenFacts(legal, boxes.best, None, boxes.margin)
    if isinstance(state, Reversi) and (discs := reversi_end.solve_end(state)):
        return ProvenFacts(legal, discs.best, None, discs.margin, DISCS)
    if isinstance(state, Reversi):
        return ProvenFacts(legal, legal, None, unit=DISCS)
    if isinstance(state, Go):
        return ProvenFacts(legal, legal, None)
    left, result = forced_moves(state)
    opening = solve_opening(state) if isinstance(state, Connect4) and result is None else None
    if opening is None:
        return ProvenFacts(legal, left, result)
    return ProvenFacts(legal, tuple(at for at in left if at in opening.keeping), None, outcome=opening.outcome)


def margin_lost(before: ProvenFacts, after: ProvenFacts) -> int | None:
    """How much worse the move between two positions makes the player's margin; None if that is not known."""
    if before.margin is None or after.margin is None:
        return None
    return before.margin + after.margin


def gives_away(before: ProvenFacts, action: int) -> bool:
    """Whether `action` gives away the proven win or draw of an opening."""
    return before.outcome is not None and before.outcome >= 0 and action not in before.left


def _is_hardly_nearer(before: ProvenFacts) -> bool:
    """Whether the proven loss is so near that losing within two plies is hardly worse."""
    return before.outcome == -1 and before.distance is not None and before.distance - 2 < NEARER_LOSS


def reason_of(before: ProvenFacts, after: ProvenFacts, action: int) -> Reason | None:
    """Why `action`, which leads from one position to the other, is bad; None if no loss is proven.

    If the win is still proven after the move, it was not missed. If the opponent wins at once after every move, nothing
    could be lost. In a game that is proven lost, a move is bad if it brings the loss nearer by `NEARER_LOSS` plies or
    more. A win or draw given away is reported if the opponent cannot win at once.
    """
    if before.result == 1:
        is_kept = action in before.left or after.result == -1 or after.outcome == -1
        return None if is_kept else Reason(MISSED_WIN, before.left[0])
    if before.result is None and after.result != 1 and gives_away(before, action):
        return Reason(GAVE_WIN if before.outcome else GAVE_DRAW, before.left[0])
    if before.result is not None or after.result != 1 or _is_hardly_nearer(before):
        return None
    # A piece of the mover never helps the opponent: a winning cell that was playable before was a threat before.
    threats = [win for win in after.left if win in before.legal]
    return Reason(NOT_BLOCKED, threats[0]) if threats else Reason(ALLOWS_WIN, after.left[0])

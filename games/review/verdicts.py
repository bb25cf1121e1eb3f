"""What the moves of a game were worth: losses of winning chance, verdicts, counts and accuracy.

A move's loss is the best move's chance of winning less the played move's chance, both for the player who moved. The
best move's chance comes from a search of the position before. The played move's comes from a search of the position
after, from the other side's view. If the game is over there, the exact result counts. A loss is never below 0. It
is 0 if the search from the position before would have played that move, because then nothing better is known. That
includes forced moves.

A move that is proven bad has a `Reason`, and its loss is at least a mistake's, however little a network thinks was
left to lose. The boxes or discs that a move costs get a verdict of their own if the end of a game of Dots and
Boxes or of Reversi is solved. The worse verdict counts. In an opening of Connect4 a table says how each move ends.
A move that gives away a win or a draw is a blunder; any other loses nothing, whatever a network thinks.

Mistake and blunder are hard words. Unless a proof gives the reason, they need the agreement of searches of both
positions that are `DEEPER` times as deep. `positions_in_doubt` are the positions that need this second search, each at
most once.

The accuracy of a move is factor * exp(-rate * L) - offset, between 0 and 100, for a loss of L percentage points. The
curve is that of lichess.org/page/accuracy. A player's accuracy is the mean over those of their moves that could lose
something, None with fewer than `FEWEST` such moves. This file never searches. The numbers are in
games/data/thresholds.json.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..tables import read_table
from .known import BOXES, DISCS, ProvenFacts, Reason, gives_away, margin_lost, reason_of

_TABLE = read_table("thresholds")
# From mildest to worst.
VERDICTS: tuple[str, ...] = tuple(verdict["name"] for verdict in _TABLE["verdicts"])
GOOD, *_, MISTAKE, BLUNDER = VERDICTS
LEAST_LOSSES: dict[str, float] = {verdict["name"]: verdict["least_loss"] for verdict in _TABLE["verdicts"]}
# The least loss of each verdict, by the unit of the margin.
LEAST_MARGINS: dict[str, dict[str, int]] = {
    unit: {verdict["name"]: verdict[f"least_{unit}"] for verdict in _TABLE["verdicts"]} for unit in (BOXES, DISCS)
}
# The factor of simulations for a position's second search.
DEEPER: int = _TABLE["deeper"]
# A player with fewer moves that could lose something has no accuracy.
FEWEST: int = _TABLE["accuracy"]["fewest_moves"]
# The verdicts to which a person can jump.
MISTAKES = frozenset(verdict["name"] for verdict in _TABLE["verdicts"] if verdict["is_mistake"])


@dataclass(frozen=True)
class EvaluatedPosition:
    """An evaluated position: `chance` (0 to 1) of `mover`, the player to move, with the action `best`.

    `best` is None if the game is over; `chance` is then the result, 0.5 for a draw. `is_sure` says that it was searched
    twice, or that the rules prove it. `known` holds these proofs; None if they were not sought.
    """

    mover: int
    chance: float
    best: int | None
    is_sure: bool = False
    known: ProvenFacts | None = None


@dataclass(frozen=True)
class JudgedMove:
    """A played move: its player, its `loss` (0 to 1), the verdict, and a better move if it was not good.

    `reason` says why it is proven bad, None without a proof. `is_choice` says that it could have lost something.
    `margin` is its cost in the solved margin, in boxes or discs (`unit`); None if that is not known.
    """

    action: int
    player: int
    loss: float
    verdict: str
    better: int | None
    reason: Reason | None = None
    is_choice: bool = True
    margin: int | None = None
    unit: str = BOXES


def verdict(loss: float) -> str:
    """The verdict on a loss of winning chance."""
    return next(name for name in reversed(VERDICTS) if loss >= LEAST_LOSSES[name])


def verdict_of_margin(lost: int, unit: str) -> str:
    """The verdict on a loss of `lost` boxes or discs."""
    return next(name for name in reversed(VERDICTS) if lost >= LEAST_MARGINS[unit][name])


def judge_moves(positions: Sequence[EvaluatedPosition], actions: Sequence[int]) -> tuple[JudgedMove, ...]:
    """Verdicts on the moves between the positions; `actions[k]` is played in `positions[k]`."""
    moves = zip(positions, positions[1:], actions, strict=False)
    return tuple(_judge(before, after, action) for before, after, action in moves)


def _judge(before: EvaluatedPosition, after: EvaluatedPosition, action: int) -> JudgedMove:
    own = after.chance if after.mover == before.mover else 1 - after.chance
    known = before.known
    is_kept = known is not None and known.outcome is not None and action in known.left
    loss = 0.0 if is_kept or action == before.best else max(0.0, before.chance - own)
    reason = margin = None
    unit = known.unit if known else BOXES
    if known is not None and after.known is not None:
        reason = reason_of(known, after.known, action)
        margin = margin_lost(known, after.known)
    least = MISTAKE if reason else verdict_of_margin(margin or 0, unit)
    loss = max(loss, LEAST_LOSSES[BLUNDER if _gives_away(before, action) else least])
    name = verdict(loss)
    better = None if name == GOOD else before.best
    is_choice = known is None or known.is_choice(action)
    return JudgedMove(action, before.mover, loss, name, better, reason, is_choice, margin, unit)


def _gives_away(before: EvaluatedPosition, action: int) -> bool:
    return before.known is not None and gives_away(before.known, action)


def positions_in_doubt(positions: Sequence[EvaluatedPosition], actions: Sequence[int]) -> list[int]:
    """The positions beside mistakes and blunders that were searched only once, ascending.

    Proven positions need no second search. Nor does a mistake with a reason; a blunder with one may turn out to be a
    mistake.
    """
    moves = enumerate(judge_moves(positions, actions))
    doubted = [at for at, move in moves if _is_doubted(positions[at], move)]
    beside = sorted({position for at in doubted for position in (at, at + 1)})
    return [at for at in beside if not (positions[at].is_sure or positions[at].best is None)]


def _is_doubted(before: EvaluatedPosition, move: JudgedMove) -> bool:
    if move.verdict == BLUNDER:
        return not _gives_away(before, move.action)
    return move.verdict in MISTAKES and move.reason is None


def counts(moves: Iterable[JudgedMove], player: int) -> dict[str, int]:
    """How many moves of a player have each verdict."""
    names = [move.verdict for move in moves if move.player == player]
    return {name: names.count(name) for name in VERDICTS}


def accuracy(moves: Iterable[JudgedMove], player: int) -> float | None:
    """A player's accuracy, 0 to 100; None if fewer than `FEWEST` of their moves could lose something."""
    rates = [_accuracy(move.loss) for move in moves if move.player == player and move.is_choice]
    return sum(rates) / len(rates) if len(rates) >= FEWEST else None


def _accuracy(loss: float) -> float:
    curve = _TABLE["accuracy"]
    rate = curve["factor"] * math.exp(-curve["rate"] * 100 * loss) - curve["offset"]
    return min(100.0, max(0.0, float(rate)))


def next_mistake(moves: Sequence[JudgedMove], shown: int) -> int | None:
    """The index of the next position after a mistake or blunder; from the last one on, that of the first.

    `shown` is the present position. None if there are no mistakes.
    """
    places = [at + 1 for at, move in enumerate(moves) if move.verdict in MISTAKES]
    return next((place for place in places if place > shown), places[0] if places else None)

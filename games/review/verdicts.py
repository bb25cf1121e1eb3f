"""What the moves of a game were worth: losses of winning chance, verdicts, counts and accuracy.

A move's loss is the chance of winning that the best move had, less the chance that the played one had, both for who
played it. The best move's is what a search from the position before says; the played move's what a search from the
position after says for the other side, turned round, or the exact result where the game is over there. A loss is
never below 0, and it is 0 where the played move is the one that the search from the position before would have
played: nothing better is known then. A move that the rules force is such a one.

A blunder is a hard word: it is said once searches of both positions that are `DEEPER` times as deep agree. `doubted`
are the positions that are to be looked at so, each at most once.

The accuracy of a move is 103.1668 * exp(-0.04354 * L) - 3.1669, between 0 and 100, for a loss of L percentage points
(the curve that lichess.org/page/accuracy gives); a player's is the mean of their moves'. Nothing here searches.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

GOOD, INACCURACY, MISTAKE, BLUNDER = "good", "inaccuracy", "mistake", "blunder"
VERDICTS = (GOOD, INACCURACY, MISTAKE, BLUNDER)
# The least loss of each, the largest first.
LEAST_LOSSES = ((0.24, BLUNDER), (0.11, MISTAKE), (0.05, INACCURACY))
# How many times as many simulations a position gets that is looked at again.
DEEPER = 4
# Those to which a person jumps.
MISTAKES = frozenset({MISTAKE, BLUNDER})


@dataclass(frozen=True)
class Seen:
    """What is known of a position: `chance` (0 to 1) is that of `mover`, who is to move, with the action `best`.

    `best` is None where the game is over; `chance` is then the result, 0.5 a draw. `is_sure` where it was looked at
    again.
    """

    mover: int
    chance: float
    best: int | None
    is_sure: bool = False


@dataclass(frozen=True)
class Judged:
    """A move that was played: by whom, its `loss` (0 to 1), the verdict, and a better move where it was not good."""

    action: int
    player: int
    loss: float
    verdict: str
    better: int | None


def verdict(loss: float) -> str:
    """What a loss of winning chance is called."""
    return next((name for least, name in LEAST_LOSSES if loss >= least), GOOD)


def judged(seen: Sequence[Seen], actions: Sequence[int]) -> tuple[Judged, ...]:
    """Verdicts of the moves that lead from each position that was seen to the next; `actions[k]` from `seen[k]`."""
    return tuple(_judge(*pair) for pair in zip(seen, seen[1:], actions, strict=False))


def _judge(before: Seen, after: Seen, action: int) -> Judged:
    own = after.chance if after.mover == before.mover else 1 - after.chance
    loss = 0.0 if action == before.best else max(0.0, before.chance - own)
    name = verdict(loss)
    return Judged(action, before.mover, loss, name, None if name == GOOD else before.best)


def doubted(seen: Sequence[Seen], actions: Sequence[int]) -> list[int]:
    """The positions beside blunders that were looked at only once, ascending; a result needs no second look."""
    blunders = [at for at, move in enumerate(judged(seen, actions)) if move.verdict == BLUNDER]
    beside = sorted({position for at in blunders for position in (at, at + 1)})
    return [at for at in beside if not (seen[at].is_sure or seen[at].best is None)]


def counts(moves: Iterable[Judged], player: int) -> dict[str, int]:
    """How many moves of a player have each verdict."""
    names = [move.verdict for move in moves if move.player == player]
    return {name: names.count(name) for name in VERDICTS}


def accuracy(moves: Iterable[Judged], player: int) -> float | None:
    """A player's accuracy, 0 to 100; None where no move of theirs was judged."""
    rates = [_accuracy(move.loss) for move in moves if move.player == player]
    return sum(rates) / len(rates) if rates else None


def _accuracy(loss: float) -> float:
    return min(100.0, max(0.0, 103.1668 * math.exp(-0.04354 * 100 * loss) - 3.1669))


def next_mistake(moves: Sequence[Judged], shown: int) -> int | None:
    """The next position, counted in moves, that a mistake or a blunder leads to; after the last one the first.

    `shown` is the one that is looked at. None where there is none.
    """
    places = [at + 1 for at, move in enumerate(moves) if move.verdict in MISTAKES]
    return next((place for place in places if place > shown), places[0] if places else None)

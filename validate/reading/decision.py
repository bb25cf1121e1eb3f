"""Decides which reading of a network is its own: the rules for a fact, and for the readings that remain otherwise.

By the policy: one reading finds the right move of wins, blocks and both, for either player to move, each at 0.75 or
more. It is clearly better than its own answers given to other positions, and than every other reading. Wins and blocks
alone are not enough: with swapped colours a block looks like a win. A network that blocks instead of winning finds few
of "both", so its policy decides nothing.

By the value: won positions lie above lost ones of the same player to move and as many pieces. Those in which both
could win, as the mover does, lie above those in which the opponent alone could. Each of these four shares has to reach
a floor, since an untrained value can be regular without knowing anything. It is clearly better than every other reading
with whosever value.

A reading whose worst share is nearly as good remains beside the best, with one exception. A network of absolute colours
counts pieces to see whose turn it is. It often plays as well when it is always shown as the player who began. A network
of the mover's colours does not count, and fails if the player who began is shown as such. So where both are good, and
the mover's are not clearly better, the colours are absolute.

If all that remain are good enough, the network plays alike in each: the best is taken, and the others are named, since
its own one is unknown. In Hex none is taken by the policy alone: the other player's stones, with columns for rows, win
where one's own block, so that both readings look good and one of them is nonsense. Where the value is as good in each,
board and colours are exchanged at once, and both make sense. Two rules that disagree decide nothing. "Clearly" is
McNemar's test, its p times the number of readings: of moves found, or of how far the right one leads, where the
difference is not a small one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...games.encoding import MOVER, OPPONENT
from ...games.known.hypotheses import Hypothesis
from ...games.known.pieces import while_who_began_moves
from ...games.value import ORDER
from .behaviour import (
    OWNERS,
    OrderFigures,
    ReadingAnswers,
    Variant,
    class_of_draws,
    find_hits,
    find_leads,
    list_variants,
    order_values,
    value_width,
)
from .positions import TACTICAL, Sample
from .sign_test import clearly_more

READS, BEGINS_TO_READ, REJECTED = 1e-6, 0.02, 1e-3
FLOOR_OF_MOVES, FLOOR_OF_VALUES, FLOOR_OF_DRAWS = 0.75, 0.75, 0.75
NEARLY = 0.7
# Whose value it is, if the policy has shown the reading: the value's own order need only be clear.
FLOOR_OF_OWNER = 0.65
# A reading whose worst share is less than this below the best one's remains.
GAP = 0.25
# A lead that is smaller by less than this share of the larger one is no difference.
SMALLEST_SHARE = 0.05
UNKNOWN: Variant = ("unknown", None)


@dataclass(frozen=True)
class Standing:
    """How one reading did: the shares of right moves found, blindly too, and of values in their order; None without.

    `with_value` is the reading with whose value it is in it, of one in which the network plays as well as in the best.
    """

    hypothesis: Hypothesis
    moves: float | None
    blindly: float | None
    values: float | None
    with_value: Hypothesis | None = None


@dataclass(frozen=True)
class Decision:
    """What the answers show. `settled` is the reading, with whose value it is; None if that is not known.

    `standings` are the readings that remain, the best first; all of them if the answers show nothing. Where one was
    found it is the first, and in the others the network plays alike.
    """

    settled: Hypothesis | None
    standings: tuple[Standing, ...]
    reads: bool

    @property
    def alike(self) -> tuple[Standing, ...]:
        """The other readings in which the network does as well as in the one that was found."""
        return self.standings[1:] if self.settled is not None else ()


@dataclass(eq=False)
class _Scored:
    answers: ReadingAnswers
    hits: NDArray[np.bool_]
    leads: NDArray[np.float64]
    blind: NDArray[np.bool_]
    cells: tuple[float, ...]
    values: dict[Variant, OrderFigures]

    @property
    def best(self) -> tuple[Variant, OrderFigures]:
        return max(self.values.items(), key=lambda item: item[1].share)


def decide(
    answers: Sequence[ReadingAnswers], samples: Mapping[str, Sample], asked: int, *, last: bool = True
) -> Decision:
    """The decision by the `answers` of some readings, of `asked` in all; those that are missing are rejected.

    Before the last look p counts as it is, and nothing is found: what loses so is only not asked any more.
    """
    known, asked = asked, asked if last else 1
    scored = [_score(one, samples) for one in answers]
    by_policy, left_by_policy = _by_policy(scored, asked)
    by_value, left_by_value = _by_value(scored, asked)
    left = [one for one in scored if one in left_by_policy and one in left_by_value] or scored
    agreed = _agreed(by_policy, list(by_value), left_by_policy)
    if len(agreed) == 1 and agreed[0] in by_policy and min(agreed[0].cells) < FLOOR_OF_MOVES:
        agreed = []
    reads = len(answers) < known or _sees_moves(scored, asked) or _sees_values(scored) or bool(by_value)
    is_nonsense = len(agreed) > 1 and _is_sided(agreed[0]) and not all(one in by_value for one in agreed)
    if agreed and last and not is_nonsense:
        readings = [_with_value(one, by_value.get(one), samples) for one in agreed]
        standings = [replace(_standing(one), with_value=each) for one, each in zip(agreed, readings, strict=True)]
        return Decision(readings[0], tuple(standings), reads)
    # If a network reads nothing, no reading is nearer than another.
    order = (lambda one: -(one.hits.sum() + (one.best[1].share if one.values else 0))) if reads else lambda one: 0
    return Decision(None, tuple(map(_standing, sorted(left, key=order))), reads)


def _is_sided(one: _Scored) -> bool:
    """Whether the players have sides of their own: then the other's colours on the turned board win where one's block.

    A network that finds both plays its part well in either of two readings, and the opponent's in one of them.
    """
    return one.answers.hypothesis.reading.game.sided


def _score(answers: ReadingAnswers, samples: Mapping[str, Sample]) -> _Scored:
    hits, blind = find_hits(answers, samples), find_hits(answers, samples, blindly=True)
    # Players alternate in every kind.
    cells = tuple(float(hits[kind][side::2].mean()) for kind in TACTICAL if kind in hits for side in (0, 1))
    values = {}
    if width := value_width(answers):
        values = order_values(answers, samples, list_variants(width))
    empty = np.zeros(0, dtype=np.bool_)
    return _Scored(
        answers,
        np.concatenate([empty, *hits.values()]),
        find_leads(answers, samples),
        np.concatenate([empty, *blind.values()]),
        cells,
        values,
    )


def _sees_moves(scored: Sequence[_Scored], asked: int) -> bool:
    """Whether the policy finds clearly more moves in some reading than its answers to other positions would."""
    return any(clearly_more(one.hits, one.blind, _reads_at(asked)) for one in scored)


def _sees_values(scored: Sequence[_Scored]) -> bool:
    """Whether the value is nearly good enough in some reading; its p says nothing, as untrained ones are regular."""
    return any(min(ordered.cells) >= NEARLY for one in scored for ordered in one.values.values())


def _by_policy(scored: Sequence[_Scored], asked: int) -> tuple[list[_Scored], Sequence[_Scored]]:
    """The readings that the policy tells, the best first, empty if none; and those that it leaves."""
    ranked = sorted(scored, key=lambda one: (int(one.hits.sum()), float(one.leads.sum())), reverse=True)
    best, level = ranked[0], REJECTED / asked
    if not clearly_more(best.hits, best.blind, _reads_at(asked)):
        return [], scored

    def is_better(one: _Scored, other: _Scored) -> bool:
        return clearly_more(one.hits, other.hits, level) or _leads_clearly(one.leads, other.leads, level)

    def is_near(one: _Scored) -> bool:
        # Below a best one that is not good enough itself, a worst share says little.
        is_good = min(best.cells) >= FLOOR_OF_MOVES
        return min(one.cells) >= min(best.cells) - GAP and (is_good or one.hits.mean() >= best.hits.mean() - GAP)

    left = [one for one in ranked if is_near(one) or not is_better(best, one)]
    counting = [one for one in left if asked > 1 and min(one.cells) >= FLOOR_OF_MOVES]
    left = [one for one in left if not any(_shows_as(other, one) and not is_better(one, other) for other in counting)]
    return (left if _are_good(left) else []), left


def _are_good(left: Sequence[_Scored]) -> bool:
    """Whether the best of the readings is good enough, and each of the others is not clearly below that.

    Those others are named beside it, so that nothing is said as a fact: chance alone may put a small cell of one of
    several equal readings below the floor.
    """
    best, *others = left
    fewest = min((len(one.hits) // len(one.cells) for one in others), default=1)
    chance = (FLOOR_OF_MOVES * (1 - FLOOR_OF_MOVES) / max(fewest, 1)) ** 0.5
    return min(best.cells) >= FLOOR_OF_MOVES and all(min(one.cells) >= FLOOR_OF_MOVES - chance for one in others)


def _by_value(scored: Sequence[_Scored], asked: int) -> tuple[dict[_Scored, Variant], Sequence[_Scored]]:
    """The readings that the value tells, the best first, and whose it is in each; and the readings that it leaves."""
    every = [(one, variant, ordered) for one in scored for variant, ordered in one.values.items()]
    every.sort(key=lambda each: (each[2].share, float(each[2].leads.sum())), reverse=True)
    if not every:
        return {}, scored
    best, _, ordered = every[0]
    count = asked * len(best.values)
    clear = clearly_more(ordered.leads, np.zeros_like(ordered.leads), _reads_at(count if asked > 1 else 1))
    if not clear or min(ordered.cells) < FLOOR_OF_VALUES:
        return {}, scored

    def is_better(one: OrderFigures, other: OrderFigures) -> bool:
        return _leads_clearly(one.leads, other.leads, REJECTED / count)

    left = [each for each in every if min(each[2].cells) >= min(ordered.cells) - GAP or not is_better(ordered, each[2])]
    counting = [each for each in left if asked > 1 and min(each[2].cells) >= FLOOR_OF_VALUES]
    left = [
        (one, whose, mine)
        for one, whose, mine in left
        if not any(
            _shows_as(other, one) and _while_who_began_moves(theirs) == whose and not is_better(mine, its)
            for other, theirs, its in counting
        )
    ]
    readings = list(dict.fromkeys(one for one, *_ in left))
    good = min(min(each[2].cells) for each in left) >= FLOOR_OF_VALUES
    # Of three classes the draws decide the order; here two orders may share the better part of it.
    if (not good and len(readings) > 1) or (len(left) > len(readings) and value_width(best.answers) != len(ORDER)):
        return {}, readings
    return {reading: next(whose for one, whose, _ in left if one is reading) for reading in readings}, readings


def _shows_as(absolute: _Scored, other: _Scored) -> bool:
    """Whether a reading of absolute colours is the other one while the player who began is to move."""
    mine, theirs = absolute.answers.hypothesis.reading.encoding, other.answers.hypothesis.reading.encoding
    return mine != theirs and replace(mine, planes=while_who_began_moves(mine.planes)) == theirs


def _while_who_began_moves(variant: Variant) -> Variant:
    """Whose value it is to one who is always shown the player who began as the mover."""
    whose, order = variant
    return (MOVER if OWNERS[whose][0] > 0 else OPPONENT), order


def _reads_at(count: int) -> float:
    """The p that is asked of one of `count` readings that it reads at all: a large one before the last look."""
    return READS / count if count > 1 else BEGINS_TO_READ


def _leads_clearly(mine: NDArray[np.float64], other: NDArray[np.float64], level: float) -> bool:
    """Whether `mine` (n,) are clearly more than `other`, and by no small part."""
    return clearly_more(mine, other, level) and float(other.mean()) <= (1 - SMALLEST_SHARE) * float(mine.mean())


def _agreed(
    by_policy: Sequence[_Scored], by_value: Sequence[_Scored], left_by_policy: Sequence[_Scored]
) -> Sequence[_Scored]:
    """The readings on which both rules agree, the best first."""
    if not by_policy and by_value:
        # No value decides between two readings that play well: the network may see the board in either.
        several = sum(bool(one.cells) and min(one.cells) >= FLOOR_OF_MOVES - GAP for one in left_by_policy) > 1
        return [] if several else [one for one in by_value if one in left_by_policy]
    return [one for one in by_policy if not by_value or one in by_value]


def _with_value(one: _Scored, variant: Variant | None, samples: Mapping[str, Sample]) -> Hypothesis:
    """The reading with whose value it is and the order of three outputs; a value is unused if these are not known."""
    if not one.values or not one.answers.values:
        return one.answers.hypothesis
    if value_width(one.answers) == len(ORDER):
        whose, order = _of_three(one, samples)
        return one.answers.hypothesis.with_value(whose, order)
    whose, order = variant or _owner(one.values)
    return one.answers.hypothesis.with_value(whose, order)


def _owner(values: Mapping[Variant, OrderFigures]) -> Variant:
    """Whose value it is, if one is clearly better than the others."""
    variant, best = max(values.items(), key=lambda item: min(item[1].cells))
    others = [one for name, one in values.items() if name != variant]
    clear = all(_leads_clearly(best.leads, one.leads, REJECTED / len(values)) for one in others)
    return variant if clear and min(best.cells) >= FLOOR_OF_OWNER else UNKNOWN


def _of_three(one: _Scored, samples: Mapping[str, Sample]) -> Variant:
    draw = class_of_draws(one.answers, samples, FLOOR_OF_DRAWS)
    if draw is None:
        return UNKNOWN
    allowed = {variant: one.values[variant] for variant in list_variants(len(ORDER), draw)}
    return _owner(allowed)


def _standing(one: _Scored) -> Standing:
    moves = float(one.hits.mean()) if one.hits.size else None
    blindly = float(one.blind.mean()) if one.blind.size else None
    return Standing(one.answers.hypothesis, moves, blindly, one.best[1].share if one.values else None)

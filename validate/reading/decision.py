"""Decides which reading of a network is right: the rules for a fact, and for the readings that otherwise remain.

By the policy: one reading finds the right moves in wins, blocks and both, for either player to move, each with a share
of 0.75 or more. It is clearly better than the network's answers to other positions, and than every other reading. Wins
and blocks alone are not enough: with swapped colours, a block looks like a win. A network that blocks instead of
winning finds few of "both", so its policy decides nothing.

By the value: won positions have higher values than lost ones with the same player to move and the same number of
pieces. Positions that both players could win have higher values than those that only the opponent could win. Each of
these four shares must reach a floor, since an untrained value can be regular without meaning. The reading must be
clearly better than every other reading with any owner of the value.

A reading whose worst share is nearly as good stays beside the best, with one exception. A network of absolute colours
counts pieces to find the player to move. It often plays as well if it always sees its own pieces as those of the player
who began. A network of the mover's colours does not count, and fails if the player who began is marked. So if both
readings are good, and the mover's is not clearly better, the colours are absolute.

If all remaining readings are good enough, the network plays equally well in each. The best is chosen and the others are
named, since the right one is unknown. In Hex the policy alone never decides: the other player's stones, with rows and
columns exchanged, win where one's own block. So both readings look good, but one of them is nonsense. If the value is
good in each of them too, board and colours are exchanged together, and both make sense. Two rules that disagree decide
nothing. "Clearly" means McNemar's test, with p times the number of readings. It compares moves found, or the leads of
right moves if their difference is not small.
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
# The floor for the value's owner if the policy has shown the reading; the value's order then only needs to be clear.
FLOOR_OF_OWNER = 0.65
# A reading stays if its worst share is less than this below the best one's.
GAP = 0.25
# A lead counts as equal if it is smaller by less than this share of the larger one.
SMALLEST_SHARE = 0.05
UNKNOWN: Variant = ("unknown", None)


@dataclass(frozen=True)
class Standing:
    """The shares of one reading: right moves found, the same with answers to other positions, values in order.

    A share is None without its output. `with_value` is the reading with the value's owner, if the network plays in it
    as well as in the best one.
    """

    hypothesis: Hypothesis
    moves: float | None
    blindly: float | None
    values: float | None
    with_value: Hypothesis | None = None


@dataclass(frozen=True)
class Decision:
    """The result of the answers: `settled` is the right reading, with the value's owner; None if it is unknown.

    `standings` are the readings that remain, the best first; all of them if the answers show nothing. If `settled` is
    known, it is the first, and the network plays equally well in the others.
    """

    settled: Hypothesis | None
    standings: tuple[Standing, ...]
    reads: bool

    @property
    def alike(self) -> tuple[Standing, ...]:
        """The other readings in which the network plays as well as in the settled one."""
        return self.standings[1:] if self.settled is not None else ()


@dataclass(eq=False)
class _Score:
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
    """The decision from the `answers` of some readings, out of `asked` in all; the missing ones were rejected.

    Before the last round, p is not multiplied and nothing is settled: a reading that loses then is only not asked
    again.
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


def _is_sided(one: _Score) -> bool:
    """Whether the players have sides of their own: the other's colours on the turned board then win where one's block.

    A network that finds both moves plays its part well in either of two readings, but the opponent's part in only one.
    """
    return one.answers.hypothesis.reading.game.sided


def _score(answers: ReadingAnswers, samples: Mapping[str, Sample]) -> _Score:
    hits, blind = find_hits(answers, samples), find_hits(answers, samples, blindly=True)
    # Players alternate in every kind.
    cells = tuple(float(hits[kind][side::2].mean()) for kind in TACTICAL if kind in hits for side in (0, 1))
    values = {}
    if width := value_width(answers):
        values = order_values(answers, samples, list_variants(width))
    empty = np.zeros(0, dtype=np.bool_)
    return _Score(
        answers,
        np.concatenate([empty, *hits.values()]),
        find_leads(answers, samples),
        np.concatenate([empty, *blind.values()]),
        cells,
        values,
    )


def _sees_moves(scored: Sequence[_Score], asked: int) -> bool:
    """Whether the policy finds clearly more moves in some reading than with its answers to other positions."""
    return any(clearly_more(one.hits, one.blind, _reads_at(asked)) for one in scored)


def _sees_values(scored: Sequence[_Score]) -> bool:
    """Whether the value is nearly good enough in some reading.

    P has no meaning here, as untrained values are regular.
    """
    return any(min(ordered.cells) >= NEARLY for one in scored for ordered in one.values.values())


def _by_policy(scored: Sequence[_Score], asked: int) -> tuple[list[_Score], Sequence[_Score]]:
    """The readings that the policy shows, the best first, empty if none; and the readings that it does not reject."""
    ranked = sorted(scored, key=lambda one: (int(one.hits.sum()), float(one.leads.sum())), reverse=True)
    best, level = ranked[0], REJECTED / asked
    if not clearly_more(best.hits, best.blind, _reads_at(asked)):
        return [], scored

    def is_better(one: _Score, other: _Score) -> bool:
        return clearly_more(one.hits, other.hits, level) or _leads_clearly(one.leads, other.leads, level)

    def is_near(one: _Score) -> bool:
        # If the best reading is not good enough itself, its worst share says little.
        is_good = min(best.cells) >= FLOOR_OF_MOVES
        return min(one.cells) >= min(best.cells) - GAP and (is_good or one.hits.mean() >= best.hits.mean() - GAP)

    left = [one for one in ranked if is_near(one) or not is_better(best, one)]
    counting = [one for one in left if asked > 1 and min(one.cells) >= FLOOR_OF_MOVES]
    left = [one for one in left if not any(_shows_as(other, one) and not is_better(one, other) for other in counting)]
    return (left if _are_good(left) else []), left


def _are_good(left: Sequence[_Score]) -> bool:
    """Whether the best of the readings is good enough, and none of the others is clearly worse than that.

    The others are named beside it, so nothing is stated as a fact: among several equal readings, chance alone may put a
    small cell of one below the floor.
    """
    best, *others = left
    fewest = min((len(one.hits) // len(one.cells) for one in others), default=1)
    chance = (FLOOR_OF_MOVES * (1 - FLOOR_OF_MOVES) / max(fewest, 1)) ** 0.5
    return min(best.cells) >= FLOOR_OF_MOVES and all(min(one.cells) >= FLOOR_OF_MOVES - chance for one in others)


def _by_value(scored: Sequence[_Score], asked: int) -> tuple[dict[_Score, Variant], Sequence[_Score]]:
    """The readings that the value shows, the best first, each with the value's owner.

    And those that it does not reject.
    """
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
    # If there are three classes, the draws decide the order; two orders may here share the better part.
    if (not good and len(readings) > 1) or (len(left) > len(readings) and value_width(best.answers) != len(ORDER)):
        return {}, readings
    return {reading: next(whose for one, whose, _ in left if one is reading) for reading in readings}, readings


def _shows_as(absolute: _Score, other: _Score) -> bool:
    """Whether a reading of absolute colours equals the other reading whenever the player who began is to move."""
    mine, theirs = absolute.answers.hypothesis.reading.encoding, other.answers.hypothesis.reading.encoding
    return mine != theirs and replace(mine, planes=while_who_began_moves(mine.planes)) == theirs


def _while_who_began_moves(variant: Variant) -> Variant:
    """The value's owner if the player who began is always shown as the mover."""
    whose, order = variant
    return (MOVER if OWNERS[whose][0] > 0 else OPPONENT), order


def _reads_at(count: int) -> float:
    """The p at which one of `count` readings counts as read at all; it is large before the last round."""
    return READS / count if count > 1 else BEGINS_TO_READ


def _leads_clearly(mine: NDArray[np.float64], other: NDArray[np.float64], level: float) -> bool:
    """Whether `mine` (n,) are clearly larger than `other`, and by more than a small part."""
    return clearly_more(mine, other, level) and float(other.mean()) <= (1 - SMALLEST_SHARE) * float(mine.mean())


def _agreed(
    by_policy: Sequence[_Score], by_value: Sequence[_Score], left_by_policy: Sequence[_Score]
) -> Sequence[_Score]:
    """The readings on which both rules agree, the best first."""
    if not by_policy and by_value:
        # The value does not decide between two readings that play well: the network may use either.
        several = sum(bool(one.cells) and min(one.cells) >= FLOOR_OF_MOVES - GAP for one in left_by_policy) > 1
        return [] if several else [one for one in by_value if one in left_by_policy]
    return [one for one in by_policy if not by_value or one in by_value]


def _with_value(one: _Score, variant: Variant | None, samples: Mapping[str, Sample]) -> Hypothesis:
    """The reading with the value's owner and the order of three outputs; without these the value is unused."""
    if not one.values or not one.answers.values:
        return one.answers.hypothesis
    if value_width(one.answers) == len(ORDER):
        whose, order = _of_three(one, samples)
        return one.answers.hypothesis.with_value(whose, order)
    whose, order = variant or _owner(one.values)
    return one.answers.hypothesis.with_value(whose, order)


def _owner(values: Mapping[Variant, OrderFigures]) -> Variant:
    """The value's owner, if one is clearly better than the others."""
    variant, best = max(values.items(), key=lambda item: min(item[1].cells))
    others = [one for name, one in values.items() if name != variant]
    clear = all(_leads_clearly(best.leads, one.leads, REJECTED / len(values)) for one in others)
    return variant if clear and min(best.cells) >= FLOOR_OF_OWNER else UNKNOWN


def _of_three(one: _Score, samples: Mapping[str, Sample]) -> Variant:
    draw = class_of_draws(one.answers, samples, FLOOR_OF_DRAWS)
    if draw is None:
        return UNKNOWN
    allowed = {variant: one.values[variant] for variant in list_variants(len(ORDER), draw)}
    return _owner(allowed)


def _standing(one: _Score) -> Standing:
    moves = float(one.hits.mean()) if one.hits.size else None
    blindly = float(one.blind.mean()) if one.blind.size else None
    return Standing(one.answers.hypothesis, moves, blindly, one.best[1].share if one.values else None)

"""Measures a network on the probe's positions in each reading: right moves, and values in the right order.

Many readings give the same tensor, which the network answers once. Readings that clearly lose to the best are dropped
from later rounds, so that a large network answers few boards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...export.checkpoint.head import POLICY, VALUE
from ...games.encoding import MOVER, OPPONENT, PLAYER0, PLAYER1, encode
from ...games.known.hypotheses import Hypothesis
from ...games.policy import PROBABILITIES, UNKNOWN, policy_range
from ...games.value import LOSS, ORDER, WIN
from .positions import AHEAD, BEHIND, BLOCK, BOTH, DRAWN, LOST, TACTICAL, Sample, ShownPosition
from .positions import WIN as WON
from .sign_test import Network

# The number of boards per call.
CHUNK = 64
# Probabilities below this count as this.
SMALLEST = 1e-9
# Values count as equal if they differ by less than this share of the difference between won and lost positions.
SLACK = 0.05
# More pieces than a board has.
MOST_PIECES = 1_000
# The kinds that show whether a value recognises the winner.
VALUED = (WON, BLOCK, BOTH, LOST, AHEAD, BEHIND)
# The kinds that are compared, the better one first; a game has some of them.
COMPARED = ((WON, LOST), (BOTH, BLOCK), (AHEAD, BEHIND))
# Whose value it may be, with the factors if player 0 and if player 1 is to move.
OWNERS = {MOVER: (1, 1), OPPONENT: (-1, -1), PLAYER0: (1, -1), PLAYER1: (-1, 1)}
# Three classes in another order can express the opponent's value, too.
OWNERS_OF_THREE = (MOVER, PLAYER0)
Variant = tuple[str, tuple[str, ...] | None]


class TooManyBoardsError(Exception):
    """The network would have to answer more boards than are allowed."""


@dataclass(eq=False)
class ReadingAnswers:
    """One reading's answers so far, by kind: policies (n, width), values (n, 1 or 3); empty without that head."""

    hypothesis: Hypothesis
    policies: dict[str, list[NDArray[Any]]] = field(default_factory=dict)
    values: dict[str, list[NDArray[Any]]] = field(default_factory=dict)


class AskedNetwork:
    """Asks the network once for each board, and for at most `boards` boards."""

    def __init__(self, network: Network, roles: Sequence[str], boards: int) -> None:
        self.roles, self._network, self._known = roles, network, dict[bytes, dict[str, NDArray[Any]]]()
        self._left = boards

    def answer(self, readings: Sequence[ReadingAnswers], shown: Mapping[str, Sequence[ShownPosition]]) -> None:
        """Add the answers to these positions to each reading; TooManyBoardsError before any board is asked."""
        fresh = dict[bytes, NDArray[np.float32]]()
        keys = dict[tuple[str, str], list[bytes]]()
        for one, kind in product(readings, shown):
            boards = [encode(each.state, one.hypothesis.reading.encoding) for each in shown[kind]]
            keys[one.hypothesis.name, kind] = [board.tobytes() for board in boards]
            fresh |= zip(keys[one.hypothesis.name, kind], boards, strict=True)
        self._ask({key: board for key, board in fresh.items() if key not in self._known})
        for one, kind in product(readings, shown):
            answers = [self._known[key] for key in keys[one.hypothesis.name, kind]]
            if not answers:
                continue
            if POLICY in self.roles and kind in TACTICAL:
                one.policies.setdefault(kind, []).extend(answer[POLICY] for answer in answers)
            if VALUE in self.roles:
                one.values.setdefault(kind, []).extend(answer[VALUE] for answer in answers)

    def _ask(self, fresh: Mapping[bytes, NDArray[np.float32]]) -> None:
        every = list(fresh)
        if len(every) > self._left:
            raise TooManyBoardsError
        self._left -= len(every)
        for at in range(0, len(every), CHUNK):
            keys = every[at : at + CHUNK]
            answers = self._network(np.stack([fresh[key] for key in keys]))
            rows = {role: np.asarray(answers[role], np.float64).reshape(len(keys), -1) for role in self.roles}
            self._known |= {key: {role: rows[role][row] for role in self.roles} for row, key in enumerate(keys)}


def find_hits(
    replies: ReadingAnswers, samples: Mapping[str, Sample], *, blindly: bool = False
) -> dict[str, NDArray[np.bool_]]:
    """For each kind, the positions in which a right move has the largest answer of the moves that count, bool (n,).

    With `blindly`, the answers are those to the previous position of the same player.
    """
    hits = {}
    for kind, policies in replies.policies.items():
        answers = _answers(replies, samples[kind], np.roll(policies, 2, axis=0) if blindly else np.array(policies))
        largest = answers.argmax(axis=1)
        rows = np.arange(len(answers))
        hits[kind] = samples[kind].right[rows, largest]
    return hits


def find_leads(replies: ReadingAnswers, samples: Mapping[str, Sample]) -> NDArray[np.float64]:
    """By how much the right move exceeds the best other move that counts, as a share of the range of answers, (n,)."""
    leads = [np.zeros(0)]
    for kind, policies in replies.policies.items():
        rows = np.array(policies)
        answers = _answers(replies, samples[kind], rows)
        if policy_range(UNKNOWN, rows) == PROBABILITIES:
            answers = np.log(np.maximum(answers, SMALLEST))
        is_right = samples[kind].right[: len(rows)]
        right = np.where(is_right, answers, -np.inf).max(axis=1)
        others = np.where(is_right, -np.inf, answers).max(axis=1)
        width = answers.max(axis=1) - answers.min(axis=1)
        leads.append(np.divide(right - others, width, out=np.zeros(len(rows)), where=width > 0))
    return np.concatenate(leads)


def _answers(replies: ReadingAnswers, sample: Sample, policies: NDArray[np.float64]) -> NDArray[np.float64]:
    """The answers (n, most) to the moves that count in the first n positions, from policies (n, width)."""
    count = len(policies)
    places = replies.hypothesis.reading.indices_by_turn[sample.to_move[:count, None], sample.options[:count]]
    answers: NDArray[np.float64] = np.take_along_axis(policies, places, axis=1)
    return answers


def list_variants(width: int, draw: int | None = None) -> list[Variant]:
    """The possible owners of a value of `width` numbers, each with an order; `draw` is the class of draws if known."""
    if width != len(ORDER):
        return [(whose, None) for whose in OWNERS]
    orders = [order for order in permutations(ORDER) if draw is None or order[draw] == "draw"]
    return [(whose, order) for whose in OWNERS_OF_THREE for order in orders]


def value_width(replies: ReadingAnswers) -> int:
    """The number of values in the value output, once every compared position is answered; 0 before, and without one."""
    lower = next((low for high, low in COMPARED if high in replies.values and low in replies.values), None)
    return len(replies.values[lower][0]) if lower else 0


def value_of(rows: NDArray[np.float64], to_move: NDArray[np.int64], variant: Variant) -> NDArray[np.float64]:
    """The mover's values (n,) from the network's rows (n, 1 or 3), if it answers as in `variant`."""
    whose, order = variant
    numbers = rows[:, order.index(WIN)] - rows[:, order.index(LOSS)] if order else rows[:, 0]
    values: NDArray[np.float64] = numbers * np.array(OWNERS[whose])[to_move]
    return values


@dataclass(frozen=True)
class OrderFigures:
    """How a value orders positions: for each pair, the lead of the better position; and for each cell, its right share.

    The two positions of a pair have the same player to move and the same number of pieces. One is won and the other
    lost; or in one both players could win, and in the other only the opponent. A cell is a player to move and one of
    these two kinds.
    """

    leads: NDArray[np.float64]
    cells: tuple[float, ...]

    @property
    def share(self) -> float:
        """The share of pairs in the right order."""
        return float((self.leads > 0).mean())


def order_values(
    replies: ReadingAnswers, samples: Mapping[str, Sample], variants: Sequence[Variant]
) -> dict[Variant, OrderFigures]:
    """For each of the `variants`, how the reading's values order the pairs if the network answers so."""
    values, groups = {}, {}
    for kind in (kind for kind in VALUED if kind in replies.values):
        rows = np.array(replies.values[kind])
        sides = samples[kind].to_move[: len(rows)]
        values[kind] = np.array([value_of(rows, sides, variant) for variant in variants])
        counts = MOST_PIECES * samples[kind].pieces + samples[kind].own
        groups[kind] = 2 * counts[: len(rows)] + sides
    # The positions of won and lost come in pairs; so do the first ones of both and block, and later others.
    leads: list[NDArray[np.float64]] = []
    cells: list[NDArray[np.float64]] = []
    slack = np.zeros((len(variants), 1))
    for high, low in (pair for pair in COMPARED if pair[0] in values and pair[1] in values):
        better, worse = np.nonzero(groups[high][:, None] == groups[low])
        above = values[high][:, better] - values[low][:, worse]
        slack = slack if leads else SLACK * np.abs(above).mean(axis=1, keepdims=True)
        firsts, seconds = _pairs(groups[high], groups[low])
        leads.append(values[high][:, firsts] - values[low][:, seconds])
        # Two nearly equal values count half: an open position can be won, too.
        right = np.sign(np.where(np.abs(above) <= slack, 0, above)) / 2 + 0.5
        for side in (0, 1):
            of_side = right[:, groups[high][better] % 2 == side]
            cells.append(of_side.mean(axis=1) if of_side.size else np.zeros(len(variants)))
    of_variant = zip(variants, np.concatenate(leads, axis=1), np.array(cells).T, strict=True)
    return {variant: OrderFigures(lead, tuple(map(float, cell))) for variant, lead, cell in of_variant}


def _pairs(one: NDArray[np.int64], other: NDArray[np.int64]) -> tuple[list[int], list[int]]:
    """The indices of two lists' members with equal groups; each member is in at most one pair."""
    places = [
        pair
        for group in np.unique(one)
        for pair in zip(np.flatnonzero(one == group).tolist(), np.flatnonzero(other == group).tolist(), strict=False)
    ]
    return [first for first, _ in places], [second for _, second in places]


def class_of_draws(replies: ReadingAnswers, samples: Mapping[str, Sample], least: float) -> int | None:
    """The class of three in which drawn positions fall, in `least` of them for each player to move.

    None if none has it.
    """
    rows = np.array(replies.values.get(DRAWN, []))
    if not len(rows):
        return None
    largest = rows.argmax(axis=1)
    sides = samples[DRAWN].to_move[: len(rows)]
    most = int(np.bincount(largest, minlength=3).argmax())
    decided = np.concatenate([np.array(replies.values[kind]) for kind in (WON, BOTH, LOST)]).argmax(axis=1)
    is_theirs = all((largest[sides == side] == most).mean() >= least for side in (0, 1) if (sides == side).any())
    return most if is_theirs and (decided == most).mean() <= 1 - least else None

"""What a network makes of the probe's positions in each reading: moves that it finds, values in their right order.

The same tensor comes about in many readings: each is asked for once. Readings that clearly lose against the best are
left out of later rounds, so that a large network answers in time.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...export.checkpoint.head import POLICY, VALUE
from ...games.encoding import MOVER, OPPONENT, PLAYER0, PLAYER1, encode
from ...games.game import Reading
from ...games.known.hypotheses import Hypothesis
from ...games.policy import PROBABILITIES, UNKNOWN, policy_range
from ...games.value import LOSS, ORDER, WIN
from .positions import BLOCK, BOTH, DRAWN, LOST, TACTICAL, Shown
from .positions import WIN as WON
from .sign_test import Network

# Boards asked for at once; between two such the clock is looked at.
CHUNK = 64
# Probabilities below it count as it.
SMALLEST = 1e-9
# The kinds that show whether a value sees who wins.
VALUED = (WON, BLOCK, BOTH, LOST)
# Whose value it may be, and what it is to be multiplied with for player 0 and for player 1 to move.
OWNERS = {MOVER: (1, 1), OPPONENT: (-1, -1), PLAYER0: (1, -1), PLAYER1: (-1, 1)}
# Three classes in another order say the opponent's value, too.
OWNERS_OF_THREE = (MOVER, PLAYER0)
Variant = tuple[str, tuple[str, ...] | None]


class TimeIsUpError(Exception):
    """The probe's time is over."""


@dataclass(eq=False)
class Seen:
    """One reading's answers so far, by kind: policies (n, width), values (n, 1 or 3); empty without such a head."""

    hypothesis: Hypothesis
    policies: dict[str, list[NDArray[Any]]] = field(default_factory=dict)
    values: dict[str, list[NDArray[Any]]] = field(default_factory=dict)


class Asked:
    """The network, which is asked once for each board, within `seconds` of processor time."""

    def __init__(self, network: Network, roles: Sequence[str], seconds: float) -> None:
        self.roles, self._network, self._known = roles, network, dict[bytes, dict[str, NDArray[Any]]]()
        self._until = time.process_time() + seconds

    def answer(self, seen: Sequence[Seen], shown: Mapping[str, Sequence[Shown]]) -> None:
        """Add the answers to these positions to each reading's; TimeIsUpError before any is added if it is too late."""
        boards = {
            one.hypothesis.name: {
                kind: [encode(each.state, one.hypothesis.reading.encoding) for each in of_kind]
                for kind, of_kind in shown.items()
            }
            for one in seen
        }
        fresh = {
            board.tobytes(): board
            for kinds in boards.values()
            for of_kind in kinds.values()
            for board in of_kind
            if board.tobytes() not in self._known
        }
        self._ask(list(fresh.values()))
        for one in seen:
            for kind, drawn in boards[one.hypothesis.name].items():
                answers = [self._known[board.tobytes()] for board in drawn]
                if POLICY in self.roles and kind in TACTICAL:
                    one.policies.setdefault(kind, []).extend(answer[POLICY] for answer in answers)
                if VALUE in self.roles:
                    one.values.setdefault(kind, []).extend(answer[VALUE] for answer in answers)

    def _ask(self, fresh: Sequence[NDArray[np.float32]]) -> None:
        for at in range(0, len(fresh), CHUNK):
            if time.process_time() > self._until:
                raise TimeIsUpError
            part = np.stack(fresh[at : at + CHUNK])
            answers = self._network(part)
            for row, board in enumerate(part):
                told = {role: np.asarray(answers[role][row], np.float64).ravel() for role in self.roles}
                self._known[board.tobytes()] = told


def find_hits(
    seen: Seen, shown: Mapping[str, Sequence[Shown]], *, blindly: bool = False
) -> dict[str, NDArray[np.bool_]]:
    """By kind, which positions' right move has the largest answer of all legal ones, bool (n,).

    `blindly`: the answers are those to the position before, of the same player.
    """
    reading = seen.hypothesis.reading
    found = {}
    for kind, policies in seen.policies.items():
        rows = np.roll(policies, 2, axis=0) if blindly else policies
        pairs = zip(shown[kind], rows, strict=False)
        found[kind] = np.array([is_hit(reading, each, row) for each, row in pairs], dtype=np.bool_)
    return found


def find_leads(seen: Seen, shown: Mapping[str, Sequence[Shown]]) -> NDArray[np.float64]:
    """How far the right move lies above the best other legal one, of the range of the legal ones' answers, (n,)."""
    reading = seen.hypothesis.reading
    assert reading.numbering is not None or not seen.policies  # noqa: S101
    leads = []
    for kind, policies in seen.policies.items():
        probable = policy_range(UNKNOWN, np.array(policies)) == PROBABILITIES
        for each, row in zip(shown[kind], policies, strict=False):
            index = reading.numbering.index  # type: ignore[union-attr]
            answers = {action: float(row[index(action)]) for action in each.state.legal_actions()}
            if probable:
                answers = {action: float(np.log(max(number, SMALLEST))) for action, number in answers.items()}
            right, others = answers.pop(each.best or 0), answers.values()
            width = max(right, *others) - min(right, *others)
            leads.append((right - max(others)) / width if width else 0.0)
    return np.array(leads, np.float64)


def is_hit(reading: Reading, shown: Shown, row: NDArray[Any]) -> bool:
    """Whether the largest answer of all legal moves is the right one's."""
    assert reading.numbering is not None  # noqa: S101
    index = reading.numbering.index
    return max(shown.state.legal_actions(), key=lambda action: row[index(action)]) == shown.best


def list_variants(width: int, draw: int | None = None) -> list[Variant]:
    """Whose value of `width` numbers it may be, in which order; `draw` is the class of draws if that is known."""
    if width != len(ORDER):
        return [(whose, None) for whose in OWNERS]
    orders = [order for order in permutations(ORDER) if draw is None or order[draw] == "draw"]
    return [(whose, order) for whose in OWNERS_OF_THREE for order in orders]


def value_of(rows: NDArray[np.float64], to_move: NDArray[np.int64], variant: Variant) -> NDArray[np.float64]:
    """The mover's values (n,) by the network's rows (n, 1 or 3), if it answers as `variant` says."""
    whose, order = variant
    numbers = rows[:, order.index(WIN)] - rows[:, order.index(LOSS)] if order else rows[:, 0]
    values: NDArray[np.float64] = numbers * np.array(OWNERS[whose])[to_move]
    return values


@dataclass(frozen=True)
class Ordered:
    """How a value orders positions: by pair, how far the better one lies above; and the share of right pairs by cell.

    A pair has the same player to move and as many pieces: a position that is won and one that is lost, or one in which
    both could win and one in which only the opponent could. A cell is a player to move and one of these two.
    """

    leads: NDArray[np.float64]
    cells: tuple[float, ...]

    @property
    def share(self) -> float:
        """The share of pairs in their right order."""
        return float((self.leads > 0).mean())


def order_values(seen: Seen, shown: Mapping[str, Sequence[Shown]], variant: Variant) -> Ordered:
    """How the reading's values order the pairs, if the network answers as `variant` says."""
    values = {}
    count = len(seen.values[LOST])
    for kind in VALUED:
        rows = np.array(seen.values[kind][:count])
        values[kind] = value_of(rows, np.array([each.state.to_move for each in shown[kind][: len(rows)]]), variant)
    group = np.array([2 * each.pieces + each.state.to_move for each in shown[LOST][: len(values[LOST])]])
    leads, cells = [], []
    for kind, worse in ((WON, LOST), (BOTH, BLOCK)):
        leads.append(values[kind] - values[worse])
        for side in (0, 1):
            pairs = [
                values[kind][group == one][:, None] - values[worse][group == one][None]
                for one in np.unique(group[group % 2 == side])
            ]
            # Two that are equal are half in their right order: an open position can be won, too.
            above = [np.sign(each).ravel() / 2 + 0.5 for each in pairs]
            cells.append(float(np.concatenate(above).mean()) if above else 0.0)
    return Ordered(np.concatenate(leads), tuple(cells))


def class_of_draws(seen: Seen, shown: Mapping[str, Sequence[Shown]], least: float) -> int | None:
    """The class of three that drawn positions have, in `least` of them for each player to move; None if none has."""
    rows = np.array(seen.values.get(DRAWN, []))
    if not len(rows):
        return None
    largest = rows.argmax(axis=1)
    sides = np.array([each.state.to_move for each in shown[DRAWN][: len(rows)]])
    most = int(np.bincount(largest, minlength=3).argmax())
    decided = np.concatenate([np.array(seen.values[kind]) for kind in (WON, BOTH, LOST)]).argmax(axis=1)
    is_theirs = all((largest[sides == side] == most).mean() >= least for side in (0, 1) if (sides == side).any())
    return most if is_theirs and (decided == most).mean() <= 1 - least else None

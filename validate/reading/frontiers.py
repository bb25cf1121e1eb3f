"""Detects the order in which a network of a territory game reads its planes, such as Go's 17 planes.

The network sees boards that a wall divides (`games/frontiers.py`), in each order. A network that sees the board
correctly gives a higher value to the side with two thirds than to the side with one third. It gives no moves to points
with stones.

The rule: an order is accepted if its value prefers the larger side clearly more often than not. It must also do clearly
better than each other known order, and than two orders that no known network uses. Those have the oldest board first,
and black's boards before white's. "Better" means a larger difference of values or more weight on legal moves, and in
neither clearly less. "Clearly" is the sign test with p < 0.0001 in the first round, 0.001 in the second. The condition
on the value excludes untrained networks that happen to give stones little weight. Because of the two unused orders, a
network that uses one of them is not accepted as something else.

Even boards show whether ones in the last plane mean black to move or white to move. White has the komi, so the mover's
value is smaller if the plane means black. A network that was trained without komi, or hardly uses it, does not show
this. The median difference must be at least a fortieth of the value's range.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...export.checkpoint.head import POLICY, UNKNOWN, VALUE
from ...games.encoding import encode_all
from ...games.game import Convention, Reading
from ...games.policy import PROBABILITIES, policy_range
from ...games.state import State
from .sign_test import Network, clearly_more

# The numbers of pairs of boards, and the p for each.
LOOKS = ((20, 1e-4), (60, 1e-3))
SMALLEST_GAP = 0.05
TURNS = ("player0_to_move", "player1_to_move")


class _Observation(NamedTuple):
    """A network's answers to pairs of boards: the leader's value minus the other's (N,), legal moves' weight (2N,)."""

    leads: NDArray[np.float64]
    legal: NDArray[np.float64]


def by_frontiers(known: Mapping[Convention, Reading], network: Network) -> tuple[list[Convention], str]:
    """The known way in which the network reads, or the ways that remain possible; and the figures, as a clause.

    The network must have a policy and a value of one number.
    """
    some = next(iter(known.values()))
    start, frontiers = some.start(), some.game.frontiers
    assert frontiers is not None  # noqa: S101
    orders: dict[tuple[str, ...], list[Convention]] = {}
    for way, reading in known.items():
        order = tuple(plane for plane in reading.encoding.planes if plane not in TURNS)
        orders.setdefault(order, []).append(way)
    clause = ""
    for count, level in LOOKS:
        pairs = frontiers.leads(start, count)
        pairs_by_order = {order: _show_pairs(known[ways[0]], network, pairs) for order, ways in orders.items()}
        shares = [f"{(own.leads > 0).mean():.0%} with {orders[order][0].says}" for order, own in pairs_by_order.items()]
        clause = f"of {count} pairs of boards with a plain leader its value finds {', '.join(shares)}"
        for order, own in pairs_by_order.items():
            others = [other for name, other in pairs_by_order.items() if name != order]
            if _reads(own, others, level) and _reads(own, _unknown(known[orders[order][0]], network, pairs), level):
                ways = _by_turn(orders[order], known, network, frontiers.even(start, count), level)
                return ways, clause if len(ways) == 1 else f"{clause}, but not whose turn its last plane shows"
    return list(known), clause


def see_leader(reading: Reading, network: Network) -> tuple[bool | None, str]:
    """Whether the value is clearly higher for the leader (None if for neither player); and the figures, as a clause.

    This is for a reading that is the only one for its shapes. A higher value does not show the colours: the opponent's
    planes with the opponent's value look the same.
    """
    start, frontiers = reading.start(), reading.game.frontiers
    assert frontiers is not None  # noqa: S101
    count, level = LOOKS[-1]
    states = [state for pair in frontiers.leads(start, count) for state in pair]
    values = network(encode_all(states, reading.encoding))[VALUE].reshape(len(states)).astype(np.float64)
    leads = values[::2] - values[1::2]
    clause = f"of {count} pairs of boards with a plain leader its value finds {(leads > 0).mean():.0%}"
    none = np.zeros_like(leads)
    is_clear = clearly_more(leads, none, level), clearly_more(none, leads, level)
    return (True if is_clear[0] else False if is_clear[1] else None), clause


def _show_pairs(reading: Reading, network: Network, pairs: Sequence[tuple[State, State]]) -> _Observation:
    """The network's answers to the pairs in this reading."""
    states = [state for pair in pairs for state in pair]
    answers = network(encode_all(states, reading.encoding))
    values = answers[VALUE].reshape(len(states)).astype(np.float64)
    weights = _weights(answers[POLICY].reshape(len(states), -1).astype(np.float64))
    legal = np.array([row[reading.legal(state)].sum() for state, row in zip(states, weights, strict=True)])
    return _Observation(values[::2] - values[1::2], legal)


def _weights(policy: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities (N, width), also from logits."""
    if policy_range(UNKNOWN, policy) == PROBABILITIES:
        return policy
    powers = np.exp(policy - policy.max(axis=1, keepdims=True))
    weights: NDArray[np.float64] = powers / powers.sum(axis=1, keepdims=True)
    return weights


def _reads(mine: _Observation, others: Sequence[_Observation], level: float) -> bool:
    """Whether the value recognises the leader, and `mine` does clearly better than each of the others."""
    return clearly_more(mine.leads, np.zeros_like(mine.leads), level) and all(
        _better(mine, other, level) and not _better(other, mine, level) for other in others
    )


def _better(mine: _Observation, other: _Observation, level: float) -> bool:
    return any(clearly_more(of_mine, of_other, level) for of_mine, of_other in zip(mine, other, strict=True))


def _unknown(reading: Reading, network: Network, pairs: Sequence[tuple[State, State]]) -> list[_Observation]:
    """The network's answers to the pairs in the orders that no known network uses."""
    planes = reading.encoding.planes
    coloured = [plane.replace("mover", "player0").replace("opponent", "player1") for plane in planes]
    oldest = list(planes)
    for side in ("mover", "opponent"):
        places = [at for at, plane in enumerate(planes) if plane.partition("@")[0] == side]
        for at, other in zip(places, reversed(places), strict=True):
            oldest[at] = planes[other]
    readings = [replace(reading, encoding=replace(reading.encoding, planes=tuple(p))) for p in (coloured, oldest)]
    return [_show_pairs(each, network, pairs) for each in readings]


def _by_turn(
    ways: list[Convention],
    known: Mapping[Convention, Reading],
    network: Network,
    even: Sequence[State],
    level: float,
) -> list[Convention]:
    """Of two encodings, the one whose plane shows the turn correctly; both if the value does not decide."""
    values = [network(encode_all(even, known[way].encoding))[VALUE].reshape(len(even)) for way in ways]
    for mine, other, way in zip(values, reversed(values), ways, strict=True):
        # Player 0, who gets no komi, is to move: the value is lower than for the player who gets the komi.
        if clearly_more(other, mine, level) and np.median(other - mine) >= SMALLEST_GAP:
            return [way]
    return ways

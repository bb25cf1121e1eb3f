"""The root of a search that shares its simulations out by sequential halving, without random draws.

A search at the root wants to find the best move, not to visit good ones often. Of the moves that look best at first a
few are considered, all are visited equally often, the worse half is left, and so on until two remain. What looks best
is the largest logarithm of the prior plus the rescaled value (`score_moves`). Ivo Danihelka, Arthur Guez, Julian
Schrittwieser and David Silver, "Policy improvement by planning with Gumbel", ICLR 2022; the numbers are those of mctx
(github.com/google-deepmind/mctx), with Gumbel's noise left out: the same position always has the same search.

Everything is IEEE double arithmetic in the order written, the logarithm too, so that visits are the same in every
language.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .nodes import Nodes
from .search_settings import Gumbel

# Where nobody knows how many simulations there will be, so many are shared out first, then twice as many, and so on.
FIRST_SHARE = 32
# A smaller prior counts as this one, so that it has a logarithm.
LEAST_PRIOR = 1e-300
# Values that lie nearer to each other count as equal.
LEAST_SPAN = 1e-8
LN2 = 0.6931471805599453
SQRT_HALF = 0.7071067811865476


def logarithm(number: float) -> float:
    """The natural logarithm of a number above 0 and at most 1, by arithmetic that every language does alike.

    With s = (m - 1) / (m + 1) it is ln m = 2 (s + s^3 / 3 + s^5 / 5 + ...), for m between the root of 1/2 and 1.
    """
    doublings = 0
    while number < SQRT_HALF:
        number, doublings = number * 2, doublings + 1
    s = (number - 1) / (number + 1)
    square, total = s * s, 0.0
    for odd in range(21, 0, -2):
        total = total * square + 1 / odd
    return 2 * s * total - doublings * LN2


class Halving:
    """Which moves are to be visited, one simulation after the other: those with as many visits as `step` says.

    `moves` is how many there are to choose from, `simulations` how many are shared out.
    """

    def __init__(self, moves: int, simulations: int) -> None:
        self._simulations, self._halvings = simulations, max(1, (moves - 1).bit_length())
        self._left_in, self._visits = moves, 0
        self._begin_phase()

    def _begin_phase(self) -> None:
        self._rounds = max(1, self._simulations // (self._halvings * self._left_in))
        self._to_visit = self._left_in

    def step(self) -> int:
        """The number of visits that the next simulation's move has so far, within what is shared out here."""
        if self._to_visit == 0:
            self._visits, self._rounds, self._to_visit = self._visits + 1, self._rounds - 1, self._left_in
            if self._rounds == 0:
                self._left_in = max(min(2, self._left_in), self._left_in // 2)
                self._begin_phase()
        self._to_visit -= 1
        return self._visits


def score_moves(
    children: Nodes, logits: NDArray[np.float64], value: float, c_visit: float, c_scale: float
) -> NDArray[np.float64]:
    """The scores, float64 (n,), of the root's children: n rows of NODE, ascending by action.

    `logits` float64 (n,) are the logarithms of the priors, and `value` is the network's of the root. A child without a
    visit counts as worth the mean of `value` and of the visited ones' values, weighted by their priors. All values are
    stretched to reach from 0 to 1.
    """
    scores = np.empty(len(children))
    visits, most, priors = 0, 0, 0.0
    for at in range(len(children)):
        count = children[at]["visits"]
        visits, most = visits + count, max(most, count)
        if count > 0:
            priors += max(LEAST_PRIOR, children[at]["prior"])
    weighted = 0.0
    for at in range(len(children)):
        count = children[at]["visits"]
        if count > 0:
            weighted += max(LEAST_PRIOR, children[at]["prior"]) * (children[at]["total"] / count) / priors
    mixed = (value + visits * weighted) / (visits + 1)
    low, high = np.inf, -np.inf
    for at in range(len(children)):
        count = children[at]["visits"]
        scores[at] = children[at]["total"] / count if count > 0 else mixed
        low, high = min(low, scores[at]), max(high, scores[at])
    scale, span = (c_visit + most) * c_scale, max(high - low, LEAST_SPAN)
    for at in range(len(children)):
        scores[at] = logits[at] + scale * ((scores[at] - low) / span)
    return scores


@cache
def _score(compiled: bool) -> Callable[..., NDArray[np.float64]]:
    if not compiled:
        return score_moves
    from .compiled import compile_function

    return compile_function(score_moves)


class GumbelRoot:
    """How a search's simulations at its root are shared out, and which move is the best in the end."""

    def __init__(self, settings: Gumbel, compiled: bool) -> None:
        self._settings, self._score = settings, _score(compiled)
        self.forget()

    def forget(self) -> None:
        """The root is another one."""
        self._is_open = False
        self._size = self._left = 0
        self._halving: Halving | None = None
        self._before: NDArray[np.int64] | None = None
        self._logits: NDArray[np.float64] | None = None

    def begin(self, simulations: int | None) -> None:
        """So many simulations belong together from now on; None: nobody knows how many."""
        self._is_open = simulations is None
        self._share_out(FIRST_SHARE if simulations is None else simulations)

    def _share_out(self, simulations: int) -> None:
        self._size = self._left = simulations
        self._halving = self._before = None

    def count(self, to_come: int) -> None:
        """A simulation begins, with `to_come` more of the same run, itself counted."""
        if self._left == 0:
            self._share_out(2 * self._size if self._is_open else to_come)
        self._left -= 1

    def choose(self, children: Nodes, value: float) -> int:
        """Which of the root's children, counted from the first, the simulation that was counted last visits."""
        if self._halving is None or self._before is None:
            self._halving = Halving(min(self._settings.considered, len(children)), self._left + 1)
            self._before = children["visits"].copy()
        step, news = self._halving.step(), children["visits"] - self._before
        return self._best_of(np.flatnonzero(news == step).tolist(), children, value)

    def best(self, children: Nodes, value: float, among: Sequence[int]) -> int:
        """The best of those children that `among` lists: of the ones visited most since the plan began, by score."""
        news = children["visits"] - (0 if self._before is None else self._before)
        most = max(news[among])
        return self._best_of([at for at in among if news[at] == most], children, value)

    def _best_of(self, among: Sequence[int], children: Nodes, value: float) -> int:
        if self._logits is None:
            priors: list[Any] = children["prior"].tolist()
            self._logits = np.array([logarithm(max(LEAST_PRIOR, prior)) for prior in priors])
        scores = self._score(children, self._logits, value, self._settings.c_visit, self._settings.c_scale)
        return max(among, key=lambda at: (scores[at], -at))

"""The root of a search that shares its simulations out by sequential halving, without random draws.

At the root a search should find the best move, not visit good moves often. So it considers a few moves that look best
at first. It visits all of them equally often, drops the worse half, and so on until two remain. The best move has the
largest sum of the prior's logarithm and the rescaled value (`score_moves`). The method is from Ivo Danihelka, Arthur
Guez, Julian Schrittwieser and David Silver, "Policy improvement by planning with Gumbel", ICLR 2022; the numbers are
those of mctx (github.com/google-deepmind/mctx). Gumbel's noise is left out, so that the same position always has the
same search. A search that makes training data adds it (`Noise`).

All arithmetic is IEEE double in the order written, including the logarithm, so that visits are the same in every
language.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..search_settings import Gumbel
from .forms import Form
from .nodes import LEAST_PRIOR, SHARED, Nodes, Share

# If the number of simulations is unknown, this many are shared out first, then twice as many, and so on.
FIRST_SHARE = 32
LN2 = 0.6931471805599453
SQRT_HALF = 0.7071067811865476


def logarithms_of(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """The natural logarithms of numbers above 0 and at most 1, by arithmetic that is the same in every language.

    A number is m / 2^k, with m between the root of 1/2 and 1; with s = (m - 1) / (m + 1), ln m is
    2 (s + s^3 / 3 + s^5 / 5 + ...).
    """
    m, exponents = np.frexp(numbers)
    below = m < SQRT_HALF
    m = np.where(below, m * 2, m)
    s = (m - 1) / (m + 1)
    square, total = s * s, np.zeros(len(s))
    for odd in range(21, 0, -2):
        total = total * square + 1 / odd
    logarithms: NDArray[np.float64] = 2 * s * total - (below - exponents) * LN2
    return logarithms


class Halving:
    """The order of visits: each simulation goes to a move that has had as many visits as `step` says.

    `moves` is the number of moves to choose from, `simulations` the number shared out.
    """

    def __init__(self, moves: int, simulations: int) -> None:
        self._simulations, self._halvings = simulations, max(1, (moves - 1).bit_length())
        self._left_in, self._visits = moves, 0
        self._begin_phase()

    def _begin_phase(self) -> None:
        self._rounds = max(1, self._simulations // (self._halvings * self._left_in))
        self._to_visit = self._left_in

    def step(self) -> int:
        """The number of visits that the next simulation's move has had under this plan."""
        if self._to_visit == 0:
            self._visits, self._rounds, self._to_visit = self._visits + 1, self._rounds - 1, self._left_in
            if self._rounds == 0:
                self._left_in = max(min(2, self._left_in), self._left_in // 2)
                self._begin_phase()
        self._to_visit -= 1
        return self._visits


@lru_cache(maxsize=1 << 10)
def _steps(moves: int, simulations: int) -> NDArray[np.float64]:
    """The steps of a number of simulations, float64 (simulations,)."""
    halving = Halving(moves, simulations)
    return np.array([halving.step() for _ in range(simulations)], np.float64)


class Noise:
    """Gumbel's noise from a generator, `scale` times: with less of it, moves that seem better are played more often."""

    def __init__(self, rng: np.random.Generator, scale: float = 1.0) -> None:
        self._rng, self.scale = rng, scale

    def draw(self, count: int) -> NDArray[np.float64]:
        """The noise of `count` moves, float64 (count,)."""
        return self.scale * -np.log(-np.log(1 - self._rng.random(count)))


class GumbelRoot:
    """How a search's simulations at its root are shared out, and which move is the best in the end.

    The walk through the tree reads `share`, which has the step of each simulation to come (see `Halving`).
    """

    def __init__(self, settings: Gumbel, form: Form, noise: Noise | None = None) -> None:
        self._settings, self._form, self._noise = settings, form, noise
        self.forget()

    def forget(self) -> None:
        """Forget the plan: the root has changed."""
        self.share = self._begun()
        self._is_open, self._size, self._visits = False, 0, 0
        self._before: NDArray[np.int64] | None = None
        self._logarithms: NDArray[np.float64] | None = None
        self._drawn: NDArray[np.float64] | None = None

    def _begun(self) -> Share:
        return np.array([0.0, 0.0, 0.0, self._settings.c_visit, self._settings.c_scale])

    def begin(self, simulations: int | None, visits: int) -> None:
        """Plan the next `simulations` as one whole, None if their number is unknown; the root has had `visits`."""
        self._is_open = simulations is None
        self._size, self._visits = FIRST_SHARE if simulations is None else simulations, visits
        self.share, self._before = self._begun(), None

    def share_out(self, root: np.void, children: Nodes, value: float, to_come: int) -> None:
        """Share out the rest of the plan. After its end, share out the next one: twice as many, or `to_come`.

        It is twice as many if the number of simulations is unknown; `to_come` are those left of this run. `root` is a
        row of NODE, `children` (n,) of NODE are its children and `value` is the network's value of it.
        """
        visits = int(root["visits"])
        if visits - self._visits >= self._size:
            self._size, self._visits = 2 * self._size if self._is_open else to_come, visits
        count, steps = len(children), self._size - (visits - self._visits)
        self._before = children["visits"].copy()
        share = np.zeros(SHARED + 3 * count + steps)
        share[:SHARED] = (0, steps, value, self._settings.c_visit, self._settings.c_scale)
        share[SHARED : SHARED + 3 * count : 3] = self._before
        share[SHARED + 1 : SHARED + 3 * count : 3] = self._logits(children) + self._gumbels(count)
        share[SHARED + 3 * count :] = _steps(min(self._settings.considered, count), steps)
        self.share = share

    def best(self, children: Nodes, value: float, among: Sequence[int]) -> int:
        """Of the children that `among` lists and that were visited most since the plan began, the best by score."""
        news = children["visits"] - (0 if self._before is None else self._before)
        most = max(news[among])
        scores = self._scores(children, value) + self._gumbels(len(children))
        return max((at for at in among if news[at] == most), key=lambda at: (scores[at], -at))

    def improve(self, children: Nodes, value: float) -> NDArray[np.float64]:
        """The improved policy over the children, float64 (n,), with sum 1: softmax(logits + sigma(completed Q)).

        Danihelka et al. 2022, equation 11, without the noise.
        """
        scores = self._scores(children, value)
        weights: NDArray[np.float64] = np.exp(scores - scores.max())
        improved: NDArray[np.float64] = weights / weights.sum()
        return improved

    def _scores(self, children: Nodes, value: float) -> NDArray[np.float64]:
        """The present scores of the children, float64 (n,)."""
        count = len(children)
        share = np.zeros(SHARED + 3 * count)
        share[:SHARED] = (0, 0, value, self._settings.c_visit, self._settings.c_scale)
        share[SHARED + 1 :: 3] = self._logits(children)
        self._form.score_moves(self._form.nodes(children), 0, count, self._form.numbers(share))
        return share[SHARED + 2 :: 3]

    def _gumbels(self, count: int) -> NDArray[np.float64]:
        """Gumbel's noise for each of `count` children, float64 (count,), drawn once for each root; 0 without noise."""
        if self._noise is None:
            return np.zeros(count)
        if self._drawn is None or len(self._drawn) != count:
            self._drawn = self._noise.draw(count)
        return self._drawn

    def _logits(self, children: Nodes) -> NDArray[np.float64]:
        """The logarithms of the priors, float64 (n,); they stay the same as long as the root does."""
        if self._logarithms is None:
            self._logarithms = logarithms_of(np.maximum(children["prior"], LEAST_PRIOR))
        return self._logarithms

"""The ends of a rating's interval: where its profile likelihood falls to a given depth below its top.

The profile likelihood of a rating is the highest likelihood over all choices of the other ratings.

Newton's method finds both the other ratings and the distance. One system of equations gives a step's three parts: how
far the others are from their best, how they follow when the rating moves, and how steep the profile is.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .elo import expected_scores

Floats = NDArray[np.float64]
# In units of a factor e. `FARTHEST` is 6,950 Elo points: an end beyond it counts as infinite. The log-likelihood at an
# end must come within `NEAR`.
FARTHEST, NEAR, MOST_STEPS = 40.0, 1e-6, 100
# The other ratings must come within `SETTLED` of their best; the log-likelihood feels the square of that. No step is
# longer than `LONGEST`.
SETTLED, LONGEST, MOST_TURNS, RIDGE = 1e-5, 2.0, 500, 1e-12


def profile_ends(scored: Floats, likeliest: Floats, rating: int, fixed: Floats, depth: float) -> tuple[float, float]:
    """Both ends of the interval of one rating; an end is infinite if the profile never falls by `depth`.

    Args:
        scored: float64 (players, players), the row's player's score against the column's.
        likeliest: float64 (players,), the likeliest ratings.
        rating: the number of the rating whose interval is wanted.
        fixed: float64 (sums, players), sums of ratings that stay as they are in `likeliest`.
        depth: the distance of an end's log-likelihood below the highest.

    """
    held = np.vstack([fixed, np.eye(len(likeliest))[rating]])
    return _end(scored, likeliest, rating, held, depth, -1), _end(scored, likeliest, rating, held, depth, 1)


def _end(scored: Floats, likeliest: Floats, rating: int, held: Floats, depth: float, side: int) -> float:
    """One end of the interval. Works on the square root of the depth, which is nearly linear in the distance."""
    top, goal = log_likelihood(scored, likeliest), math.sqrt(depth)
    _, follow, bend = _step(scored, likeliest, held)
    inside, outside, distance = 0.0, math.inf, min(goal * math.sqrt(2 / max(bend, RIDGE)), FARTHEST)
    ratings, last = likeliest, 0.0
    for _ in range(MOST_STEPS):
        ratings, follow, slope = _settle(scored, ratings + side * (distance - last) * follow, held)
        last, below = distance, top - log_likelihood(scored, ratings)
        if abs(below - depth) < NEAR:
            break
        if below < depth:
            inside = distance
            if distance >= FARTHEST:
                return side * math.inf
        else:
            outside = distance
        root = math.sqrt(max(below, RIDGE))
        steep = max(-side * slope, RIDGE) / (2 * root)
        distance = min(distance + (goal - root) / steep, 2 * distance, FARTHEST)
        if not inside < distance < outside:
            distance = (inside + outside) / 2 if math.isfinite(outside) else min(2 * inside, FARTHEST)
    return float(likeliest[rating]) + side * last


def _settle(scored: Floats, ratings: Floats, held: Floats) -> tuple[Floats, Floats, float]:
    """The likeliest ratings at fixed sums, how they follow the last sum, and the slope there."""
    for _ in range(MOST_TURNS):
        step, follow, _ = _step(scored, ratings, held)
        longest = np.abs(step).max()
        ratings = ratings + step * min(1.0, LONGEST / max(longest, SETTLED))
        if longest < SETTLED:
            break
    return ratings, follow, float(_slope(scored, ratings) @ follow)


def _step(scored: Floats, ratings: Floats, held: Floats) -> tuple[Floats, Floats, float]:
    """Newton's step at fixed sums, how all ratings follow when the last sum moves by 1, and the profile's bend."""
    chance = expected_scores(ratings)
    games = scored + scored.T
    spread = games * chance * (1 - chance)
    size, sums = len(ratings), len(held)
    system = np.zeros((size + sums,) * 2)
    system[:size, :size] = -spread
    # The ridge keeps a player without games in place.
    system[range(size), range(size)] += spread.sum(axis=1) + RIDGE
    system[size:, :size], system[:size, size:] = held, held.T
    wanted = np.zeros((size + sums, 2))
    wanted[:size, 0] = (scored - games * chance).sum(axis=1)
    wanted[-1, 1] = 1.0
    solved = np.asarray(np.linalg.solve(system, wanted), np.float64)
    return solved[:size, 0], solved[:size, 1], -float(solved[-1, 1])


def _slope(scored: Floats, ratings: Floats) -> Floats:
    slope: Floats = (scored - (scored + scored.T) * expected_scores(ratings)).sum(axis=1)
    return slope


def log_likelihood(scored: Floats, ratings: Floats) -> float:
    """The log-likelihood of `ratings` (players,) if row scored `scored` (players, players) against column."""
    return -float((scored * np.logaddexp(0.0, ratings[None, :] - ratings[:, None])).sum())

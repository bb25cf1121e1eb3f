"""The ends of a rating's interval: where its profile likelihood, all others chosen best, is so far below its top.

Both the others and the distance are found by Newton's method. One system gives all that a step needs. It says how far
the others are from their best, how they follow when the rating moves, and how steep the profile is.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .elo import expected_scores

Floats = NDArray[np.float64]
# In units of a factor e, 6,950 Elo points; an end beyond is at infinity. How near an end's log-likelihood must come.
FARTHEST, NEAR, MOST_STEPS = 40.0, 1e-6, 100
# How near the others must come to their best, of which the log-likelihood feels the square; their longest step, beyond
# which the model bends.
SETTLED, LONGEST, MOST_TURNS, RIDGE = 1e-5, 2.0, 500, 1e-12


def profile_ends(scored: Floats, found: Floats, rating: int, fixed: Floats, depth: float) -> tuple[float, float]:
    """Both ends of the interval of one of the ratings, infinite if its profile never falls by `depth`.

    Args:
        scored: float64 (players, players), what the row's player scored against the column's.
        found: the likeliest ratings.
        rating: the number of the one that is asked for.
        fixed: float64 (sums, players), sums of ratings that stay as they are in `found`.
        depth: how far below its highest the log-likelihood is at an end.

    """
    held = np.vstack([fixed, np.eye(len(found))[rating]])
    return _end(scored, found, rating, held, depth, -1), _end(scored, found, rating, held, depth, 1)


def _end(scored: Floats, found: Floats, rating: int, held: Floats, depth: float, side: int) -> float:
    """One end of the interval, from the square root of the depth, which is nearly linear in the distance."""
    top, goal = log_likelihood(scored, found), math.sqrt(depth)
    _, follow, bend = _step(scored, found, held)
    inside, outside, distance = 0.0, math.inf, min(goal * math.sqrt(2 / max(bend, RIDGE)), FARTHEST)
    ratings, last = found, 0.0
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
    return float(found[rating]) + side * last


def _settle(scored: Floats, ratings: Floats, held: Floats) -> tuple[Floats, Floats, float]:
    """The ratings once all but the held sums are the likeliest, how they follow the last one, and their slope there."""
    for _ in range(MOST_TURNS):
        step, follow, _ = _step(scored, ratings, held)
        longest = np.abs(step).max()
        ratings = ratings + step * min(1.0, LONGEST / max(longest, SETTLED))
        if longest < SETTLED:
            break
    return ratings, follow, float(_slope(scored, ratings) @ follow)


def _step(scored: Floats, ratings: Floats, held: Floats) -> tuple[Floats, Floats, float]:
    """Newton's step that keeps the held sums, how all follow where the last sum moves by 1, and the profile's bend."""
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

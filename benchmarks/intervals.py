"""How often the 95 % intervals of `azx match` hold the truth, in simulated matches of known strengths.

    python benchmarks/intervals.py [--tables 2000]

Ratings of round robins whose players lie up to 1,200 Elo points apart, and scores of pairings whose
pairs of games agree more or less. A share within 93 to 97 % is as promised.
"""

from __future__ import annotations

import argparse

import numpy as np

from azx.play.rating.bradley_terry import bradley_terry
from azx.play.rating.elo import score_interval

TABLES = [
    ((80, 0, -80), 60),
    ((400, 0, -400), 60),
    ((400, 0, -400), 20),
    ((600, 0, -600), 40),
    ((300, 100, -100, -300), 20),
    ((200, -200), 40),
]
# By name: the chances that a pair of games scores 0, 1/4, 1/2, 3/4 and 1.
PAIRS = {
    "even": (0.1, 0.2, 0.4, 0.2, 0.1),
    "drawish": (0.02, 0.05, 0.6, 0.23, 0.1),
    "nearly all split": (0, 0, 0.9, 0.1, 0),
    "one much stronger": (0, 0, 0.05, 0.15, 0.8),
    **{f"each game won in {p:.0%}": ((1 - p) ** 2, 0, 2 * p * (1 - p), 0, p * p) for p in (0.5, 0.75, 0.9, 0.97)},
}


def rating_coverage(truth: tuple[int, ...], games: int, tables: int, seed: int = 0) -> float:
    """The share of ratings in `tables` round robins, of so many games a pairing, that lie in their intervals."""
    rng, strengths = np.random.default_rng(seed), np.array(truth)
    chance = 1 / (1 + 10 ** ((strengths[None, :] - strengths[:, None]) / 400))
    held = 0
    for _ in range(tables):
        won = np.triu(rng.binomial(games, chance), 1).astype(float)
        found = bradley_terry(won + np.tril(games - won.T, -1))
        held += sum(rating.low <= true <= rating.high for rating, true in zip(found, truth, strict=True))
    return held / tables / len(truth)


def score_coverage(chances: tuple[float, ...], pairs: int, matches: int, seed: int = 0) -> float:
    """The share of `matches` of so many pairs of games whose interval holds the true score."""
    rng, outcomes = np.random.default_rng(seed), np.linspace(0, 1, 5)
    truth = float(outcomes @ chances)
    found = [score_interval(list(rng.choice(outcomes, size=pairs, p=chances))) for _ in range(matches)]
    return float(np.mean([interval.low - 1e-12 <= truth <= interval.high + 1e-12 for interval in found]))


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=2_000)
    tables = parser.parse_args().tables
    print("ratings within their intervals")
    for truth, games in TABLES:
        print(f"  {truth!s:<28} {games:>3} games a pairing  {rating_coverage(truth, games, tables):.1%}", flush=True)
    print("scores within their intervals, from 10, 20, 50 and 200 pairs of games")
    for name, chances in PAIRS.items():
        found = [score_coverage(chances, pairs, 5 * tables) for pairs in (10, 20, 50, 200)]
        print(f"  {name:<28} " + "  ".join(f"{share:.1%}" for share in found), flush=True)


if __name__ == "__main__":
    main()

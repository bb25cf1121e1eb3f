"""How well `azx.play.rating` rates, chooses pairs and gates, in simulated leagues of known strengths.

    python -P benchmarks/rating.py [--leagues 500] [--gates 1000] [--json]

Two games of a pair share an opening, so they are drawn together: each has the expected score of its players, draws in
some share, and the two go against each other more or less (an opening that wins for whoever begins).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from statistics import NormalDist

import numpy as np

from azx.play.rating.gate import Gate
from azx.play.rating.league import League
from azx.play.rating.next_pair import next_pair
from azx.play.rating.strength import intervals, strength

NORMAL = NormalDist()
# Doubt at which the best network counts as found, and pairs of games after which a search is given up.
FOUND, MOST_PAIRS = 0.05, 4000
# By name: strengths in Elo points, and how many pairs of games each two play.
LEAGUES = (
    ("8 of a training run", (0, 60, 110, 150, 180, 200, 215, 225), 20),
    ("5 far apart", (-450, -150, 0, 200, 400), 20),
    ("8 with few games", (0, 60, 110, 150, 180, 200, 215, 225), 5),
)


@dataclass(frozen=True)
class Play:
    """How games go: `draws` of 1 gives twice E(1 - E) of them, `together` is how two games of an opening correlate."""

    draws: float
    together: float


PLAYS = {
    "no draws, independent": Play(0.0, 0.0),
    "no draws, openings decide": Play(0.0, -0.6),
    "many draws": Play(0.9, 0.0),
    "many draws, openings decide": Play(0.7, -0.5),
}


def pair_scores(lead: float, play: Play, count: int, rng: np.random.Generator) -> np.ndarray:
    """Scores, 0 to 1, of so many pairs of games for who leads by `lead` Elo points."""
    expected = 1 / (1 + 10 ** (-lead / 400))
    drawn = 2 * play.draws * expected * (1 - expected)
    lost = 1 - expected - drawn / 2
    one, other = rng.standard_normal((2, count))
    other = play.together * one + np.sqrt(1 - play.together**2) * other
    below, upto = NORMAL.inv_cdf(lost), NORMAL.inv_cdf(lost + drawn)
    games = [np.where(each < below, 0.0, np.where(each < upto, 0.5, 1.0)) for each in (one, other)]
    return (games[0] + games[1]) / 2


def round_robin(truth: np.ndarray, pairs: int, play: Play, rng: np.random.Generator) -> League:
    """A league in which each two have played so many pairs."""
    league = League.empty(len(truth))
    for one, other in combinations(range(len(truth)), 2):
        for score in pair_scores(truth[one] - truth[other], play, pairs, rng):
            league.add(one, other, score)
    return league


def coverage(truth: np.ndarray, pairs: int, play: Play, leagues: int, seed: int = 0) -> float:
    """The share of ratings that lie in their 95 % intervals, of so many leagues."""
    rng, held = np.random.default_rng(seed), 0
    centred = truth - truth.mean()
    for _ in range(leagues):
        league = round_robin(truth, pairs, play, rng)
        found = intervals(league, strength(league))
        held += sum(rating.low <= true <= rating.high for rating, true in zip(found, centred, strict=True))
    return held / leagues / len(truth)


@dataclass(frozen=True)
class Search:
    """How a search for the best network ended: pairs played, whether it was found and whether it is the best."""

    pairs: int
    ended: bool
    right: bool


def chosen(truth: np.ndarray, play: Play, rng: np.random.Generator, most: int = MOST_PAIRS) -> Search:
    """Play the pair that tells most, again and again, until the best network is found."""
    league, told = League.empty(len(truth)), strength(League.empty(len(truth)))
    for pairs in range(1, most + 1):
        one, other = next_pair(league, told)
        league.add(one, other, pair_scores(truth[one] - truth[other], play, 1, rng)[0])
        told = strength(league)
        if told.doubt <= FOUND and league.played.sum(axis=1).min() > 0:
            return Search(pairs, True, told.leader == truth.argmax())
    return Search(most, False, told.leader == truth.argmax())


def all_play(truth: np.ndarray, play: Play, rng: np.random.Generator, most: int = MOST_PAIRS) -> Search:
    """Let all play all, round by round, until the best network is found."""
    league = League.empty(len(truth))
    pairings = list(combinations(range(len(truth)), 2))
    for played in range(1, most // len(pairings) + 1):
        for one, other in pairings:
            league.add(one, other, pair_scores(truth[one] - truth[other], play, 1, rng)[0])
        told = strength(league)
        if told.doubt <= FOUND:
            return Search(played * len(pairings), True, told.leader == truth.argmax())
    return Search(most, False, told.leader == truth.argmax())


def strengths(networks: int, rng: np.random.Generator, gap: float = 25.0, spread: float = 120.0) -> np.ndarray:
    """Strengths of a training run's networks; the best is ahead of all others by at least `gap`."""
    while True:
        truth = rng.normal(0, spread, networks)
        if np.diff(np.sort(truth)[-2:])[0] >= gap:
            return truth


def searches(networks: int, play: Play, leagues: int, seed: int = 0) -> tuple[list[Search], list[Search]]:
    """The same leagues, searched by chosen pairs and by round robins."""
    rng = np.random.default_rng(seed)
    one, other = list[Search](), list[Search]()
    for _ in range(leagues):
        truth = strengths(networks, rng)
        one.append(chosen(truth, play, rng))
        other.append(all_play(truth, play, rng))
    return one, other


def passes(gate: Gate, lead: float, play: Play, runs: int, seed: int = 0, most: int = 20_000) -> tuple[float, float]:
    """The share of runs in which a network with this lead passes the gate, and the mean number of pairs."""
    rng, passed, played = np.random.default_rng(seed), 0, 0
    for _ in range(runs):
        counts, verdict = [0] * 5, None
        while verdict is None and sum(counts) < most:
            for score in pair_scores(lead, play, 16, rng):
                counts[round(4 * score)] += 1
                verdict = gate.verdict(counts)
                if verdict is not None:
                    break
        passed += verdict is True
        played += sum(counts)
    return passed / runs, played / runs


def interval_figures(leagues: int) -> Iterator[tuple[str, str]]:
    """How many of the ratings' intervals hold the truth."""
    for (name, play), (title, truth, pairs) in product(PLAYS.items(), LEAGUES):
        yield f"{name}; {title}, {pairs} pairs each", f"{coverage(np.array(truth), pairs, play, leagues):.1%}"


def search_figures(leagues: int) -> Iterator[tuple[str, str]]:
    """How many games it takes to find the best network."""
    for (name, play), networks in product(PLAYS.items(), (8, 16)):
        yield f"{name}; {networks} networks", summary(*searches(networks, play, leagues))


def gate_figures(runs: int) -> Iterator[tuple[str, str]]:
    """How often a gate lets networks pass that lie at its limits."""
    for (name, play), (elo0, elo1) in product(PLAYS.items(), ((0.0, 30.0), (-10.0, 40.0))):
        for lead in (elo0, elo1):
            share, pairs = passes(Gate(elo0, elo1), lead, play, runs)
            yield f"{name}; gate {elo0:g},{elo1:g}, lead {lead:g}", f"passes {share:.1%}, after {pairs:.0f} pairs"


def main() -> None:
    """Print the three tables, or all of it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--leagues", type=int, default=500)
    parser.add_argument("--searches", type=int, default=100)
    parser.add_argument("--gates", type=int, default=1000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    parts = {
        "ratings within their 95 % intervals": interval_figures(options.leagues),
        "the best network found": search_figures(options.searches),
        "gates": gate_figures(options.gates),
    }
    told: dict[str, dict[str, str]] = {}
    for title, figures in parts.items():
        told[title] = {}
        if not options.json:
            print(title)
        for name, figure in figures:
            told[title][name] = figure
            if not options.json:
                print(f"  {name:<64} {figure}", flush=True)
    if options.json:
        print(json.dumps(told, indent=1))


def summary(one: list[Search], other: list[Search]) -> str:
    """How many pairs both took in all, and how often what was found is the best."""
    total, round_robins = (sum(search.pairs for search in group) for group in (one, other))
    right, sure = (sum(search.right for search in group) / len(group) for group in (one, other))
    unended = sum(not search.ended for search in one), sum(not search.ended for search in other)
    return (
        f"{total / len(one):.0f} of {round_robins / len(other):.0f} pairs ({total / round_robins:.0%}), "
        f"right {right:.0%} and {sure:.0%}, given up {unended[0]} and {unended[1]}"
    )


if __name__ == "__main__":
    main()

"""Leagues of known strengths, by which ratings, choices of pairs and sequential tests are held to the truth.

Two games of a pair share an opening, so they are drawn together: each has the expected score of its players, draws in
some share, and the two go against each other more or less (an opening that wins for whoever begins).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist

import numpy as np

from azx.match.rating.league import League
from azx.match.rating.league_ratings import intervals, rate_league
from azx.match.rating.next_pair import next_pair
from azx.match.rating.sprt import Sprt

NORMAL = NormalDist()
# Doubt at which the best network counts as found, and pairs of games after which a search is given up.
FOUND, MOST_PAIRS = 0.05, 4000


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
        found = intervals(league, rate_league(league))
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
    league, told = League.empty(len(truth)), rate_league(League.empty(len(truth)))
    for pairs in range(1, most + 1):
        one, other = next_pair(league, told)
        league.add(one, other, pair_scores(truth[one] - truth[other], play, 1, rng)[0])
        told = rate_league(league)
        if told.doubt <= FOUND and league.pair_counts.sum(axis=1).min() > 0:
            return Search(pairs, True, told.leader == truth.argmax())
    return Search(most, False, told.leader == truth.argmax())


def all_play(truth: np.ndarray, play: Play, rng: np.random.Generator, most: int = MOST_PAIRS) -> Search:
    """Let all play all, round by round, until the best network is found."""
    league = League.empty(len(truth))
    pairings = list(combinations(range(len(truth)), 2))
    for played in range(1, most // len(pairings) + 1):
        for one, other in pairings:
            league.add(one, other, pair_scores(truth[one] - truth[other], play, 1, rng)[0])
        told = rate_league(league)
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


def passes(sprt: Sprt, lead: float, play: Play, runs: int, seed: int = 0, most: int = 20_000) -> tuple[float, float]:
    """The share of runs in which a network with this lead passes the test, and the mean number of pairs."""
    rng, passed, played = np.random.default_rng(seed), 0, 0
    for _ in range(runs):
        counts, verdict = [0] * 5, None
        while verdict is None and sum(counts) < most:
            for score in pair_scores(lead, play, 16, rng):
                counts[round(4 * score)] += 1
                verdict = sprt.verdict(counts)
                if verdict is not None:
                    break
        passed += verdict is True
        played += sum(counts)
    return passed / runs, played / runs

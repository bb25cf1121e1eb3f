"""The sequential test of a new network: what it counts, where it ends and how often it errs."""

from __future__ import annotations

import math

import pytest
import simulated_leagues as simulated

from azx.match.rating.sprt import FEWEST, Sprt, parse_sprt


def expected(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


def test_with_two_outcomes_it_is_walds_ratio() -> None:
    """Then the lead alone says how likely each is."""
    sprt = Sprt(0, 40)
    won, lost = 70, 50
    high, low = expected(40), expected(0)
    ratio = won * math.log(high / low) + lost * math.log((1 - high) / (1 - low))
    assert sprt.log_likelihood_ratio([lost, 0, 0, 0, won]) == pytest.approx(ratio, abs=0.01)


def test_outcomes_that_vary_less_tell_more() -> None:
    sprt = Sprt(0, 20)
    wide, narrow = ([40, 0, 40, 0, 60], [0, 40, 40, 60, 0])
    score = [sum(count * at / 4 for at, count in enumerate(counts)) / sum(counts) for counts in (wide, narrow)]
    assert 0.5 < score[1] < score[0]
    assert sprt.log_likelihood_ratio(narrow) > sprt.log_likelihood_ratio(wide) > 0
    mirrored = [sprt.log_likelihood_ratio(list(counts)) for counts in (wide[::-1], narrow[::-1])]
    assert mirrored[1] < mirrored[0] < 0


def test_it_says_nothing_from_few_games_and_ends_where_wald_says() -> None:
    sprt = Sprt(-50, 50, alpha=0.05, beta=0.1)
    assert sprt.bounds == pytest.approx((math.log(0.07 / 0.965), math.log(0.93 / 0.035)))
    assert sprt.verdict([0, 0, 0, 0, FEWEST - 1]) is None
    assert sprt.verdict([0, 0, 2, 1, 40]) is True
    assert sprt.verdict([40, 1, 2, 0, 0]) is False
    assert sprt.verdict([5, 0, 20, 0, 5]) is None


@pytest.mark.parametrize("text", ["", "5", "20,0", "0,0", "0,20,40", "a,b", "0,inf", "nan,3"])
def test_a_text_that_is_no_gate_is_said_to_be_none(text: str) -> None:
    with pytest.raises(ValueError, match="gate"):
        parse_sprt(text)


def test_a_gate_is_read() -> None:
    assert parse_sprt("-2.5, 10") == Sprt(-2.5, 10)


@pytest.mark.parametrize("name", simulated.PLAYS)
def test_it_seldom_errs(name: str) -> None:
    """A short form of the simulation in benchmarks/README.md, which finds at most 5 % in 1,000 runs."""
    sprt, play = Sprt(-20, 40), simulated.PLAYS[name]
    assert simulated.passes(sprt, -20, play, 100, seed=3)[0] <= 0.08
    assert simulated.passes(sprt, 40, play, 100, seed=3)[0] >= 0.92

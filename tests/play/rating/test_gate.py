"""The sequential test of a new network: what it counts, where it ends and how often it errs."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from sibling import sibling

from azx.play.rating.gate import FEWEST, Gate, parse_gate

simulated = sibling(str(Path(__file__).parents[3] / "benchmarks" / "any"), "rating")


def expected(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


def test_with_two_outcomes_it_is_walds_ratio() -> None:
    """Then the lead alone says how likely each is."""
    gate = Gate(0, 40)
    won, lost = 70, 50
    high, low = expected(40), expected(0)
    ratio = won * math.log(high / low) + lost * math.log((1 - high) / (1 - low))
    assert gate.log_likelihood_ratio([lost, 0, 0, 0, won]) == pytest.approx(ratio, abs=0.01)


def test_outcomes_that_vary_less_tell_more() -> None:
    gate = Gate(0, 20)
    wide, narrow = ([40, 0, 40, 0, 60], [0, 40, 40, 60, 0])
    score = [sum(count * at / 4 for at, count in enumerate(counts)) / sum(counts) for counts in (wide, narrow)]
    assert 0.5 < score[1] < score[0]
    assert gate.log_likelihood_ratio(narrow) > gate.log_likelihood_ratio(wide) > 0
    mirrored = [gate.log_likelihood_ratio(list(counts)) for counts in (wide[::-1], narrow[::-1])]
    assert mirrored[1] < mirrored[0] < 0


def test_it_says_nothing_from_few_games_and_ends_where_wald_says() -> None:
    gate = Gate(-50, 50, alpha=0.05, beta=0.1)
    assert gate.bounds == pytest.approx((math.log(0.07 / 0.965), math.log(0.93 / 0.035)))
    assert gate.verdict([0, 0, 0, 0, FEWEST - 1]) is None
    assert gate.verdict([0, 0, 2, 1, 40]) is True
    assert gate.verdict([40, 1, 2, 0, 0]) is False
    assert gate.verdict([5, 0, 20, 0, 5]) is None


@pytest.mark.parametrize("text", ["", "5", "20,0", "0,0", "0,20,40", "a,b", "0,inf", "nan,3"])
def test_a_text_that_is_no_gate_is_said_to_be_none(text: str) -> None:
    with pytest.raises(ValueError, match="gate"):
        parse_gate(text)


def test_a_gate_is_read() -> None:
    assert parse_gate("-2.5, 10") == Gate(-2.5, 10)


@pytest.mark.parametrize("name", simulated.PLAYS)
def test_it_seldom_errs(name: str) -> None:
    """A short form of benchmarks/rating.py, which finds at most 5 % in 1,000 runs."""
    gate, play = Gate(-20, 40), simulated.PLAYS[name]
    assert simulated.passes(gate, -20, play, 100, seed=3)[0] <= 0.08
    assert simulated.passes(gate, 40, play, 100, seed=3)[0] >= 0.92

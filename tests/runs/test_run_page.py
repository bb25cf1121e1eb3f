"""The page of a run: its curves, its table, and that nothing in a run becomes a tag of it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, tostring

import pytest

from azx.pages.curves import Curve, curve_plot, stacked_bars
from azx.pages.markup import POLICY
from azx.runs.page import LATEST, page
from azx.runs.run import Run, begin_run

HOSTILE = "<script>alert(1)</script>"


def line(number: int, **more: Any) -> dict[str, Any]:
    return {
        "generation": number,
        "games": 200,
        "positions": 4_000,
        "window": 3_000,
        "plies": 21.5,
        "proven": 0.75,
        "policy_loss": 1.25,
        "value_loss": 0.5,
        "best": number % 2 == 1,
        "seconds": {"play": 30.0, "learn": 8.0, "judge": 2.0},
        **more,
    }


def rated(number: int) -> dict[str, Any]:
    contest = {"points": 24.0, "games": 40, "elo": 70.0, "low": -20.0, "high": 150.0}
    return line(number, elo=70.0 * number, contest=contest)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return begin_run(tmp_path / "run", "hex", {"size": 5, "rule": "swap"}, {}, 7, None)


def test_a_page_shows_the_strength_with_its_interval(run: Run) -> None:
    text = page(run, [line(1, elo=0.0), *map(rated, range(2, 6))])
    assert "The best is generation 5: Elo +350." in text
    assert "5 generations of 4x32, 1,000 games, 20,000 positions, 3 minutes." in text
    assert text.count('class="band"') == 1
    assert "24 of 40 points" in text
    assert re.search(r"Rule.*swap", text)
    assert text.count("<svg") == 7


def test_a_page_shows_the_exact_figure_where_there_is_one(run: Run) -> None:
    text = page(run, [line(at, figure=float(40 - at), about="lines of play lost") for at in (1, 2, 3)])
    assert "The best is generation 3: 37 lines of play lost." in text
    assert "Elo" not in text


def test_a_page_shows_solved_positions_if_they_were_counted(run: Run) -> None:
    solved = {"percent": 73.5, "low": 67.0, "high": 79.1, "positions": 200}
    lines = [line(1, elo=0.0), line(2, elo=1.0, solved=solved), line(3, elo=2.0, solved=solved)]
    text = page(run, lines)
    assert "200 positions, by the policy alone" in text
    assert text.count("<svg") == 8


def test_a_page_of_one_generation_is_whole(run: Run) -> None:
    assert "1 generations" not in page(run, [line(1, elo=0.0)])


def test_a_page_asks_for_nothing_and_nothing_becomes_a_tag(run: Run) -> None:
    hostile = replace(run, start_from=HOSTILE)
    text = page(hostile, [line(1, figure=3.0, about=HOSTILE), line(2, figure=2.0, about=HOSTILE)])
    assert POLICY in text
    assert "<script" not in text
    assert "&lt;script&gt;alert(1)" in text
    assert not re.search(r"(src|href)=", text)


def test_a_long_run_has_a_short_table(run: Run) -> None:
    lines = [line(at, elo=0.0, best=at == 1) for at in range(1, 200)]
    assert page(run, lines).count('<td data-label="Generation">') == LATEST + 1


def test_a_page_shows_actors_and_learner_where_others_play(run: Run) -> None:
    """Three places for 40 s each generation are 120 s, of which 84 s were spent playing and 6 s judging."""
    assert "Seconds of an actor" not in page(run, [line(1, elo=0.0)])
    spent = {"places": 3, "seconds": 84.0, "processor": 80.0, "judging": 6.0}
    text = page(run, [line(at, elo=0.0, actors=spent) for at in (1, 2)])
    assert "Seconds of the learner" in text
    assert "of which the last generation had 3. They were at work for 75 % of the time." in text
    assert text.count("<svg") == 8
    # One other place is told by its games, which are of the network before the last one.
    one = {"places": 1, "seconds": 20.0, "processor": 20.0, "judging": 0.0}
    assert "Seconds of an actor" in page(run, [line(at, elo=0.0, player=max(0, at - 2), actors=one) for at in (1, 2)])


def drawn(curve: Curve) -> str:
    parent = Element("div")
    curve_plot(parent, curve)
    return tostring(parent, encoding="unicode")


def test_a_curve_leaves_out_what_is_no_number() -> None:
    assert drawn(Curve("none", [None, float("nan")])) == "<div />"
    text = drawn(Curve("some", [1.0, None, float("inf"), 3.0]))
    assert text.count("<circle") == 2
    assert "nan" not in text
    assert "inf" not in text


@pytest.mark.parametrize("values", [[0.0], [5.0, 5.0], [-3.0, -3.0], [1e-9, 2e-9], [1e9, -1e9]])
def test_a_curve_lies_within_its_drawing(values: list[float]) -> None:
    for from_zero in (True, False):
        text = drawn(Curve("curve", values, from_zero=from_zero))
        places = [(float(x), float(y)) for x, y in re.findall(r'cx="([-0-9.]+)" cy="([-0-9.]+)"', text)]
        assert len(places) == len(values)
        assert all(46 <= x <= 352 and 13.9 <= y <= 136.1 for x, y in places), places
        assert 2 <= text.count('class="grid"') <= 8


def test_bars_stand_on_one_another() -> None:
    parent = Element("div")
    stacked_bars(parent, "Seconds", ["one", "two"], [[1.0, 3.0], [2.0, 2.0]])
    paths = [each.get("d") or "" for each in parent.iter("path") if "part" in (each.get("class") or "")]
    assert len(paths) == 2
    tops, bottoms = (
        re.findall(pattern, path) for pattern, path in zip((r"V([0-9.]+)h", r"M[0-9.]+ ([0-9.]+)V"), paths, strict=True)
    )
    assert tops == bottoms

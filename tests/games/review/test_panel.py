"""The panel of a shown position: no two of its figures contradict each other."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from golden.panel import DRAWN, GRAPHS, WRITTEN, draw_facts, panels

from azx.games.review.graph import facts_in, graph_of
from azx.games.review.known import ProvenFacts
from azx.games.review.panel import (
    CHANCE,
    Ended,
    Lead,
    Moment,
    Panel,
    PanelCandidate,
    PanelFacts,
    PlayedMove,
    Searched,
    panel_of,
    standard_error,
)

FIXTURE = Path(__file__).parents[3] / "mobile_assets" / "fixtures" / "panel.json"
LEGAL = (0, 1, 2, 3, 4)


def searched(*rows: tuple[int, float]) -> Searched:
    return Searched(rows[0][1], None, tuple(PanelCandidate(at, *row) for at, row in enumerate(rows)))


def sides(panel: Panel) -> set[int]:
    """The sides on which the figures of a panel stand, 0 left out."""
    figure, found = panel.figure, list[float]()
    if figure:
        found += [figure.value - 0.5 if figure.unit == CHANCE else figure.value, (panel.share or 0) - 0.5]
    if panel.proven:
        found.append(panel.proven.result)
    found += [{"won": 1, "lost": -1}.get(panel.headline, 0)]
    return {int(np.sign(number)) for number in found} - {0}


def test_the_fixture_is_what_the_code_says() -> None:
    assert json.loads(FIXTURE.read_text()) == json.loads(json.dumps(panels()))
    assert len(panels()["cases"]) == len(WRITTEN) + DRAWN


def test_no_two_figures_are_on_different_sides() -> None:
    rng = np.random.default_rng(1)
    for _ in range(2_000):
        facts = draw_facts(rng)
        panel = panel_of(facts)
        assert len(sides(panel)) <= 1, facts
        if panel.figure is None:
            continue
        turn = 1 if facts.mover == facts.side else -1
        for option in panel.options:
            if option.value is not None:
                assert turn * option.value <= turn * panel.figure.value + 1e-12, facts


def test_a_table_beats_a_search_that_sees_hope() -> None:
    known = ProvenFacts(LEGAL, LEGAL, None, outcome=-1)
    panel = panel_of(PanelFacts(0, 0, known=known, search=searched((90, 0.3), (80, 0.3))))
    assert panel.figure is not None
    assert (panel.figure.value, panel.figure.source, panel.headline) == (0, "solved", "lost")
    assert [option.value for option in panel.options] == [0, 0]
    # The moves are not called equally good.
    assert panel.equal == ()


def test_a_lead_of_49_points_is_no_chance_of_0() -> None:
    panel = panel_of(PanelFacts(1, 0, "points", 81, points=Lead(-49, 36), search=searched((50, 1.0))))
    assert panel.figure is not None
    assert panel.figure[1:4] == ("points", 49, 36)
    assert panel.share is not None
    assert panel.share > 0.5
    assert [option.value for option in panel.options] == [None]


def test_the_end_beats_what_a_network_thought() -> None:
    panel = panel_of(PanelFacts(0, 1, end=Ended(-1), network=0.01, earlier=0.99))
    assert panel.figure is not None
    assert (panel.figure.value, panel.share, panel.headline) == (0, 0, "over")


def test_a_solved_end_fills_no_bar_against_its_count() -> None:
    known = ProvenFacts((0, 1), (0,), None, 9)
    panel = panel_of(PanelFacts(0, 0, "boxes", 9, known=known, search=searched((50, 0.48))))
    assert panel.figure is not None
    assert (panel.figure.unit, panel.figure.value, panel.share) == ("boxes", 9, 1)


def test_rounding_makes_no_moves_equal() -> None:
    # Both are shown as 0 %, and are 40 standard errors apart.
    far = searched((1_000_000, 0.0041), (900_000, 0.0001))
    assert panel_of(PanelFacts(0, 0, search=far)).equal == (0,)
    # One is shown as 1 %, four as 0 %: a hundred visits do not tell them apart.
    near = searched((50, 0.004), (40, 0.003), (40, 0.002), (30, 0.001), (30, 0.012))
    assert panel_of(PanelFacts(0, 0, search=near)).equal == LEGAL
    assert panel_of(PanelFacts(0, 0, search=searched((50, 0.5), (24, 0.5)))).equal == (0,)


def test_a_standard_error_falls_with_visits() -> None:
    errors = [standard_error(0.3, visits) for visits in (0, 10, 100, 1000)]
    assert errors == sorted(errors, reverse=True)
    assert errors[2] == pytest.approx(((31 / 102) * (71 / 102) / 102) ** 0.5)


def test_a_mistake_shows_its_better_move_and_try_again_together() -> None:
    played = PlayedMove(3, 0, "mistake", None, 4, (1,))
    panel = panel_of(PanelFacts(0, 1, played=played, moment=Moment("over", is_replay=True, has_mistakes=True)))
    assert panel.played is not None
    assert panel.better is not None
    assert (panel.headline, panel.better.action, panel.act) == ("verdict", 4, "try_again")
    good = panel_of(PanelFacts(0, 1, played=played._replace(verdict="good", better=None)))
    assert (good.played, good.better) == (None, None)


def test_there_is_one_act_in_every_moment() -> None:
    facts = PanelFacts(0, 0)
    moments = {
        Moment(): "play",
        Moment("theirs"): "stop",
        Moment("theirs", has_network=False): "wait",
        Moment("theirs", is_stuck=True): "ask_again",
        Moment("over", can_review=True): "review",
        Moment("over"): "rematch",
        Moment(is_busy=True): "stop",
        Moment("over", is_replay=True, is_trying=True): "to_game",
    }
    assert {moment: panel_of(replace(facts, moment=moment)).act for moment in moments} == moments


@pytest.mark.parametrize("positions", [positions for _, positions, _ in GRAPHS])
def test_a_graph_has_the_unit_of_the_panel(positions: tuple[PanelFacts, ...]) -> None:
    for shown, facts in enumerate(positions):
        graph = graph_of(positions, shown)
        panel = panel_of(facts_in(graph.unit, facts))
        assert (panel.figure.unit if panel.figure else CHANCE, panel.share) == (graph.unit, graph.shares[shown])


def test_a_count_at_the_end_alone_makes_no_graph() -> None:
    before = [PanelFacts(0, 0, "discs", 64, earlier=0.6) for _ in range(20)]
    end = PanelFacts(0, 1, "discs", 64, Ended(1, 12))
    assert graph_of([*before, end], 20) == (CHANCE, (0.6,) * 20 + (1.0,))

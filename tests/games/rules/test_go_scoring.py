"""The end of a game of Go: whose each point is, dead stones, scores without them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from golden.cases import SCORED, Scored, scored_actions
from golden.files import FOLDER

from azx.games.rules import go, go_scoring
from azx.games.rules.go import Go
from azx.games.rules.go_playouts import Ownership, ownership


def known_dead(case: Scored) -> list[int]:
    """The points of the stones that are known to be dead, ascending."""
    return [at for at, cell in enumerate("".join(case.rows.split())) if cell in "xo"]


def reached(case: Scored) -> Go:
    state = go.start(len(case.rows.split()))
    for action in scored_actions(case):
        state = state.apply(action)
    return state


def board(rows: str) -> Go:
    return reached(Scored("", rows))


@pytest.mark.parametrize("case", SCORED, ids=lambda case: case.about)
def test_the_stones_that_are_known_to_be_dead_are_proposed(case: Scored) -> None:
    state = reached(case)
    assert state.is_terminal == case.is_over
    found = go_scoring.estimate_ownership(state, case.playouts, case.seed)
    assert list(go_scoring.dead_stones(state, found)) == known_dead(case)


@pytest.mark.parametrize("case", [case for case in SCORED if case.is_over and known_dead(case)][:4])
def test_other_seeds_propose_the_same_of_what_is_plain(case: Scored) -> None:
    state = reached(case)
    wrong = sum(
        list(go_scoring.dead_stones(state, go_scoring.estimate_ownership(state, seed=seed))) != known_dead(case)
        for seed in range(10, 13)
    )
    assert wrong <= 1


def test_the_fixture_is_what_the_script_writes() -> None:
    cases = json.loads((FOLDER / "go" / "scoring.json").read_text(encoding="utf8"))["cases"]
    assert {case["may_pass"] for case in cases} == {case["settled"] for case in cases} == {True, False}
    assert {case["estimate"]["certainty"] for case in cases} == {"clear", "likely", "open"}


def test_ownership_counts_every_playout_and_depends_on_the_seed_alone() -> None:
    state = reached(SCORED[0])
    found = go_scoring.estimate_ownership(state, 40, 5)
    assert found == go_scoring.estimate_ownership(state, 40, 5) != go_scoring.estimate_ownership(state, 40, 6)
    assert sum(found.leads.values()) == 40
    assert all(black + white <= 40 for black, white in zip(found.black, found.white, strict=True))
    first = ownership(state.size, state.boards[-1], state.to_move, 1, 5)
    assert all(before <= after for before, after in zip(first.black, found.black, strict=True))


def test_a_point_has_an_owner_from_the_given_share_on() -> None:
    found = Ownership(10, (8, 7, 0), (2, 3, 8), {3: 6, -1: 4})
    assert [found.owner(at, 80) for at in range(3)] == [0, None, 1]
    assert [found.black_wins(komi) for komi in (-2.0, 0.5, 3.0)] == [10, 6, 0]


def test_dead_stones_are_taken_off_before_the_area_is_counted() -> None:
    case = next(case for case in SCORED if "both" in case.about)
    state, dead = reached(case), known_dead(case)
    black, white = go_scoring.areas_without(state, dead)
    assert go_scoring.score_without(state, ()) == state.score()
    assert go_scoring.score_without(state, dead) == len(black) - len(white) - 7.5
    # Each dead stone changes sides, and what it alone kept from being counted is counted.
    assert 54 in black
    assert 55 in black
    assert {60, 67, 68, 69} <= set(white)


def test_a_chain_is_all_stones_of_a_colour_that_are_connected() -> None:
    state = reached(SCORED[0])
    assert go_scoring.chain(state, 1) == (1, 9, 10)
    assert go_scoring.chain(state, 0) == ()
    assert go_scoring.chain(state, 20) == (2, 11, 18, 19, 20)


def test_an_unfinished_board_is_not_passed_on_whatever_the_score() -> None:
    # 45 points and 36. The walls have no eyes yet, so that nothing is settled.
    open_board = reached(Scored("", "....XO... " * 9, passes=0))
    for passed in (open_board.apply(81), open_board.apply(0).apply(81), go.start().apply(81)):
        assert not go_scoring.may_pass(passed)
    for komi in (-100.0, 100.0):
        assert not go_scoring.may_pass(go.start(9, komi).apply(81))


def test_a_settled_board_is_passed_on_whatever_the_score() -> None:
    settled = reached(replace(SCORED[0], passes=0))
    assert settled.score() < 0 == settled.to_move
    assert go_scoring.is_settled(go_scoring.estimate_ownership(settled))
    # Half of the game is not over yet, and then it is not asked but after a pass.
    assert not go_scoring.may_pass(settled)
    assert go_scoring.may_pass(settled.apply(81))


def test_disputed_points_are_played_on_while_a_stone_gains_there() -> None:
    """One point between two living groups: who plays there has one more. Then nothing is left."""
    open_point = reached(next(case for case in SCORED if case.about == "a pass where one point is left"))
    assert not go_scoring.may_pass(open_point)
    assert go_scoring.may_pass(open_point.apply(22).apply(81))


def test_a_position_without_a_pass_is_the_same_but_for_that() -> None:
    state = go.start().apply(40).apply(81)
    kept = state.without_pass()
    assert kept.legal_actions() == state.legal_actions()[:-1]
    assert kept.sudden() == ((), (0,) * 80)
    assert isinstance(kept, Go)
    assert kept == state
    assert kept.apply(0) == state.apply(0)
    assert kept.apply(0).legal_actions()[-1] == 81


def test_nobody_passes_early_in_a_game() -> None:
    assert not go_scoring.may_pass(go.start())
    assert not go_scoring.may_pass(go.start().apply(40))


def test_there_is_something_to_agree_on_after_two_passes_alone() -> None:
    state = go.start().apply(40).apply(81)
    assert go_scoring.has_passed(state)
    assert not go_scoring.ends_by_passes(state)
    assert go_scoring.ends_by_passes(state.apply(81))
    # Three passes do not follow each other: the second one ends the game.
    assert not go_scoring.ends_by_passes(state.apply(0).apply(81))

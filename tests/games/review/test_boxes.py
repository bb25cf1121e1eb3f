"""Dots and Boxes is judged in boxes, once its end is solved."""

from __future__ import annotations

import math

import pytest

from azx.games.evaluator import Uniform
from azx.games.known.catalogue import GAMES
from azx.games.random_play import generator, random_action
from azx.games.review.analysis import look, review
from azx.games.review.known import ProvenFacts, known_of
from azx.games.review.verdicts import GOOD, MISTAKES, EvaluatedPosition, JudgedMove, accuracy, judge_moves
from azx.games.rules.boxes_end import MOST_OPEN
from azx.games.state import State


def judge(before: int, after: int) -> JudgedMove:
    """A move by which the mover ends with a margin of `after` in place of `before`."""
    seen = [
        EvaluatedPosition(
            player, (1 + (margin > 0) - (margin < 0)) / 2, 5, known=ProvenFacts((3, 5), (5,), None, margin)
        )
        for player, margin in enumerate((before, -after))
    ]
    return judge_moves(seen, [3])[0]


@pytest.mark.parametrize(
    ("before", "after", "boxes", "verdict"),
    [
        (9, 9, 0, "good"),
        (9, 8, 1, "inaccuracy"),
        (-3, -5, 2, "mistake"),
        (9, 6, 3, "mistake"),
        (9, 5, 4, "blunder"),
        # Who wins changes.
        (1, -1, 2, "blunder"),
        (1, 0, 1, "blunder"),
        (0, -1, 1, "blunder"),
    ],
)
def test_marks_are_at_1_2_and_4_boxes_and_where_the_winner_changes(
    before: int, after: int, boxes: int, verdict: str
) -> None:
    found = judge(before, after)
    assert (found.margin, found.verdict, found.better) == (boxes, verdict, None if verdict == GOOD else 5)


def test_accuracy_is_of_boxes_too() -> None:
    kept, lost = accuracy(5 * [judge(-9, -9)], 0), accuracy(5 * [judge(-3, -9)], 0)
    assert kept == pytest.approx(100, abs=1e-3)
    assert lost == pytest.approx(103.1668 * math.exp(-0.04354 * 24) - 3.1669)


def random_loss(seed: int) -> list[State]:
    """A game in which player 0 moves at random, and the other takes what it can and plays the end perfectly."""
    states, rng = [GAMES["dots_and_boxes"].begin()], generator(seed)
    while not states[-1].is_terminal:
        state = states[-1]
        known = known_of(state)
        owned = known.left if known.margin is not None else [each for each in known.legal if takes(state, each)]
        action = owned[0] if state.to_move == 1 and owned else random_action(state, rng)
        states.append(state.apply(action))
    return states


def takes(state: State, action: int) -> bool:
    return state.apply(action).margin() != state.margin()


@pytest.mark.parametrize("seed", range(6))
def test_a_random_player_s_loss_has_mistakes_and_who_plays_the_end_perfectly_has_none_there(seed: int) -> None:
    states = random_loss(seed)
    assert states[-1].returns() == -1
    found = review(states, Uniform(), 20).moves
    end = [move for move in found if move.margin is not None]
    assert any(move.player == 0 and move.verdict in MISTAKES for move in end)
    assert all(move.verdict == GOOD for move in end if move.player == 1)


def test_a_solved_position_is_sure_and_needs_no_search() -> None:
    states = random_loss(2)
    seen = look(states, Uniform(), 2)
    ends = [each for each in seen if each.known is not None and each.known.margin is not None]
    assert len(ends) >= MOST_OPEN
    assert all(each.is_sure for each in ends if each.best is not None)
    assert {each.chance for each in ends} <= {0.0, 0.5, 1.0}
    assert any(move.verdict in MISTAKES for move in judge_moves(seen, [state.last_action or 0 for state in states[1:]]))

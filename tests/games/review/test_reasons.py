"""Why a move is bad, where the rules prove it, whatever a network thinks; and which moves could lose something."""

from __future__ import annotations

from itertools import pairwise

import pytest

from azx.games.evaluator import Uniform
from azx.games.known.catalogue import GAMES
from azx.games.review.analysis import look, review
from azx.games.review.known import ALLOWS_WIN, MISSED_WIN, NOT_BLOCKED, Reason, known_of, reason_of
from azx.games.review.verdicts import FEWEST, GOOD, MISTAKE, EvaluatedPosition, JudgedMove, accuracy, judge_moves
from azx.games.state import State


def line(game: str, *actions: int) -> list[State]:
    states = [GAMES[game].begin()]
    for action in actions:
        states.append(states[-1].apply(action))
    return states


def judge_last(chance: float, game: str, *actions: int) -> JudgedMove:
    """The last move of a line, where a network gives player 0 the `chance` whatever happens."""
    states = line(game, *actions)[-2:]
    seen = []
    for state in states:
        known = known_of(state)
        first = (1 + state.returns()) / 2 if state.is_terminal else chance
        own = first if state.to_move == 0 else 1 - first
        proven = own if known.chance is None else known.chance
        seen.append(EvaluatedPosition(state.to_move, proven, known.left[0] if known.left else None, known=known))
    return judge_moves(seen, actions[-1:])[0]


# Red has three in the middle column and is to move; yellow threatens nothing.
OPEN_THREE = (38, 35, 31, 36, 24, 41)


def test_a_win_that_is_left_is_a_mistake_where_97_of_100_are_left() -> None:
    found = judge_last(0.97, "connect4", *OPEN_THREE, 40)
    assert (found.verdict, found.better, found.reason) == (MISTAKE, 17, Reason(MISSED_WIN, 17))


def test_a_win_that_is_taken_is_good_whichever_of_several_it_is() -> None:
    for win in (36, 40):
        found = judge_last(0.5, "connect4", 38, 31, 37, 30, 39, 24, win)
        assert (found.verdict, found.reason, found.is_choice) == (GOOD, None, True)


def test_a_win_that_cannot_be_stopped_is_not_given_away_by_waiting() -> None:
    found = judge_last(0.5, "connect4", 38, 31, 37, 30, 39, 24, 35)
    assert (found.verdict, found.reason, found.loss) == (GOOD, None, 0.0)


def test_a_win_that_is_not_blocked_is_a_mistake_in_a_lost_game() -> None:
    found = judge_last(0.98, "connect4", 38, 35, 31, 36, 24, 40)
    assert (found.verdict, found.better, found.reason) == (MISTAKE, 17, Reason(NOT_BLOCKED, 17))


def test_a_move_below_the_winning_cell_opens_it() -> None:
    found = judge_last(0.98, "connect4", 36, 35, 28, 37, 29, 41, 30, 38)
    assert (found.verdict, found.reason) == (MISTAKE, Reason(ALLOWS_WIN, 31))


def test_what_is_lost_already_has_no_reason_and_is_no_choice() -> None:
    found = judge_last(0.5, "tictactoe", 0, 4, 8, 6, 2, 7)
    assert (found.verdict, found.reason, found.is_choice) == (GOOD, None, False)


def test_reasons_are_said_in_gomoku_and_in_tic_tac_toe() -> None:
    four = (210, 0, 211, 2, 212, 4, 213)
    assert judge_last(0.99, "gomoku", *four, 100).reason == Reason(NOT_BLOCKED, 214)
    assert judge_last(0.99, "gomoku", *four, 6, 100).reason == Reason(MISSED_WIN, 214)
    assert judge_last(0.5, "tictactoe", 0, 3, 1, 8).reason == Reason(NOT_BLOCKED, 2)


def test_go_and_dots_and_boxes_have_no_reasons() -> None:
    go = line("go", 0, 81, 81)
    found = [reason_of(known_of(before), known_of(after), 81) for before, after in pairwise(go)]
    boxes = line("dots_and_boxes", 0, 3, 12, 13, 24)
    played = [state.last_action or 0 for state in boxes[1:]]
    pairs = zip(boxes, boxes[1:], played, strict=False)
    found += [reason_of(known_of(before), known_of(after), action) for before, after, action in pairs]
    assert found == [None] * len(found)


def test_a_block_that_the_search_has_not_tried_is_the_best_move() -> None:
    four = line("gomoku", 210, 0, 211, 2, 212, 4, 213)
    assert look(four[-1:], Uniform(), 20)[0].best == 214
    blocked = review([*four, four[-1].apply(214)], Uniform(), 20).moves[-1]
    assert (blocked.loss, blocked.verdict, blocked.is_choice) == (0.0, GOOD, False)


def test_a_move_with_no_other_is_no_choice() -> None:
    # The opponent of who has completed a box passes.
    assert not judge_last(0.5, "dots_and_boxes", 0, 3, 12, 13, 24).is_choice
    assert not judge_last(0.5, "tictactoe", 0, 1, 2, 4, 3, 5, 7, 6, 8).is_choice
    assert judge_last(0.5, "tictactoe", 4, 0).is_choice


def test_accuracy_is_the_mean_of_the_moves_that_could_lose_something() -> None:
    good, bad = JudgedMove(0, 0, 0.0, GOOD, None), JudgedMove(0, 0, 0.11, MISTAKE, 1)
    forced = JudgedMove(0, 0, 0.0, GOOD, None, is_choice=False)
    few = [good] * (FEWEST - 2) + [bad]
    assert accuracy([*few, *[forced] * 9], 0) is None
    enough = accuracy([*few, good, *[forced] * 9], 0)
    assert enough is not None
    assert enough == pytest.approx((100 * (FEWEST - 1) + 103.1668 * 2.718281828459045**-0.47894 - 3.1669) / FEWEST)
    assert accuracy([*few, good], 1) is None

"""Openings of Connect4: the table against an exact solver, and what a review makes of it."""

from __future__ import annotations

import numpy as np
import pytest

from azx.games.evaluator import Uniform
from azx.games.random_play import generator, random_action
from azx.games.review.analysis import look, review
from azx.games.review.known import GAVE_DRAW, GAVE_WIN, NOT_BLOCKED, ProvenFacts, known_of
from azx.games.review.verdicts import BLUNDER, GOOD, EvaluatedPosition, JudgedMove, judge_moves, positions_in_doubt
from azx.games.rules import connect4_opening as table
from azx.games.rules.connect4 import COLUMNS, Connect4, start
from azx.games.rules.connect4_opening import MOST_DISCS, solve_opening
from azx.games.state import play_line
from azx.games.tables import read_table


def seen(chance: float, *actions: int) -> list[EvaluatedPosition]:
    """A game's positions where a network gives player 0 the `chance` everywhere, and likes the rightmost move."""
    found = []
    for plies in range(len(actions) + 1):
        state = play_line(start(), actions[:plies])
        known = known_of(state)
        own = chance if state.to_move == 0 else 1 - chance
        found.append(EvaluatedPosition(state.to_move, own, known.left[-1], known=known))
    return found


def judge(chance: float, *actions: int) -> tuple[JudgedMove, ...]:
    return judge_moves(seen(chance, *actions), actions)


def test_the_first_player_wins_in_the_middle_alone() -> None:
    assert solve_opening(start()) == (1, (38,))
    # Beside the middle it is a draw; farther out the other side wins.
    after = [solve_opening(start().apply(cell)) for cell in range(35, 42)]
    assert [opening.outcome for opening in after if opening] == [1, 1, 0, -1, 0, 1, 1]


def test_the_table_has_as_many_outcomes_as_positions() -> None:
    openings = list(table.openings())
    assert len(openings) == len(set(openings)) == 38_567
    assert len(read_table("connect4_openings")["outcomes"]) == -(-len(openings) // table.PACKED)


def test_the_table_agrees_with_an_exact_solver() -> None:
    pytest.importorskip("bitbully")
    from azx.training.connect4.strength import solve

    rng = generator(5)
    for game in range(60):
        state = start()
        for _ in range(game % MOST_DISCS):
            state = state.apply(random_action(state, rng))
        opening, scores = solve_opening(state), solve(state)
        assert opening is not None
        best = np.sign(scores.max())
        assert opening.outcome == best
        kept = tuple(at for at in state.legal_actions() if np.sign(scores[at % COLUMNS]) == best)
        assert opening.keeping == kept, f"after {state.board_text()}"


def test_other_boards_and_later_positions_are_not_in_it() -> None:
    assert solve_opening(start(6, 8)) is solve_opening(start(5, 7)) is None
    state = play_line(start(), [38, 31, 24, 17, 10, 3])
    after = state.apply(39)
    assert isinstance(state, Connect4)
    assert isinstance(after, Connect4)
    assert solve_opening(state) is not None
    assert solve_opening(after) is None


def test_what_an_opening_gives_away_is_a_blunder_whatever_a_network_thinks() -> None:
    lost, kept, won = judge(0.5, 37)[0], judge(0.02, 38)[0], judge(0.5, 38, 31, 37)[2]
    assert (lost.verdict, lost.reason, lost.better) == (BLUNDER, (GAVE_WIN, 38), 38)
    assert (won.verdict, won.reason, won.better) == (BLUNDER, (GAVE_WIN, 24), 24)
    assert (kept.verdict, kept.reason, kept.loss) == (GOOD, None, 0.0)
    drawn = judge(0.5, 37, 39, 30, 32)[3]
    assert (drawn.verdict, drawn.reason) == (BLUNDER, (GAVE_DRAW, known_of(play_line(start(), [37, 39, 30])).left[0]))


def test_what_wins_at_once_is_said_before_what_is_given_away() -> None:
    given = judge(0.5, 39, 41, 36, 34, 37, 35)[5]
    assert given.verdict == BLUNDER
    assert given.reason is not None
    assert given.reason.code == NOT_BLOCKED


def test_nothing_is_given_away_where_it_is_lost_already() -> None:
    assert [each.verdict for each in judge(0.5, 38, 31, 24, 36)[1::2]] == [GOOD, GOOD]
    assert not ProvenFacts((35, 36), (35, 36), None, outcome=-1).is_choice(35)
    assert ProvenFacts((35, 36), (36,), None, outcome=0).is_choice(36)


def test_a_proven_blunder_is_not_looked_at_again() -> None:
    actions = [37, 39]
    assert judge(0.5, *actions)[0].verdict == BLUNDER
    assert positions_in_doubt(seen(0.5, *actions), actions) == []


def test_the_best_move_of_a_review_keeps_the_outcome() -> None:
    # A network that knows nothing plays the first column.
    (first,) = look([start()], Uniform(), 2)
    assert first.best == 38
    moves = review([start(), start().apply(35)], Uniform(), 20).moves
    assert (moves[0].verdict, moves[0].better) == (BLUNDER, 38)

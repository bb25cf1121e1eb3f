"""The solved ends of Dots and Boxes, against every line of play to the end by the rules alone."""

from __future__ import annotations

from functools import cache

import pytest

from azx.games.random_play import generator, random_action
from azx.games.rules.boxes_end import MOST_OPEN, solve_end
from azx.games.rules.dots_and_boxes import SIZES, DotsAndBoxes, start
from azx.games.rules.solved import Solution

OPEN = 7


@cache
def margin(state: DotsAndBoxes) -> int:
    """The boxes by which the player to move wins, every move of both tried."""
    if state.is_terminal:
        return state.scores[state.to_move] - state.scores[1 - state.to_move]
    return max(-margin(state.apply(action)) for action in state.legal_actions())


def random_states(size: int, seed: int) -> list[DotsAndBoxes]:
    states, rng = [start(size)], generator(seed)
    while not states[-1].is_terminal:
        states.append(states[-1].apply(random_action(states[-1], rng)))
    return states


def open_edges(state: DotsAndBoxes) -> int:
    return state.actions - 1 - state.edges.bit_count()


@pytest.mark.parametrize("size", SIZES)
def test_the_margin_and_the_best_moves_are_those_of_all_lines(size: int) -> None:
    for seed in range(3):
        ends = [state for state in random_states(size, seed) if open_edges(state) <= OPEN]
        assert any(state.must_pass for state in ends)
        for state in ends:
            best = [action for action in state.legal_actions() if -margin(state.apply(action)) == margin(state)]
            assert solve_end(state) == Solution(margin(state), tuple(best))


def test_only_the_last_edges_are_solved() -> None:
    for state in random_states(3, 5):
        assert (solve_end(state) is None) == (open_edges(state) > MOST_OPEN)
    over = random_states(2, 1)[-1]
    assert solve_end(over) == Solution(over.scores[over.to_move] - over.scores[1 - over.to_move], ())

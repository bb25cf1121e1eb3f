"""Boards that a wall divides: legal, with a plain leader, or none."""

from __future__ import annotations

import pytest

from azx.games.frontiers import even, leads
from azx.games.rules.go import Go, start


@pytest.mark.parametrize("size", [9, 13, 19])
def test_who_leads_has_far_more_than_komi_on_the_board(size: int) -> None:
    pairs = leads(start(size), 40)
    assert len({(ahead, behind) for ahead, behind in pairs}) == 40
    for ahead, behind in pairs:
        assert isinstance(ahead, Go)
        assert isinstance(behind, Go)
        assert ahead.to_move == behind.to_move == 1
        # A score is black's, white is to move.
        assert ahead.score() < -size
        assert behind.score() > size
        assert not ahead.taken
        assert not behind.taken
        assert len(ahead.stones(0)) == len(ahead.stones(1)) == size


@pytest.mark.parametrize("size", range(5, 20))
def test_who_leads_has_more_on_every_board(size: int) -> None:
    for ahead, behind in leads(start(size, komi=0), 20):
        assert isinstance(ahead, Go)
        assert isinstance(behind, Go)
        assert ahead.score() <= -size
        assert behind.score() >= size
        assert not ahead.taken
        assert not behind.taken


@pytest.mark.parametrize("size", range(5, 20))
def test_even_boards_favour_nobody_on_the_average(size: int) -> None:
    scores = [state.score() for state in even(start(size, komi=0), 60) if isinstance(state, Go)]
    assert len(scores) == 60
    assert abs(sum(scores) / 60) < size


@pytest.mark.parametrize("size", [9, 13, 19])
def test_even_boards_are_even_but_for_the_komi_on_the_average(size: int) -> None:
    found = even(start(size), 60)
    assert all(isinstance(state, Go) and state.to_move == 0 and not state.taken for state in found)
    margins = [state.score() + state.komi for state in found if isinstance(state, Go)]
    assert abs(sum(margins) / len(margins)) < size / 3
    assert max(margins) > 0 > min(margins)
    assert max(map(abs, margins)) <= 2 * size


def test_they_are_the_same_every_time() -> None:
    assert leads(start(), 5) == leads(start(), 5)
    assert even(start(), 5) == even(start(), 5)

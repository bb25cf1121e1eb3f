"""Openings are legal, seeded, distinct as far as the game has them, and never over."""

from __future__ import annotations

import pytest

from azx.errors import GameError
from azx.games.known.catalogue import GAMES
from azx.games.rules.connect4 import Connect4
from azx.games.rules.tictactoe import TicTacToe
from azx.match.openings import openings, read_plies


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_openings_of_its_default_length_that_are_legal_and_not_over(name: str) -> None:
    start, plies = GAMES[name].begin(), GAMES[name].plies
    drawn = openings(start, 30, plies, seed=3)
    assert drawn.distinct == len(drawn.lines) == 30
    for line in drawn.lines:
        state = start
        for action in line:
            state = state.apply(action)
        assert not state.is_terminal
        assert plies[0] <= len(line) <= plies[1]


def test_a_seed_always_gives_the_same_openings_and_another_one_others() -> None:
    assert openings(Connect4(), 20, (2, 6), 1) == openings(Connect4(), 20, (2, 6), 1)
    assert openings(Connect4(), 20, (2, 6), 1) != openings(Connect4(), 20, (2, 6), 2)


def test_the_openings_of_a_seed_are_those_that_logs_of_matches_hold() -> None:
    assert openings(Connect4(), 3, (2, 6), 0).lines == (
        (36, 29, 22, 40, 41),
        (40, 37, 41, 38, 30),
        (35, 40, 33, 41, 36, 29),
    )


def test_more_openings_keep_the_earlier_ones() -> None:
    assert openings(Connect4(), 30, (2, 6)).lines[:20] == openings(Connect4(), 20, (2, 6)).lines


def test_openings_that_reach_the_same_board_count_once_and_are_used_again_when_there_are_no_more() -> None:
    drawn = openings(TicTacToe(), 25, (1, 1))
    assert drawn.distinct == 9
    assert sorted(drawn.lines[:9]) == [(cell,) for cell in range(9)]
    assert drawn.lines[9:18] == drawn.lines[:9]


def test_no_random_plies_give_the_start_alone() -> None:
    assert openings(TicTacToe(), 2, (0, 0)).lines == ((), ())


def test_openings_apart_from_others_reach_none_of_their_boards() -> None:
    others = openings(TicTacToe(), 5, (1, 1)).lines
    drawn = openings(TicTacToe(), 9, (1, 1), seed=1, apart_from=others)
    assert drawn.distinct == 4
    assert not set(drawn.lines) & set(others)
    with pytest.raises(
        GameError, match="has none of 1 to 1 random plies: give longer --opening-plies, or fewer --games"
    ):
        openings(TicTacToe(), 1, (1, 1), apart_from=openings(TicTacToe(), 9, (1, 1)).lines)


def test_openings_that_always_end_the_game_are_refused() -> None:
    with pytest.raises(GameError, match="9 random plies always end this game: choose shorter openings"):
        openings(TicTacToe(), 1, (9, 9))


@pytest.mark.parametrize(("text", "plies"), [("4", (4, 4)), ("0-3", (0, 3)), ("2-6", (2, 6))])
def test_lengths_are_read(text: str, plies: tuple[int, int]) -> None:
    assert read_plies(text) == plies


@pytest.mark.parametrize("text", ["", "-", "2-", "-3", "a", "1.5", "2-3-4"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(GameError, match="are no number and no range"):
        read_plies(text)


def test_a_range_that_ends_before_it_begins_is_refused() -> None:
    with pytest.raises(GameError, match="'6-2' end before they begin"):
        read_plies("6-2")

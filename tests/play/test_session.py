"""A session is a value: playing and taking back give others, and leave the one there was."""

from __future__ import annotations

from dataclasses import replace

import pytest

from azx.errors import GameError
from azx.games.rules.tictactoe import TicTacToe
from azx.play.session import AI, RULE, YOU, Session

BEGUN = Session({"event": "begin", "human": 1}, (TicTacToe(),))
RESIGNED = {"event": "end", "reason": "resigned"}


def played(*moves: tuple[int, str]) -> Session:
    session = BEGUN
    for action, by in moves:
        session = session.play(action, by)
    return session


def test_moves_and_who_made_them_follow_each_other() -> None:
    session = played((4, AI), (0, YOU))
    assert (session.actions, session.players, session.human) == ((4, 0), (AI, YOU), 1)
    assert session.state == TicTacToe().apply(4).apply(0)
    assert BEGUN.actions == ()


def test_an_illegal_move_is_refused() -> None:
    with pytest.raises(GameError, match="action 4 is illegal"):
        played((4, AI), (4, YOU))


def test_what_is_undone_is_the_last_move_of_the_person_and_what_followed() -> None:
    assert played((4, AI), (0, YOU), (8, AI)).undo() == played((4, AI))
    assert played((4, AI), (0, YOU), (8, RULE), (1, AI)).undo().actions == (4,)


def test_without_a_move_of_the_person_nothing_is_undone() -> None:
    session = played((4, AI))
    assert session.undo() is session


def test_a_resignation_ends_the_game_until_it_is_taken_back() -> None:
    session = played((4, AI), (0, YOU))
    resigned = replace(session, end=RESIGNED)
    assert (resigned.is_over, resigned.is_resigned) == (True, True)
    assert resigned.undo() == session
    assert resigned.play(8, AI).end is None


def test_a_game_that_the_rules_end_is_over_and_not_resigned() -> None:
    session = replace(played((0, AI), (3, YOU), (1, AI), (4, YOU), (2, AI)), end={"event": "end", "reason": "rules"})
    assert (session.is_over, session.is_resigned) == (True, False)
    assert session.undo().actions == (0, 3, 1)
    assert not session.undo().is_over

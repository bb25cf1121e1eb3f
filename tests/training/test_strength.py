from __future__ import annotations

import runpy
import sys

import numpy as np
import pytest

from azx.games.evaluator import Uniform
from azx.games.rules.connect4 import Connect4
from azx.games.rules.tictactoe import TicTacToe
from azx.games.state import State
from azx.training.gomoku import strength as strength_gomoku
from azx.training.strength import Game, draw_positions, moves, play_out, row, share
from azx.training.tictactoe import strength as strength_tictactoe


def test_the_shipped_tictactoe_network_cannot_be_beaten() -> None:
    from azx.play.network import open_network

    with open_network("tictactoe") as network:
        lines = list(strength_tictactoe.strength(network))
    assert [line.endswith(", 0 lost") for line in lines[:2]] == [True, True]
    assert "answered with 6" in lines[2]


@pytest.mark.filterwarnings("ignore:.*found in sys.modules")
def test_the_command_finds_the_strength_of_the_game_that_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["strength", "tictactoe"])
    runpy.run_module("azx.training.strength", run_name="__main__")
    assert ", 0 lost\n" in capsys.readouterr().out


def test_a_policy_without_knowledge_is_beaten() -> None:
    lines = list(strength_tictactoe.strength(Uniform()))
    assert not any(line.endswith(", 0 lost") for line in lines[:2])


@pytest.mark.parametrize("game", ["connect4", "dots_and_boxes", "gomoku"])
def test_drawn_positions_are_distinct_and_leave_a_choice(game: str) -> None:
    states = draw_positions(game, 60, seed=5)
    assert len({state.encode().tobytes() for state in states}) == 60
    assert all(len(state.legal_actions()) > 1 for state in states)
    assert [state.encode().tobytes() for state in draw_positions(game, 60, seed=5)] == [
        s.encode().tobytes() for s in states
    ]


def test_search_finds_the_win_that_the_policy_alone_does_not_see() -> None:
    state: State = Connect4()
    for action in (38, 31, 37, 30, 36, 29):
        state = state.apply(action)
    assert moves([state], Uniform(), 0) == [22]
    assert moves([state], Uniform(), 200)[0] in (35, 39)


class Worst:
    """Plays the highest action, and remembers what it was told."""

    def __init__(self) -> None:
        self.told_of: list[int] = []

    def choose(self, state: State) -> int:
        return state.legal_actions()[-1]

    def follow(self, state: State, action: int) -> None:
        self.told_of.append(action)


@pytest.mark.parametrize("simulations", [0, 60])
def test_games_are_played_to_their_end_from_both_sides(simulations: int) -> None:
    games = [Game(TicTacToe(), side, Worst()) for side in (0, 1)]
    play_out(games, Uniform(), simulations)
    for game in games:
        assert game.state.is_terminal
        assert isinstance(game.opponent, Worst)
        again: State = TicTacToe()
        for action in game.opponent.told_of:
            again = again.apply(action)
        assert again == game.state
        assert game.score in (0, 0.5, 1)
    if simulations:
        assert games[0].score == 1


def test_gomoku_openings_differ_and_nobody_has_won() -> None:
    states = [strength_gomoku.draw_opening(seed) for seed in range(30)]
    assert len({state.encode().tobytes() for state in states}) > 25
    assert not any(state.is_terminal for state in states)


def test_rows_say_the_share_its_interval_and_the_count() -> None:
    assert next(row("kept", np.array([True] * 9 + [False]))).split() == [
        "kept",
        "90.0%",
        "[59.6%,",
        "98.2%]",
        "of",
        "10",
    ]
    assert list(row("kept", np.array([], dtype=bool))) == []
    assert " 75.0%" in share("score", 3.0, 4)

"""Self-play: what the games hold, that a seed repeats them, and that they come back from their file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from azx.errors import AzxError
from azx.games.evaluator import Uniform
from azx.games.known.catalogue import GAMES
from azx.games.state import play_line
from azx.self_play import actor
from azx.self_play.actor import Task, play_games
from azx.self_play.played import PlayedGame, load_games, save_games
from azx.self_play.settings import NORMALISED_RATE, RATE, RECIPES, Recipe, recipe_for

SMALL = Recipe("dense:1x8", games=6, simulations=8, considered=4, opening=2)


def played(game: str, count: int = 6, seed: int = 1) -> list[PlayedGame]:
    return play_games(Task(GAMES[game].begin(), SMALL, seed, count), Uniform())


@pytest.mark.parametrize("game", ["tictactoe", "connect4"])
def test_games_are_legal_and_each_search_left_a_policy_of_legal_moves(game: str) -> None:
    start = GAMES[game].begin()
    for one in played(game):
        end = play_line(start, one.moves)
        positions = one.positions(start)
        assert end.is_terminal or one.proven < len(one.moves)
        assert len(positions) == len(one.policies) == len(one.values) == len(one.moves) - one.opening
        for state, policy in zip(positions, one.policies, strict=True):
            legal = np.zeros(state.actions, bool)
            legal[list(state.legal_actions())] = True
            assert policy.sum() == pytest.approx(1, abs=1e-5)
            assert not policy[~legal].any()


def test_a_result_that_the_rules_have_proven_is_the_games_result() -> None:
    start = GAMES["tictactoe"].begin()
    ended = [(one, play_line(start, one.moves)) for one in played("tictactoe", 40)]
    to_the_end = [(one.result, end.returns()) for one, end in ended if end.is_terminal]
    assert len(to_the_end) >= 5
    assert all(result == returns for result, returns in to_the_end)
    assert any(not end.is_terminal for _, end in ended), "no game ended at a proof"


def test_a_seed_repeats_the_games_and_another_does_not() -> None:
    moves = [[one.moves for one in played("connect4", seed=seed)] for seed in (1, 1, 2)]
    assert moves[0] == moves[1] != moves[2]


@pytest.mark.parametrize(("noisy", "alike"), [(1, True), (1 << 20, False)])
def test_after_its_noisy_plies_a_game_has_less_noise(noisy: int, alike: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """With none left, all games with the same first move begin alike."""
    monkeypatch.setattr(actor, "QUIET", 0.0)
    recipe = replace(SMALL, opening=0, noisy=noisy)
    games = {one.moves[:8] for one in play_games(Task(GAMES["connect4"].begin(), recipe, 1, 24), Uniform())}
    assert (len(games) == len({moves[0] for moves in games})) == alike


def test_games_come_back_from_their_file(tmp_path: Path) -> None:
    games = played("connect4")
    save_games(games, tmp_path / "games" / "0001.npz")
    again = load_games(tmp_path / "games" / "0001.npz")
    for one, other in zip(games, again, strict=True):
        assert (one.moves, one.opening, one.result, one.proven) == (
            other.moves,
            other.opening,
            other.result,
            other.proven,
        )
        np.testing.assert_array_equal(one.policies, other.policies)
        np.testing.assert_array_equal(one.values, other.values)
    assert [path.name for path in (tmp_path / "games").iterdir()] == ["0001.npz"]


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 no archive", b"\x93NUMPY"])
def test_a_damaged_file_of_games_is_named_in_a_sentence(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "0001.npz"
    path.write_bytes(data)
    with pytest.raises(AzxError, match="holds no games of a run: remove it"):
        load_games(path)


def test_every_game_has_a_recipe() -> None:
    assert set(RECIPES) == set(GAMES)
    assert recipe_for(GAMES["hex"], net="2x8", games=None).net == "2x8"


@pytest.mark.parametrize(
    ("game", "chosen", "rate"),
    [
        ("hex", {}, NORMALISED_RATE),
        ("dots_and_boxes", {}, RATE),
        ("hex", {"net": "dense:2x8", "rate": None}, RATE),
        ("dots_and_boxes", {"net": "cells:2x8"}, NORMALISED_RATE),
        ("hex", {"rate": 0.5}, 0.5),
    ],
)
def test_the_rate_is_that_of_the_network(game: str, chosen: dict[str, Any], rate: float) -> None:
    assert recipe_for(GAMES[game], **chosen).rate == rate

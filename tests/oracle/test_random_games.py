from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from azx.games.catalogue import GAMES

pytest.importorskip("pyspiel")


def _random_games() -> ModuleType:
    path = Path(__file__).with_name("random_games.py")
    spec = importlib.util.spec_from_file_location("random_games", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("game", GAMES)
def test_random_games_go_as_in_openspiel(game: str) -> None:
    games = 200
    plies = _random_games().compare(game, games, seed=7)
    assert plies >= 5 * games


def test_every_game_has_an_oracle() -> None:
    assert set(_random_games().GAMES) == set(GAMES)

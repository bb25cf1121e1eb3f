from __future__ import annotations

import pytest
from sibling import sibling

from azx.games.known.catalogue import GAMES

pytest.importorskip("pyspiel")


@pytest.mark.parametrize("game", GAMES)
def test_random_games_go_as_in_openspiel(game: str) -> None:
    games = 200
    plies = sibling(__file__, "random_games").compare(game, games, seed=7)
    assert plies >= 5 * games


def test_every_game_has_an_oracle() -> None:
    assert set(sibling(__file__, "random_games").GAMES) == set(GAMES)

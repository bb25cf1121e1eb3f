"""The tables of games/data are packed and say what the rules need."""

from __future__ import annotations

import json
import pickle
from importlib import resources

import pytest

from azx.games.encoding import encode
from azx.games.known.catalogue import GAMES
from azx.games.tables import read_table, shapes_of


@pytest.mark.smoke
@pytest.mark.parametrize("name", ["levels", "positions", "shapes", "star_points", "thresholds"])
def test_a_table_is_packed_with_the_games(name: str) -> None:
    packed = resources.files("azx.games").joinpath("data", f"{name}.json").read_text(encoding="utf8")
    assert read_table(name) == json.loads(packed)


def test_the_shapes_are_those_of_the_games_in_their_order() -> None:
    assert [entry["name"] for entry in read_table("shapes")] == list(GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_a_board_of_the_table_is_one_that_the_game_begins_with(game: str) -> None:
    for board in shapes_of(game).boards:
        state = GAMES[game].begin(board.settings)
        assert encode(state, board.encoding).shape == board.encoding.shape
        width = board.numberings[0].width
        # A forced pass has no output of its own in Reversi's network.
        assert width == state.actions - (game == "reversi")
        assert [board.numberings[0].index(action) for action in range(width)] == list(range(width))
        assert pickle.loads(pickle.dumps(board.numberings)) == board.numberings  # noqa: S301 (our own)

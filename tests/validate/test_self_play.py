"""Positions of self-play: the network's own moves, the same every time."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from azx.games.game import Reading
from azx.games.known.catalogue import GAMES
from azx.validate.self_play import self_play


def reading(name: str) -> Reading:
    game = GAMES[name]
    return Reading(game, game.encoding, game.shapes[0].numberings[0])


def left_first(boards: NDArray[np.float32]) -> NDArray[np.float64]:
    """Logits that hardly ever leave the lowest columns."""
    columns = np.arange(42) % 7
    return np.tile(-8.0 * columns, (len(boards), 1))


def test_the_same_seed_gives_the_same_positions_and_another_gives_others() -> None:
    first, again, other = (self_play(reading("connect4"), "x", left_first, "logits", 60, seed) for seed in (3, 3, 4))
    assert np.array_equal(first.feeds["x"], again.feeds["x"])
    assert not np.array_equal(first.feeds["x"], other.feeds["x"])
    assert "60 distinct positions of" in first.description
    assert len(np.unique(first.feeds["x"].reshape(60, -1), axis=0)) == 60


def test_the_network_draws_the_moves() -> None:
    """One that plays to the left fills the left; one that does not care fills all alike."""

    def share(policy: object) -> float:
        found = self_play(reading("connect4"), "x", policy, "logits", 300)  # type: ignore[arg-type]
        discs = found.feeds["x"].sum(axis=(0, 1, 2))
        return float(discs[:2].sum() / discs.sum())

    assert share(left_first) > 0.5
    assert 0.2 < share(lambda boards: np.zeros((len(boards), 42))) < 0.4


def test_every_position_is_one_in_which_a_move_is_to_be_made() -> None:
    found = self_play(reading("tictactoe"), "x", lambda boards: np.zeros((len(boards), 9)), "logits", 400)
    assert found.legal is not None
    assert np.array_equal(found.legal, found.feeds["x"].reshape(-1, 9) == 0)


def test_a_game_with_fewer_positions_says_how_many_there_were() -> None:
    found = self_play(reading("tictactoe"), "x", lambda boards: np.zeros((len(boards), 9)), "logits", 9_000)
    assert 4_000 < len(found) < 5_478
    assert "all that were found of 9,000" in found.description


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_game_can_be_played_so(name: str) -> None:
    asked = reading(name)
    assert asked.numbering is not None
    width = asked.numbering.width
    found = self_play(asked, "x", lambda boards: np.zeros((len(boards), width)), "logits", 50)
    assert len(found) == 50
    assert found.legal is not None
    assert found.legal.any(axis=1).all()

"""Turned boards: a turned tensor is that of the turned game, and a policy comes back to where it was."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from azx.games.encoding import Encoding, encode
from azx.games.game import Game
from azx.games.known.catalogue import GAMES
from azx.games.state import State
from azx.games.symmetry import symmetries

TURNED = {
    "tictactoe": {},
    "connect4": {},
    "gomoku": {"size": 7},
    "go": {"size": 9},
    "reversi": {"size": 8},
    "hex": {"size": 5},
    "dots_and_boxes": {"size": 3},
}


def random_game(start: State, seed: int, plies: int) -> Iterator[int]:
    rng, state = np.random.default_rng(seed), start
    for _ in range(plies):
        if state.is_terminal:
            return
        action = int(rng.choice(state.legal_actions()))
        state = state.apply(action)
        yield action


@pytest.mark.parametrize("name", TURNED)
def test_a_turned_tensor_is_the_tensor_of_the_turned_game(name: str) -> None:
    game: Game = GAMES[name]
    encodings = next(
        shape.encodings for shape in game.shapes if all(shape.settings.get(k) == v for k, v in TURNED[name].items())
    )
    changed = [replace(encodings[0], flip=flip, transpose=not flip or name != "go") for flip in (True, False)]
    first, second = ("edges", "must_pass") if name == "dots_and_boxes" else ("mover", "player0")
    colours = Encoding("channels_last", encodings[0].board, (second, "last", first), flip=True, transpose=True)
    flat = Encoding("flat", encodings[0].board, (first, second), transpose=True)
    for encoding in (*encodings, *changed, colours, flat):
        start = game.begin(TURNED[name])
        for symmetry in symmetries(GAMES[name].turns, encoding, start.actions):
            state = turned = start
            for action in random_game(start, seed=1, plies=25):
                state, turned = state.apply(action), turned.apply(int(symmetry.actions[action]))
                moved = encode(state, encoding).ravel()[symmetry.cells].reshape(encoding.shape)
                assert np.array_equal(moved, encode(turned, encoding))
                back = np.isin(np.arange(start.actions), turned.legal_actions())[symmetry.actions]
                assert tuple(np.flatnonzero(back)) == state.legal_actions()


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("tictactoe", 8),
        ("gomoku", 8),
        ("go", 8),
        ("connect4", 2),
        ("reversi", 4),
        ("hex", 2),
        ("dots_and_boxes", 8),
    ],
)
def test_each_symmetry_is_another_one_and_the_first_leaves_the_board(name: str, count: int) -> None:
    encoding, actions = GAMES[name].encoding, GAMES[name].begin().actions
    found = symmetries(GAMES[name].turns, encoding, actions)
    assert len({tuple(one.actions) for one in found}) == len({tuple(one.cells) for one in found}) == count
    assert tuple(found[0].actions) == tuple(range(actions))


def test_the_pass_stays_the_pass() -> None:
    assert {int(one.actions[81]) for one in symmetries(GAMES["go"].turns, GAMES["go"].encoding, 82)} == {81}

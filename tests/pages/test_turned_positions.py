"""Positions that a network was shown turned are read back as they lie, and drawn as a rhombus."""

from __future__ import annotations

from xml.etree.ElementTree import Element

import numpy as np
import pytest

from azx.games.encoding import encode, turned_actions
from azx.games.known.recognition import reading_from
from azx.games.random_play import generator, random_action
from azx.pages.boards import board
from azx.pages.position import decode_position

SIZE = 5


@pytest.mark.parametrize("turned", [False, True])
def test_a_position_of_hex_is_read_back_with_its_moves(turned: bool) -> None:
    encoding = {"layout": "sum", "board": [SIZE, SIZE], "planes": ["signed"], "turned": turned}
    reading = reading_from({"game": "hex", "settings": {"size": SIZE}, "encoding": encoding}, SIZE * SIZE)
    state, rng = reading.start(), generator(2)
    for _ in range(10):
        tensor, legal = encode(state, reading.encoding), np.flatnonzero(reading.legal(state)).tolist()
        seen = decode_position(reading, tensor.ravel().tolist(), legal)
        assert seen is not None
        own, other = state.plane("mover").ravel(), state.plane("opponent").ravel()
        mine, theirs = state.to_move, 1 - state.to_move
        assert list(seen.owners) == [mine if a else theirs if b else None for a, b in zip(own, other, strict=True)]
        assert seen.moves == {int(reading.indices(state)[action]): action for action in state.legal_actions()}
        state = state.apply(random_action(state, rng))
    assert seen is not None
    drawn = Element("div")
    board(drawn, seen, {index: 1 / len(legal) for index in legal}, "a position")
    assert [each.get("class") for each in drawn.iter() if each.tag == "svg"] == ["board hexagons"]


def test_the_moves_of_the_second_player_are_numbered_as_the_turned_board() -> None:
    encoding = {"layout": "sum", "board": [SIZE, SIZE], "planes": ["signed"], "turned": True}
    reading = reading_from({"game": "hex", "settings": {"size": SIZE}, "encoding": encoding}, SIZE * SIZE)
    first = reading.start()
    second = first.apply(0)
    assert reading.indices(first).tolist() == list(range(25))
    assert reading.indices(second).tolist() == turned_actions((SIZE, SIZE), 25).tolist()
    assert not reading.legal(second)[0]
    assert reading.as_data()["encoding"]["turned"] is True

from __future__ import annotations

import numpy as np
import pytest

from azx.errors import GameError
from azx.games.encoding import Encoding, encode, from_data
from azx.games.rules.connect4 import ENCODING, Connect4


def test_an_encoding_survives_its_way_through_data() -> None:
    assert from_data(ENCODING.as_data()) == ENCODING


def test_channels_last_holds_the_planes_of_channels_first() -> None:
    state = Connect4().apply(38).apply(31).apply(35)
    first = encode(state, ENCODING)
    last = encode(state, Encoding("channels_last", (6, 7), ENCODING.planes))
    flat = encode(state, Encoding("flat", (6, 7), ENCODING.planes))
    assert last.shape == (6, 7, 2)
    assert flat.shape == (84,)
    assert np.array_equal(last.transpose(2, 0, 1), first)
    assert np.array_equal(flat, first.ravel())


def test_the_planes_of_every_game_tell_whose_move_it_is() -> None:
    encoding = Encoding("channels_first", (6, 7), ("player0_to_move", "player1_to_move", "ones", "zeros"))
    assert encode(Connect4(), encoding)[:, 0, 0].tolist() == [1, 0, 1, 0]
    assert encode(Connect4().apply(38), encoding)[:, 0, 0].tolist() == [0, 1, 1, 0]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"layout": "channels_first", "board": [6, 7]}, "'planes' is missing"),
        ({"layout": "sideways", "board": [6, 7], "planes": ["mover"]}, "layout 'sideways' is unknown"),
        ({"layout": "flat", "board": "big", "planes": ["mover"]}, "is no list of sizes"),
        ({"layout": "flat", "board": [6, 7], "planes": []}, "name at least one plane"),
        ({"layout": "flat", "board": [6, 7], "planes": "mover"}, "give a list of plane names"),
    ],
)
def test_a_faulty_encoding_is_refused_with_the_reason(data: dict[str, object], sentence: str) -> None:
    with pytest.raises(GameError, match=sentence):
        from_data(data)


def test_a_board_of_another_size_is_refused() -> None:
    with pytest.raises(GameError, match=r"is of shape \(6, 7\), the encoding's board is \(7, 6\)"):
        encode(Connect4(), Encoding("channels_first", (7, 6), ("mover",)))

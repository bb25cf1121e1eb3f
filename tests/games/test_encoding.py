from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from azx.errors import GameError
from azx.games.encoding import Encoding, encode
from azx.games.encoding_data import from_data
from azx.games.known.catalogue import GAMES
from azx.games.rules import dots_and_boxes, go
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


LEFT_BOTTOM = Connect4().apply(35)


def test_flipped_planes_have_the_bottom_row_first() -> None:
    (mover, opponent) = encode(LEFT_BOTTOM, Encoding("channels_first", (6, 7), ("mover", "opponent"), flip=True))
    assert not mover.any()
    assert np.argwhere(opponent).tolist() == [[0, 0]]


def test_transposed_planes_have_columns_for_rows_after_the_flip() -> None:
    state = Connect4().apply(36).apply(29)
    straight = Encoding("channels_last", (6, 7), ("player0", "player1"), transpose=True)
    flipped = Encoding("channels_last", (6, 7), ("player0", "player1"), flip=True, transpose=True)
    assert straight.shape == encode(state, straight).shape == (7, 6, 2)
    assert np.argwhere(encode(state, straight)).tolist() == [[1, 4, 1], [1, 5, 0]]
    assert np.argwhere(encode(state, flipped)).tolist() == [[1, 0, 0], [1, 1, 1]]
    flat = Encoding("flat", (6, 7), ("player0", "player1"), flip=True, transpose=True)
    assert np.array_equal(encode(state, flat).reshape(2, 7, 6), np.moveaxis(encode(state, flipped), -1, 0))


def test_absolute_colours_stay_whoever_is_to_move() -> None:
    encoding = Encoding("channels_first", (6, 7), ("player0", "player1", "last"))
    before, after = encode(LEFT_BOTTOM, encoding), encode(LEFT_BOTTOM.apply(36), encoding)
    assert np.array_equal(before[0], after[0])
    assert np.argwhere(after[1]).tolist() == np.argwhere(after[2]).tolist() == [[5, 1]]
    assert np.array_equal(before[2], before[0])
    assert not encode(Connect4(), encoding).any()


def test_absolute_colours_have_a_history_where_the_movers_have_one() -> None:
    state = go.start(9).apply(0).apply(1).apply(81)
    encoding = Encoding("channels_first", (9, 9), ("player0", "player0@3", "player1@1", "player1@2", "last"))
    now, at_first, second, before_it, last = encode(state, encoding)
    assert np.flatnonzero(now).tolist() == [0]
    assert np.flatnonzero(second).tolist() == [1]
    assert not np.stack([at_first, before_it, last]).any()


def test_the_edge_drawn_last_is_shown_where_edges_are() -> None:
    encoding = Encoding("channels_first", (5, 3), ("last",))
    state = dots_and_boxes.start(2).apply(3).apply(11)
    assert np.argwhere(encode(state, encoding)[0]).tolist() == [[4, 2]]
    assert not encode(dots_and_boxes.start(2), encoding).any()


@pytest.mark.parametrize(("game", "plane"), [("connect4", "player0@1"), ("dots_and_boxes", "player1")])
def test_a_colour_that_the_game_does_not_draw_is_refused_by_its_own_name(game: str, plane: str) -> None:
    state = GAMES[game].begin()
    with pytest.raises(GameError, match=f"plane '{plane}' cannot be drawn, {game}: there is no plane"):
        encode(state, Encoding("flat", state.board, (plane,)))


class Begun:
    """A game whose first position has a piece of each player; `past` plies have been played since."""

    board = (1, 2)
    actions = 2
    to_move = 0
    last_action = None

    def __init__(self, past: int) -> None:
        self.past = past

    def plane(self, name: str) -> np.ndarray[Any, Any]:
        who, _, ago = name.partition("@")
        if int(ago or 0) > 3:
            raise GameError("begun: there is no such plane.")
        known = int(ago or 0) <= self.past
        number = 10 * (who == "mover") + self.past - int(ago or 0) + 1
        return np.full((1, 2), number if known else 0, dtype=np.float32)


def test_a_ply_before_the_game_is_empty_or_the_first_position() -> None:
    planes = ("mover", "mover@1", "mover@2", "opponent@3", "player0@3")
    empty, repeated = (Encoding("flat", (1, 2), planes, history=how) for how in ("empty", "repeated"))
    state: Any = Begun(past=1)
    assert encode(state, empty)[::2].tolist() == [12, 11, 0, 0, 0]
    assert encode(state, repeated)[::2].tolist() == [12, 11, 11, 1, 11]
    assert encode(Begun(past=0), repeated)[::2].tolist() == [11, 11, 11, 1, 11]  # type: ignore[arg-type]
    with pytest.raises(GameError, match="no such plane"):
        encode(state, Encoding("flat", (1, 2), ("mover@4",), history="repeated"))


def test_what_is_as_usual_is_left_out_of_the_data() -> None:
    assert set(ENCODING.as_data()) == {"layout", "board", "planes"}
    other = Encoding("flat", (6, 7), ("last",), flip=True, transpose=True, history="repeated", value="player0")
    assert from_data(other.as_data()) == other
    assert from_data({**ENCODING.as_data(), "flip": False, "history": "empty", "value": "mover"}) == ENCODING


@pytest.mark.parametrize(
    ("member", "sentence"),
    [
        ({"flip": "yes"}, "'flip' is 'yes', give true or false"),
        ({"transpose": 1}, "'transpose' is 1, give true or false"),
        ({"history": "none"}, "'history' is 'none', give empty or repeated"),
        ({"value": ["mover"]}, "give mover, opponent, player0, player1 or unknown, or leave"),
        ({"transpose": True, "board": [42]}, r"a board of \[42\] cannot be transposed"),
    ],
)
def test_a_faulty_member_is_refused_with_the_reason(member: dict[str, object], sentence: str) -> None:
    with pytest.raises(GameError, match=sentence):
        from_data({**ENCODING.as_data(), **member})

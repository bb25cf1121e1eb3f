"""A position comes back out of the tensor that a network was fed, in every game and however the board is written."""

from __future__ import annotations

import numpy as np
import pytest
from manifests import part_with
from proofs import reading_of

from azx.games.encoding import Encoding, encode
from azx.games.game import Reading
from azx.games.known.catalogue import GAMES
from azx.games.known.recognition import reading_from
from azx.games.random_play import generator, random_action
from azx.games.state import State
from azx.manifest import Manifest
from azx.pages.position import Position, decode_position, reading_in

READINGS = [
    pytest.param(name, at, number, id=f"{name}-{at}-{number}")
    for name, game in GAMES.items()
    for at in range(len(game.shapes[0].encodings))
    for number in range(len(game.shapes[0].numberings))
]


def some_states(reading: Reading, count: int = 12) -> list[State]:
    rng = generator(5)
    found: list[State] = []
    while len(found) < count:
        state = reading.start()
        for _ in range(len(found) + 1):
            state = state.apply(random_action(state, rng))
            if state.is_terminal:
                state = reading.start()
        found.append(state)
    return found


def back(reading: Reading, state: State) -> Position:
    found = decode_position(
        reading, encode(state, reading.encoding).ravel().tolist(), np.flatnonzero(reading.legal(state)).tolist()
    )
    assert found is not None
    return found


@pytest.mark.parametrize(("name", "at", "number"), READINGS)
def test_owners_turn_and_moves_are_those_of_the_state(name: str, at: int, number: int) -> None:
    reading = reading_of(name, at, number)
    assert reading.numbering is not None
    for state in some_states(reading):
        found = back(reading, state)
        own = state.to_move
        if reading.game.noun == "edge":
            drawn = state.plane("edges")
            assert sum(owner == 0 for owner in found.owners) == drawn.sum()
        else:
            untold = name in ("go", "reversi") and "player0_to_move" not in reading.encoding.planes
            mover = 0 if untold else own
            for who, plane in ((mover, "mover"), (1 - mover, "opponent")):
                theirs = [at for at, owner in enumerate(found.owners) if owner == who]
                assert theirs == np.flatnonzero(state.plane(plane)).tolist()
            assert found.to_move == (None if untold else own)
        expected = {reading.numbering.index(action): state.label(action) for action in state.legal_actions()}
        assert dict(found.labels) == expected


@pytest.mark.parametrize("changed", [{"flip": True}, {"transpose": True}, {"flip": True, "transpose": True}])
@pytest.mark.parametrize("layout", ["channels_first", "channels_last"])
def test_a_board_that_is_turned_is_turned_back(changed: dict[str, bool], layout: str) -> None:
    data = {"layout": layout, "board": [6, 7], "planes": ["player0", "player1", "player1_to_move"], **changed}
    reading = reading_from({"game": "connect4", "encoding": data, "actions": "column"}, 7)
    for state in some_states(reading):
        found = back(reading, state)
        own = state.to_move
        assert [at for at, owner in enumerate(found.owners) if owner == own] == np.flatnonzero(
            state.plane("mover")
        ).tolist()
        assert found.to_move == own
        assert sorted(action for action in found.moves.values() if action is not None) == list(state.legal_actions())


@pytest.mark.parametrize(
    ("layout", "planes"),
    [
        ("cells", ["empty", "opponent", "mover"]),
        ("flat", ["codes_opponent"]),
        ("flat", ["codes_player1"]),
        ("sum", ["signed_opponent"]),
        ("channels_last", ["signed_player1", "turn_player1"]),
        ("channels_first", ["signed_player0", "turn_player0"]),
    ],
)
@pytest.mark.parametrize("turned", [{}, {"flip": True, "transpose": True}])
def test_both_players_in_one_plane_are_told_apart(layout: str, planes: list[str], turned: dict[str, bool]) -> None:
    data = {"layout": layout, "board": [6, 7], "planes": planes, **turned}
    reading = reading_from({"game": "connect4", "encoding": data, "actions": "column"}, 7)
    for state in some_states(reading):
        found = back(reading, state)
        assert found.to_move == state.to_move
        for who, plane in ((0, "player0"), (1, "player1")):
            theirs = [at for at, owner in enumerate(found.owners) if owner == who]
            assert theirs == np.flatnonzero(encode(state, Encoding("flat", (6, 7), (plane,)))).tolist()


@pytest.mark.parametrize(
    "manifest",
    [
        {"game": None, "encoding": None},
        {"game": "chess", "encoding": {}},
        {"game": "connect4", "encoding": {"layout": "spiral", "board": [6, 7], "planes": ["mover"]}},
        {"game": "connect4", "encoding": {"layout": "sum", "board": ["six"], "planes": ["mover"]}},
    ],
)
def test_what_cannot_be_read_as_a_game_is_none(manifest: dict[str, object]) -> None:
    assert reading_in(part_with(Manifest, {**manifest, "inputs": [{}], "actions": "cell"}), 42) is None


def test_a_tensor_of_another_size_and_planes_that_tell_nothing_are_no_position() -> None:
    reading = reading_of("connect4")
    assert decode_position(reading, [0.0] * 83, [0]) is None
    data = {"layout": "channels_first", "board": [6, 7], "planes": ["ones", "last"]}
    blind = reading_from({"game": "connect4", "encoding": data, "actions": "column"}, 7)
    assert decode_position(blind, [0.0] * 84, [0]) is None

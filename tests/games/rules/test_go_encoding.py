"""What people and networks see of a position of Go: planes, labels, the board as text."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from numpy.typing import NDArray

from azx.errors import GameError
from azx.games.encoding import encode
from azx.games.rules.go import ENCODING, Go, start


def play(state: Go, *labels: str) -> Go:
    for label in labels:
        known = [state.label(action) for action in range(state.actions)]
        state = state.apply(known.index(label))
    return state


def random_game(seed: int, state: Go) -> list[Go]:
    """The states of a random game in which a pass is as likely as any point."""
    rng, states = np.random.default_rng(seed), [state]
    while not states[-1].is_terminal:
        states.append(states[-1].apply(int(rng.choice(states[-1].legal_actions()))))
    return states


def points(plane: NDArray[np.float32]) -> set[str]:
    return {start().label(int(at)) for at in np.flatnonzero(plane)}


def test_the_planes_hold_eight_boards_of_each_player_and_a_pass_is_a_ply() -> None:
    tensor = start().encode()
    assert tensor.shape == (9, 9, 17)
    assert tensor.dtype == np.float32
    assert not tensor[..., :16].any()
    assert tensor[..., 16].all()
    white = play(start(), "E5", "pass", "C3").encode()
    assert [points(white[..., at]) for at in range(8)] == [set()] * 8
    assert [points(white[..., at]) for at in range(8, 16)] == [{"E5", "C3"}, {"E5"}, {"E5"}, *[set()] * 5]
    assert not white[..., 16].any()
    black = play(start(), "E5", "pass", "C3", "G7").encode()
    both = {"E5", "C3"}
    assert [points(black[..., at]) for at in range(8)] == [both, both, {"E5"}, {"E5"}, *[set()] * 4]
    assert [points(black[..., at]) for at in range(8, 16)] == [{"G7"}, *[set()] * 7]
    assert black[..., 16].all()


def test_planes_show_row_0_on_top_and_a_captured_stone_where_it_was() -> None:
    tensor = play(start(), "A8", "A9", "B9").encode()
    assert tensor[0, 0].tolist()[:3] == [0.0, 1.0, 0.0]
    assert tensor[0, 1, 8] == tensor[1, 0, 8] == 1.0


def test_the_planes_of_a_game_are_its_boards() -> None:
    states = random_game(7, start())
    assert len(states) > 60
    for ply, state in enumerate(states):
        tensor = state.encode()
        for ago in range(8):
            then = states[ply - ago] if ago <= ply else start()
            for player, plane in ((state.to_move, ago), (1 - state.to_move, 8 + ago)):
                assert tuple(np.flatnonzero(tensor[..., plane])) == then.stones(player)
        assert np.array_equal(tensor, encode(state, ENCODING))


def test_an_unknown_plane_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(GameError, match=r"^go: there is no plane 'mover@8', use mover, mover@1, .*, opponent@7\.$"):
        start().plane("mover@8")


@pytest.mark.parametrize("size", [9, 13, 19])
def test_labels_are_columns_without_i_and_rows_from_below(size: int) -> None:
    state = start(size)
    labels = [state.label(action) for action in range(state.actions)]
    assert len(set(labels)) == state.actions
    assert labels[0] == f"A{size}"
    assert labels[-1] == "pass"
    assert labels[-2] == {9: "J1", 13: "N1", 19: "T1"}[size]
    assert not any("I" in label for label in labels)


def test_an_action_of_no_point_has_no_label() -> None:
    with pytest.raises(GameError, match=r"^go: action 82 is no point of this board, choose 0 to 81\.$"):
        start().label(82)


def test_the_board_is_text_with_the_last_stone_in_brackets() -> None:
    state = play(start(), "C7", "J9")
    assert state.board_text().splitlines() == [
        " 9  . . . . . . . .(O)",
        " 8  . . . . . . . . .",
        " 7  . . X . . . + . .",
        " 6  . . . . . . . . .",
        " 5  . . . . + . . . .",
        " 4  . . . . . . . . .",
        " 3  . . + . . . + . .",
        " 2  . . . . . . . . .",
        " 1  . . . . . . . . .",
        "    A B C D E F G H J",
    ]
    assert " 1 (X). ." in play(state, "A1").board_text()
    assert "(" not in play(state, "pass").board_text()
    assert [start(size).board_text().count("+") for size in (9, 13, 19)] == [5, 5, 9]


def test_a_state_tells_what_was_played_last() -> None:
    assert start().last_action is None
    assert play(start(), "E5").last_action == 40
    assert play(start(), "E5", "pass").last_action == 81


def test_states_survive_pickling_and_compare_by_their_games() -> None:
    state = random_game(3, start(13, 5.5))[60]
    again = pickle.loads(pickle.dumps(state))  # noqa: S301
    assert again == state
    assert hash(again) == hash(state)
    assert again.legal_actions() == state.legal_actions()
    assert play(start(), "E5") != play(start(), "E5", "pass")

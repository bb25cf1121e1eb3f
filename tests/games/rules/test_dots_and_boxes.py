from __future__ import annotations

import pickle
from itertools import pairwise

import numpy as np
import pytest

from azx.errors import GameError
from azx.games.rules.dots_and_boxes import ENCODING, DotsAndBoxes, start

SIZES = [2, 3, 4, 5, 6]


def after(*actions: int, size: int = 3) -> DotsAndBoxes:
    state = start(size)
    for action in actions:
        state = state.apply(action)
    return state


def playout(rng: np.random.Generator, size: int) -> list[tuple[DotsAndBoxes, int]]:
    """The states of a random game and the actions played."""
    played, state = [], start(size)
    while not state.is_terminal:
        action = int(rng.choice(state.legal_actions()))
        played.append((state, action))
        state = state.apply(action)
    return [*played, (state, -1)]


def closed_boxes(state: DotsAndBoxes) -> set[int]:
    """Brute force from the tensor: the boxes with all four sides drawn."""
    size, drawn = state.size, state.plane("edges")
    horizontal, vertical = drawn[: size + 1, :size], drawn[size + 1 :]
    closed = horizontal[:-1] * horizontal[1:] * vertical[:, :-1] * vertical[:, 1:]
    return set(np.flatnonzero(closed).tolist())


@pytest.mark.parametrize("size", SIZES)
def test_random_games_follow_the_rules_move_by_move(size: int) -> None:
    rng = np.random.default_rng(size)
    edges = 2 * size * (size + 1)
    for _ in range(30):
        game = playout(rng, size)
        owners: dict[int, int] = {}
        for (state, action), (following, _) in pairwise(game):
            won = closed_boxes(following) - closed_boxes(state)
            owners |= dict.fromkeys(won, state.to_move)
            assert following.to_move == 1 - state.to_move
            assert following.owners == tuple(owners.get(box) for box in range(size * size))
            assert following.must_pass == bool(won and not following.is_terminal)
            assert (action == edges) == state.must_pass
        last = game[-1][0]
        scores = [list(owners.values()).count(player) for player in (0, 1)]
        assert last.scores == tuple(scores)
        assert sum(scores) == size * size
        assert last.returns() == np.sign(scores[0] - scores[1])
        assert last.legal_actions() == ()
        assert sum(action < edges for _, action in game[:-1]) == edges


def test_edges_are_numbered_horizontal_then_vertical_row_by_row() -> None:
    assert start().board_text().splitlines() == [
        " +  0 +  1 +  2 +   X 0",
        "12   13   14   15   O 0",
        " +  3 +  4 +  5 +",
        "16   17   18   19",
        " +  6 +  7 +  8 +",
        "20   21   22   23",
        " +  9 + 10 + 11 +",
    ]


def test_the_board_shows_edges_owners_scores_and_who_must_pass() -> None:
    # X draws 0, O 12, X 3, O 13 and with it the first box; X passes, O draws 5.
    state = after(0, 12, 3, 13)
    assert state.board_text().splitlines()[:4] == [
        " +----+  1 +  2 +   X 0",
        " | O  |   14   15   O 1",
        " +----+  4 +  5 +   X must pass",
        "16   17   18   19",
    ]
    assert "pass" not in state.apply(24).apply(5).board_text()


def test_the_opponent_of_who_completes_a_box_can_only_pass() -> None:
    state = after(0, 12, 3, 13)
    assert (state.to_move, state.must_pass, state.legal_actions()) == (0, True, (24,))
    again = state.apply(24)
    assert (again.to_move, again.must_pass, again.edges) == (1, False, state.edges)
    assert 24 not in again.legal_actions()
    assert len(again.legal_actions()) == 20


def test_one_edge_can_complete_two_boxes() -> None:
    # Around boxes 0 and 1 all but the edge between them, then 13.
    state = after(0, 1, 3, 4, 12, 14, 13)
    assert state.scores == (2, 0)
    assert state.owners[:3] == (0, 0, None)


def test_there_is_no_pass_after_the_last_edge() -> None:
    last = playout(np.random.default_rng(1), 2)[-1][0]
    assert last.is_terminal
    assert not last.must_pass
    with pytest.raises(GameError, match="the game is over"):
        last.apply(12)


def test_four_boxes_can_be_shared_equally() -> None:
    rng = np.random.default_rng(2)
    results = {last.returns() for last, _ in (playout(rng, 2)[-1] for _ in range(100))}
    assert results == {-1.0, 0.0, 1.0}


@pytest.mark.parametrize("action", [0, 24, 25, -1, 2**70, True, "3", None, [1]])
def test_an_illegal_action_is_named_with_the_legal_ones_and_changes_nothing(action: int) -> None:
    state = after(0, 1)
    legal = ", ".join(map(str, range(2, 24)))
    with pytest.raises(GameError, match=rf"is illegal here, choose action {legal}\.$"):
        state.apply(action)
    assert state == after(0, 1)


def test_an_edge_instead_of_a_forced_pass_is_refused() -> None:
    with pytest.raises(GameError, match=r"action 5 is illegal here, choose action 24\."):
        after(0, 12, 3, 13).apply(5)


@pytest.mark.parametrize("size", [1, 7, 0, -3, True, 3.5, "3"])
def test_other_sizes_are_refused(size: int) -> None:
    with pytest.raises(GameError, match=f"size {size} is not played, choose one from 2 to 6"):
        start(size)


def test_the_tensor_holds_edges_counts_and_the_forced_pass() -> None:
    # The mover, X, has no box, O one, and X must pass: cells (0,3), (1,3), (2,3).
    expected = [
        [1, 0, 0, 0],
        [1, 0, 0, 1],
        [0, 0, 0, 1],
        [0, 0, 0, 0],
        [1, 1, 0, 0],
        [0, 0, 0, 0],
        [0, 0, 0, 0],
    ]
    tensor = after(0, 12, 3, 13).encode()
    assert tensor.tolist() == expected
    assert tensor.dtype == np.float32
    assert ENCODING.shape == tensor.shape == (7, 4)
    assert after(0, 12, 3, 13, 24).encode()[:3, 3].tolist() == [1, 0, 0]


@pytest.mark.parametrize("size", SIZES)
def test_each_edge_has_its_own_cell_in_the_order_of_the_numbers(size: int) -> None:
    edges = 2 * size * (size + 1)
    cells = [int(np.flatnonzero(start(size).apply(edge).encode())[0]) for edge in range(edges)]
    assert cells == sorted(set(cells))
    assert start(size).encoding.shape == start(size).encode().shape == (2 * size + 1, size + 1)


def test_an_unknown_plane_is_refused() -> None:
    with pytest.raises(GameError, match="no plane 'kings', use edges, mover_boxes, opponent_boxes, must_pass"):
        start().plane("kings")


def test_actions_are_typed_as_numbers_or_pass() -> None:
    assert [start().label(action) for action in (0, 23, 24)] == ["0", "23", "pass"]
    assert [start(2).actions, start(2).label(12)] == [13, "pass"]


def test_numpy_s_integers_are_actions_too() -> None:
    state = start().apply(np.int64(7))  # type: ignore[arg-type]
    assert state == after(7)
    assert type(state.edges) is int


def test_a_state_survives_the_way_to_another_process() -> None:
    state = after(0, 12, 3, 13)
    assert pickle.loads(pickle.dumps(state)) == state  # noqa: S301

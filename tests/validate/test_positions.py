from __future__ import annotations

import hashlib
from collections.abc import Callable

import numpy as np
import pytest

from azx.errors import GameError
from azx.export.checkpoint.layer_graph import InputSpec
from azx.games.game import Reading
from azx.games.known.catalogue import GAMES
from azx.games.known.recognition import read_as, recognise
from azx.games.rules.connect4 import Connect4
from azx.games.state import State
from azx.validate import positions as drawing
from azx.validate.positions import Positions, Row, positions, random_boards


def connect4(width: int | None = 42, shape: tuple[int, ...] = (2, 6, 7)) -> Reading:
    found = recognise([shape], width)
    assert found is not None
    return found


def board_input(shape: tuple[int, ...], dtype: str = "float32", name: str = "board") -> InputSpec:
    return InputSpec(name, f"{name}:0", shape, dtype)


@pytest.fixture(scope="module")
def thousand() -> Positions:
    return positions(connect4(), "main_input")


def test_a_thousand_distinct_positions_are_drawn_and_described(thousand: Positions) -> None:
    boards = thousand.feeds["main_input"]
    assert boards.shape == (1000, 2, 6, 7)
    assert boards.dtype == np.float32
    assert len(np.unique(boards.reshape(1000, -1), axis=0)) == 1000 == len(thousand)
    assert thousand.description == "1,000 distinct legal positions of Connect4, seed 0"
    assert thousand.seed == 0


def test_positions_are_reachable_unfinished_and_of_varied_depth(thousand: Positions) -> None:
    assert thousand.legal is not None
    boards = thousand.feeds["main_input"].astype(int)
    discs = boards.sum(axis=(2, 3))
    assert set((discs[:, 1] - discs[:, 0]).tolist()) == {0, 1}
    assert len(set(discs.sum(axis=1).tolist())) > 25
    for board, legal in zip(boards, thousand.legal, strict=True):
        own, other = (sum(1 << int(cell) for cell in np.flatnonzero(plane)) for plane in board)
        state = Connect4((own, other) if board.sum() % 2 == 0 else (other, own))
        assert np.flatnonzero(legal).tolist() == list(state.legal_actions()) != []
        below = np.vstack([board.sum(axis=0)[1:], np.ones(7, int)])
        assert (board.sum(axis=0) <= below).all()


def test_a_seed_gives_the_same_positions_on_every_machine(thousand: Positions) -> None:
    digest = hashlib.sha256(thousand.feeds["main_input"].astype(np.uint8).tobytes()).hexdigest()
    assert digest == "c57f47cd1dd9a3d1e04c290bce32690aac4aa95a313d80dcad13d21b9a23c90a"


def test_another_seed_gives_other_positions(thousand: Positions) -> None:
    other = positions(connect4(), "main_input", seed=1)
    assert not np.array_equal(other.feeds["main_input"], thousand.feeds["main_input"])


def test_a_channels_last_network_is_fed_the_same_positions(thousand: Positions) -> None:
    last = positions(connect4(shape=(6, 7, 2)), "x", count=50)
    assert np.array_equal(last.feeds["x"].transpose(0, 3, 1, 2), thousand.feeds["main_input"][:50])


def test_columns_and_missing_policies_get_masks_of_their_width() -> None:
    columns = positions(connect4(7), count=20).legal
    assert columns is not None
    assert columns.shape == (20, 7)
    assert positions(connect4(None), count=20).legal is None


@pytest.mark.parametrize(("shape", "width"), [((7, 7, 2), 49), ((5, 5, 17), 26)])
def test_the_first_positions_are_the_same_however_many_follow(shape: tuple[int, ...], width: int) -> None:
    """Of a long game several are taken, some of them twice: golden.json has the first 20 of a proof's."""
    found = recognise([shape], width) or read_as(GAMES["gomoku"], [shape], width)
    for seed in range(6):
        many = positions(found, "main_input", 60, seed).feeds["main_input"]
        for count in (19, 20, 21):
            few = positions(found, "main_input", count, seed).feeds["main_input"]
            assert np.array_equal(few, many[:count]), (seed, count)


def test_the_first_positions_keep_their_masks(thousand: Positions) -> None:
    few = thousand.first(20)
    assert len(few) == 20
    assert few.legal is not None
    assert few.legal.shape == (20, 42)


@pytest.mark.parametrize(
    ("shape", "axis"), [((2, 7, 7), 0), ((6, 7, 7), 0), ((6, 7, 2), 2), ((15, 15, 9), 2), ((3, 9, 9), 0)]
)
def test_random_boards_occupy_a_cell_with_one_plane_at_most(shape: tuple[int, ...], axis: int) -> None:
    boards = random_boards([board_input(shape)], 400).feeds["board"]
    assert boards.shape == (400, *shape)
    assert boards.dtype == np.float32
    assert set(np.unique(boards).tolist()) == {0.0, 1.0}
    planes = np.moveaxis(boards, axis + 1, 1)
    flat = planes.reshape(400, planes.shape[1], -1)
    plain = [board for board in flat if not (board == 1).all(axis=1).any()]
    assert len(plain) > 300
    assert all(board.sum(axis=0).max() <= 1 for board in plain)
    assert any((board == 1).all(axis=1).any() for board in flat)
    assert np.std([board.sum(axis=0).mean() for board in plain]) > 0.2


def test_random_boards_are_distinct_and_repeatable() -> None:
    once, again = (random_boards([board_input((2, 7, 7))], 1000, seed=4).feeds["board"] for _ in range(2))
    assert np.array_equal(once, again)
    assert len(np.unique(once.reshape(1000, -1), axis=0)) == 1000


def test_the_layout_that_the_caller_knows_is_believed() -> None:
    boards = random_boards([board_input((5, 5, 5))], 100, layout="channels_last").feeds["board"]
    exclusive = [
        (np.delete(b, np.flatnonzero(np.ptp(b, axis=(0, 1)) == 0), axis=2).sum(axis=2) <= 1).all() for b in boards
    ]
    assert all(exclusive)


@pytest.mark.parametrize("shape", [(9,), (7, 4), (1, 8, 8), (8, 8, 1)])
def test_vectors_and_single_planes_hold_minus_one_zero_and_one(shape: tuple[int, ...]) -> None:
    boards = random_boards([board_input(shape)], 200).feeds["board"]
    assert boards.shape == (200, *shape)
    assert set(np.unique(boards).tolist()) == {-1.0, 0.0, 1.0}


@pytest.mark.parametrize(("dtype", "values"), [("int8", {-1, 0, 1}), ("int32", {-1, 0, 1}), ("uint8", {0, 1, 2})])
def test_integer_inputs_get_integers(dtype: str, values: set[int]) -> None:
    boards = random_boards([board_input((9,), dtype)], 200).feeds["board"]
    assert boards.dtype == dtype
    assert set(np.unique(boards).tolist()) == values


def test_several_inputs_are_distinct_together() -> None:
    specs = [board_input((3, 3, 1), name="board"), board_input((9,), name="flat")]
    drawn = random_boards(specs, 300)
    assert {name: feed.shape for name, feed in drawn.feeds.items()} == {"board": (300, 3, 3, 1), "flat": (300, 9)}
    together = np.concatenate([feed.reshape(300, -1) for feed in drawn.feeds.values()], axis=1)
    assert len(np.unique(together, axis=0)) == 300
    assert drawn.legal is None


def test_a_tiny_domain_gives_what_it_has_and_says_so() -> None:
    drawn = random_boards([board_input((2,))], 1000)
    assert len(drawn) == 9
    assert drawn.description == "9 distinct random boards, seed 0 (all that were found of 1,000 asked)"


def test_a_shape_that_is_not_fixed_asks_for_inputs() -> None:
    with pytest.raises(GameError, match=r"input 'board' has no fixed shape .* --inputs FILE\.npz"):
        random_boards([board_input((None, 7, 2))])  # type: ignore[arg-type]


def test_what_was_drawn_is_kept_for_who_asks_for_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def distinct(draw: Callable[[], list[State]], reading: Reading, count: int) -> dict[bytes, Row]:
        asked.append(count)
        return really(draw, reading, count)

    really = drawing._distinct
    monkeypatch.setattr(drawing, "_distinct", distinct)
    drawing._KEPT.clear()
    positions(connect4(), count=50, seed=3).feeds.clear()
    again = positions(connect4(), count=50, seed=3).feeds["main_input"]
    assert asked == [50]
    assert again.shape == (50, 2, 6, 7)
    with pytest.raises(ValueError, match="read-only"):
        again[0] = 0
    positions(connect4(shape=(6, 7, 2)), count=50, seed=3)
    positions(connect4(), "board", 50, 3)
    positions(connect4(), count=51, seed=3)
    positions(connect4(), count=50, seed=4)
    positions(connect4(), count=50, seed=3, per_game=2)
    assert asked == [50, 50, 50, 51, 50, 50]
    positions(connect4(), count=50, seed=3)
    assert asked[6:] == [50], "more draws are kept than should be"

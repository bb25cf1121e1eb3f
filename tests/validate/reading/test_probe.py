"""Which way up a network reads its board is asked of its policy, and not guessed."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from azx import inspect_checkpoint
from azx.games.game import Reading
from azx.games.known.recognition import reading_from, recognise, ways
from azx.games.rules.connect4 import COLUMNS, ROWS, Connect4
from azx.games.state import State
from azx.games.tactics import draw_positions, only_block, only_win
from azx.validate.reading.probe import detect_encoding, without_detection
from azx.validate.reading.sign_test import mcnemar

TOP, BOTTOM = "row 0 on top", "row 0 at the bottom"
Policy = Callable[[NDArray[np.float32]], NDArray[Any]]


def connect4(width: int | None, shape: tuple[int, ...] = (2, 6, 7)) -> Reading:
    found = recognise([shape], width)
    assert found is not None
    return found


def seeing(flip: bool, width: int) -> Policy:
    """Wins or blocks where it can, for networks whose row 0 is on top, or the bottom if `flip`."""

    def cell(board: NDArray[np.float32]) -> tuple[int, int]:
        own, other = (plane[::-1] if flip else plane for plane in board)
        for mine in (own, other):
            for column in range(COLUMNS):
                empty = [row for row in range(ROWS) if not own[row, column] and not other[row, column]]
                if empty and four(mine, empty[-1], column):
                    return empty[-1], column
        return 0, 3

    def four(discs: NDArray[np.float32], row: int, column: int) -> bool:
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            line = [(row + step * down, column + step * right) for step in range(-3, 4)]
            held = [
                at == (row, column) or (0 <= at[0] < ROWS and 0 <= at[1] < COLUMNS and bool(discs[at])) for at in line
            ]
            if any(all(held[first : first + 4]) for first in range(4)):
                return True
        return False

    def answer(board: NDArray[np.float32]) -> NDArray[np.float32]:
        row, column = cell(board)
        index = column if width == COLUMNS else (ROWS - 1 - row if flip else row) * COLUMNS + column
        found: NDArray[np.float32] = np.eye(width, dtype=np.float32)[index]
        return found

    return lambda boards: np.stack([answer(board) for board in boards])


def policy_of(policy: Policy) -> Callable[[NDArray[np.float32]], dict[str, NDArray[Any]]]:
    return lambda boards: {"policy": policy(boards)}


@pytest.mark.parametrize("width", [7, 42])
@pytest.mark.parametrize("flip", [False, True])
def test_a_network_is_read_the_way_it_plays(flip: bool, width: int) -> None:
    found = detect_encoding(connect4(width), policy_of(seeing(flip, width)))
    assert found.encoding.flip is flip
    assert found.line.startswith(
        f"input: mover, opponent (channels_first{', ' + BOTTOM if flip else ''}). Tested on 50 positions"
    )
    again = reading_from(found.as_data(), width)
    assert (again.encoding, again.legal(Connect4()).tolist()) == (found.encoding, found.legal(Connect4()).tolist())


def test_cells_that_are_numbered_from_below_are_listed() -> None:
    found = detect_encoding(connect4(42), policy_of(seeing(flip=True, width=42)))
    assert found.as_data()["actions"][:8] == [35, 36, 37, 38, 39, 40, 41, 28]
    assert np.flatnonzero(found.legal(Connect4())).tolist() == list(range(7))


@pytest.mark.parametrize("width", [7, 42])
def test_a_network_that_sees_nothing_is_not_guessed_at(width: int) -> None:
    """Among them one that always prefers the same move: blind, it finds more on one side than on the other."""
    rng = np.random.default_rng(width)
    for _ in range(20):
        weights, liking = rng.normal(size=(84, width)) * rng.integers(2), rng.normal(size=width)
        seen = policy_of(lambda boards, w=weights, b=liking: boards.reshape(-1, 84) @ w + b)  # type: ignore[misc]
        found = detect_encoding(connect4(width), seen)
        assert found == connect4(width)
        assert re.fullmatch(
            rf"The network may read the board with {BOTTOM}\. Tested on 300 positions with one right move: {TOP} \d+%, "
            rf"{BOTTOM} \d+% \(chance \d+%\)\. Choose with `--encoding connect4-bottom-first`",
            found.note,
        )


def test_a_network_without_a_policy_cannot_be_asked() -> None:
    def never(boards: NDArray[np.float32]) -> NDArray[Any]:
        raise AssertionError

    found = detect_encoding(connect4(None), policy_of(never))
    assert "with row 0 at the bottom. It has no policy to ask. Choose with " in found.note


def test_a_game_that_all_write_alike_is_not_asked_for() -> None:
    found = recognise([(9,)], 9)
    assert found is not None
    assert ways(found) == {}
    assert without_detection(found, "anything").note == ""


def wins(state: State) -> list[int]:
    """The moves that end the game with a winner."""
    return [action for action in state.legal_actions() if state.apply(action).returns()]


def test_positions_have_one_right_move() -> None:
    for state, best in draw_positions(Connect4(), only_win, 30):
        assert wins(state) == [best]
    for state, best in draw_positions(Connect4(), only_block, 30):
        assert wins(state) == []
        assert [action for action in state.legal_actions() if not wins(state.apply(action))] == [best]


def test_the_probability_is_mcnemar_s() -> None:
    assert mcnemar(10, 0) == mcnemar(0, 10) == 2 / 1024
    assert mcnemar(5, 5) == 1.0
    assert mcnemar(0, 0) == 1.0
    assert mcnemar(8, 2) == pytest.approx(2 * (1 + 10 + 45) / 1024)


@pytest.mark.parametrize(
    ("file", "config", "flip"),
    [
        ("connect4_zeta36/model_best_weight.h5", "connect4_zeta36/model_best_config.json", True),
        ("connect4_version0019.h5", None, None),
    ],
)
def test_real_networks_are_read_the_right_way_up(
    file: str, config: str | None, flip: bool | None, shared_data: Path, tmp_path: Path
) -> None:
    renamed = tmp_path / "other.h5"
    renamed.write_bytes((shared_data / file).read_bytes())
    found = inspect_checkpoint(renamed, config=shared_data / config if config else None)
    assert found.encoding is not None
    assert found.encoding.get("flip") is flip
    assert found.reading is not None
    assert "may read" not in found.reading


def test_the_shipped_network_is_read_as_it_was() -> None:
    found = inspect_checkpoint(Path(__file__).parents[3] / "mobile_assets" / "checkpoints" / "connect4.h5")
    assert found.encoding == {"layout": "channels_first", "board": [6, 7], "planes": ["mover", "opponent"]}
    assert found.reading is not None
    assert "row 0 on top 100%" in found.reading


def test_the_reading_goes_into_the_bundle_and_is_told(
    azx: Callable[..., subprocess.CompletedProcess[str]], shared_data: Path, tmp_path: Path
) -> None:
    folder = shared_data / "connect4_zeta36"
    net, config = folder / "model_best_weight.h5", ("--config", folder / "model_best_config.json")
    done = azx("export", net, *config, "--format", "tflite", "--positions", 40, "-o", tmp_path / "b")
    assert done.returncode == 0, done.stderr
    line = "input: mover, opponent (channels_first, row 0 at the bottom)"
    assert f"  {line}. Tested on 50 positions with one right move: row 0 on top " in done.stdout
    assert json.loads((tmp_path / "b" / "manifest.json").read_text())["encoding"]["flip"] is True
    played = azx("play", net, *config, "--simulations", 2, "--seed", 1, input="resign\n")
    assert f"Its {line}. Tested on 50 positions" in played.stdout
    match = azx("match", tmp_path / "b", tmp_path / "b", "--games", 2, "--simulations", 0, "--workers", 1)
    assert match.stdout.count(line) == 2, match.stderr

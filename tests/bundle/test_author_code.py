"""`azx describe --code`: the author's function runs apart, and its planes are found, or refused by their number."""

from __future__ import annotations

from pathlib import Path

import pytest

from azx.bundle.author_code import encoding_by_code
from azx.errors import GameError
from azx.games.game import Reading
from azx.games.known.catalogue import GAMES
from azx.games.known.recognition import recognise

AUTHOR = """
import numpy as np

print("loaded")

def canonical(board):
    return board

def odd_order(board, player):
    own, other = (board == player) * 1.0, (board == -player) * 1.0
    return np.stack([np.full(board.shape, float(player == 1)), other[::-1], own[::-1]], -1)

def in_turn(board, player, history):
    past = [board, *history[:3]]
    past += [np.zeros_like(board)] * (4 - len(past))
    planes = [(each == whose)[::-1] * 1.0 for each in past for whose in (-player, player)]
    return np.stack([*planes, np.full(board.shape, float(player == 1))], -1)

def unheard_of(board, player):
    return np.stack([board * 7.0, board * 1.0], -1)

def fails(board, player):
    raise ValueError("no such board")
"""


@pytest.fixture(scope="module")
def author(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("author") / "author.py"
    path.write_text(AUTHOR, encoding="utf8")
    return path


def reading(shape: tuple[int, ...], width: int) -> Reading:
    found = recognise([shape], width)
    assert found is not None
    return found


def test_a_known_reading_is_found_by_its_numbers(author: Path) -> None:
    found = encoding_by_code(f"{author}:canonical", reading((6, 7), 7), (6, 7))
    assert (found.planes, found.flip) == (("signed",), False)
    nine = encoding_by_code(f"{author}:in_turn", reading((15, 15, 9), 225), (15, 15, 9))
    assert nine.planes[:4] == ("opponent", "mover", "opponent@1", "mover@1")
    assert nine.flip


def test_planes_in_an_order_of_nobody_else_are_written_down_one_by_one(author: Path) -> None:
    found = encoding_by_code(f"{author}:odd_order", reading((6, 7, 3), 7), (6, 7, 3))
    assert (found.planes, found.flip) == (("player0_to_move", "opponent", "mover"), True)


@pytest.mark.parametrize(
    ("function", "said"),
    [
        ("unheard_of", r"azx draws no plane like plane 0 of 2 \(from 0\)"),
        ("fails", "failed: ValueError: no such board"),
        ("missing", "has no attribute 'missing'"),
        ("odd_order", r"makes numbers of shape \(6, 7, 3\), but the network takes \(6, 7, 2\)"),
    ],
)
def test_what_cannot_be_found_is_said_in_a_sentence(author: Path, function: str, said: str) -> None:
    with pytest.raises(GameError, match=said) as caught:
        encoding_by_code(f"{author}:{function}", reading((6, 7, 2), 7), (6, 7, 2))
    assert "\n" not in str(caught.value)


def test_a_game_without_pieces_on_cells_has_no_such_board(author: Path) -> None:
    boxes = Reading(GAMES["dots_and_boxes"], GAMES["dots_and_boxes"].encoding, None)
    with pytest.raises(GameError, match="--code is for games of pieces on cells"):
        encoding_by_code(f"{author}:canonical", boxes, (7, 4))

"""Networks of Reversi in strangers' conventions: read as they read, or said to be unknown.

They are stand-ins that see the board through their own encoding alone. Their policies give most to the moves that the
rules allow whom they take for the mover; their values count corners and moves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from azx.errors import Undecided
from azx.export.checkpoint.head import POLICY, VALUE
from azx.games.game import Reading
from azx.games.known.catalogue import GAMES
from azx.games.known.hypotheses import hypotheses
from azx.games.known.recognition import candidates
from azx.games.rules.reversi_kind import kind_of
from azx.statement import Degree
from azx.validate.reading.probe import detect_encoding
from azx.validate.reading.sign_test import Network

Boards = NDArray[np.float32]
# From a network's input the discs of whom it takes for the mover, and of the other one.
Sides = Callable[[NDArray[Any]], tuple[NDArray[Any], NDArray[Any]]]


def signed(board: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """alpha-zero-general: one plane, +1 the mover."""
    return board > 0, board < 0


def own_first(board: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Zeta36: two planes, the mover's first."""
    return board[0] > 0, board[1] > 0


def coloured(board: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Planes of black, of white, and of ones if black is to move."""
    black, white, turn = np.moveaxis(board, -1, 0)
    return (black > 0, white > 0) if turn.flat[0] > 0 else (white > 0, black > 0)


def bits(cells: NDArray[Any]) -> int:
    return sum(1 << int(at) for at in np.flatnonzero(cells))


def stranger(sides: Sides, size: int, width: int, *, knows: bool = True) -> Network:
    """A network that plays by the rules in its own reading; one that knows nothing answers by chance."""
    kind, rng = kind_of(size), np.random.default_rng(1)
    noise = rng.random((size * size, width))
    corners = sum(1 << at for at in (0, size - 1, size * size - size, size * size - 1))

    def answer(boards: Boards) -> dict[str, NDArray[Any]]:
        policies, values = [], []
        for board in boards:
            own, other = map(bits, sides(board))
            legal = kind.moves(own, other) if knows else 0
            row = 0.5 * noise[(own ^ other) % (size * size)]
            row[[at for at in range(size * size) if legal >> at & 1]] += 1
            policies.append(row)
            ahead = 4 * ((own & corners).bit_count() - (other & corners).bit_count())
            ahead += (own.bit_count() - other.bit_count()) // 4
            ahead += kind.moves(own, other).bit_count() - kind.moves(other, own).bit_count()
            values.append([np.tanh(ahead / 10) if knows else row[0]])
        return {POLICY: np.array(policies), VALUE: np.array(values)}

    return answer


def detected(shape: tuple[int, ...], width: int, network: Network) -> Reading:
    first = next(one for one in candidates([shape], width) if one.game.name == "reversi")
    return detect_encoding(first, network, assume=False)


CASES = {
    "alpha-zero-general, 8 x 8": (signed, (8, 8), 65, "signed", ("sum", "cell_and_pass")),
    "alpha-zero-general, 6 x 6": (signed, (6, 6), 37, "signed", ("sum", "cell_and_pass")),
    "Zeta36, 64 moves": (own_first, (2, 8, 8), 64, "mover opponent", ("channels_first", "cell")),
    "by colour, with who moves": (
        coloured,
        (8, 8, 3),
        65,
        "player0 player1 player0_to_move",
        ("channels_last", "cell_and_pass"),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_strangers_network_is_read_as_it_reads(case: str) -> None:
    sides, shape, width, planes, (layout, actions) = CASES[case]
    reading = detected(shape, width, stranger(sides, shape[1], width))
    assert (reading.encoding.layout, " ".join(reading.encoding.planes), reading.actions) == (layout, planes, actions)
    assert reading.settings == {"size": shape[1]}
    assert reading.statement is not None
    assert "finds " in reading.statement.figures


def test_a_network_that_knows_nothing_of_reversi_is_not_called_one() -> None:
    with pytest.raises(Undecided, match="its shapes are Reversi's, but how it reads the board is not known"):
        detected((8, 8), 65, stranger(signed, 8, 65, knows=False))


@pytest.mark.usefixtures("no_stored_positions")
def test_of_a_board_without_positions_nothing_is_claimed() -> None:
    first = next(one for one in candidates([(4, 4)], 17) if one.game.name == "reversi")
    with pytest.raises(Undecided) as caught:
        detect_encoding(first, stranger(signed, 4, 17), assume=False)
    assert caught.value.figures == "azx has no positions of its board"


def test_a_large_board_shows_which_moves_are_legal() -> None:
    reading = detected((10, 10), 101, stranger(signed, 10, 101))
    assert reading.encoding.planes == ("signed",)
    assert reading.statement is not None
    assert reading.statement.degree is Degree.SHOWN


def test_the_names_of_readings_are_those_of_other_games() -> None:
    names = [one.name for one in hypotheses(GAMES["reversi"], (8, 8), 65)]
    assert names[0] == "reversi-signed"
    assert {"reversi-signed-player0", "reversi-codes-mover"} <= set(names)

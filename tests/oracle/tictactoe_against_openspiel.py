"""Random games of tic-tac-toe, compared ply by ply with OpenSpiel's `tic_tac_toe`, which numbers cells alike."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pyspiel

from azx.games.rules.tictactoe import TicTacToe


@cache
def _game() -> Any:
    return pyspiel.load_game("tic_tac_toe")


def play_random_game(rng: np.random.Generator) -> int:
    """Play one random game by both rules, AssertionError at the first difference; how many plies were compared."""
    ours, theirs = TicTacToe(), _game().new_initial_state()
    plies = 0
    while not ours.is_terminal:
        _compare(ours, theirs)
        legal = ours.legal_actions()
        action = legal[int(rng.random() * len(legal))]
        theirs.apply_action(action)
        ours = ours.apply(action)
        plies += 1
    _compare(ours, theirs)
    assert theirs.returns() == [ours.returns(), -ours.returns()], ours.board_text()
    return plies


def _compare(ours: TicTacToe, theirs: Any) -> None:
    board = ours.board_text()
    cells = "".join(cell if cell in "XO" else "." for cell in board.split())
    assert cells == str(theirs).replace("x", "X").replace("o", "O").replace("\n", ""), f"{theirs}\n{board}"
    assert ours.is_terminal == theirs.is_terminal(), board
    assert list(ours.legal_actions()) == theirs.legal_actions(), board
    if not ours.is_terminal:
        assert ours.to_move == theirs.current_player(), board

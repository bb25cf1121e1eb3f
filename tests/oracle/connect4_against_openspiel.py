"""Random games of Connect4, compared ply by ply with OpenSpiel's `connect_four`, whose actions are columns."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pyspiel

from azx.games.rules.connect4 import COLUMNS, Connect4


@cache
def _game() -> Any:
    return pyspiel.load_game("connect_four")


def play_random_game(rng: np.random.Generator) -> int:
    """Play one random game by both rules, AssertionError at the first difference; how many plies were compared."""
    ours, theirs = Connect4(), _game().new_initial_state()
    plies = 0
    while not ours.is_terminal:
        _compare(ours, theirs)
        legal = ours.legal_actions()
        action = legal[int(rng.random() * len(legal))]
        theirs.apply_action(action % COLUMNS)
        ours = ours.apply(action)
        plies += 1
    _compare(ours, theirs)
    assert theirs.returns() == [ours.returns(), -ours.returns()], ours.board_text()
    return plies


def _compare(ours: Connect4, theirs: Any) -> None:
    board = ours.board_text()
    drawn = str(theirs).replace("x", "X").replace("o", "O").split()
    assert drawn == board.replace(" ", "").split()[:-1], f"{theirs}\n{board}"
    assert ours.is_terminal == theirs.is_terminal(), board
    if not ours.is_terminal:
        assert ours.to_move == theirs.current_player(), board
        assert sorted(action % COLUMNS for action in ours.legal_actions()) == theirs.legal_actions(), board

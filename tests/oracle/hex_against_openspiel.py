"""Random games of Hex, compared ply by ply with OpenSpiel's `hex`, with and without the swap rule.

OpenSpiel numbers cells as azx does. Its swap is an action of its own behind the cells, ours is the first stone's cell;
both put the stone on the cell mirrored in the diagonal. OpenSpiel plays up to 11 by 11 here; other sizes have an
implementation of their own in tests/games/rules/test_hex.py.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pyspiel

from azx.games.rules.hex import Hex, start

SIZES = (3, 5, 7, 11)
MARKS = {"x": 0, "o": 1}


@cache
def _game(size: int, swap: bool) -> Any:
    return pyspiel.load_game(f"hex(board_size={size},swap={str(swap).lower()})")


def play_random_game(rng: np.random.Generator) -> int:
    """Play one random game by both rules, AssertionError at the first difference; how many plies were compared.

    In half of the games that allow it the first stone is taken over.
    """
    size, swap = SIZES[int(rng.random() * len(SIZES))], bool(rng.random() < 0.5)
    ours, theirs = start(size, "swap" if swap else "plain"), _game(size, swap).new_initial_state()
    plies = 0
    while not ours.is_terminal:
        _compare(ours, theirs)
        legal = ours.legal_actions()
        action = legal[int(rng.random() * len(legal))]
        if ours.is_swap_open and rng.random() < 0.5:
            action = int(ours.last_action or 0)
        takes_over = ours.is_swap_open and action == ours.last_action
        ours = ours.apply(action)
        theirs.apply_action(size * size if takes_over else action)
        plies += 1
    _compare(ours, theirs)
    return plies


def _compare(ours: Hex, theirs: Any) -> None:
    size = ours.size
    assert theirs.is_terminal() == ours.is_terminal, f"one of the games is over\n{ours.board_text()}"
    if ours.is_terminal:
        assert theirs.returns() == [ours.returns(), -ours.returns()], ours.board_text()
    else:
        assert theirs.current_player() == ours.to_move
        mine = [size * size if ours.is_swap_open and at == ours.last_action else at for at in ours.legal_actions()]
        assert theirs.legal_actions() == sorted(mine), ours.board_text()
    marks = [mark for mark in str(theirs).split() if mark in ".xo"]
    stones = [sum(1 << at for at, mark in enumerate(marks) if mark == sign) for sign in MARKS]
    assert tuple(stones) == ours.stones, f"{theirs}\n{ours.board_text()}"

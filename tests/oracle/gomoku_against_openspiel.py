"""Random games of freestyle Gomoku 15x15, compared ply by ply with OpenSpiel's `gomoku`.

OpenSpiel numbers points as azx does, row by row from the top, and counts six in a row as a win too.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pyspiel

from azx.games.rules.gomoku import Gomoku, start

SIZE = 15
DIGITS = {colour: str.maketrans("bw.", digits, "\n") for colour, digits in (("b", "100"), ("w", "010"))}


@cache
def _game() -> Any:
    return pyspiel.load_game(f"gomoku(size={SIZE},connect=5,dims=2,wrap=false,anti=false)")


def play_random_game(rng: np.random.Generator) -> int:
    """Play one random game by both rules, AssertionError at the first difference; how many plies were compared.

    In half of the games stones are drawn to one quarter of the board, where more of them meet; the
    others reach every edge.
    """
    crowded = rng.random() < 0.5
    ours, theirs = start(SIZE), _game().new_initial_state()
    plies = 0
    while not ours.is_terminal:
        _compare(ours, theirs)
        action = _drawn(ours.legal_actions(), rng, crowded)
        ours = ours.apply(action)
        theirs.apply_action(action)
        plies += 1
    _compare(ours, theirs)
    return plies


def _drawn(legal: tuple[int, ...], rng: np.random.Generator, crowded: bool) -> int:
    """One of the legal actions; in a crowded game the first in the upper left of three, else any."""
    draws = [legal[int(rng.random() * len(legal))] for _ in range(3 if crowded else 1)]
    return min(draws, key=lambda point: max(divmod(point, SIZE)))


def _compare(ours: Gomoku, theirs: Any) -> None:
    assert theirs.is_terminal() == ours.is_terminal, f"one of the games is over\n{ours.board_text()}"
    assert theirs.returns() == [ours.returns(), -ours.returns()], ours.board_text()
    assert theirs.legal_actions() == list(ours.legal_actions()), ours.board_text()
    if not ours.is_terminal:
        assert theirs.current_player() == ours.to_move
    # The first line says who is to move, or that nobody is.
    _, board = str(theirs).split("\n", 1)
    black, white = (int(board.translate(DIGITS[colour])[::-1], 2) for colour in "bw")
    mine = (black, white) if ours.to_move == 0 else (white, black)
    assert mine == (ours.mover, ours.opponent), f"{theirs}\n{ours.board_text()}"

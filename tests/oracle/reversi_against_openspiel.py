"""Random games of Reversi 8x8, compared ply by ply with OpenSpiel's `othello`, which numbers moves alike."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pyspiel

from azx.games.rules.reversi import Reversi, start

DIGITS = {colour: str.maketrans("xo-", digits) for colour, digits in (("x", "100"), ("o", "010"))}


@cache
def _game() -> Any:
    return pyspiel.load_game("othello")


def play_random_game(rng: np.random.Generator) -> int:
    """Play one random game by both rules, AssertionError at the first difference; how many plies were compared."""
    ours, theirs, plies = start(), _game().new_initial_state(), 0
    while not ours.is_terminal:
        _compare(ours, theirs)
        legal = ours.legal_actions()
        action = legal[int(rng.random() * len(legal))]
        ours = ours.apply(action)
        theirs.apply_action(action)
        plies += 1
    _compare(ours, theirs)
    return plies


def _compare(ours: Reversi, theirs: Any) -> None:
    assert theirs.is_terminal() == ours.is_terminal, f"one of the games is over\n{ours.board_text()}"
    assert theirs.returns() == [ours.returns(), -ours.returns()], ours.board_text()
    assert theirs.legal_actions() == list(ours.legal_actions()), ours.board_text()
    if not ours.is_terminal:
        assert theirs.current_player() == ours.to_move
    rows = [line[2:17].replace(" ", "") for line in str(theirs).splitlines() if line[:1].isdigit()]
    board = "".join(rows)
    black, white = (int(board.translate(DIGITS[colour])[::-1], 2) for colour in "xo")
    assert (black, white) == ours.discs, f"{theirs}\n{ours.board_text()}"

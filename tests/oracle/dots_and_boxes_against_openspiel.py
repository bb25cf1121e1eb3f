"""Random games of Dots and Boxes 3x3, compared ply by ply with OpenSpiel's `dots_and_boxes`.

OpenSpiel has 24 actions and no pass: who completes a box is asked again. Which of its actions is
which edge is read from the names it gives them. A forced pass counts as a ply here.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np
import pyspiel

from azx.games.rules.dots_and_boxes import DotsAndBoxes, start

SIZE = 3
PASS = 24


@cache
def _game() -> Any:
    return pyspiel.load_game(f"dots_and_boxes(num_rows={SIZE},num_cols={SIZE})")


@cache
def _theirs() -> tuple[int, ...]:
    """By azx's edge, OpenSpiel's action, whose name is as `P1(v,0,2)`."""
    state = _game().new_initial_state()
    actions: dict[int, int] = {}
    for action in state.legal_actions():
        found = re.fullmatch(r"P1\((h|v),(\d),(\d)\)", state.action_to_string(0, action))
        assert found is not None
        row, column = int(found[2]), int(found[3])
        edge = row * SIZE + column if found[1] == "h" else SIZE * (SIZE + 1) + row * (SIZE + 1) + column
        actions[edge] = action
    assert len(actions) == PASS
    return tuple(actions[edge] for edge in range(PASS))


def play_random_game(rng: np.random.Generator) -> int:
    """Play one random game by both rules, AssertionError at the first difference; how many plies were compared."""
    ours, theirs = start(SIZE), _game().new_initial_state()
    plies = 0
    while not ours.is_terminal:
        _compare(ours, theirs)
        legal = ours.legal_actions()
        action = legal[int(rng.random() * len(legal))]
        if action != PASS:
            theirs.apply_action(_theirs()[action])
        ours = ours.apply(action)
        plies += 1
    _compare(ours, theirs)
    assert theirs.returns() == [ours.returns(), -ours.returns()], ours.board_text()
    return plies


def _compare(ours: DotsAndBoxes, theirs: Any) -> None:
    board = ours.board_text()
    assert _boxes(theirs) == ours.owners, f"{theirs}\n{board}"
    assert ours.is_terminal == theirs.is_terminal(), board
    if ours.is_terminal:
        return
    # Where we have a forced pass, they ask the other player already.
    assert theirs.current_player() == (1 - ours.to_move if ours.must_pass else ours.to_move), board
    if ours.must_pass:
        assert ours.legal_actions() == (PASS,), board
    else:
        assert sorted(_theirs()[edge] for edge in ours.legal_actions()) == theirs.legal_actions(), board


def _boxes(theirs: Any) -> tuple[int | None, ...]:
    """Who owns each box, from a drawing whose boxes are four characters apart, on every second line."""
    lines = [line.ljust(4 * SIZE) for line in str(theirs).splitlines()[1::2]]
    marks = [line[2 + 4 * column] for line in lines[:SIZE] for column in range(SIZE)]
    return tuple({"1": 0, "2": 1}.get(mark) for mark in marks)

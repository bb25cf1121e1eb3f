"""Random games of Go 9x9, compared ply by ply with OpenSpiel's `go`.

OpenSpiel numbers points from a1 on, ends a game 0-0 at a repeated board instead of refusing the
stone, and does not stop at 243 plies where `max_game_length` is larger.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pyspiel

from azx.games.rules.go import Go, start

SIZE = 9
POINTS = SIZE * SIZE
# By azx's action, OpenSpiel's: rows from the bottom, the pass last in both.
THEIRS = [(SIZE - 1 - at // SIZE) * SIZE + at % SIZE for at in range(POINTS)] + [POINTS]
OURS = {theirs: at for at, theirs in enumerate(THEIRS)}
EMPTY = ["+"] * POINTS


@cache
def _game(komi: float) -> Any:
    return pyspiel.load_game(f"go(board_size={SIZE},komi={komi},max_game_length=1000)")


def play_random_game(rng: np.random.Generator) -> int:
    """Play one random game by both rules, AssertionError at the first difference; how many plies were compared.

    In half of the games a pass is as likely as any point, and most end by two; in the others
    players pass only where they must, which takes most games to the length limit.
    """
    passing = rng.random() < 0.5
    ours, theirs = start(), _game(7.5).new_initial_state()
    played: list[int] = []
    while not ours.is_terminal:
        assert not theirs.is_terminal(), "theirs is over, ours is not"
        _compare_boards(ours, theirs)
        legal = ours.legal_actions()
        _compare_legal(ours, legal, theirs)
        choice = legal if passing or len(legal) == 1 else legal[:-1]
        action = choice[int(rng.random() * len(choice))]
        played.append(THEIRS[action])
        ours = ours.apply(action)
        theirs.apply_action(THEIRS[action])
    _compare_boards(ours, theirs)
    _compare_results(ours, theirs, played)
    return len(played)


def _compare_boards(ours: Go, theirs: Any) -> None:
    assert theirs.current_player() in (ours.to_move, pyspiel.PlayerId.TERMINAL)
    cells = EMPTY.copy()
    for player, sign in enumerate("XO"):
        for at in ours.stones(player):
            cells[at] = sign
    # Lines as "9 +++X+++++" stand below a line that may hold anything.
    rows = [line[3 : 3 + SIZE] for line in str(theirs).splitlines()[2 : 2 + SIZE]]
    assert "".join(rows) == "".join(cells), f"{theirs}\n{ours.board_text()}"


def _compare_legal(ours: Go, legal: tuple[int, ...], theirs: Any) -> None:
    """What we call illegal and they do not must be a repeated board, which ends their game 0-0."""
    extra = {OURS[action] for action in theirs.legal_actions()} ^ set(legal)
    for action in extra:
        assert action not in legal, f"they refuse {ours.label(action)}:\n{ours.board_text()}"
        refusal = ours.why_illegal(action)
        assert refusal is not None
        assert refusal.code == "superko", refusal
        child = theirs.child(THEIRS[action])
        assert child.is_terminal(), f"no repeated board: {ours.label(action)}"
        assert child.returns() == [0, 0], f"no repeated board: {ours.label(action)}"


def _compare_results(ours: Go, theirs: Any, played: list[int]) -> None:
    """The result, and the area to the point: with a komi half a point less than it black wins, half more white."""
    passes = [POINTS] * _passes_missing(played)
    for action in passes:
        theirs.apply_action(action)
    assert theirs.is_terminal(), "ours is over, theirs is not"
    assert theirs.returns() == [ours.returns(), -ours.returns()], f"{theirs.returns()}, {ours.score()}"
    difference = ours.score() + ours.komi
    for komi, result in ((difference - 0.5, 1.0), (difference + 0.5, -1.0)):
        again = _game(komi).new_initial_state()
        for action in (*played, *passes):
            again.apply_action(action)
        assert again.returns() == [result, -result], f"black's area less white's is not {difference}"


def _passes_missing(played: list[int]) -> int:
    """How many passes end the game in OpenSpiel, where it was stopped for its length."""
    if played[-1] != POINTS:
        return 2
    return 0 if played[-2:] == [POINTS, POINTS] else 1

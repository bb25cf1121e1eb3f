"""The process that runs an author's function: boards in, numbers out, as two .npz files without pickle.

    python -c "..." FILE.py:FUNCTION boards.npz numbers.npz

The number of its parameters decides how the function is called: `encode(board)`, `encode(board, player)` or
`encode(board, player, history)`. `board` is an int array (rows, columns). With `player`, which is +1 or -1 and names
the player to move, +1 on the board is the player who began and -1 the other. Without it, +1 is the player to move.
`history` has the earlier boards, the latest first.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Any

import numpy as np

from ..errors import CheckpointError, first_line
from ..export.checkpoint.builder import load_function

BOARD_ALONE, WITH_PLAYER, WITH_HISTORY = 1, 2, 3


def main() -> None:
    """Run the function of the command line on the boards; if it fails, one line on standard error and exit code 1."""
    spec, boards, written = sys.argv[1:4]
    try:
        with redirect_stdout(sys.stderr), np.load(boards, allow_pickle=False) as given:
            function = load_function(spec)
            np.savez(written, numbers=_call(function, given["boards"], given["players"], given["lengths"]))
    except Exception as error:  # the user's code may raise any error
        said = str(error) if isinstance(error, CheckpointError) else f"{type(error).__name__}: {first_line(error)}"
        sys.exit(f"\n{said}")


def _call(function: Callable[..., Any], boards: Any, players: Any, lengths: Any) -> Any:
    """The function's numbers for each position, float32 (N, ...).

    `boards` is (N, plies, rows, columns), the latest first.
    """
    takes = [
        each
        for each in inspect.signature(function).parameters.values()
        if each.default is each.empty and each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)
    ]
    if len(takes) not in (BOARD_ALONE, WITH_PLAYER, WITH_HISTORY):
        raise CheckpointError(
            f"it takes {len(takes)} arguments: let it take board, or board and player, or history too"
        )
    answers = []
    for past, player, length in zip(boards, players, lengths, strict=True):
        history = [np.array(board, np.int64) for board in past[:length]]
        given = (
            [history[0] * int(player)]
            if len(takes) == BOARD_ALONE
            else [history[0], int(player), history[1:]][: len(takes)]
        )
        answers.append(np.asarray(function(*given), np.float32))
    return np.stack(answers)

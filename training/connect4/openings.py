"""Writes games/data/connect4_openings.json: who wins each position of few discs, by BitBully.

    python -P -m azx.training.connect4.openings

Only the positions with the most discs are solved; the outcomes of the others follow from these by the rules.
"""

from __future__ import annotations

import json
from pathlib import Path

from ...games.rules import connect4_opening as table
from ...games.rules.connect4 import COLUMNS, ROWS
from .data import EXACT, solver

FILE = Path(table.__file__).parents[1] / "data" / "connect4_openings.json"


def outcomes() -> list[int]:
    """The outcome of each of the table's positions for the player to move, in the table's order."""
    openings = list(table.openings())
    values: dict[int, int] = {}
    # A position's successors follow it in the table.
    for opening in reversed(openings):
        played = _discs(opening)
        if played == table.MOST_DISCS:
            values[opening] = _solve(opening)
        else:
            values[opening] = max(-values[after] for after in table.moves(opening, played & 1))
    return [values[opening] for opening in openings]


def _discs(opening: int) -> int:
    return sum(column.bit_length() - 1 for column in table.columns_of(opening))


def _solve(opening: int) -> int:
    """1 if the player to move wins, 0 for a draw, -1 if the other player wins or has won."""
    from bitbully import Board

    rows = [[0] * COLUMNS for _ in range(ROWS)]
    for at, column in enumerate(table.columns_of(opening)):
        for row, player in enumerate(f"{column:b}"[1:]):
            rows[ROWS - 1 - row][at] = 1 + int(player)
    board = Board(rows)
    if board.has_win():
        return -1
    score = int(max(solver(EXACT).score_all_moves(board).values()))
    return (score > 0) - (score < 0)


def pack(numbers: list[int]) -> str:
    """The outcomes in the table's form, `PACKED` per letter; the last letter is filled up with losses."""
    digits = [number + 1 for number in numbers] + [0] * (-len(numbers) % table.PACKED)
    groups = zip(*(digits[place :: table.PACKED] for place in range(table.PACKED)), strict=True)
    return "".join(
        chr(table.FIRST_LETTER + sum(digit * 3**place for place, digit in enumerate(group))) for group in groups
    )


def main() -> None:
    """Write the file."""
    content = {"most_discs": table.MOST_DISCS, "outcomes": pack(outcomes())}
    FILE.write_text(json.dumps(content, indent=1) + "\n", encoding="utf8")


if __name__ == "__main__":
    main()

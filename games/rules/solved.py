"""The result of a position whose game is solved to its end."""

from __future__ import annotations

from typing import NamedTuple


class Solution(NamedTuple):
    """The mover's final `margin` in boxes or discs, and the `best` actions, ascending.

    Once the game is over, no action is best.
    """

    margin: int
    best: tuple[int, ...]

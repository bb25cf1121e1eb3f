"""What is known of a position whose game is solved to its end."""

from __future__ import annotations

from typing import NamedTuple


class Solved(NamedTuple):
    """The `margin` by which the player to move ends ahead, in boxes or discs, and the `best` actions, ascending.

    None is best once the game is over.
    """

    margin: int
    best: tuple[int, ...]

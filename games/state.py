"""The one vocabulary of every game: an immutable state that two players change in turns."""

from __future__ import annotations

from typing import ClassVar, Protocol, Self

import numpy as np
from numpy.typing import NDArray


class State(Protocol):
    """A position of a two-player zero-sum game; nothing changes it, `apply` makes the next one.

    An action is a number from 0 to `actions` - 1, the index of the policy's output.
    """

    actions: ClassVar[int]

    @property
    def to_move(self) -> int:
        """The player to move, 0 or 1; player 0 begins."""

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""

    def legal_actions(self) -> tuple[int, ...]:
        """The legal actions in ascending order; none once the game is over."""

    def apply(self, action: int) -> Self:
        """The position after `action`; GameError, naming the legal ones, where it is illegal."""

    def returns(self) -> float:
        """The result seen by player 0: +1 won, 0 drawn or not over, -1 lost."""

    def plane(self, name: str) -> NDArray[np.float32]:
        """One plane of an encoding, float32 of the board's shape; GameError where the game has none so called."""

    def encode(self) -> NDArray[np.float32]:
        """The tensor that the game's reference network reads, float32, without a batch axis."""

    def board_text(self) -> str:
        """The position for a terminal, one line a row."""

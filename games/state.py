"""The one vocabulary of every game: an immutable state that two players change in turns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError


class State(Protocol):
    """A position of a two-player zero-sum game; nothing changes it, `apply` makes the next one.

    An action is a number from 0 to `actions` - 1, the index of the reference policy's output.
    """

    @property
    def actions(self) -> int:
        """How many actions the game has, legal here or not."""

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

    def label(self, action: int) -> str:
        """What a person types for `action`: a column, a cell, a point such as D4, `pass`."""

    def board_text(self) -> str:
        """The position for a terminal, one line a row."""


def illegal(game: str, action: int, legal: Iterable[int]) -> GameError:
    """The error for an action that cannot be played: the action, and the legal ones."""
    actions = ", ".join(map(str, legal))
    instead = f"choose action {actions}" if actions else "the game is over"
    return GameError(f"{game}: action {action} is illegal here, {instead}.")


def unknown_plane(game: str, name: str, known: Iterable[str]) -> GameError:
    """The error for a plane that the game does not draw."""
    return GameError(f"{game}: there is no plane '{name}', use {', '.join(known)}.")

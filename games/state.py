"""The vocabulary that all games share: an immutable state that two players change in turns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError
from ..texts import say


class State(Protocol):
    """A position of a two-player zero-sum game; it never changes, `apply` makes the next one.

    An action is a number from 0 to `actions` - 1, the index of the reference policy's output.
    """

    @property
    def actions(self) -> int:
        """The number of the game's actions, legal here or not."""

    @property
    def to_move(self) -> int:
        """The player to move, 0 or 1; player 0 begins."""

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""

    @property
    def last_action(self) -> int | None:
        """The action that was played last; None before the first move."""

    @property
    def board(self) -> tuple[int, int]:
        """Rows and columns of an encoding's planes."""

    def legal_actions(self) -> tuple[int, ...]:
        """The legal actions in ascending order; none once the game is over."""

    def why_illegal(self, action: int) -> Refusal | None:
        """Why `action` cannot be played; None if it can be."""

    def apply(self, action: int) -> Self:
        """The position after `action`; GameError, naming the legal ones, if it is illegal."""

    def returns(self) -> float:
        """Player 0's result: +1 won, 0 drawn or not over, -1 lost."""

    def plane(self, name: str) -> NDArray[np.float32]:
        """One plane of an encoding, float32 of the board's shape; GameError if the game has no plane of this name."""

    def encode(self) -> NDArray[np.float32]:
        """The input of the game's reference network, float32 of its shape, without a batch axis."""

    def label(self, action: int) -> str:
        """The text that a person types for `action`: a column, a cell, a point such as D4, `pass`."""

    def board_text(self) -> str:
        """The position for a terminal, one line per row."""

    def signs(self) -> Mapping[int, str]:
        """The signs on some empty cells, by action: `+` to guide the eye, `x` where a piece is forbidden."""

    def margin(self) -> str:
        """The words after `You won` at the end, such as `, 5 boxes to 4`; empty if there is nothing to add."""


def play_line(start: State, actions: Iterable[int]) -> State:
    """The position that the actions lead to; GameError if one is illegal."""
    for action in actions:
        start = start.apply(action)
    return start


@runtime_checkable
class Remembers(Protocol):
    """A state whose planes show earlier plies too, such as "mover@2"."""

    @property
    def past(self) -> int:
        """How many earlier plies its planes can show: fewer at the beginning of a game."""


@runtime_checkable
class SuddenEnds(Protocol):
    """A state that can name the moves that end the game at once, without trying each move and each answer."""

    def sudden(self) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """The mover's actions that win at once, ascending, and how many the opponent has after each legal one.

        An action that loses at once has a larger number than there are answers. None if each one must be tried.
        """


class Refusal(NamedTuple):
    """Why an action cannot be played: `code`, and the `move` whose board a superko would repeat.

    The sentence of a code is the text reason_CODE, in every language of the apps.
    """

    code: str
    move: int | None = None

    @property
    def text(self) -> str:
        """The reason in English, as a clause."""
        return say(f"reason_{self.code}", [] if self.move is None else [str(self.move)])


OVER, NO_SUCH_ACTION, OCCUPIED = Refusal("over"), Refusal("no_such_action"), Refusal("occupied")


def as_action(action: object) -> int:
    """`action` as a Python integer if it is one of Python's or NumPy's, else -1, which no game has.

    A bool, a float or an array is never an action. Games call this only for values that are not `int`
    (`action if action.__class__ is int else as_action(action)`). A search plays only ints, so it saves the call.
    """
    return int(action) if isinstance(action, int | np.integer) and not isinstance(action, bool) else -1


def is_action(action: object, count: int) -> bool:
    """Whether `action` is an integer from 0 to `count` - 1, as `as_action` reads it."""
    return 0 <= as_action(action) < count


def illegal(game: str, action: int, legal: Iterable[int]) -> GameError:
    """The error for an illegal action; it names the action and the legal ones."""
    actions = ", ".join(map(str, legal))
    instead = f"choose action {actions}" if actions else OVER.text
    return GameError(f"{game}: action {action} is illegal here, {instead}.")


def unknown_plane(game: str, name: str, known: Iterable[str]) -> GameError:
    """The error for a plane that the game does not draw."""
    return GameError(f"{game}: there is no plane '{name}', use {', '.join(known)}.")

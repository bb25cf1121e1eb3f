"""The games that azx knows, and how a network's shapes tell which one it plays."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from azx.export.errors import GameError
from azx.games.connect4 import COLUMNS, ENCODING, Connect4
from azx.games.encoding import Encoding
from azx.games.state import State


@dataclass(frozen=True)
class Numbering:
    """How a policy numbers actions: `name` (cell, column), its `width`, and the game's action to its index."""

    name: str
    width: int
    index: Callable[[int], int]


@dataclass(frozen=True)
class Game:
    """A game: its first state, the encoding its networks read, the numberings its policies use.

    The first numbering and the encoding are the reference network's.
    """

    name: str
    title: str
    start: Callable[[], State]
    encoding: Encoding
    numberings: tuple[Numbering, ...]
    layouts: tuple[str, ...] = ("channels_first", "channels_last")

    def encodings(self) -> tuple[Encoding, ...]:
        """The same planes in every layout that networks of this game use."""
        return tuple(Encoding(layout, self.encoding.board, self.encoding.planes) for layout in self.layouts)


@dataclass(frozen=True)
class Recognised:
    """A game as one network reads it: the game, the input's encoding, the policy's numbering.

    `numbering` is None for a network without a policy.
    """

    game: Game
    encoding: Encoding
    numbering: Numbering | None

    @property
    def actions(self) -> str:
        """The manifest's word for the numbering: cell, column or none."""
        return self.numbering.name if self.numbering else "none"

    def legal(self, state: State) -> NDArray[np.bool_]:
        """Which of the policy's outputs are legal moves in `state`, bool (width,); (0,) without a policy."""
        mask = np.zeros(self.numbering.width if self.numbering else 0, dtype=np.bool_)
        if self.numbering:
            mask[[self.numbering.index(action) for action in state.legal_actions()]] = True
        return mask


CONNECT4 = Game(
    name="connect4",
    title="Connect4",
    start=Connect4,
    encoding=ENCODING,
    numberings=(
        Numbering("cell", Connect4.actions, lambda action: action),
        Numbering("column", COLUMNS, lambda action: action % COLUMNS),
    ),
)
GAMES = {game.name: game for game in (CONNECT4,)}


def by_name(name: str) -> Game:
    """The game called `name`; GameError, with the known names and the nearest, where there is none."""
    if name in GAMES:
        return GAMES[name]
    known = ", ".join(GAMES)
    nearest = difflib.get_close_matches(name.lower(), GAMES, n=1, cutoff=0.5)
    hint = f"did you mean {nearest[0]}? " if nearest else ""
    raise GameError(f"game '{name}' is unknown: {hint}azx knows {known}")


def recognise(input_shapes: Sequence[tuple[int, ...]], policy_width: int | None) -> Recognised | None:
    """The game whose network has these input shapes (without the batch) and policy width.

    None where no game fits or several do: nothing is guessed. `policy_width` None means that the
    network has no policy.
    """
    fits = [fit for game in GAMES.values() if (fit := _fit(game, input_shapes, policy_width))]
    return fits[0] if len(fits) == 1 else None


def read_as(game: Game, input_shapes: Sequence[tuple[int, ...]], policy_width: int | None) -> Recognised:
    """`game` as the network reads it; GameError where the shapes are not the game's."""
    fit = _fit(game, input_shapes, policy_width)
    if fit:
        return fit
    shapes = " or ".join(str(encoding.shape) for encoding in game.encodings())
    widths = " or ".join(str(numbering.width) for numbering in game.numberings)
    found = ", ".join(str(tuple(shape)) for shape in input_shapes)
    raise GameError(
        f"{game.title} networks take {shapes} and have {widths} policy outputs, but this one takes {found} and has "
        f"{policy_width or 'none'}: leave --game away, or choose another game"
    )


def _fit(game: Game, input_shapes: Sequence[tuple[int, ...]], policy_width: int | None) -> Recognised | None:
    if len(input_shapes) != 1:
        return None
    encoding = next((e for e in game.encodings() if e.shape == tuple(input_shapes[0])), None)
    numbering = next((n for n in game.numberings if n.width == policy_width), None)
    if encoding is None or (numbering is None and policy_width is not None):
        return None
    return Recognised(game, encoding, numbering)

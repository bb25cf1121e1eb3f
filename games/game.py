"""What azx knows of a game beyond its rules: settings, encodings and how policies number its actions."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError
from ..statement import Statement
from .encoding import MIXED, VECTORS, Encoding, is_turned, say_mixed, turned_actions
from .state import State
from .symmetry import NONE, Turn

Value = int | float | str
Settings = Mapping[str, Value]
# A position's one best move; None if the rules alone do not determine one.
Tactic = Callable[[State], int | None]
# A function of a first state and a number n: n pairs of positions with the same player to move. In the first position
# of a pair that player is clearly better.
Leads = Callable[[State, int], list[tuple[State, State]]]
# A function of the same kind: positions with player 0 to move that are even, except for a bonus of one player.
Even = Callable[[State, int], list[State]]

# With more planes than this, a line names the first two and the last.
SHORT = 4
PLAYER_WORDS = {
    "mover": "player to move",
    "opponent": "opponent",
    "player0": "who began",
    "player1": "who came second",
}
TURNED = {
    "flip": "row 0 at the bottom",
    "transpose": "columns as rows",
    "turned": "columns as rows while the player who came second is to move",
}


@dataclass(frozen=True)
class Setting:
    """A choice that a game leaves open; if `choices` is empty, any number is possible."""

    name: str
    default: Value
    choices: tuple[Value, ...]
    about: str

    def read(self, given: Value) -> Value:
        """The value that `given`, a value or its text, has for this setting; GameError if it is not allowed."""
        try:
            value = type(self.default)(given)
        except ValueError:
            value = given
        finite = not isinstance(value, float) or math.isfinite(value)
        if isinstance(value, type(self.default)) and finite and (not self.choices or value in self.choices):
            return value
        allowed = ", ".join(map(str, self.choices)) or "a number"
        raise GameError(f"setting {self.name}: '{given}' is not possible, use {allowed}.")


@dataclass(frozen=True)
class Numbering:
    """How a policy numbers actions: `name` (cell, column, ...), its `width`, and a function from action to index.

    `listed` has the index of each action, if only a list describes them.
    """

    name: str
    width: int
    index: Callable[[int], int]
    listed: tuple[int, ...] = ()


def number_as_input(numbering: Numbering, encoding: Encoding) -> Numbering:
    """A numbering of the cells in the input's order, so flipped and transposed like the input.

    Actions after the cells, such as a pass, keep their numbers.
    """
    cells = math.prod(encoding.board)
    places = np.arange(cells).reshape(encoding.plane_shape)
    placed = places.T if encoding.transpose else places
    listed = (placed[::-1] if encoding.flip else placed).ravel()
    indices = (*map(int, listed), *range(cells, numbering.width))
    return Numbering("listed", numbering.width, indices.__getitem__, indices)


@dataclass(frozen=True)
class Convention:
    """One of the ways in which networks of the same shapes write the board.

    `name` is a value of --encoding, `says` ends the sentence "reads the board with ...". The function `encoding` turns
    the usual encoding into this convention's. The function `numbering` does the same for a numbering and its board.
    Both return anything else unchanged.
    """

    name: str
    says: str
    encoding: Callable[[Encoding], Encoding] = lambda encoding: encoding
    numbering: Callable[[Numbering, tuple[int, ...]], Numbering] = lambda numbering, board: numbering


@dataclass(frozen=True)
class Shape:
    """The networks of one board size: the `settings` that the size implies, encodings and numberings.

    The first encoding and the first numbering are the reference network's. `telling` lists pairs of an input's shape
    and a policy's width (None without a policy) that no known network of another game has. A network with such a pair
    plays this game; for other pairs the user must say so. `conventions` are the ways in which such networks
    write the board, the reference network's first; empty if all write it alike.
    """

    settings: Settings
    encodings: tuple[Encoding, ...]
    numberings: tuple[Numbering, ...]
    telling: frozenset[tuple[tuple[int, ...], int | None]] = frozenset()
    conventions: tuple[Convention, ...] = ()


@dataclass(frozen=True)
class Frontiers:
    """Positions of a game of territory; a network's values of them show whether it reads the board correctly."""

    leads: Leads
    even: Even


@dataclass(frozen=True)
class Game:
    """A game. `start` takes the settings by name; `shapes` has the reference network's first.

    `noun` is what a person names to move. It also decides how a terminal draws the board. `column` and `point` are
    named at the edges, a `cell` shows its own number, an `edge` lies between dots. Any other uses `board_text`.
    `sides` are the players, the first one first. `turns` are the turns of the board that change nothing. `plies` are
    the fewest and the most random plies that open a match: enough for varied games, few enough that most are still
    open. `per_game` is the number of positions drawn from each random game for a comparison. `tactics` and
    `frontiers` find positions that show whether a network reads the board correctly. If `must_tell` is true, azx never
    assumes one of several encodings for a network that does not reveal its own. A wrong one would make it play badly.
    `upright` says whether the rules distinguish up and down, so that row 0 may be top or bottom. `legality` says
    whether the legal moves depend on the pieces' colours, so that a policy reveals how it reads the board. `sided`
    says whether each player has sides of their own, so that a network may see the board turned for the second player.
    """

    name: str
    title: str
    start: Callable[..., State]
    shapes: tuple[Shape, ...]
    settings: tuple[Setting, ...] = ()
    noun: str = "cell"
    sides: tuple[str, str] = ("X", "O")
    turns: tuple[Turn, ...] = NONE
    plies: tuple[int, int] = (2, 6)
    per_game: int = 1
    tactics: tuple[Tactic, ...] = ()
    frontiers: Frontiers | None = None
    must_tell: bool = False
    upright: bool = False
    legality: bool = False
    sided: bool = False

    @property
    def is_probed(self) -> bool:
        """Whether a network's answers reveal how it reads the board."""
        return bool(self.tactics) or self.legality

    @property
    def encoding(self) -> Encoding:
        """The reference network's encoding."""
        return self.shapes[0].encodings[0]

    def board_settings(self, known: Settings) -> dict[str, Value]:
        """The settings that determine the board: the network's `known` ones, else the defaults."""
        sides = {name for shape in self.shapes for name in shape.settings}
        return {each.name: known.get(each.name, each.default) for each in self.settings if each.name in sides}

    def begin(self, settings: Settings | None = None) -> State:
        """The first state under `settings` (defaults for those not given); GameError for an unknown setting."""
        known = {setting.name: setting for setting in self.settings}
        for name in settings or {}:
            if name not in known:
                has = f"it has {', '.join(known)}" if known else "it has none"
                raise GameError(f"{self.title} has no setting '{name}': {has}.")
        return self.start(**{name: known[name].read(value) for name, value in (settings or {}).items()})


@dataclass(frozen=True)
class Reading:
    """A game as one network reads it: the game, the input's encoding, the policy's numbering.

    `numbering` is None for a network without a policy; `settings` are those that the shapes determine. `value_order`
    names the three outputs of a value head, if the user named them.
    `statement` says how the encoding is known; None if nothing was probed. `shows` are the roles of outputs, value or
    policy, whose answers revealed it.
    `rivals` are the other readings that fit, by their --encoding names, if this one is only assumed; None if it is
    known or was given. `is_cut_short` says that the network is too large for a complete probe.
    """

    game: Game
    encoding: Encoding
    numbering: Numbering | None
    settings: Settings = field(default_factory=dict)
    value_order: tuple[str, ...] | None = None
    statement: Statement | None = field(default=None, compare=False)
    shows: frozenset[str] = field(default=frozenset(), compare=False)
    rivals: Mapping[str, Reading] | None = field(default=None, compare=False)
    is_cut_short: bool = field(default=False, compare=False)

    @property
    def actions(self) -> str:
        """The manifest's word for the numbering: cell, column, ... or none."""
        return self.numbering.name if self.numbering else "none"

    @property
    def line(self) -> str:
        """The network's input and how it is known, in one line: "input: mover, opponent (channels_first)"."""
        return f"{self.input_line}. {self.statement.line}" if self.statement else self.input_line

    @property
    def input_line(self) -> str:
        """The network's input alone, and the meaning of three outputs of its value."""
        order = f". Value: {', '.join(self.value_order)}" if self.value_order else ""
        return f"input: {_describe_input(self.encoding)}{order}"

    def start(self, **more: Value) -> State:
        """The first state on the board that the network reads, with `more` settings."""
        return self.game.begin({**self.settings, **more})

    def legal(self, state: State) -> NDArray[np.bool_]:
        """Which of the policy's outputs are legal moves in `state`, bool (width,); (0,) without a policy."""
        mask = np.zeros(self.numbering.width if self.numbering else 0, dtype=np.bool_)
        if self.numbering:
            mask[self.indices(state)[list(state.legal_actions())]] = True
        return mask

    def indices(self, state: State) -> NDArray[np.int64]:
        """The policy's index of each of the game's actions in `state`, int64 (actions,); (0,) without a policy."""
        indices: NDArray[np.int64] = self.indices_by_turn[int(is_turned(state, self.encoding))]
        return indices

    @cached_property
    def indices_by_turn(self) -> NDArray[np.int64]:
        """The policy's index of each action on the usual board, and on the turned one, int64 (2, actions)."""
        if self.numbering is None:
            return np.zeros((2, 0), dtype=np.int64)
        actions = self.start().actions
        straight = np.array([self.numbering.index(action) for action in range(actions)], dtype=np.int64)
        turned = straight[turned_actions(self.encoding.board, actions)] if self.encoding.turned else straight
        return np.stack([straight, turned])

    def as_data(self) -> dict[str, Any]:
        """The manifest's members about the game."""
        return {
            "game": self.game.name,
            "settings": dict(self.settings),
            "encoding": self.encoding.as_data(),
            "actions": list(self.numbering.listed) if self.numbering and self.numbering.listed else self.actions,
        }


def _describe_input(encoding: Encoding) -> str:
    """The planes of the input, or the meaning of its numbers if one plane shows both players."""
    data, planes = encoding.as_data(), encoding.planes
    unusual = [f"{name} {data[name]}" for name in ("history", "value") if name in data]
    unusual += [words for name, words in TURNED.items() if name in data]
    unusual += [f"beside it {', '.join(encoding.beside.planes)}"] if encoding.beside else []
    if len(planes) == 1 and planes[0] in MIXED:
        where = "row by row" if encoding.layout in VECTORS else " x ".join(map(str, encoding.board_shape))
        count = math.prod(encoding.board_shape)
        return "; ".join([f"{count} numbers, {where}", *unusual, say_mixed(planes[0], PLAYER_WORDS)])
    named = ", ".join(planes) if len(planes) <= SHORT else f"{planes[0]}, {planes[1]}, ... {planes[-1]}"
    return f"{named} ({', '.join([encoding.layout, *unusual])})"

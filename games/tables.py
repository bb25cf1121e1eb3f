"""The tables of games/data, which the apps read too: levels, thresholds, shapes, star points."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

from .encoding import Encoding
from .game import Numbering, Setting, Settings, Value


@cache
def read_table(name: str) -> Any:
    """The table `name` in JSON types; do not change it."""
    return json.loads((Path(__file__).with_name("data") / f"{name}.json").read_text(encoding="utf8"))


class Board(NamedTuple):
    """A board of known networks: the `settings` that it implies, the encoding, the policies' numberings.

    The encoding and the first numbering are the reference network's.
    """

    settings: Settings
    encoding: Encoding
    numberings: tuple[Numbering, ...]


class Shapes(NamedTuple):
    """A game's part of shapes.json; the first board is the reference network's."""

    title: str
    settings: tuple[Setting, ...]
    boards: tuple[Board, ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of the game's boards, ascending."""
        return tuple(sorted(int(board.settings["size"]) for board in self.boards))

    @property
    def size(self) -> int:
        """The size of the reference network's board."""
        return int(self.boards[0].settings["size"])

    @property
    def reference(self) -> Encoding:
        """The reference network's encoding."""
        return self.boards[0].encoding

    def default(self, name: str) -> Value:
        """The default of a setting."""
        return next(setting.default for setting in self.settings if setting.name == name)

    def encoding(self, *board: int) -> Encoding:
        """The encoding of the reference network's kind for a board of these rows and columns."""
        return Encoding(self.reference.layout, board, self.reference.planes)


def shapes_of(game: str) -> Shapes:
    """A game's part of shapes.json, by the game's name."""
    entry = next(entry for entry in read_table("shapes") if entry["name"] == game)
    settings = tuple(Setting(**{**each, "choices": tuple(each["choices"])}) for each in entry["settings"])
    return Shapes(entry["title"], settings, tuple(_board(each, entry) for each in _sizes(settings, entry["board"])))


def _sizes(settings: Sequence[Setting], board: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Value]]:
    """The settings of each board on which its sides depend, the reference network's first."""
    named = {term["setting"] for term in board}
    sides = [setting for setting in settings if setting.name in named]
    choices = ((side.default, *(each for each in side.choices if each != side.default)) for side in sides)
    for values in product(*choices):
        yield {side.name: value for side, value in zip(sides, values, strict=True)}


def _board(settings: Mapping[str, Value], entry: Mapping[str, Any]) -> Board:
    layout, planes = entry["encoding"]["layout"], tuple(entry["encoding"]["planes"])
    policies = ((each["name"], _product(each["factors"], settings) + each["plus"]) for each in entry["policies"])
    numberings = tuple(Numbering(name, width, _Modulo(width)) for name, width in policies)
    sides = tuple(_number(term, settings) for term in entry["board"])
    return Board(settings, Encoding(layout, sides, planes), numberings)


def _product(terms: Sequence[Mapping[str, Any]], settings: Mapping[str, Value]) -> int:
    return prod(_number(term, settings) for term in terms)


def _number(term: Mapping[str, Any], settings: Mapping[str, Value]) -> int:
    """A side of a board: a multiple of a setting's value, plus a constant."""
    return int(term["times"] * int(settings.get(term["setting"], 0)) + term["plus"])


@dataclass(frozen=True)
class _Modulo:
    """An action's index in a policy with one output per action, or per column: columns repeat row by row."""

    width: int

    def __call__(self, action: int) -> int:
        return action % self.width

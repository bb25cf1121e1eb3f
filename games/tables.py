"""The tables of games/data, which the apps read too: levels, thresholds, shapes, star points."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from .encoding import Encoding
from .game import Numbering, Setting, Settings, Value


@cache
def read_table(name: str) -> Any:
    """The table `name`, as JSON has it; nobody changes it."""
    return json.loads((Path(__file__).with_name("data") / f"{name}.json").read_text(encoding="utf8"))


class Board(NamedTuple):
    """A board that networks are made for: the `settings` it stands for, the encoding, the policies' numberings.

    The first numbering is the reference network's, and so is the encoding.
    """

    settings: Settings
    encoding: Encoding
    numberings: tuple[Numbering, ...]


class Shapes(NamedTuple):
    """What shapes.json has of a game; the first board is the reference network's."""

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

    def encoding(self, size: int) -> Encoding:
        """The encoding of the board of this size."""
        return next(board.encoding for board in self.boards if board.settings["size"] == size)


def shapes_of(game: str) -> Shapes:
    """What shapes.json has of a game, by its name."""
    entry = next(entry for entry in read_table("shapes") if entry["name"] == game)
    settings = (Setting(**{**each, "choices": tuple(each["choices"])}) for each in entry["settings"])
    return Shapes(entry["title"], tuple(settings), tuple(_board(each, entry) for each in entry["shapes"]))


def _board(shape: dict[str, Any], entry: dict[str, Any]) -> Board:
    layout, planes = entry["encoding"]["layout"], tuple(entry["encoding"]["planes"])
    policies = ((policy["name"], policy["width"]) for policy in shape["policies"])
    numberings = tuple(Numbering(name, width, _Modulo(width)) for name, width in policies)
    return Board(shape["settings"], Encoding(layout, tuple(shape["board"]), planes), numberings)


@dataclass(frozen=True)
class _Modulo:
    """The index of an action in a policy of one output an action, or of one a column: columns repeat row by row."""

    width: int

    def __call__(self, action: int) -> int:
        return action % self.width

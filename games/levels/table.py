"""The eight levels of every game, weak to strong, measured with the shipped networks (docs/strength.md).

For another network of the same game they are a starting point; their strength with it is unknown. `UNMEASURED` serves a
game outside the table, and a network without a policy, whose choice without a search would be random.
The numbers are in games/data/levels.json.
"""

from __future__ import annotations

import difflib

from ...errors import GameError
from ..tables import read_table
from .choice import Level

_TABLE = read_table("levels")
# level_1 to level_8 in the apps' texts.
NAMES: tuple[str, ...] = tuple(_TABLE["names"])
UNMEASURED = tuple(Level(**level) for level in _TABLE["unmeasured"])
LEVELS: dict[str, tuple[Level, ...]] = {
    game: tuple(Level(**level) for level in levels) for game, levels in _TABLE["games"].items()
}
FULL = UNMEASURED[-1]


def levels_of(game: str, has_policy: bool = True) -> tuple[Level, ...]:
    """The levels of a game, by its name, weak to strong, for a network with or without a policy."""
    return LEVELS.get(game, UNMEASURED) if has_policy else UNMEASURED


def level_number(text: str) -> int:
    """The number 1 to 8 for a number or a name; GameError, with the nearest name, for other texts."""
    name = text.strip().lower()
    if name in NAMES:
        return NAMES.index(name) + 1
    if name.isdecimal() and 1 <= int(name) <= len(NAMES):
        return int(name)
    near = difflib.get_close_matches(name, NAMES, 1)
    hint = f"did you mean '{near[0]}'?" if near else f"use {', '.join(NAMES)}."
    raise GameError(f"there is no level '{text}': levels are 1 to {len(NAMES)}, {hint}")

"""The eight levels of every game, weak to strong, as they were measured with the shipped networks (docs/strength.md).

For another network of the same game they are a beginning: how strong it plays them is not known. A game that is not in
the table, and a network without a policy (whose choice without a search would be chance alone), has `UNMEASURED`.
"""

from __future__ import annotations

import difflib

from ...errors import GameError
from .choice import Level

# level_1 to level_8 in the apps' texts.
NAMES = ("beginner", "novice", "casual", "average", "skilled", "strong", "expert", "full")
FULL = Level(200)

UNMEASURED = (
    Level(8, 0, 8),
    Level(8, 0, 4),
    Level(16, 0, 2),
    Level(16, 0, 1),
    Level(32, 0.1, 1),
    Level(50, 0.3, 1),
    Level(100),
    FULL,
)

LEVELS: dict[str, tuple[Level, ...]] = {
    "connect4": (
        Level(0, 0.005, 4),
        Level(0, 0, 2),
        Level(0, 0.05, 2),
        Level(0, 0, 1),
        Level(0, 0.12, 1),
        Level(0, 0.25, 1),
        Level(0, 0.45, 1),
        FULL,
    ),
    "tictactoe": (
        Level(0, 0, 8),
        Level(0, 0, 4),
        Level(0, 0.02, 4),
        Level(0, 0, 2),
        Level(0, 0.03, 2),
        Level(0, 0, 1),
        Level(0, 0.3, 1),
        FULL,
    ),
    "dots_and_boxes": (
        Level(0, 0, 4),
        Level(0, 0.007, 4),
        Level(0, 0.018, 4),
        Level(0, 0.017, 2),
        Level(0, 0.042, 2),
        Level(0, 0.03, 1),
        Level(0, 0.22, 1),
        FULL,
    ),
    "gomoku": (
        Level(0, 0.000005, 8),
        Level(0, 0.0001, 8),
        Level(0, 0.0002, 4),
        Level(0, 0, 2),
        Level(0, 0.004, 2),
        Level(0, 0, 1),
        Level(0),
        FULL,
    ),
    "go": (
        Level(0, 0, 16),
        Level(0, 0.0001, 8),
        Level(0, 0.0002, 4),
        Level(0, 0, 2),
        Level(0, 0.005, 2),
        Level(0, 0.02, 1),
        Level(0),
        FULL,
    ),
}


def levels_of(game: str, has_policy: bool = True) -> tuple[Level, ...]:
    """The levels of a game, by its name, for a network with a policy or without, weak to strong."""
    return LEVELS.get(game, UNMEASURED) if has_policy else UNMEASURED


def level_number(text: str) -> int:
    """1 to 8 of a number or a name; GameError, with the nearest name, where it is neither."""
    name = text.strip().lower()
    if name in NAMES:
        return NAMES.index(name) + 1
    if name.isdecimal() and 1 <= int(name) <= len(NAMES):
        return int(name)
    near = difflib.get_close_matches(name, NAMES, 1)
    hint = f"did you mean '{near[0]}'?" if near else f"use {', '.join(NAMES)}."
    raise GameError(f"there is no level '{text}': levels are 1 to {len(NAMES)}, {hint}")

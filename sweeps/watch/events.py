"""The events of a watch: one per line, for people and for programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

PICKED_UP, GONE, UNREADABLE = "picked_up", "gone", "unreadable"
PROVED, KEPT, FAILED = "proved", "kept", "failed"
PLAYING, PLAYED, NOT_PLAYED, BEST = "playing", "played", "not_played", "best"
INSTALLED, NOT_INSTALLED = "installed", "not_installed"
NO_ROOM, ROOM, NOT_LOOKED = "no_room", "room", "not_looked"


@dataclass(frozen=True)
class Event:
    """`text` is a clause about the network `name` ("" for events without one), `data` the same for a program."""

    kind: str
    name: str
    text: str
    data: Mapping[str, Any] = field(default_factory=dict)


Tell = Callable[[Event], None]

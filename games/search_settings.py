"""How to search a network: the member `search` of its bundle's manifest.

    {"root": {"kind": "gumbel", "considered": 16, "c_visit": 50, "c_scale": 0.1}}
    {"root": {"kind": "puct"}, "c_init": 1.5, "first_play": 0.2, "early_stop": true}
    {"root": {"kind": "puct"}, "lower_bound": 5}

Without the member, and with {"root": {"kind": "puct"}}, a search is the usual one. A reader refuses settings that it
does not know, because ignoring one would silently play another search. docs/search.md explains the
numbers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import GameError

PUCT, GUMBEL = "puct", "gumbel"
Limits = Mapping[str, tuple[float, float]]
# The members of each kind of root with their least and largest values, which also give its type.
_NUMBERS: Mapping[str, Limits] = {
    PUCT: {},
    GUMBEL: {"considered": (1, 1000), "c_visit": (0.0, 1e6), "c_scale": (0.0, 1e6)},
}
# The members beside the root.
_EVERYWHERE: Limits = {
    "c_init": (0.0, 1e3),
    "first_play": (0.0, 2.0),
    "early_stop": (False, True),
    "lower_bound": (0.0, 100.0),
}


@dataclass(frozen=True)
class Gumbel:
    """A root whose simulations are shared out by sequential halving among the `considered` most promising moves.

    A move's value weighs (`c_visit` + the most visits of any move) * `c_scale` against the logarithm of its prior.
    """

    considered: int = 16
    c_visit: float = 50.0
    c_scale: float = 0.1

    def as_data(self) -> dict[str, Any]:
        """The root as a manifest holds it."""
        return {"kind": GUMBEL, "considered": self.considered, "c_visit": self.c_visit, "c_scale": self.c_scale}


@dataclass(frozen=True)
class SearchSettings:
    """The differences from the usual search; if `root` is None, the root uses PUCT like all nodes.

    PUCT's C begins at `c_init`. An unvisited move counts as its parent's value less `first_play`; None counts it as a
    draw. With `early_stop` a search ends once no other move can reach the leader's visits
    (`search/early_stop.py`). With `lower_bound` the played move is not the most visited one, but the one with the
    largest mean less this number of standard errors (`search/lower_bound.py`).
    """

    root: Gumbel | None = None
    c_init: float = 1.25
    first_play: float | None = None
    early_stop: bool = False
    lower_bound: float | None = None

    @property
    def chooses_by_visits(self) -> bool:
        """Whether the most visited move is played; only then can the move be decided early, as `early_stop` needs."""
        return self.root is None and self.lower_bound is None

    def as_data(self) -> dict[str, Any]:
        """The settings as a manifest holds them, without usual values."""
        beside = {name: getattr(self, name) for name in _EVERYWHERE}
        differing = {name: value for name, value in beside.items() if value != getattr(USUAL, name)}
        return {"root": self.root.as_data() if self.root else {"kind": PUCT}, **differing}


USUAL = SearchSettings()


def fault_in(search: Any) -> str | None:
    """The first place, such as "root.kind", where the member `search` (JSON types) has something unknown; else None.

    The order is: the kind, the numbers as listed above, then unknown names in alphabetical order; the root's before
    the others.
    """
    root = search.get("root") if isinstance(search, Mapping) else None
    if not isinstance(root, Mapping):
        return "root"
    kind = root.get("kind")
    numbers = _NUMBERS.get(kind) if isinstance(kind, str) else None
    if numbers is None:
        return "root.kind"
    if (name := _fault(root, "kind", numbers)) is not None:
        return f"root.{name}"
    return _fault(search, "root", _EVERYWHERE)


def _fault(members: Mapping[str, Any], beside: str, numbers: Limits) -> str | None:
    """The first member that is not a number within its limits, else the first that is not in `numbers` or `beside`."""
    bad = [
        name for name, (least, most) in numbers.items() if name in members and not is_within(members[name], least, most)
    ]
    unknown = [name for name in sorted(members) if name not in (beside, *numbers)]
    return next(iter([*bad, *unknown]), None)


def is_within(value: Any, least: float, most: float) -> bool:
    """Whether a JSON value is a finite number of the kind of `least`, and within the limits."""
    kinds = (float, int) if isinstance(least, float) else (type(least),)
    return type(value) in kinds and abs(value) < math.inf and least <= value <= most


def read_settings(search: Any, whose: str) -> SearchSettings:
    """The settings of the member `search` (JSON types, None if it is missing); `whose` names the file.

    GameError if it has something that this azx does not know.
    """
    if search is None:
        return USUAL
    if (fault := fault_in(search)) is not None:
        raise GameError(
            f"'{whose}' is to be searched in a way that this azx does not know (search.{fault}): use a newer azx."
        )
    kind, root = search["root"]["kind"], {name: value for name, value in search["root"].items() if name != "kind"}
    beside: dict[str, Any] = {
        name: type(least)(search[name]) for name, (least, _) in _EVERYWHERE.items() if name in search
    }
    return SearchSettings(Gumbel(**root) if kind == GUMBEL else None, **beside)

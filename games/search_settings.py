"""How a network is searched, as the member `search` of its bundle's manifest says it.

    {"root": {"kind": "gumbel", "considered": 16, "c_visit": 50, "c_scale": 0.1}}
    {"root": {"kind": "puct"}, "c_init": 1.5, "first_play": 0.2, "early_stop": true}
    {"root": {"kind": "puct"}, "lower_bound": 5}

Without the member, and with {"root": {"kind": "puct"}}, a search is as it always was. What a reader does not know it
refuses: a setting that is passed over would be another search, played as if it were this one. docs/search.md says what
the numbers do.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import GameError

PUCT, GUMBEL = "puct", "gumbel"
Limits = Mapping[str, tuple[float, float]]
# The members of a root of each kind with their least and largest values: an int's is whole, a bool's yes or no.
_NUMBERS: Mapping[str, Limits] = {
    PUCT: {},
    GUMBEL: {"considered": (1, 1000), "c_visit": (0.0, 1e6), "c_scale": (0.0, 1e6)},
}
# Those beside the root.
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
        """The root as a manifest has it."""
        return {"kind": GUMBEL, "considered": self.considered, "c_visit": self.c_visit, "c_scale": self.c_scale}


@dataclass(frozen=True)
class SearchSettings:
    """What differs from the usual search; `root` None: PUCT at the root as everywhere.

    PUCT's C begins at `c_init`. A move without a visit counts as worth what its parent is, less `first_play`; None: as
    a draw. With `early_stop` a search ends once no other move can be visited as often as the leader
    (`search/early_stop.py`). With `lower_bound` not the most visited move is played but the one whose mean less so many
    standard errors is the largest (`search/lower_bound.py`).
    """

    root: Gumbel | None = None
    c_init: float = 1.25
    first_play: float | None = None
    early_stop: bool = False
    lower_bound: float | None = None

    @property
    def chooses_by_visits(self) -> bool:
        """Whether the move visited most is played: then it may be decided before the end, which `early_stop` asks."""
        return self.root is None and self.lower_bound is None

    def as_data(self) -> dict[str, Any]:
        """The settings as a manifest has them: what is as usual is not named."""
        beside = {name: getattr(self, name) for name in _EVERYWHERE}
        differing = {name: value for name, value in beside.items() if value != getattr(USUAL, name)}
        return {"root": self.root.as_data() if self.root else {"kind": PUCT}, **differing}


USUAL = SearchSettings()


def fault_in(search: Any) -> str | None:
    """Where the member `search` (JSON types) says what is not known here, such as "root.kind"; None if all is known.

    Of several places the first: the kind, the numbers as they stand above, then unknown names in the order of their
    letters; those of the root before the others.
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
    """The first of the members that is no number within its limits, else that is none of the `numbers` nor `beside`."""
    bad = [
        name
        for name, (least, most) in numbers.items()
        if name in members and not _is_within(members[name], least, most)
    ]
    unknown = [name for name in sorted(members) if name not in (beside, *numbers)]
    return next(iter([*bad, *unknown]), None)


def _is_within(value: Any, least: float, most: float) -> bool:
    kinds = (float, int) if isinstance(least, float) else (type(least),)
    return type(value) in kinds and math.isfinite(value) and least <= value <= most


def read_settings(search: Any, whose: str) -> SearchSettings:
    """The settings of the member `search` (JSON types; None: it is not there); `whose` names the file.

    GameError if it says what is not known here.
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

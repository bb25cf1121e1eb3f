"""The ratings of the last `azx sweep --match`, kept beside its tables for the next rewrite.

A rating belongs to a checkpoint's bytes. It says nothing of a checkpoint that was trained again under the same name.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ..bundle.contents.manifest import read_json
from ..errors import BundleError
from ..match.games import Rules
from ..match.rating.elo import Interval
from ..match.result import Count
from ..system.exchange import replace_text
from .outcome import CheckpointRating, Outcome
from .rated import Ratings, Standings

FILE = ".azx-ratings.json"
SCHEMA_VERSION = 1
MOST_BYTES = 256 * 2**20


@dataclass(frozen=True, eq=False)
class SavedRatings:
    """The ratings of a folder's last matches; `sha256` is each checkpoint's hash by its bundle's name."""

    ratings: Ratings
    sha256: Mapping[str, str]

    def add_to(self, outcome: Outcome) -> Outcome:
        """The outcome with the rating of its checkpoint, if that one played."""
        own = outcome.manifest and outcome.manifest.checkpoint.sha256
        return self.ratings.add_to(outcome) if own and own == self.sha256.get(outcome.item.name) else outcome


def write(folder: Path, ratings: Ratings, outcomes: Sequence[Outcome]) -> None:
    """Write the ratings; BundleError if the disk refuses."""
    sums = {each.item.name: each.manifest.checkpoint.sha256 for each in outcomes if each.manifest}
    value = {
        "schema_version": SCHEMA_VERSION,
        "standings": [_as_data(each) for each in ratings.standings],
        "unrated": dict(ratings.unrated),
        "sha256": sums,
    }
    replace_text(folder / FILE, json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n")


def read(folder: Path) -> SavedRatings:
    """The saved ratings; empty if no networks played here, or if the file cannot be read."""
    with suppress(BundleError, KeyError, TypeError, ValueError):
        data = read_json(folder / FILE, "no matches before", MOST_BYTES)
        if data["schema_version"] == SCHEMA_VERSION:
            standings = tuple(_standings(each) for each in data["standings"])
            return SavedRatings(Ratings(standings, dict(data["unrated"])), dict(data["sha256"]))
    return SavedRatings(Ratings(), {})


def _as_data(standings: Standings) -> dict[str, Any]:
    data = {name: getattr(standings, name) for name in ("game", "leader", "doubt", "found", "games")}
    ratings = [
        {
            "elo": [each.elo.value, *(end if math.isfinite(end) else None for end in (each.elo.low, each.elo.high))],
            "count": asdict(each.count),
            "superiority": each.superiority,
        }
        for each in standings.ratings
    ]
    more = {"names": list(standings.names), "better": [list(row) for row in standings.better], "ratings": ratings}
    rest = {"settings": dict(standings.settings), "log": standings.log.as_posix(), "rules": asdict(standings.rules)}
    return data | more | rest


def _standings(data: Mapping[str, Any]) -> Standings:
    """The standings in JSON types; KeyError, TypeError or ValueError if `data` holds none."""
    rules = Rules(**data["rules"])
    return Standings(
        game=str(data["game"]),
        settings=dict(data["settings"]),
        names=tuple(map(str, data["names"])),
        ratings=tuple(_read_rated(each) for each in data["ratings"]),
        better=tuple(tuple(map(float, row)) for row in data["better"]),
        leader=str(data["leader"]),
        doubt=float(data["doubt"]),
        found=bool(data["found"]),
        games=int(data["games"]),
        new=0,
        log=Path(data["log"]),
        rules=replace(rules, each=tuple(rules.each)),
    )


def _read_rated(data: Mapping[str, Any]) -> CheckpointRating:
    value, low, high = data["elo"]
    elo = Interval(float(value), -math.inf if low is None else float(low), math.inf if high is None else float(high))
    superiority = data["superiority"]
    return CheckpointRating(elo, Count(**data["count"]), None if superiority is None else float(superiority))

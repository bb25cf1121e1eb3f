"""The search settings of the shipped networks that games have confirmed, by the checkpoint's content."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...games.search_settings import SearchSettings
from ...manifest import Tuned
from ..case.reading import shipped_name
from .manifest_model import read_part

# The search for a network without a result of `azx tune`: the usual moves, in less time.
UNTUNED = SearchSettings(early_stop=True).as_data()
# Results in the form that `azx tune` writes; docs/search.md has the commands.
TUNED: dict[str, Mapping[str, Any]] = {
    "go": {
        "search": {"root": {"kind": "gumbel", "considered": 16, "c_visit": 50.0, "c_scale": 0.1}},
        "against": {"root": {"kind": "puct"}},
        "simulations": 32,
        "seed": 1,
        "games": 400,
        "won": 260,
        "drawn": 0,
        "lost": 140,
        "elo": {"value": 107.5381, "low": 73.4271, "high": 139.1752},
    },
    "gomoku": {
        "search": {"root": {"kind": "puct"}, "first_play": 0.25, "lower_bound": 5.0},
        "against": {"root": {"kind": "puct"}, "early_stop": True},
        "simulations": 32,
        "seed": 1,
        "games": 400,
        "won": 288,
        "drawn": 1,
        "lost": 111,
        "elo": {"value": 165.1484, "low": 131.911, "high": 193.5928},
    },
    "reversi": {
        "search": {"root": {"kind": "puct"}, "lower_bound": 5.0},
        "against": {"root": {"kind": "puct"}, "early_stop": True},
        "simulations": 32,
        "seed": 1,
        "games": 200,
        "won": 154,
        "drawn": 6,
        "lost": 40,
        "elo": {"value": 224.9725, "low": 164.2421, "high": 273.8729},
    },
}


def confirmed_search(digest: str, game: str | None) -> Tuned | None:
    """The search that games confirmed for the checkpoint with this SHA-256, if azx ships it for `game`; else None."""
    name = shipped_name(digest)
    return read_part(Tuned, TUNED[name]) if name in TUNED and name == game else None

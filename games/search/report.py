"""What a search reports of its root."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..tables import read_table

# How many candidates a hint shows.
MOST: int = read_table("thresholds")["candidates"]


@dataclass(frozen=True)
class Report:
    """The result of a search: `action` is the best one, `win_rate` its expected result as a chance, 0 to 1.

    `simulations` counts those of this move. `visits` counts those of the best action, including visits before this
    move. `depth` is the longest line in plies; `seconds` is the time spent on this move. If the result is `proven`,
    `win_rate` is that result: 1, 0.5 or 0.
    """

    action: int
    simulations: int
    visits: int
    depth: int
    win_rate: float
    seconds: float
    proven: bool = False


@dataclass(frozen=True)
class Candidate:
    """One of the root's actions: its visits, its chance of winning for its player (0 to 1), and its prior.

    The chance is a half if it was never visited.
    """

    action: int
    visits: int
    win_rate: float
    prior: float


def rank_candidates(candidates: Iterable[Candidate], most: int = MOST) -> list[Candidate]:
    """The `most` best of those that were visited: by visits, then by prior, then the lowest action first."""
    visited = [candidate for candidate in candidates if candidate.visits > 0]
    return sorted(visited, key=lambda each: (-each.visits, -each.prior, each.action))[:most]

"""The moves that a search considers, the best one first: a hint's list, and the best move of a review.

The order is the same in every language: most visits, then the largest prior, then the lowest action.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..tables import read_table

if TYPE_CHECKING:
    from ..search import Search

MOST: int = read_table("thresholds")["candidates"]


@dataclass(frozen=True)
class Candidate:
    """A move that a search visited: its visits, its chance of winning for its player (0 to 1), and its prior."""

    action: int
    visits: int
    win_rate: float
    prior: float


def rank_candidates(candidates: Iterable[Candidate], most: int = MOST) -> list[Candidate]:
    """The `most` best of those that were visited, the best one first."""
    visited = [candidate for candidate in candidates if candidate.visits > 0]
    return sorted(visited, key=lambda each: (-each.visits, -each.prior, each.action))[:most]


def candidates(search: Search, most: int = MOST) -> list[Candidate]:
    """What a search considers at its root; none before its second simulation or if the game is over."""
    return rank_candidates(
        (Candidate(child.action, child.visits, (child.mean + 1) / 2, child.prior) for child in search.children()),
        most,
    )

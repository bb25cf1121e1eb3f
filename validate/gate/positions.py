"""The positions of a gate, of several kinds; each kind has its own verdict and name in the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..positions import Positions

Mask = NDArray[np.bool_]
Feeds = Mapping[str, NDArray[Any]]
SELF_PLAY, RANDOM, GOLDEN = "self-play", "random legal", "golden.json"
OWN, BOARDS = "your positions", "random boards"


@dataclass(frozen=True, eq=False)
class Kind:
    """One kind of positions: `rows` of the feeds, and their legal moves (N, width), None if unknown."""

    name: str
    description: str
    rows: slice
    legal: Mask | None

    def __len__(self) -> int:
        return int(self.rows.stop - self.rows.start)

    def legal_for(self, width: int) -> Mask | None:
        """The legal moves for a policy of `width` values; None if unknown, or if their number differs."""
        return None if self.legal is None or self.legal.shape[1] != width else self.legal


@dataclass(frozen=True, eq=False)
class GatePositions:
    """The positions for artifacts of a lower precision: `feeds` {input: (N, ...)}, one kind after another."""

    feeds: Feeds
    kinds: tuple[Kind, ...]

    def __len__(self) -> int:
        return sum(len(kind) for kind in self.kinds)

    def thin(self, most: int) -> tuple[GatePositions, NDArray[np.intp]]:
        """About `most` positions at most, evenly spread, and their indices, intp (n,)."""
        step = max(1, len(self) // most)
        chosen = [np.arange(kind.rows.start, kind.rows.stop, step) for kind in self.kinds]
        kinds, at = [], 0
        for kind, rows in zip(self.kinds, chosen, strict=True):
            legal = None if kind.legal is None else kind.legal[::step]
            kinds.append(replace(kind, rows=slice(at, at + len(rows)), legal=legal))
            at += len(rows)
        every = np.concatenate(chosen)
        return GatePositions({name: feed[every] for name, feed in self.feeds.items()}, tuple(kinds)), every


def gate_positions(parts: Sequence[tuple[str, Positions]]) -> GatePositions:
    """Positions of several kinds, by name, one after the other; their inputs must have the same names."""
    kinds, at = [], 0
    for name, part in parts:
        kinds.append(Kind(name, part.description, slice(at, at + len(part)), part.legal))
        at += len(part)
    first = parts[0][1].feeds
    feeds = {name: np.concatenate([part.feeds[name] for _, part in parts]) for name in first}
    return GatePositions(feeds, tuple(kinds))

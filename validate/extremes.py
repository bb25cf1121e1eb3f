"""Finds positions that are extreme for a network: one of its units is farthest from its usual value.

A thousand random positions miss events that occur in one of ten thousand: a unit that is rarely active, and any fault
in its weights. Here the witness, in float32, looks at more positions than the proof uses. For each channel of each
layer it notes the positions with the largest and the smallest value. The proof then also uses the positions that are
the most standard deviations from a channel's mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import UnsupportedLayer
from ..export.checkpoint.layer_graph import LayerGraph
from .positions import Feeds, Positions, key_of
from .witness.evaluate import evaluate, positions_at_once

# One extreme position is added for this number of drawn ones.
SHARE = 10
# Candidates per drawn position, fewer for large networks; and the multiply-adds of all candidates, about a second.
POOL, WORK = 3, 10_000_000_000


def pool_size(drawn: int, work: int | None) -> int:
    """The number of positions to look at; `work` is multiply-adds per position, None if unknown."""
    return min(POOL * drawn, WORK // work) if work else 0


def with_extremes(graph: LayerGraph, drawn: Positions, pool: Positions, count: int) -> Positions:
    """`drawn`, followed by up to `count` positions of `pool` that the network finds extreme.

    The result is `drawn` itself if the witness has no rule for a layer. The number added depends only on the size of
    `pool`, and not on the last bit of an activation.
    """
    keys = {key_of(drawn.feeds, row) for row in range(len(drawn))}
    rows = [row for row in range(len(pool)) if key_of(pool.feeds, row) not in keys]
    others = {name: feed[rows] for name, feed in pool.feeds.items()}
    try:
        order = _by_rarity(graph, others, len(rows)) if rows else ()
    except UnsupportedLayer:
        return drawn
    chosen = list(dict.fromkeys([*order, *range(len(rows))]))[:count]
    feeds = {name: np.concatenate([feed, others[name][chosen]]) for name, feed in drawn.feeds.items()}
    legal = drawn.legal
    if legal is not None and pool.legal is not None:
        legal = np.concatenate([legal, pool.legal[rows][chosen]])
    return replace(drawn, feeds=feeds, legal=legal, extreme=len(chosen))


@dataclass(eq=False)
class _Layer:
    """Statistics of one tensor's channels: sums for mean and variance, the extremes, and their rows."""

    total: NDArray[np.float64]
    squares: NDArray[np.float64]
    extremes: NDArray[np.float64]
    rows: NDArray[np.int64]
    count: int = 0


@dataclass(eq=False)
class _Watch:
    """Collects the statistics of each tensor's channels, chunk by chunk."""

    channels_first: bool
    layers: dict[str, _Layer] = field(default_factory=dict)
    start: int = 0

    def see(self, tensor: str, values: NDArray[Any]) -> None:
        """Add the values (N, ...) of a tensor for the positions from `start` on."""
        if values.ndim < 2:
            return
        axis = 1 if self.channels_first else values.ndim - 1
        cells = np.moveaxis(values, axis, 1).reshape(len(values), values.shape[axis], -1)
        # The smallest value is the largest of the negated ones, so that one rule serves both ends.
        ends = np.concatenate([cells.max(axis=2), -cells.min(axis=2)], axis=1).astype(np.float64)
        layer = self.layers.get(tensor)
        if layer is None:
            width = ends.shape[1]
            layer = _Layer(np.zeros(width), np.zeros(width), np.full(width, -np.inf), np.zeros(width, np.int64))
            self.layers[tensor] = layer
        at = ends.argmax(axis=0)
        most = ends[at, np.arange(ends.shape[1])]
        better = most > layer.extremes
        layer.extremes = np.where(better, most, layer.extremes)
        layer.rows = np.where(better, at + self.start, layer.rows)
        layer.total, layer.squares = layer.total + ends.sum(axis=0), layer.squares + (ends**2).sum(axis=0)
        layer.count += len(ends)

    def list_extremes(self) -> Iterator[tuple[float, int]]:
        """For each end of each channel, its distance from the mean in standard deviations, and its row."""
        for layer in self.layers.values():
            mean = layer.total / layer.count
            spread = np.sqrt(np.maximum(layer.squares / layer.count - mean**2, 0))
            # A channel that varies only by rounding has no extreme.
            moves = spread > 1e-6 * np.maximum(1, np.abs(mean))
            far = np.where(moves, (layer.extremes - mean) / np.where(moves, spread, 1), 0)
            yield from zip(far[moves].tolist(), layer.rows[moves].tolist(), strict=True)


def _by_rarity(graph: LayerGraph, feeds: Feeds, count: int) -> Iterable[int]:
    """The rows at which a channel is extreme, the rarest first."""
    first = any(call.layer.config.get("data_format") == "channels_first" for call in graph.calls)
    watch = _Watch(first)
    step = positions_at_once(graph, np.float32)
    for watch.start in range(0, count, step):
        part = {name: feed[watch.start : watch.start + step] for name, feed in feeds.items()}
        evaluate(graph, part, np.float32, watch.see)
    return (row for _, row in sorted(watch.list_extremes(), key=lambda pair: (-pair[0], pair[1])))

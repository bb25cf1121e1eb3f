"""Positions for the scales of a full int8 artifact: positions that a network meets in play."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....errors import ConversionError
from ...graph.frozen import FrozenGraph


@dataclass(frozen=True, eq=False)
class Calibration:
    """Positions by the artifacts' input names, float32 (N, *shape); `description` says where they come from."""

    feeds: dict[str, NDArray[np.float32]]
    description: str

    def __len__(self) -> int:
        return len(next(iter(self.feeds.values())))


def require_calibration(calibration: Calibration | None) -> Calibration:
    """The positions; ConversionError if they are None or empty."""
    if calibration is None or not len(calibration):
        raise ConversionError("int8 needs positions to find its scales on: give them with --calibration FILE.npz.")
    return calibration


def samples(calibration: Calibration, frozen: FrozenGraph) -> Iterator[list[NDArray[Any]]]:
    """The positions as lists of (batch, *shape) in the graph's batch size; the last batch is filled up."""
    size = frozen.batch or 1
    for at in range(0, len(calibration), size):
        rows = np.arange(at, at + size) % len(calibration)
        yield [calibration.feeds[port.name][rows] for port in frozen.inputs]

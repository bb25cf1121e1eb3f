"""An inner tensor of an artifact, as its runtime computed it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Feeds = Mapping[str, NDArray[np.float32]]
Operation = TypeVar("Operation")
Batch = Callable[[Feeds], Sequence[NDArray[np.float32]]]


@dataclass(frozen=True, eq=False)
class Tap:
    """A tensor, (N, ...) float32 for N positions.

    `name` is the artifact's. `hints` are names that may point to its layer, the surest first: its own name, and that of
    its kernel. `moved` is true if its values are those of another tensor in another order.
    """

    name: str
    hints: tuple[str, ...]
    values: NDArray[np.float32]
    moved: bool = False


def depend_on(
    inputs: Iterable[Hashable],
    operations: Iterable[Operation],
    reads: Callable[[Operation], Iterable[Hashable]],
    makes: Callable[[Operation], Iterable[Hashable]],
) -> list[Operation]:
    """The operations, in order of execution, whose result depends on an input; one that widens a kernel does not."""
    known, dependent = set(inputs), []
    for operation in operations:
        if known.intersection(reads(operation)):
            known.update(makes(operation))
            dependent.append(operation)
    return dependent


def in_batches(feeds: Feeds, batch: int | None, answer: Batch) -> list[NDArray[np.float32]]:
    """The tensors of `answer`, float32 (N, ...), calculated `batch` positions at a time.

    Copies of the last row fill the last batch.
    """
    total = len(next(iter(feeds.values())))
    step = batch or total
    padded = {name: np.concatenate([feed, np.repeat(feed[-1:], -total % step, axis=0)]) for name, feed in feeds.items()}
    parts = [answer({name: feed[at : at + step] for name, feed in padded.items()}) for at in range(0, total, step)]
    tensors = [np.concatenate([np.atleast_1d(one) for one in tensor]) for tensor in zip(*parts, strict=True)]
    return [values[:total].astype(np.float32) for values in tensors]


def taps_by_position(taps: Iterable[Tap], total: int) -> list[Tap]:
    """The tensors with one row per position; shapes and constants lack these rows."""
    return [tap for tap in taps if tap.values.ndim > 1 and len(tap.values) == total]

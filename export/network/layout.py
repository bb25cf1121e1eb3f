"""Where a tensor's axes really lie.

Keras' shape of a tensor is the logical one: (75, 6, 7) in a channels_first network. Inside Network
the same values lie as (6, 7, 75). A Value keeps both, so that a layer's axis can be found without
ever transposing back.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np

from ..checkpoint.layer_graph import Array


@dataclass(frozen=True)
class Value:
    """A tensor: physical axis i holds logical axis `axes[i]`.

    A vector that was flattened in physical order is `folded`: the (shape, axes) that it had, from
    which the logical place of each of its entries follows.
    """

    name: str
    shape: tuple[int, ...]
    axes: tuple[int, ...]
    folded: tuple[tuple[int, ...], tuple[int, ...]] | None = None

    @property
    def physical_shape(self) -> tuple[int, ...]:
        """The shape as it lies in memory."""
        return tuple(self.shape[axis] for axis in self.axes)

    @property
    def is_plain(self) -> bool:
        """Whether it lies just as Keras thinks."""
        return self.axes == identity(len(self.shape)) and self.folded is None

    def order(self) -> Array | None:
        """For a folded vector: entry j in memory is the logical entry order[j]."""
        if self.folded is None:
            return None
        shape, axes = self.folded
        return np.arange(prod(shape)).reshape(shape).transpose(axes).ravel()

    def physical(self, logical: Array) -> Array:
        """An array that broadcasts against the logical shape, laid out to broadcast in memory."""
        order = self.order()
        if order is not None and logical.size > 1:
            return logical[order]
        return logical.transpose(self.axes)


def identity(rank: int) -> tuple[int, ...]:
    """The axes of a tensor that lies as it is named."""
    return tuple(range(rank))


def moves_only_ones(shape: tuple[int, ...], before: tuple[int, ...], after: tuple[int, ...]) -> bool:
    """Whether going from one order of axes to another moves nothing but axes of size 1."""
    kept = [axis for axis in before if shape[axis] != 1]
    return kept == [axis for axis in after if shape[axis] != 1]

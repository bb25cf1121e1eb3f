"""Weights in fewer bits, by NumPy: the same numbers on every machine and in every format."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# Smaller constants are unchanged: biases and slopes are sensitive and take little space.
FEWEST = 1024
LARGEST_HALF = float(np.finfo(np.float16).max)


@dataclass(frozen=True, eq=False)
class CodedWeights:
    """Weights as whole numbers: `codes` times `scale`, which has one number per index of `axis`.

    They are symmetric: int8 from -127 to 127 without a zero point, so that 0 stays 0.
    """

    codes: NDArray[np.int8]
    scale: NDArray[np.float32]
    axis: int

    @property
    def along_axis(self) -> NDArray[np.float32]:
        """The scale in the shape that multiplies `codes`."""
        shape = [1] * self.codes.ndim
        shape[self.axis] = -1
        return self.scale.reshape(shape)

    @property
    def values(self) -> NDArray[np.float32]:
        """The weights as a reader calculates them, float32 of the codes' shape."""
        decoded: NDArray[np.float32] = self.codes.astype(np.float32) * self.along_axis
        return decoded


@dataclass(frozen=True)
class StoredWeight:
    """A large weight in an artifact: its layer, its number of values, and whether it is in 8 bits."""

    layer: str
    count: int
    in_eight: bool


def layer_of_constant(name: str) -> str:
    """A weight's layer, named as in the graph: "policy_conv" for "policy_conv/kernel:0"."""
    plain = name.partition(":")[0]
    return plain.rpartition("/")[0] or plain


def layers_in_eight(weights: Iterable[StoredWeight]) -> dict[str, int]:
    """The layers with a weight in 8 bits, in order, with their number of weights."""
    counts: dict[str, int] = {}
    for each in weights:
        if each.in_eight:
            counts[each.layer] = counts.get(each.layer, 0) + each.count
    return counts


def about_floats(weights: Iterable[StoredWeight]) -> dict[str, list[str]]:
    """`float_layers`: layers with a large weight in float beside others in 8 bits, in order.

    Empty if none is in 8 bits.

    The artifact states it, and so does its entry in the manifest.
    """
    listed = list(weights)
    if not any(each.in_eight for each in listed):
        return {}
    return {"float_layers": list(dict.fromkeys(each.layer for each in listed if not each.in_eight))}


def is_large(values: NDArray[np.generic]) -> bool:
    """Whether a constant, any shape, is float32 and large enough to be stored in fewer bits."""
    return values.dtype == np.float32 and values.size >= FEWEST


def quantize(values: NDArray[np.float32], axis: int) -> CodedWeights:
    """`values`, any shape, as int8 of the same shape, with a float32 scale for each index of `axis`."""
    others = tuple(at for at in range(values.ndim) if at != axis)
    most = np.abs(values).max(axis=others)
    scale = np.where(most > 0, most / np.float32(127), np.float32(1)).astype(np.float32)
    shape = [1] * values.ndim
    shape[axis] = -1
    codes = np.clip(np.rint(values / scale.reshape(shape)), -127, 127).astype(np.int8)
    return CodedWeights(codes, scale, axis)


def to_half(values: NDArray[np.float32]) -> NDArray[np.float16]:
    """`values` as float16 of the same shape; numbers beyond its range become the nearest end of the range."""
    return np.clip(values, -LARGEST_HALF, LARGEST_HALF).astype(np.float16)

"""Dense, normalisation, merging and shape layers of Keras, in float64."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np

from .activations import activate
from .layer import Applied, Rule, Values, channels_back, channels_last, number, per_axis, roomy


def _dense(applied: Applied) -> Values:
    y = applied.x @ applied.weight("kernel")
    if applied.config.get("use_bias", True):
        y = y + applied.weight("bias")
    return activate(applied, y, applied.config.get("activation"))


def _axes(applied: Applied, default: Any) -> list[int]:
    """The layer's axis or axes, counted from the front."""
    axis = applied.config.get("axis", default)
    return [int(item) % applied.x.ndim for item in (axis if isinstance(axis, list) else [axis])]


def _along(applied: Applied, values: Values, axes: list[int]) -> Values:
    """`values`, one axis for each of `axes`, with axes of size 1 added to broadcast against the input (N, ...)."""
    shape = [size if axis in axes else 1 for axis, size in enumerate(applied.x.shape)]
    return values.reshape(shape)


def _batch_normalization(applied: Applied) -> Values:
    """By position: gamma and beta come first if there are any, the statistics last, whatever they are called."""
    axes = _axes(applied, -1)
    *scale_and_shift, mean, variance = (_along(applied, applied.weight(name), axes) for name in applied.layer.weights)
    y = applied.x - mean
    y /= np.sqrt(variance + number(applied.config.get("epsilon"), 1e-3))
    return _scale(applied, y, scale_and_shift)


def _layer_normalization(applied: Applied) -> Values:
    if applied.config.get("rms_scaling"):
        raise applied.refusal("root mean square scaling is not known")
    axes = _axes(applied, -1)
    mean, variance = (f(applied.x, axis=tuple(axes), keepdims=True) for f in (np.mean, np.var))
    y = (applied.x - mean) / np.sqrt(variance + number(applied.config.get("epsilon"), 1e-3))
    return _scale(applied, y, [_along(applied, applied.weight(name), axes) for name in applied.layer.weights])


def _group_normalization(applied: Applied) -> Values:
    """Mean and variance of each position over the board and the channels of a group; -1 groups: each channel alone."""
    (axis,) = _axes(applied, -1)
    channels_first = np.moveaxis(applied.x, axis, 1)
    groups = int(applied.config.get("groups", 32))
    groups = channels_first.shape[1] if groups == -1 else groups
    rows = channels_first.reshape(len(applied.x), groups, -1)
    mean, variance = (f(rows, axis=2, keepdims=True) for f in (np.mean, np.var))
    rows = (rows - mean) / np.sqrt(variance + number(applied.config.get("epsilon"), 1e-3))
    y = np.moveaxis(rows.reshape(channels_first.shape), 1, axis)
    return _scale(applied, y, [_along(applied, applied.weight(name), [axis]) for name in applied.layer.weights])


def _scale(applied: Applied, y: Values, weights: list[Values]) -> Values:
    """`y` (N, ...) itself times gamma, plus beta; `weights` has them in that order, either may be absent."""
    if applied.config.get("scale", True):
        y *= weights.pop(0)
    if applied.config.get("center", True):
        y += weights.pop(0)
    return y


def _merge(applied: Applied, combine: Callable[[Values, Values], Values]) -> Values:
    """Keras gives the tensors of lower rank axes of size 1 after the batch until the ranks agree."""
    rank = max(x.ndim for x in applied.inputs)
    return reduce(combine, [x.reshape(len(x), *(1,) * (rank - x.ndim), *x.shape[1:]) for x in applied.inputs])


def _flatten(applied: Applied) -> Values:
    x = channels_last(applied.x, applied.channels_first and applied.x.ndim > 2)
    return x.reshape(len(x), math.prod(x.shape[1:]))


def _reshape(applied: Applied) -> Values:
    # The free size is worked out without the batch, which may be empty.
    shape = [int(size) for size in applied.config["target_shape"]]
    known = math.prod(size for size in shape if size != -1)
    free = math.prod(applied.x.shape[1:]) // max(known, 1)
    return applied.x.reshape(len(applied.x), *(free if size == -1 else size for size in shape))


def _margins(value: Any, rank: int) -> list[tuple[int, int]]:
    """(before, after) for each spatial axis of a padding or cropping."""
    if isinstance(value, int):
        return [(value, value)] * rank
    if rank == 1 and isinstance(value[0], int):
        value = [value]
    pairs = [per_axis(item, 2) for item in value]
    return [(first, last) for first, last in pairs]


def _spatial(applied: Applied, change: Callable[[Values], Values]) -> Values:
    return channels_back(change(channels_last(applied.x, applied.channels_first)), applied.channels_first)


def _zero_padding(applied: Applied) -> Values:
    margins = _margins(applied.config["padding"], applied.x.ndim - 2)
    return _spatial(applied, lambda x: np.pad(x, [(0, 0), *margins, (0, 0)]))


def _cropping(applied: Applied) -> Values:
    margins = _margins(applied.config["cropping"], applied.x.ndim - 2)

    def crop(x: Values) -> Values:
        kept = zip(x.shape[1:], margins, strict=False)
        return x[(slice(None), *(slice(first, size - last) for size, (first, last) in kept))]

    return _spatial(applied, crop)


def _up_sampling(applied: Applied) -> Values:
    if applied.config.get("interpolation", "nearest") != "nearest":
        raise applied.refusal("only 'nearest' interpolation is known")
    times = per_axis(applied.config["size"], applied.x.ndim - 2)

    def repeat(x: Values) -> Values:
        return reduce(lambda y, axis: np.repeat(y, times[axis], axis=axis + 1), range(len(times)), x)

    return _spatial(applied, repeat)


def _rescaling(applied: Applied) -> Values:
    scale, offset = (np.asarray(applied.config.get(key, 0.0), dtype=np.float64) for key in ("scale", "offset"))
    return applied.x * scale + offset


# What only training does.
_IDENTITIES = ("Dropout", "SpatialDropout1D", "SpatialDropout2D", "AlphaDropout", "GaussianDropout", "GaussianNoise")

RULES: dict[str, Rule] = {
    **dict.fromkeys((*_IDENTITIES, "ActivityRegularization", "Identity"), lambda applied: applied.x),
    "Dense": _dense,
    "BatchNormalization": _batch_normalization,
    **dict.fromkeys(("SyncBatchNormalization", "BatchNormalizationV1", "BatchNormalizationV2"), _batch_normalization),
    "LayerNormalization": _layer_normalization,
    "GroupNormalization": _group_normalization,
    "Add": lambda applied: _merge(applied, np.add),
    "Subtract": lambda applied: _merge(applied, np.subtract),
    "Multiply": lambda applied: _merge(applied, np.multiply),
    "Average": lambda applied: _merge(applied, np.add) / len(applied.inputs),
    "Maximum": lambda applied: _merge(applied, np.maximum),
    "Minimum": lambda applied: _merge(applied, np.minimum),
    "Concatenate": lambda applied: np.concatenate(applied.inputs, axis=int(applied.config.get("axis", -1))),
    "Flatten": _flatten,
    "Reshape": _reshape,
    "Permute": lambda applied: applied.x.transpose(0, *(int(axis) for axis in applied.config["dims"])),
    "RepeatVector": lambda applied: np.repeat(
        roomy(applied.x, applied.config["n"])[:, None], int(applied.config["n"]), axis=1
    ),
    "ZeroPadding1D": _zero_padding,
    "ZeroPadding2D": _zero_padding,
    "Cropping1D": _cropping,
    "Cropping2D": _cropping,
    "UpSampling2D": _up_sampling,
    "Rescaling": _rescaling,
    "Embedding": lambda applied: applied.weight(next(iter(applied.layer.weights)))[applied.x.astype(np.int64)],
}

"""Dense, normalisation, merging and shape layers of Keras, in float64."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np

from .activations import activate
from .layer import LayerCall, Rule, Values, channels_back, channels_last, number, per_axis, roomy


def _dense(applied: LayerCall) -> Values:
    y = applied.x @ applied.weight("kernel")
    if applied.config.get("use_bias", True):
        y = y + applied.weight("bias")
    return activate(applied, y, applied.config.get("activation"))


def _axes(applied: LayerCall, default: Any) -> list[int]:
    """The layer's axis or axes, counted from the front."""
    axis = applied.config.get("axis", default)
    return [int(item) % applied.x.ndim for item in (axis if isinstance(axis, list) else [axis])]


def _along(applied: LayerCall, values: Values, axes: list[int]) -> Values:
    """`values`, one axis for each of `axes`, reshaped with axes of size 1 to broadcast against the input (N, ...)."""
    shape = [size if axis in axes else 1 for axis, size in enumerate(applied.x.shape)]
    return values.reshape(shape)


def _batch_normalization(applied: LayerCall) -> Values:
    """Batch normalisation, with weights by place: gamma and beta first, if present, the statistics last."""
    axes = _axes(applied, -1)
    *scale_and_shift, mean, variance = (_along(applied, applied.weight(name), axes) for name in applied.layer.weights)
    y = applied.x - mean
    y /= np.sqrt(variance + number(applied.config.get("epsilon"), 1e-3))
    return _scale(applied, y, scale_and_shift)


def _layer_normalization(applied: LayerCall) -> Values:
    if applied.config.get("rms_scaling"):
        raise applied.refusal("root mean square scaling is not known")
    axes = _axes(applied, -1)
    mean, variance = (f(applied.x, axis=tuple(axes), keepdims=True) for f in (np.mean, np.var))
    y = (applied.x - mean) / np.sqrt(variance + number(applied.config.get("epsilon"), 1e-3))
    return _scale(applied, y, [_along(applied, applied.weight(name), axes) for name in applied.layer.weights])


def _group_normalization(applied: LayerCall) -> Values:
    """Group normalisation: mean and variance of each position over the board and a group's channels.

    With -1 groups, each channel is a group.
    """
    (axis,) = _axes(applied, -1)
    channels_first = np.moveaxis(applied.x, axis, 1)
    groups = int(applied.config.get("groups", 32))
    groups = channels_first.shape[1] if groups == -1 else groups
    rows = channels_first.reshape(len(applied.x), groups, -1)
    mean, variance = (f(rows, axis=2, keepdims=True) for f in (np.mean, np.var))
    rows = (rows - mean) / np.sqrt(variance + number(applied.config.get("epsilon"), 1e-3))
    y = np.moveaxis(rows.reshape(channels_first.shape), 1, axis)
    return _scale(applied, y, [_along(applied, applied.weight(name), [axis]) for name in applied.layer.weights])


def _rms_normalization(applied: LayerCall) -> Values:
    axes = _axes(applied, -1)
    mean = np.mean(np.square(applied.x), axis=tuple(axes), keepdims=True)
    y = applied.x / np.sqrt(mean + number(applied.config.get("epsilon"), 1e-6))
    return np.asarray(y * _along(applied, applied.weight(next(iter(applied.layer.weights))), axes))


def _unit_normalization(applied: LayerCall) -> Values:
    squares = np.square(applied.x).sum(axis=tuple(_axes(applied, -1)), keepdims=True)
    return np.asarray(applied.x / np.sqrt(np.maximum(squares, 1e-12)))


def _normalization(applied: LayerCall) -> Values:
    """Normalization with the configuration's mean and variance, or with those of `adapt`, first in the file."""
    if applied.config.get("invert"):
        raise applied.refusal("its inverse is not known")
    axes = [] if applied.config.get("axis", -1) in (None, [], ()) else _axes(applied, -1)
    parameters = []
    for at, name in enumerate(("mean", "variance")):
        value = applied.config.get(name)
        if value is None:
            parameters.append(applied.weight(list(applied.layer.weights)[at]))
        else:
            written = value["config"]["value"] if isinstance(value, dict) else value
            parameters.append(np.asarray(written, dtype=np.float64))
    sizes = [size if axis in axes else 1 for axis, size in enumerate(applied.x.shape)]
    wanted = [size for axis, size in enumerate(applied.x.shape) if axis in axes]
    mean, variance = (np.broadcast_to(part, wanted or [1]).reshape(sizes) for part in parameters)
    return np.asarray((applied.x - mean) / np.maximum(np.sqrt(variance), 1e-7))


def _scale(applied: LayerCall, y: Values, weights: list[Values]) -> Values:
    """`y` (N, ...) itself times gamma, plus beta; `weights` has them in that order, either may be absent."""
    if applied.config.get("scale", True):
        y *= weights.pop(0)
    if applied.config.get("center", True):
        y += weights.pop(0)
    return y


def _merge(applied: LayerCall, combine: Callable[[Values, Values], Values]) -> Values:
    """The inputs combined; tensors of lower rank get axes of size 1 after the batch, as in Keras."""
    rank = max(x.ndim for x in applied.inputs)
    return reduce(combine, [x.reshape(len(x), *(1,) * (rank - x.ndim), *x.shape[1:]) for x in applied.inputs])


def _flatten(applied: LayerCall) -> Values:
    x = channels_last(applied.x, applied.channels_first and applied.x.ndim > 2)
    return x.reshape(len(x), math.prod(x.shape[1:]))


def _reshape(applied: LayerCall) -> Values:
    # The free size is calculated without the batch, which may be empty.
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


def _spatial(applied: LayerCall, change: Callable[[Values], Values]) -> Values:
    return channels_back(change(channels_last(applied.x, applied.channels_first)), applied.channels_first)


def _zero_padding(applied: LayerCall) -> Values:
    margins = _margins(applied.config["padding"], applied.x.ndim - 2)
    return _spatial(applied, lambda x: np.pad(x, [(0, 0), *margins, (0, 0)]))


def _cropping(applied: LayerCall) -> Values:
    margins = _margins(applied.config["cropping"], applied.x.ndim - 2)

    def crop(x: Values) -> Values:
        sides = zip(x.shape[1:], margins, strict=False)
        return x[(slice(None), *(slice(first, size - last) for size, (first, last) in sides))]

    return _spatial(applied, crop)


def _up_sampling(applied: LayerCall) -> Values:
    times = per_axis(applied.config["size"], applied.x.ndim - 2)
    if applied.config.get("interpolation", "nearest") != "nearest":
        shape = channels_last(applied.x, applied.channels_first).shape
        return _resized(applied, [size * count for size, count in zip(shape[1:-1], times, strict=True)])

    def repeat(x: Values) -> Values:
        return reduce(lambda y, axis: np.repeat(y, times[axis], axis=axis + 1), range(len(times)), x)

    return _spatial(applied, repeat)


def _resizing(applied: LayerCall) -> Values:
    if any(applied.config.get(name) for name in ("crop_to_aspect_ratio", "pad_to_aspect_ratio", "antialias")):
        raise applied.refusal("cut or filled up to its shape it is not known")
    return _resized(applied, [int(applied.config[side]) for side in ("height", "width")])


def _resized(applied: LayerCall, wanted: list[int]) -> Values:
    """Each new cell interpolated between its neighbours, along rows, then columns; cell i has its middle at i + 1/2."""
    how = applied.config.get("interpolation", "bilinear")
    if how not in ("bilinear", "nearest"):
        raise applied.refusal(f"interpolation '{how}' is not known")

    def along(x: Values, axis: int, count: int) -> Values:
        at = (np.arange(count) + 0.5) * x.shape[axis] / count
        if how == "nearest":
            return np.asarray(np.take(x, np.minimum(at.astype(int), x.shape[axis] - 1), axis))
        at = np.clip(at - 0.5, 0, x.shape[axis] - 1)
        low, high = np.floor(at).astype(int), np.ceil(at).astype(int)
        share = (at - low).reshape((-1,) + (1,) * (x.ndim - axis - 1))
        return np.asarray(np.take(x, low, axis) * (1 - share) + np.take(x, high, axis) * share)

    return _spatial(applied, lambda x: along(along(x, 1, wanted[0]), 2, wanted[1]))


def _one_hot(applied: LayerCall) -> Values:
    if applied.config.get("output_mode", "multi_hot") != "one_hot" or len(applied.inputs) > 1:
        raise applied.refusal("another encoding than one_hot is not known")
    x = applied.x[..., 0] if applied.x.shape[-1] == 1 else applied.x
    return np.asarray(x[..., None] == np.arange(int(applied.config["num_tokens"])), dtype=np.float64)


def _rescaling(applied: LayerCall) -> Values:
    scale, offset = (np.asarray(applied.config.get(key, 0.0), dtype=np.float64) for key in ("scale", "offset"))
    return applied.x * scale + offset


# Layers that work only in training.
_IDENTITIES: tuple[str, ...] = (
    "Dropout",
    "SpatialDropout1D",
    "SpatialDropout2D",
    "AlphaDropout",
    "GaussianDropout",
    "GaussianNoise",
)
_IDENTITIES += ("RandomFlip", "RandomRotation", "RandomTranslation", "RandomZoom", "RandomContrast", "RandomBrightness")
_IDENTITIES += ("SpatialDropout3D",)

RULES: dict[str, Rule] = {
    **dict.fromkeys((*_IDENTITIES, "ActivityRegularization", "Identity"), lambda applied: applied.x),
    "Dense": _dense,
    "BatchNormalization": _batch_normalization,
    **dict.fromkeys(("SyncBatchNormalization", "BatchNormalizationV1", "BatchNormalizationV2"), _batch_normalization),
    "LayerNormalization": _layer_normalization,
    "RMSNormalization": _rms_normalization,
    "UnitNormalization": _unit_normalization,
    "Normalization": _normalization,
    "CategoryEncoding": _one_hot,
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
    "UpSampling1D": _up_sampling,
    "UpSampling2D": _up_sampling,
    "Rescaling": _rescaling,
    "Resizing": _resizing,
    "Embedding": lambda applied: applied.weight(next(iter(applied.layer.weights)))[applied.x.astype(np.int64)],
}

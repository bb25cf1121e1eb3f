"""Rules of normalisations, and of the means that they take over each board."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..witness.layer import number
from . import linear, moves, pointwise, reductions
from .layered import AppliedLayer, Rule
from .normal import View
from .weights import ROUNDING, Weights, add, multiply, round_first, stored


def _axes(layer: AppliedLayer, view: View) -> list[int]:
    axis = layer.config.get("axis", -1)
    return [int(item) % len(view.shape) for item in (axis if isinstance(axis, list) else [axis])]


def _along(part: Weights, view: View, axes: Sequence[int]) -> Weights:
    """`part`, with one axis for each of `axes`, reshaped with axes of size 1 to broadcast against the view."""
    return part.reshape(*(size if at in axes else 1 for at, size in enumerate(view.shape)))


def _batch_normalization(layer: AppliedLayer, view: View) -> View:
    """A scale and a shift: gamma over the root of variance plus epsilon, beta minus the mean times that."""
    axes = _axes(layer, view)
    weights = [layer.weight(name) for name in layer.call.layer.weights]
    *rest, mean, variance = weights
    values = 1 / np.sqrt(variance.exact + number(layer.config.get("epsilon"), 1e-3))
    scale = Weights(values, 4 * ROUNDING * np.abs(values))
    if layer.config.get("scale", True):
        scale = multiply(scale, rest.pop(0))
    shift = multiply(mean.negative(), scale)
    if layer.config.get("center", True):
        shift = add(shift, rest.pop(0))
    scale, shift = (_along(round_first(part), view, axes) for part in (scale, shift))
    return linear.affine(view, scale, shift, layer.name)


def _normalised(layer: AppliedLayer, view: View, axes: Sequence[int]) -> View:
    """(x - mean) / sqrt(variance + epsilon), with the mean and variance of each board over `axes`."""
    name = layer.name
    mean = reductions.reduce(view, "mean", axes, name, keep=True)
    centred = pointwise.combine("subtract", view, mean, name)
    squares = pointwise.combine("multiply", centred, centred, name)
    variance = reductions.reduce(squares, "mean", axes, name, keep=True)
    epsilon = stored(np.float32(number(layer.config.get("epsilon"), 1e-3)))
    factor = pointwise.named(linear.affine(variance, linear.ones(), epsilon, name), "rsqrt", name)
    return pointwise.combine("multiply", centred, factor, name)


def _scaled(layer: AppliedLayer, view: View, axes: Sequence[int]) -> View:
    """`view` times gamma plus beta, which come in that order among the weights; either may be absent."""
    weights = [layer.weight(name) for name in layer.call.layer.weights]
    scale = _along(weights.pop(0), view, axes) if layer.config.get("scale", True) else linear.ones()
    shift = _along(weights.pop(0), view, axes) if layer.config.get("center", True) else linear.zeros()
    return linear.affine(view, scale, shift, layer.name)


def _layer_normalization(layer: AppliedLayer, view: View) -> View:
    if layer.config.get("rms_scaling"):
        raise layer.refusal("root mean square scaling has no rule")
    axes = _axes(layer, view)
    return _scaled(layer, _normalised(layer, view, axes), axes)


def _group_normalization(layer: AppliedLayer, view: View) -> View:
    """Layer normalisation over the board and some of its channels; -1 groups make each channel a group."""
    (axis,) = _axes(layer, view)
    last = View(view.node, np.moveaxis(view.index, axis, -1))
    channels, groups = last.shape[-1], int(layer.config.get("groups", 32))
    groups = channels if groups == -1 else groups
    parted = moves.reshape(last, [*last.shape[:-1], groups, channels // groups], layer.name)
    rank = len(parted.shape)
    made = _normalised(layer, parted, [*range(1, rank - 2), rank - 1])
    back = moves.reshape(made, last.shape, layer.name)
    return _scaled(layer, View(back.node, np.moveaxis(back.index, -1, axis)), [axis])


def _rms_normalization(layer: AppliedLayer, view: View) -> View:
    """Gamma x / sqrt(mean(x^2) + epsilon), with the mean of each board over some axes."""
    axes, name = _axes(layer, view), layer.name
    squares = pointwise.combine("multiply", view, view, name)
    mean = reductions.reduce(squares, "mean", axes, name, keep=True)
    epsilon = stored(np.float32(number(layer.config.get("epsilon"), 1e-6)))
    factor = pointwise.named(linear.affine(mean, linear.ones(), epsilon, name), "rsqrt", name)
    made = pointwise.combine("multiply", view, factor, name)
    weights = [layer.weight(key) for key in layer.call.layer.weights]
    if not weights:
        return made
    return linear.affine(made, _along(weights[0], view, axes), linear.zeros(), name)


def _unit_normalization(layer: AppliedLayer, view: View) -> View:
    """X divided by its length along some axes; the square of the length is at least 1e-12."""
    axes, name = _axes(layer, view), layer.name
    total = reductions.reduce(pointwise.combine("multiply", view, view, name), "sum", axes, name, keep=True)
    least = pointwise.with_constant("maximum", total, stored(np.float32(1e-12)), name, first=False)
    return pointwise.combine("multiply", view, pointwise.named(least, "rsqrt", name), name)


RULES: dict[str, Rule] = {
    **dict.fromkeys(
        ("BatchNormalization", "BatchNormalizationV1", "BatchNormalizationV2", "SyncBatchNormalization"),
        _batch_normalization,
    ),
    "LayerNormalization": _layer_normalization,
    "GroupNormalization": _group_normalization,
    "RMSNormalization": _rms_normalization,
    "UnitNormalization": _unit_normalization,
}

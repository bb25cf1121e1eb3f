"""The shape of each weight of a layer, as Keras makes it from the layer's configuration and its other weights.

Keras refuses weights of other shapes when it loads them. (Shapes: `build` of each class in tf_keras 2.21 and Keras
3.15, which agree.) A size that depends only on the layer's input is free here; the canonical network checks it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .layer_graph import Array

# None is a size that the configuration leaves free.
Shape = tuple[int | None, ...]
Config = Mapping[str, Any]


def find_misfit(kind: str, config: Config, weights: Mapping[str, Array]) -> tuple[str, Shape] | None:
    """(name, the shape that Keras makes) of the first weight with another shape; None if all fit.

    `weights` are by Keras' short names. Weights of unknown classes always fit, and so do those of a PReLU, whose shape
    is its input's.
    """
    if kind not in _SHAPES:
        return None
    expected = _SHAPES[kind](config, weights)
    for name, array in weights.items():
        sizes = expected[name]
        if len(sizes) != array.ndim or any(
            size not in (None, own) for size, own in zip(sizes, array.shape, strict=True)
        ):
            return name, sizes
    return None


def _dense(config: Config, weights: Mapping[str, Array]) -> dict[str, Shape]:
    units = config.get("units")
    return {"kernel": (None, units), "bias": (units or _last(weights["kernel"]),)}


def _convolution(sides: int, transposed: bool = False) -> Callable[[Config, Mapping[str, Array]], dict[str, Shape]]:
    """The rule of Conv1D, Conv2D and Conv3D; a transposed one has its filters before its input's channels."""

    def shapes(config: Config, weights: Mapping[str, Array]) -> dict[str, Shape]:
        filters = config.get("filters")
        ends = (filters, None) if transposed else (None, filters)
        kernel = weights["kernel"]
        own = kernel.shape[sides] if transposed and kernel.ndim == sides + 2 else _last(kernel)
        return {"kernel": (*_window(config, sides), *ends), "bias": (filters or own,)}

    return shapes


def _depthwise(sides: int) -> Callable[[Config, Mapping[str, Array]], dict[str, Shape]]:
    """DepthwiseConv1D and DepthwiseConv2D."""

    def shapes(config: Config, weights: Mapping[str, Array]) -> dict[str, Shape]:
        kernel = weights["depthwise_kernel"]
        made = kernel.shape[sides] * kernel.shape[sides + 1] if kernel.ndim == sides + 2 else None
        return {"depthwise_kernel": (*_window(config, sides), None, config.get("depth_multiplier")), "bias": (made,)}

    return shapes


def _separable(sides: int) -> Callable[[Config, Mapping[str, Array]], dict[str, Shape]]:
    """SeparableConv1D and SeparableConv2D."""

    def shapes(config: Config, weights: Mapping[str, Array]) -> dict[str, Shape]:
        deep, filters = _depthwise(sides)(config, weights), config.get("filters")
        pointwise = (*[1] * sides, deep["bias"][0], filters)
        return {**deep, "pointwise_kernel": pointwise, "bias": (filters or _last(weights["pointwise_kernel"]),)}

    return shapes


def _recurrent(gates: int) -> Callable[[Config, Mapping[str, Array]], dict[str, Shape]]:
    """The rule of GRU, LSTM and SimpleRNN; a GRU that resets after its product has two biases."""

    def shapes(config: Config, weights: Mapping[str, Array]) -> dict[str, Shape]:
        units = config.get("units") or (_last(weights["kernel"]) or 0) // gates
        two = gates == 3 and config.get("reset_after", True)
        sizes: dict[str, Shape] = {"kernel": (None, gates * units), "recurrent_kernel": (units, gates * units)}
        return {**sizes, "bias": (2, gates * units) if two else (gates * units,)}

    return shapes


def _attention(heads: Mapping[str, str], size: str) -> Callable[[Config, Mapping[str, Array]], dict[str, Shape]]:
    """The rule for kernels of query, key and value by head; the configuration has the names in `heads` and `size`."""

    def shapes(config: Config, weights: Mapping[str, Array]) -> dict[str, Shape]:
        made: dict[str, Shape] = {}
        for part in ("query", "key", "value"):
            count = config.get(heads[part])
            own = (config.get("value_dim") if part == "value" else None) or config.get(size)
            made |= {f"{part}_kernel": (None, count, own), f"{part}_bias": (count, own)}
        features = weights["output_kernel"].shape[2:] or (None,)
        output = (config.get(heads["query"]), made["value_bias"][1])
        return {**made, "output_kernel": (*output, *features), "output_bias": features}

    return shapes


def _norm(config: Config, weights: Mapping[str, Array]) -> dict[str, Shape]:
    """Every weight has one axis, with the length of the mean."""
    return dict.fromkeys(weights, (_last(weights["moving_mean"]),))


def _window(config: Config, sides: int) -> Shape:
    size = config.get("kernel_size")
    if isinstance(size, (list, tuple)):
        return tuple(size) if len(size) == sides else tuple(size) * sides if len(size) == 1 else (None,) * sides
    return (size,) * sides


def _last(array: Array) -> int | None:
    return array.shape[-1] if array.ndim else None


_SHAPES: dict[str, Callable[[Config, Mapping[str, Array]], dict[str, Shape]]] = {
    "Dense": _dense,
    "Conv1D": _convolution(1),
    "Conv2D": _convolution(2),
    "Conv3D": _convolution(3),
    "Conv1DTranspose": _convolution(1, transposed=True),
    "Conv2DTranspose": _convolution(2, transposed=True),
    "DepthwiseConv2D": _depthwise(2),
    "DepthwiseConv1D": _depthwise(1),
    "SeparableConv1D": _separable(1),
    "GRU": _recurrent(3),
    "LSTM": _recurrent(4),
    "SimpleRNN": _recurrent(1),
    "MultiHeadAttention": _attention(dict.fromkeys(("query", "key", "value"), "num_heads"), "key_dim"),
    "GroupQueryAttention": _attention(
        {"query": "num_query_heads", "key": "num_key_value_heads", "value": "num_key_value_heads"}, "head_dim"
    ),
    "SeparableConv2D": _separable(2),
    "BatchNormalization": _norm,
}

"""PyTorch's layers in NumPy, and weights under PyTorch's names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

Values = NDArray[Any]
Weights = dict[str, Values]
random = np.random.default_rng(7)


def convolve(x: Values, weights: Mapping[str, Values], name: str, pad: int, turned: bool = False) -> Values:
    """nn.Conv2d on (N, C, H, W); Theano's convolution turns its kernel round."""
    kernel = weights[f"{name}.weight"][:, :, ::-1, ::-1] if turned else weights[f"{name}.weight"]
    padded = np.pad(x, [(0, 0), (0, 0), (pad, pad), (pad, pad)])
    windows = sliding_window_view(padded, kernel.shape[2:], axis=(2, 3))
    made = np.einsum("nchwij,fcij->nfhw", windows, kernel, optimize=True)
    return np.asarray(made + weights[f"{name}.bias"][None, :, None, None])


def linear(x: Values, weights: Mapping[str, Values], name: str) -> Values:
    return np.asarray(x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"])


def norm(x: Values, weights: Mapping[str, Values], name: str) -> Values:
    along = (1, -1) + (1,) * (x.ndim - 2)
    mean, variance, scale, shift = (
        weights[f"{name}.{part}"].reshape(along) for part in ("running_mean", "running_var", "weight", "bias")
    )
    return np.asarray((x - mean) / np.sqrt(variance + 1e-5) * scale + shift)


def relu(x: Values) -> Values:
    return np.maximum(x, 0)


def log_softmax(x: Values) -> Values:
    shifted = x - x.max(axis=1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)))


def drawn(shapes_of: Mapping[str, tuple[int, ...]]) -> Weights:
    """float32 weights under PyTorch's names; variances near one, so that 1e-5 and 1e-3 beside them differ."""
    made: Weights = {}
    for name, shape in shapes_of.items():
        made[f"{name}.weight"] = random.normal(size=shape) / np.sqrt(np.prod(shape[1:]) or 1)
        made[f"{name}.bias"] = random.normal(size=shape[0]) * 0.1
        if len(shape) == 1:
            made[f"{name}.weight"] = 1 + 0.1 * random.normal(size=shape)
            made[f"{name}.running_mean"] = 0.1 * random.normal(size=shape)
            made[f"{name}.running_var"] = 0.02 + 0.02 * random.random(size=shape)
            made[f"{name}.num_batches_tracked"] = np.array([5])
    return {name: array.astype(np.int64 if "tracked" in name else np.float32) for name, array in made.items()}

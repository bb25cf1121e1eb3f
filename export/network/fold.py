"""Scale-and-shift operations folded into the convolution or dense layer beside them, in float64."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from ..checkpoint.layer_graph import Array
from .emitter import float32
from .network import Affine, Dense, DepthwiseConv, Network, Op, Windowed

Linear = Dense | Windowed


def fold(network: Network) -> Network:
    """The same network without the batch norms that follow, or precede, a linear operation.

    An operation is only changed where nothing else reads the tensor in between.
    """
    readers = Counter(name for op in network.ops for name in op.inputs)
    readers.update(output.tensor for output in network.outputs)
    made: dict[str, Op] = {}
    for op in network.ops:
        before = made.get(op.inputs[0])
        folded = _merge(before, op) if before is not None and readers[before.output] == 1 else None
        if before is None or folded is None:
            made[op.output] = op
            continue
        # Insertion order is the order of execution: the merged operation takes the later place.
        del made[before.output]
        made[op.output] = folded
    return replace(network, ops=tuple(made.values()))


def _merge(before: Op, op: Op) -> Op | None:
    """Both as one operation, None where they do not merge."""
    if isinstance(before, (Dense, Windowed)) and isinstance(op, Affine):
        return _into_previous(before, op)
    if isinstance(before, Affine) and isinstance(op, Dense):
        return _into_next(before, op)
    return None


def _into_previous(linear: Linear, affine: Affine) -> Op | None:
    channels = linear.shape[-1]
    scale, shift = _per_channel(affine.scale, channels, 1.0), _per_channel(affine.shift, channels, 0.0)
    if scale is None or shift is None:
        return None
    bias = np.zeros(channels) if linear.bias is None else linear.bias.astype(np.float64)
    kernel = linear.kernel.astype(np.float64)
    kernel = kernel * (scale.reshape(kernel.shape[2:]) if isinstance(linear, DepthwiseConv) else scale)
    new_bias = bias * scale + shift
    return replace(
        linear, output=affine.output, kernel=float32(kernel), bias=float32(new_bias) if new_bias.any() else None
    )


def _into_next(affine: Affine, dense: Dense) -> Op | None:
    size = dense.kernel.shape[0]
    scale, shift = _per_channel(affine.scale, size, 1.0), _per_channel(affine.shift, size, 0.0)
    if len(affine.shape) != 1 or scale is None or shift is None:
        return None
    kernel = dense.kernel.astype(np.float64)
    bias = shift @ kernel + (0.0 if dense.bias is None else dense.bias.astype(np.float64))
    new_bias = float32(bias) if np.any(bias) else None
    return replace(dense, inputs=affine.inputs, kernel=float32(kernel * scale[:, None]), bias=new_bias)


def _per_channel(values: Array | None, channels: int, default: float) -> Array | None:
    """One float64 a channel, None where the values differ along another axis."""
    if values is None:
        return np.full(channels, default)
    if values.size not in (1, channels) or values.shape[-1] != values.size:
        return None
    return np.broadcast_to(values.ravel().astype(np.float64), (channels,))

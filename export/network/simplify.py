"""LayerGraph -> Network: every Keras layer in its canonical form, then batch norm folded."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from ...errors import CheckpointError, UnsupportedLayer, first_line
from ..checkpoint.layer_graph import Array, Call, LayerGraph
from . import (
    attention_layers,
    board_layers,
    layers,
    line_layers,
    lookup_layers,
    norm_layers,
    operations,
    recurrent_layers,
    resizing_layers,
)
from .emitter import Emitter, Value, float32, identity
from .known_shapes import add_known_shapes
from .layers import Rule
from .network import Affine, Dense, DepthwiseConv, Door, Network, Op, WindowOp

# The canonical form of every kind of layer. docs/adding-a-layer.md lists what else a new layer needs.
RULES: dict[str, Rule] = {
    **layers.RULES,
    **board_layers.RULES,
    **norm_layers.RULES,
    **line_layers.RULES,
    **attention_layers.RULES,
    **lookup_layers.RULES,
    **recurrent_layers.RULES,
    **resizing_layers.RULES,
}
RULES.update(recurrent_layers.around(RULES))


def simplify(graph: LayerGraph) -> Network:
    """The canonical network of a checkpoint: float32 constants, channels last, batch norms folded.

    Raises UnsupportedLayer with the name of the first layer without a canonical form; the caller then traces the graph
    from Keras instead. Raises CheckpointError, with file and layer, if weights cannot belong to the architecture.
    """
    return simplify_with_values(graph)[0]


def simplify_with_values(graph: LayerGraph) -> tuple[Network, dict[str, Value]]:
    """The network of `simplify`, and the place of each of Keras' tensors.

    A tensor that no operation makes was folded away.
    """
    emitter = _walk(graph, strict=True)
    doors = tuple(Door(spec.name, spec.shape) for spec in graph.inputs)
    heads = []
    for head in graph.outputs:
        if head.tensor not in emitter.values:
            raise UnsupportedLayer(head.source_name, f"it has several outputs ('{head.tensor}')")
        emitter.name_after(head.tensor)
        value = emitter.plain(emitter.values[head.tensor])
        heads.append(replace(head, tensor=value.name, shape=value.shape))
    return fold(Network(doors, tuple(emitter.ops), tuple(heads))), emitter.values


def shapes(graph: LayerGraph) -> dict[str, tuple[int, ...]]:
    """The shape in Keras, without the batch, of each tensor before the first layer without a canonical form.

    Tensors behind that layer are included if the layers' configurations give their shapes.
    """
    return add_known_shapes(graph, {name: value.shape for name, value in _walk(graph, strict=False).values.items()})


def _walk(graph: LayerGraph, *, strict: bool) -> Emitter:
    emitter = Emitter(graph.source.keras_major)
    for spec in graph.inputs:
        emitter.values[spec.tensor] = Value(spec.tensor, spec.shape, identity(len(spec.shape)))
    for call in graph.calls:
        try:
            made = _apply(emitter, call)
            for index, value in enumerate(made if isinstance(made, list) else [made]):
                emitter.values[f"{call.output}#{index}" if index else call.output] = value
        except UnsupportedLayer:
            if strict:
                raise
        except CheckpointError as error:
            raise CheckpointError(f"'{graph.source.path}': {error}") from error
    return emitter


def _apply(emitter: Emitter, call: Call) -> Value | list[Value]:
    kind = call.layer.kind.rsplit(">", 1)[-1]
    rule = RULES.get(kind) or operations.rule_for(call.layer.kind)
    if rule is None:
        raise UnsupportedLayer(call.layer.name, f"class {call.layer.kind} has no canonical form")
    inputs = emitter.begin(call)
    try:
        return rule(emitter, call, inputs)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        reason = first_line(error)[:200]
        raise UnsupportedLayer(call.layer.name, f"its configuration is not understood ({reason})") from error


def fold(network: Network) -> Network:
    """The same network without the batch norms that come after or before a linear operation.

    An operation changes only if nothing else reads the tensor in between. A residual block that branches off between
    convolution and batch norm needs the unscaled tensor too. Products and sums are calculated in float64 and rounded to
    float32 once.
    """
    readers = Counter(name for op in network.ops for name in op.inputs)
    readers.update(output.tensor for output in network.outputs)
    made: dict[str, Op] = {}
    for op in network.ops:
        before = made.get(op.inputs[0])
        folded = None
        if before is not None and readers[before.output] == 1:
            folded = _into_previous(before, op) or _into_next(before, op)
        if before is None or folded is None:
            made[op.output] = op
            continue
        # Insertion order is the order of execution: the merged operation takes the later of the two places.
        del made[before.output]
        made[op.output] = folded
    return replace(network, ops=tuple(made.values()))


def _into_previous(linear: Op, affine: Op) -> Op | None:
    """A linear operation and the scale and shift after it as one linear operation.

    None if the two are not such a pair.
    """
    if not (isinstance(linear, (Dense, WindowOp)) and isinstance(affine, Affine)):
        return None
    channels = linear.shape[-1]
    scale, shift = _per_channel(affine.scale, channels, 1.0), _per_channel(affine.shift, channels, 0.0)
    if scale is None or shift is None:
        return None
    bias = np.zeros(channels) if linear.bias is None else linear.bias.astype(np.float64)
    kernel = linear.kernel.astype(np.float64)
    # A kernel's last axis holds its output channels; a depthwise kernel spreads them over its last two axes.
    kernel = kernel * (scale.reshape(kernel.shape[2:]) if isinstance(linear, DepthwiseConv) else scale)
    new_bias = bias * scale + shift
    return replace(
        linear, output=affine.output, kernel=float32(kernel), bias=float32(new_bias) if new_bias.any() else None
    )


def _into_next(affine: Op, dense: Op) -> Op | None:
    """A scale and shift and the dense layer after it as one dense layer; None if the two are not such a pair.

    This is impossible before a convolution: its padding puts zeros around the shifted board, and a shift moved behind
    the convolution would shift those zeros too.
    """
    if not (isinstance(affine, Affine) and isinstance(dense, Dense)):
        return None
    size = dense.kernel.shape[0]
    scale, shift = _per_channel(affine.scale, size, 1.0), _per_channel(affine.shift, size, 0.0)
    if len(affine.shape) != 1 or scale is None or shift is None:
        return None
    kernel = dense.kernel.astype(np.float64)
    bias = shift @ kernel + (0.0 if dense.bias is None else dense.bias.astype(np.float64))
    new_bias = float32(bias) if np.any(bias) else None
    return replace(dense, inputs=affine.inputs, kernel=float32(kernel * scale[:, None]), bias=new_bias)


def _per_channel(values: Array | None, channels: int, default: float) -> Array | None:
    """Float64 (channels,); None if the values differ along another axis.

    Some checkpoints normalise the rows of the board (axis 1 of a channels_last network). That does not scale a
    convolution's filters and stays a separate operation.
    """
    if values is None:
        return np.full(channels, default)
    if values.size not in (1, channels) or values.shape[-1] != values.size:
        return None
    return np.broadcast_to(values.ravel().astype(np.float64), (channels,))

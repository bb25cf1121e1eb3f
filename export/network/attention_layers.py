"""The canonical form of attention and of layers that multiply tensors: dense layers, transposes, products, softmax."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from ..checkpoint.layer_graph import Array, Call, Layer
from .arguments import bind
from .einsum import emit_einsum
from .emitter import Emitter, Value, misfit, refuse
from .layers import (
    MASKED,
    Rule,
    emit_combination,
    emit_dense,
    emit_masked_softmax,
    emit_repeated,
    emit_reshape,
    one_axis,
    own_activation,
    relabel,
)
from .network import Product
from .norm_layers import emit_reduction, emit_unit

_PARAMETERS = ("query", "value", "key", "query_mask", "value_mask", "key_mask", "attention_mask")


@dataclass(frozen=True)
class Heads:
    """The query, key and value of attention, each (heads, places, features)."""

    query: Value
    key: Value
    value: Value


def emit_product(emitter: Emitter, x: Value, y: Value, *, transposed: bool = False) -> Value:
    """The product of (..., n, k) and (..., k, m); with `transposed`, `y` is (..., m, k)."""
    if transposed:
        rank = len(y.shape)
        y = relabel(y, (*range(rank - 2), rank - 1, rank - 2))
    shape = (*x.shape[:-1], y.shape[-1])
    return emitter.op(Product, [emitter.plain(x), emitter.plain(y)], shape)


def emit_attention(emitter: Emitter, heads: Heads, mask: Value | None = None, *, causal: bool = False) -> Value:
    """Softmax(query key^T) value, of shape (heads, places, features).

    `mask` holds ones and zeros (places, places asked).
    """
    scores = emit_product(emitter, heads.query, heads.key, transposed=True)
    return emit_weighted(emitter, scores, heads.value, mask, causal=causal)


def emit_weighted(emitter: Emitter, scores: Value, value: Value, mask: Value | None, *, causal: bool) -> Value:
    """Softmax of the scores (..., n, m) times `value` (..., m, d)."""
    if causal:
        rows, columns = scores.shape[-2:]
        later = np.triu(np.full((rows, columns), -MASKED), 1)
        scores = emitter.affine(scores, None, later.reshape((1,) * (len(scores.shape) - 2) + later.shape))
    last = len(scores.shape) - 1
    if mask is not None:
        return emit_product(emitter, emit_masked_softmax(emitter, scores, mask, last), value)
    return emit_product(emitter, emitter.softmax(scores, "softmax", last), value)


def _projected(emitter: Emitter, layer: Layer, value: Value, part: str, scale: float | None = None) -> Value:
    """The product of (places, features) and a kernel (features, heads, size), as (heads, places, size)."""
    kernel, bias = layer.weights[f"{part}_kernel"], layer.weights.get(f"{part}_bias")
    if kernel.ndim != 3:
        raise misfit(layer, f"its '{part}' has a kernel of shape {kernel.shape}")
    flat = None if bias is None else bias.reshape(-1)
    made = emit_dense(emitter, layer, value, kernel.reshape(len(kernel), -1), flat)
    if scale is not None:
        made = emitter.affine(made, scale, None)
    apart = emit_reshape(emitter, made, (*value.shape[:-1], *kernel.shape[1:]))
    rank = len(apart.shape)
    return relabel(apart, (*range(rank - 3), rank - 2, rank - 3, rank - 1))


def _rejoined(emitter: Emitter, layer: Layer, value: Value) -> Value:
    """(..., heads, places, size) times the output's kernel (heads, size, *features): (..., places, features)."""
    kernel: Array = layer.weights["output_kernel"]
    rank, heads, size = len(value.shape), value.shape[-3], value.shape[-1]
    if kernel.shape[:2] != (heads, size):
        raise misfit(layer, f"its output has a kernel of shape {kernel.shape} for {heads} heads of {size}")
    together = emitter.plain(relabel(value, (*range(rank - 3), rank - 2, rank - 3, rank - 1)))
    flat = emit_reshape(emitter, together, (*together.shape[:-2], heads * size))
    bias = layer.weights.get("output_bias")
    made = emit_dense(
        emitter, layer, flat, kernel.reshape(heads * size, -1), None if bias is None else bias.reshape(-1)
    )
    return emit_reshape(emitter, made, (*flat.shape[:-1], *kernel.shape[2:]))


def multi_head_attention(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """MultiHeadAttention over all axes between the positions and the features, or over some of them."""
    layer = call.layer
    given = bind(call, inputs, (*_PARAMETERS, "return_attention_scores", "use_causal_mask"))
    if "return_attention_scores" in given or {"query_mask", "value_mask", "key_mask"} & set(given):
        raise refuse(layer, "its scores as an output, and masks of single places, have no canonical form")
    query, value = given["query"], given["value"]
    key = given.get("key", value)
    over = _attended(layer, len(query.shape))
    rest = [axis for axis in range(len(query.shape) - 1) if axis not in over]
    mask = given.get("attention_mask")
    if mask is not None and (rest or len(over) > 1):
        raise refuse(layer, "a mask over the axes of a board has no canonical form")
    if rest and len({each.shape for each in (query, key, value)}) > 1:
        raise refuse(layer, "attention over some axes of other tensors than its query has no canonical form")
    rows = [_as_places(emitter, each, rest, over) for each in (query, key, value)]
    scale = 1 / float(np.sqrt(layer.config["key_dim"]))
    heads = Heads(
        _projected(emitter, layer, rows[0], "query", scale),
        _projected(emitter, layer, rows[1], "key"),
        _projected(emitter, layer, rows[2], "value"),
    )
    if mask is not None:
        mask = emit_reshape(emitter, mask, (1,) * (3 - len(mask.shape)) + mask.shape)
    made = _rejoined(emitter, layer, emit_attention(emitter, heads, mask, causal=bool(given.get("use_causal_mask"))))
    return _as_board(emitter, made, query.shape, rest, over)


def _attended(layer: Layer, rank: int) -> list[int]:
    """The axes over which attention runs, without the batch."""
    axes = layer.config.get("attention_axes")
    if axes is None:
        return list(range(rank - 1))
    listed = axes if isinstance(axes, (list, tuple)) else [axes]
    attended = sorted(one_axis(layer, axis, rank) for axis in listed)
    if rank - 1 in attended:
        raise refuse(layer, "attention over features has no canonical form")
    return attended


def _as_places(emitter: Emitter, value: Value, rest: Sequence[int], over: Sequence[int]) -> Value:
    """The tensor as (places, features), or (rest, places, features) if attention leaves out some axes."""
    last = len(value.shape) - 1
    moved = emitter.plain(relabel(emitter.unfolded(value), (*rest, *over, last)))
    sizes = [prod(value.shape[axis] for axis in axes) for axes in ((rest, over) if rest else (over,))]
    return emit_reshape(emitter, moved, (*sizes, value.shape[last]))


def _as_board(emitter: Emitter, made: Value, shape: Sequence[int], rest: Sequence[int], over: Sequence[int]) -> Value:
    """The inverse of `_as_places`; the last axis has the new number of features."""
    features = made.shape[2:] if rest else made.shape[1:]
    apart = emit_reshape(emitter, made, (*(shape[axis] for axis in (*rest, *over)), *features))
    order = [[*rest, *over].index(axis) for axis in range(len(shape) - 1)]
    return relabel(apart, (*order, *range(len(order), len(apart.shape))))


def grouped_query_attention(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """GroupQueryAttention: several query heads share one head of keys and values."""
    layer = call.layer
    given = bind(call, inputs, (*_PARAMETERS, "return_attention_scores", "use_causal_mask"))
    if "return_attention_scores" in given or {"query_mask", "value_mask", "key_mask", "attention_mask"} & set(given):
        raise refuse(layer, "its scores as an output, and masks, have no canonical form")
    query, value = given["query"], given["value"]
    parts = {"query": query, "key": given.get("key", value), "value": value}
    scale = 1 / float(np.sqrt(layer.config["head_dim"]))
    made = {
        name: _projected(emitter, layer, part, name, scale if name == "query" else None) for name, part in parts.items()
    }
    times = made["query"].shape[0] // made["key"].shape[0]
    # Each head of keys serves `times` consecutive heads of queries.
    made |= {name: _spread(emitter, made[name], times) for name in ("key", "value")}
    heads = Heads(made["query"], made["key"], made["value"])
    return _rejoined(emitter, layer, emit_attention(emitter, heads, causal=bool(given.get("use_causal_mask"))))


def _spread(emitter: Emitter, value: Value, times: int) -> Value:
    """Each entry of the first axis repeated `times`, the copies next to each other."""
    shape = value.shape
    apart = emit_reshape(emitter, emitter.plain(value), (shape[0], 1, *shape[1:]))
    return emit_reshape(emitter, emit_repeated(emitter, apart, 1, times), (shape[0] * times, *shape[1:]))


def attention(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """Keras' Attention layer: [query, value, key] without kernels."""
    layer, value = call.layer, inputs[1]
    given = _without_masks(call, inputs)
    if layer.config.get("score_mode", "dot") != "dot":
        raise refuse(layer, f"scores by '{layer.config['score_mode']}' have no canonical form")
    key = inputs[2] if len(inputs) > 2 else value
    scores = emit_product(emitter, inputs[0], key, transposed=True)
    if layer.config.get("use_scale"):
        scores = emitter.affine(scores, float(next(iter(layer.weights.values())).reshape(())), None)
    return emit_weighted(emitter, scores, value, None, causal=bool(given.get("use_causal_mask")))


def additive_attention(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """AdditiveAttention: each score is the sum of tanh(query + key) over the features, times a scale per feature."""
    layer, query, value = call.layer, inputs[0], inputs[1]
    given = _without_masks(call, inputs)
    key = inputs[2] if len(inputs) > 2 else value
    if len(query.shape) != 2:
        raise refuse(layer, f"over an input of shape {query.shape} it has no canonical form")
    one = emit_reshape(emitter, query, (query.shape[0], 1, query.shape[1]))
    other = emit_reshape(emitter, key, (1, *key.shape))
    wide = emitter.plain(emit_repeated(emitter, emitter.plain(one), 1, key.shape[0]))
    both = emitter.activation(emit_combination(emitter, [wide, other], "add"), ("tanh", ()))
    if layer.config.get("use_scale", True):
        both = emitter.affine(both, next(iter(layer.weights.values())).reshape(1, 1, -1), None)
    scores = emit_reduction(emitter, both, "sum", [2], keep=False)
    return emit_weighted(emitter, scores, value, None, causal=bool(given.get("use_causal_mask")))


def _without_masks(call: Call, inputs: list[Value]) -> dict[str, Any]:
    given = bind(call, inputs, ("inputs", "mask", "return_attention_scores", "use_causal_mask"))
    if {"mask", "return_attention_scores"} & set(given):
        raise refuse(call.layer, "a mask, or its scores as an output, have no canonical form")
    return given


def dot(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """Dot(axes): the sum of products along one axis of each of two tensors."""
    layer, (x, y) = call.layer, inputs
    given = layer.config.get("axes", -1)
    pair = list(given) if isinstance(given, (list, tuple)) else [given, given]
    axes = [one_axis(layer, axis, len(value.shape)) for axis, value in zip(pair, (x, y), strict=True)]
    if layer.config.get("normalize"):
        x, y = (emit_unit(emitter, value, [axis]) for value, axis in zip((x, y), axes, strict=True))
    letters = "acdefghijklmnopqrstuvwxyz"
    left = letters[: len(x.shape)]
    right = letters[len(left) : len(left) + len(y.shape)].replace(letters[len(left) + axes[1]], left[axes[0]])
    output = [letter for letter in left + right if letter != left[axes[0]]]
    if not output:
        return emit_reduction(
            emitter, emitter.pairwise(x, emitter.with_axes(y, x.axes), "multiply"), "sum", [0], keep=True
        )
    return emit_einsum(emitter, layer, f"b{left},b{right}->b{''.join(output)}", x, y)


def einsum_dense(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """EinsumDense(equation): a product with a kernel, plus a bias along some axes."""
    layer = call.layer
    kernel, *rest = layer.weights.values()
    made = emit_einsum(emitter, layer, str(layer.config["equation"]), inputs[0], kernel)
    if rest:
        bias = rest[0].reshape((1,) * (len(made.shape) - rest[0].ndim) + rest[0].shape)
        made = emitter.affine(made, None, bias)
    return own_activation(emitter, layer, made)


RULES: dict[str, Rule] = {
    "MultiHeadAttention": multi_head_attention,
    "GroupQueryAttention": grouped_query_attention,
    "Attention": attention,
    "AdditiveAttention": additive_attention,
    "Dot": dot,
    "EinsumDense": einsum_dense,
}

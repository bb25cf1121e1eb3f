"""Attention, Einstein sums and dot products of Keras, in float64, by Keras' documentation."""

from __future__ import annotations

from typing import Any

import numpy as np

from .activations import activate, masked_softmax, softmax
from .layer import LayerCall, Rule, Values
from .operations import stated_arguments


def call_arguments(applied: LayerCall, names: tuple[str, ...]) -> dict[str, Any]:
    """The call's arguments by name, without those that are None or False; UnsupportedLayer for any outside `names`."""
    arguments, too_many = stated_arguments(applied.arguments, applied.inputs, names)
    strange = next((key for key in arguments if key not in (*names, "training")), None)
    if strange is not None or too_many:
        raise applied.refusal(f"argument '{strange}' is not known")
    return arguments


def _weighted(applied: LayerCall, scores: Values, value: Values, mask: Values | None, *, causal: bool) -> Values:
    """Softmax(scores (..., t, s)) times value (..., s, d), over the entries where the mask is not zero."""
    if causal:
        allowed = np.tril(np.ones(scores.shape[-2:]))
        mask = allowed if mask is None else mask * allowed
    if mask is not None:
        return np.asarray(masked_softmax(scores, mask, -1, applied.keras_major) @ value)
    return np.asarray(softmax(scores, -1) @ value)


_CALL = ("query", "value", "key", "query_mask", "value_mask", "key_mask", "attention_mask", "return_attention_scores")


def _multi_head(applied: LayerCall) -> Values:
    call = call_arguments(applied, (*_CALL, "use_causal_mask"))
    refused = ("query_mask", "value_mask", "key_mask", "return_attention_scores")
    if any(name in call for name in refused):
        raise applied.refusal("masks of single places, or scores as an output, are not known")
    query, value = call["query"], call["value"]
    rank = query.ndim
    axes = applied.config.get("attention_axes") or range(1, rank - 1)
    over = sorted(int(axis) % rank for axis in (axes if not isinstance(axes, int) else [axes]))
    batch = [axis for axis in range(rank - 1) if axis not in over]
    parts = {}
    for name, x in (("query", query), ("key", call.get("key", value)), ("value", value)):
        made = np.tensordot(x, applied.weight(f"{name}_kernel"), axes=1)
        if applied.config.get("use_bias", True):
            made = made + applied.weight(f"{name}_bias")
        # (batch..., heads, places, features)
        made = made.transpose(*batch, rank - 1, *over, rank)
        parts[name] = made.reshape(*made.shape[: len(batch) + 1], -1, made.shape[-1])
    scores = parts["query"] @ parts["key"].swapaxes(-1, -2) / np.sqrt(applied.config["key_dim"])
    mask = call.get("attention_mask")
    if mask is not None:
        mask = mask[:, None] if mask.ndim == 3 and len(batch) == 1 else mask
    made = _weighted(applied, scores, parts["value"], mask, causal=bool(call.get("use_causal_mask")))
    made = made.reshape(*made.shape[: len(batch) + 1], *(query.shape[axis] for axis in over), made.shape[-1])
    order = [*batch, *over]
    places = [order.index(axis) + (1 if axis in over else 0) for axis in range(rank - 1)]
    made = made.transpose(*places, len(batch), rank)
    made = np.tensordot(made, applied.weight("output_kernel"), axes=2)
    return np.asarray(made + applied.weight("output_bias") if applied.config.get("use_bias", True) else made)


def _grouped_queries(applied: LayerCall) -> Values:
    call = call_arguments(applied, (*_CALL, "use_causal_mask"))
    if any((name.endswith("mask") and name != "use_causal_mask") or name.startswith("return") for name in call):
        raise applied.refusal("masks, or scores as an output, are not known")
    query, value = call["query"], call["value"]
    parts = {}
    for name, x in (("query", query), ("key", call.get("key", value)), ("value", value)):
        made = np.einsum("btd,dhk->bhtk", x, applied.weight(f"{name}_kernel"))
        if applied.config.get("use_bias", True):
            made = made + applied.weight(f"{name}_bias")[:, None, :]
        parts[name] = made
    times = parts["query"].shape[1] // parts["key"].shape[1]
    key, shared = (np.repeat(parts[name], times, axis=1) for name in ("key", "value"))
    scores = parts["query"] @ key.swapaxes(-1, -2) / np.sqrt(applied.config["head_dim"])
    made = _weighted(applied, scores, shared, None, causal=bool(call.get("use_causal_mask")))
    made = np.einsum("bhtk,hkd->btd", made, applied.weight("output_kernel"))
    return np.asarray(made + applied.weight("output_bias") if applied.config.get("use_bias", True) else made)


def _attention(applied: LayerCall) -> Values:
    call = call_arguments(applied, ("inputs", "mask", "training", "return_attention_scores", "use_causal_mask"))
    if "mask" in call or "return_attention_scores" in call or applied.config.get("score_mode", "dot") != "dot":
        raise applied.refusal("masks, other scores than products, or scores as an output are not known")
    query, value = applied.inputs[:2]
    scores = query @ (applied.inputs[2] if len(applied.inputs) > 2 else value).swapaxes(-1, -2)
    if applied.config.get("use_scale"):
        scores = scores * applied.weight("0")
    return _weighted(applied, scores, value, None, causal=bool(call.get("use_causal_mask")))


def _additive(applied: LayerCall) -> Values:
    call = call_arguments(applied, ("inputs", "mask", "training", "return_attention_scores", "use_causal_mask"))
    if "mask" in call or "return_attention_scores" in call:
        raise applied.refusal("masks, or scores as an output, are not known")
    query, value = applied.inputs[:2]
    key = applied.inputs[2] if len(applied.inputs) > 2 else value
    both = np.tanh(query[..., :, None, :] + key[..., None, :, :])
    if applied.config.get("use_scale", True):
        both = both * applied.weight("0")
    return _weighted(applied, both.sum(axis=-1), value, None, causal=bool(call.get("use_causal_mask")))


def _dot(applied: LayerCall) -> Values:
    x, y = applied.inputs
    axes = applied.config.get("axes", -1)
    first, second = axes if isinstance(axes, (list, tuple)) else (axes, axes)
    x, y = np.moveaxis(x, first, -1), np.moveaxis(y, second, -1)
    if applied.config.get("normalize"):
        x, y = (each / np.sqrt(np.maximum((each**2).sum(-1, keepdims=True), 1e-12)) for each in (x, y))
    left, right = x.reshape(len(x), -1, x.shape[-1]), y.reshape(len(y), -1, y.shape[-1])
    made = (left @ right.swapaxes(1, 2)).reshape(len(x), *x.shape[1:-1], *y.shape[1:-1])
    return made if made.ndim > 1 else made[:, None]


def _einsum_dense(applied: LayerCall) -> Values:
    kernel, *bias = (applied.weight(name) for name in applied.layer.weights)
    equation = str(applied.config["equation"])
    made = np.einsum(equation, applied.x, kernel, optimize=True)
    return activate(applied, made + bias[0] if bias else made, applied.config.get("activation"))


RULES: dict[str, Rule] = {
    "MultiHeadAttention": _multi_head,
    "GroupQueryAttention": _grouped_queries,
    "Attention": _attention,
    "AdditiveAttention": _additive,
    "Dot": _dot,
    "EinsumDense": _einsum_dense,
}

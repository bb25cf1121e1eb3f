"""Rules of attention, of layers that multiply tensors, and of Einstein sums, by Keras' documentation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..witness.operations import stated_arguments
from . import linear, pointwise, reductions
from .layered import AppliedLayer, Rule, with_activation
from .normal import View
from .products import contract, matrix_product
from .weights import Weights, stored

# Keras adds this number to a score that a causal mask hides.
_MASKED = -1e9
_PLACES, _OTHERS = "abcde", "ABCDE"
_CALL = ("query", "value", "key", "query_mask", "value_mask", "key_mask", "attention_mask", "return_attention_scores")


def _call_arguments(layer: AppliedLayer, names: Sequence[str], allowed: Sequence[str]) -> dict[str, Any]:
    """The call's arguments by name, without those that are None or False; NoRuleError for any outside `allowed`."""
    stated, too_many = stated_arguments(layer.call.arguments, layer.inputs, names)
    strange = next((key for key in stated if key not in (*allowed, "training")), None)
    if strange is not None or too_many:
        raise layer.refusal(f"its argument '{strange}' has no rule")
    return stated


def _projected(layer: AppliedLayer, view: View, part: str, own: str) -> View:
    """(..., features) times a kernel (features, heads, size), plus its bias: (..., heads, size)."""
    made = contract((own + "d", "dhk", own + "hk"), view, layer.weight(f"{part}_kernel"), layer.name)
    return _plus(layer, made, f"{part}_bias")


def _plus(layer: AppliedLayer, view: View, name: str) -> View:
    if not layer.config.get("use_bias", True):
        return view
    return linear.affine(view, linear.ones(), layer.weight(name), layer.name)


def _weighted(layer: AppliedLayer, scores: View, axes: Sequence[int], *, causal: bool) -> View:
    """Softmax of scores over the places asked; if `causal`, each place sees only itself and earlier ones."""
    if causal:
        if len(axes) != 1:
            raise layer.refusal("a causal mask over several axes has no rule")
        later = np.triu(np.full(scores.shape[-2:], _MASKED, np.float32), 1)
        scores = linear.affine(scores, linear.ones(), stored(later), layer.name)
    return reductions.softmax(scores, axes, layer.name)


def _multi_head(layer: AppliedLayer, _: View) -> View:
    call = _call_arguments(layer, (*_CALL, "use_causal_mask"), ("query", "value", "key", "use_causal_mask"))
    query, value = call["query"], call["value"]
    own = _PLACES[: len(query.shape) - 2]
    given = layer.config.get("attention_axes") or range(1, len(query.shape) - 1)
    over = [int(axis) % len(query.shape) - 1 for axis in (given if not isinstance(given, int) else [given])]
    asked = "".join(_OTHERS[at] if at in over else letter for at, letter in enumerate(own))
    rest = "".join(letter for at, letter in enumerate(own) if at not in over)
    here, there = ("".join(text[at] for at in sorted(over)) for text in (own, asked))
    q = _projected(layer, query, "query", own)
    q = linear.affine(q, stored(np.float32(1 / np.sqrt(layer.config["key_dim"]))), linear.zeros(), layer.name)
    k, v = _projected(layer, call.get("key", value), "key", own), _projected(layer, value, "value", own)
    scores = contract((own + "hk", asked + "hk", rest + "h" + here + there), q, k, layer.name)
    last = len(scores.shape)
    causal = bool(call.get("use_causal_mask"))
    weights = _weighted(layer, scores, range(last - len(over), last), causal=causal)
    made = contract((rest + "h" + here + there, asked + "hk", own + "hk"), weights, v, layer.name)
    return _rejoined(layer, made, own)


def _rejoined(layer: AppliedLayer, made: View, own: str) -> View:
    kernel = layer.weight("output_kernel")
    features = "xyz"[: kernel.values.ndim - 2]
    made = contract((own + "hk", "hk" + features, own + features), made, kernel, layer.name)
    return _plus(layer, made, "output_bias")


def _grouped_queries(layer: AppliedLayer, _: View) -> View:
    call = _call_arguments(layer, (*_CALL, "use_causal_mask"), ("query", "value", "key", "use_causal_mask"))
    query, value = call["query"], call["value"]
    q = _projected(layer, query, "query", "a")
    q = linear.affine(q, stored(np.float32(1 / np.sqrt(layer.config["head_dim"]))), linear.zeros(), layer.name)
    k, v = _projected(layer, call.get("key", value), "key", "a"), _projected(layer, value, "value", "a")
    times = q.shape[2] // k.shape[2]
    k, v = (View(part.node, np.repeat(part.index, times, axis=2)) for part in (k, v))
    scores = contract(("ahk", "Ahk", "haA"), q, k, layer.name)
    weights = _weighted(layer, scores, [3], causal=bool(call.get("use_causal_mask")))
    return _rejoined(layer, contract(("haA", "Ahk", "ahk"), weights, v, layer.name), "a")


def _plain_call(layer: AppliedLayer) -> bool:
    """Whether the call asks for a causal mask; NoRuleError for a call that asks for more."""
    names = ("inputs", "mask", "training", "return_attention_scores", "use_causal_mask")
    return bool(_call_arguments(layer, names, ("inputs", "use_causal_mask")).get("use_causal_mask"))


def _attention(layer: AppliedLayer, query: View) -> View:
    causal, value = _plain_call(layer), layer.inputs[1]
    if layer.config.get("score_mode", "dot") != "dot":
        raise layer.refusal("other scores than products have no rule")
    key = layer.inputs[2] if len(layer.inputs) > 2 else value
    scores = matrix_product(query, View(key.node, np.swapaxes(key.index, -1, -2)), layer.name)
    if layer.config.get("use_scale"):
        scores = linear.affine(scores, layer.weight("0").reshape(1), linear.zeros(), layer.name)
    return matrix_product(_weighted(layer, scores, [-1], causal=causal), value, layer.name)


def _additive(layer: AppliedLayer, query: View) -> View:
    causal, value = _plain_call(layer), layer.inputs[1]
    key = layer.inputs[2] if len(layer.inputs) > 2 else value
    one, other = View(query.node, query.index[:, :, None]), View(key.node, key.index[:, None])
    made = pointwise.named(pointwise.combine("add", one, other, layer.name), "tanh", layer.name)
    if layer.config.get("use_scale", True):
        made = linear.affine(made, layer.weight("0"), linear.zeros(), layer.name)
    scores = reductions.reduce(made, "sum", [-1], layer.name, keep=False)
    return matrix_product(_weighted(layer, scores, [-1], causal=causal), value, layer.name)


def _dot(layer: AppliedLayer, _: View) -> View:
    if layer.config.get("normalize"):
        raise layer.refusal("lengths of one have no rule")
    x, y = layer.inputs
    axes = layer.config.get("axes", -1)
    pair = list(axes) if isinstance(axes, (list, tuple)) else [axes, axes]
    left, right = list(_PLACES[: len(x.shape) - 1]), list(_OTHERS[: len(y.shape) - 1])
    left[pair[0] % len(x.shape) - 1] = right[pair[1] % len(y.shape) - 1] = "k"
    made = "".join(letter for letter in left + right if letter != "k")
    view = contract(("".join(left), "".join(right), made), x, y, layer.name)
    return view if made else View(view.node, view.index.reshape(1, 1))


def einsum(layer: AppliedLayer, subscripts: str, x: View, y: View | Weights) -> View:
    """The sum that `subscripts` describe.

    A tensor's first letter is the boards' axis, an ellipsis comes before all others.
    """
    ends, arrow, made = subscripts.replace(" ", "").partition("->")
    operands = ends.split(",")
    if not arrow or len(operands) != 2:
        raise layer.refusal(f"'{subscripts}' has no rule")
    ranks = len(x.shape), y.values.ndim if isinstance(y, Weights) else len(y.shape)
    free = [letter for letter in "ABCDEFGH" if letter not in subscripts]
    most = (
        max(rank - len(each.replace("...", "")) for each, rank in zip(operands, ranks, strict=True) if "..." in each)
        if "..." in ends
        else 0
    )
    dots = "".join(free[:most])
    left, right = (
        each.replace("...", dots[most - (rank - len(each.replace("...", ""))) :] if "..." in each else "")
        for each, rank in zip(operands, ranks, strict=True)
    )
    made = made.replace("...", dots)
    boards = left[:1]
    if made[:1] != boards or (isinstance(y, View) and right[:1] != boards) or boards in left[1:] + made[1:]:
        raise layer.refusal(f"'{subscripts}' does not keep the boards first")
    if isinstance(y, Weights) and boards in right:
        raise layer.refusal(f"'{subscripts}' has a kernel for each board")
    return contract((left[1:], right if isinstance(y, Weights) else right[1:], made[1:]), x, y, layer.name)


def _einsum_dense(layer: AppliedLayer, view: View) -> View:
    kernel, *bias = layer.call.layer.weights
    made = einsum(layer, str(layer.config["equation"]), view, layer.weight(kernel))
    if bias:
        made = linear.affine(made, linear.ones(), layer.weight(bias[0]), layer.name)
    return with_activation(layer, made, layer.config.get("activation"))


RULES: dict[str, Rule] = {
    "MultiHeadAttention": _multi_head,
    "GroupQueryAttention": _grouped_queries,
    "Attention": _attention,
    "AdditiveAttention": _additive,
    "Dot": _dot,
    "EinsumDense": _einsum_dense,
}

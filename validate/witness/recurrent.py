"""Recurrent layers of Keras step by step, and layers that wrap a layer, in float64."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...export.checkpoint.layer_graph import Layer
from .activations import activate
from .layer import LayerCall, Rule, Values
from .windows import convolve_with

_WEIGHTS = ("kernel", "recurrent_kernel", "bias")


def _recurrent(applied: LayerCall, kind: str | None = None) -> Values:
    """GRU, LSTM and SimpleRNN over (N, steps, features)."""
    kind, config = kind or applied.layer.kind.rsplit(">", 1)[-1], applied.config
    if len(applied.inputs) > 1 or config.get("stateful") or config.get("return_state"):
        raise applied.refusal("states that come from elsewhere, or go there, are not known")
    x = applied.x[:, ::-1] if config.get("go_backwards") else applied.x
    units = applied.weight("recurrent_kernel").shape[0]
    states = [np.zeros((len(x), units), x.dtype)] * 2
    made = []
    for at in range(x.shape[1]):
        states = _STEPS[kind](applied, x[:, at], states)
        made.append(states[0])
    return np.stack(made, axis=1) if config.get("return_sequences") else made[-1]


def _bias(applied: LayerCall) -> Values | float:
    return applied.weight("bias") if "bias" in applied.layer.weights else 0.0


def _simple(applied: LayerCall, x: Values, states: list[Values]) -> list[Values]:
    whole = x @ applied.weight("kernel") + states[0] @ applied.weight("recurrent_kernel") + _bias(applied)
    return [activate(applied, whole, applied.config.get("activation", "tanh"))]


def _lstm(applied: LayerCall, x: Values, states: list[Values]) -> list[Values]:
    whole = x @ applied.weight("kernel") + states[0] @ applied.weight("recurrent_kernel") + _bias(applied)
    return _cell(applied, whole, states[1])


def _cell(applied: LayerCall, whole: Values, cell: Values) -> list[Values]:
    """(state, cell) from the numbers of the four gates, in the last axis."""
    inner, outer = (applied.config.get(name, default) for name, default in _FUNCTIONS)
    i, f, c, o = np.split(whole, 4, axis=-1)
    cell = activate(applied, f, outer) * cell + activate(applied, i, outer) * activate(applied, c, inner)
    return [np.asarray(activate(applied, o, outer) * activate(applied, cell, inner)), np.asarray(cell)]


def _gru(applied: LayerCall, x: Values, states: list[Values]) -> list[Values]:
    inner, outer = (applied.config.get(name, default) for name, default in _FUNCTIONS)
    state, kernel, bias = states[0], applied.weight("recurrent_kernel"), _bias(applied)
    units = len(kernel)
    own, its = bias if isinstance(bias, np.ndarray) and bias.ndim == 2 else (bias, np.zeros(3 * units))
    xz, xr, xh = np.split(x @ applied.weight("kernel") + own, 3, axis=-1)
    if applied.config.get("reset_after", True):
        hz, hr, hh = np.split(state @ kernel + its, 3, axis=-1)
        update, reset = activate(applied, xz + hz, outer), activate(applied, xr + hr, outer)
        fresh = activate(applied, xh + reset * hh, inner)
    else:
        hz, hr = np.split(state @ kernel[:, : 2 * units], 2, axis=-1)
        update, reset = activate(applied, xz + hz, outer), activate(applied, xr + hr, outer)
        fresh = activate(applied, xh + (reset * state) @ kernel[:, 2 * units :], inner)
    return [np.asarray(update * state + (1 - update) * fresh)]


_FUNCTIONS = (("activation", "tanh"), ("recurrent_activation", "sigmoid"))
_STEPS = {"SimpleRNN": _simple, "LSTM": _lstm, "GRU": _gru}


def _convolutional(applied: LayerCall) -> Values:
    """ConvLSTM2D over (N, steps, rows, columns, channels)."""
    if len(applied.inputs) > 1 or applied.config.get("stateful") or applied.config.get("return_state"):
        raise applied.refusal("states that come from elsewhere, or go there, are not known")
    if applied.channels_first:
        raise applied.refusal("channels first are not known")
    weights = [applied.weight(name) for name in applied.layer.weights]
    x = applied.x[:, ::-1] if applied.config.get("go_backwards") else applied.x
    plain = replace(applied, layer=replace(applied.layer, config={"padding": "same"}))
    state = cell = None
    made = []
    for at in range(x.shape[1]):
        whole = convolve_with(replace(applied, inputs=(x[:, at],)), weights[0])
        whole = whole + weights[2] if len(weights) > 2 else whole
        if state is None or cell is None:
            state = cell = np.zeros((*whole.shape[:-1], whole.shape[-1] // 4))
        whole = whole + convolve_with(replace(plain, inputs=(state,)), weights[1])
        state, cell = _cell(applied, whole, cell)
        made.append(state)
    return np.stack(made, axis=1) if applied.config.get("return_sequences") else made[-1]


def _within(applied: LayerCall, entry: Mapping[str, Any], weights: Sequence[Any], names: Sequence[str]) -> LayerCall:
    """The layer that a wrapper describes, on the same inputs."""
    layer = Layer(applied.layer.name, str(entry["class_name"]), entry["config"], dict(zip(names, weights, strict=True)))
    return replace(applied, layer=layer, arguments={"args": [{"tensor": 0}]})


def _bidirectional(applied: LayerCall) -> Values:
    weights, entry = list(applied.layer.weights.values()), applied.config["layer"]
    half = len(weights) // 2
    if str(entry["class_name"]) not in _STEPS:
        raise applied.refusal(f"around a {entry['class_name']} it is not known")
    forward = _recurrent(_within(applied, entry, weights[:half], _WEIGHTS[:half]))
    other = applied.config.get("backward_layer") or entry
    turned = {**other, "config": {**other["config"], "go_backwards": not entry["config"].get("go_backwards")}}
    backward = _recurrent(_within(applied, turned, weights[half:], _WEIGHTS[:half]))
    backward = backward[:, ::-1] if entry["config"].get("return_sequences") else backward
    mode = applied.config.get("merge_mode", "concat")
    if mode == "concat":
        return np.concatenate([forward, backward], axis=-1)
    joined = {"sum": forward + backward, "mul": forward * backward, "ave": (forward + backward) / 2}
    if mode not in joined:
        raise applied.refusal(f"joined by '{mode}' it is not known")
    return np.asarray(joined[mode])


def _around(applied: LayerCall, weights: Sequence[Any]) -> LayerCall:
    """The layer in a wrapper, with its own weights by the names that the witness' rules use."""
    entry = applied.config["layer"]
    names = _NAMES.get(str(entry["class_name"]), tuple(map(str, range(len(weights)))))
    return _within(applied, entry, weights, names[: len(weights)])


_NAMES = {
    **dict.fromkeys(("Dense", "Conv1D", "Conv2D", "Conv3D", "Conv2DTranspose", "Conv1DTranspose"), ("kernel", "bias")),
    **dict.fromkeys(("DepthwiseConv1D", "DepthwiseConv2D"), ("depthwise_kernel", "bias")),
    **dict.fromkeys(("SeparableConv1D", "SeparableConv2D"), ("depthwise_kernel", "pointwise_kernel", "bias")),
    "BatchNormalization": ("gamma", "beta", "moving_mean", "moving_variance"),
}
RULES: dict[str, Rule] = {
    **dict.fromkeys(("GRU", "LSTM", "SimpleRNN"), _recurrent),
    "ConvLSTM2D": _convolutional,
    "Bidirectional": _bidirectional,
}


def around(rules: Mapping[str, Rule]) -> dict[str, Rule]:
    """The rules of layers that wrap another layer; `rules` must know that layer when they are called."""

    def inside(applied: LayerCall, inner: LayerCall) -> Values:
        kind = inner.layer.kind
        rule = None if kind in (*RULES, "TimeDistributed", "SpectralNormalization") else rules.get(kind)
        made = None if rule is None else rule(inner)
        if made is None or isinstance(made, list):
            raise applied.refusal(f"around a {kind} it is not known")
        return made

    def time_distributed(applied: LayerCall) -> Values:
        inner, x = _around(applied, list(applied.layer.weights.values())), applied.x
        made = inside(applied, replace(inner, inputs=(x.reshape(-1, *x.shape[2:]),)))
        return made.reshape(*x.shape[:2], *made.shape[1:])

    def spectral(applied: LayerCall) -> Values:
        """In inference it is the inner layer with its kernel unchanged; the wrapper's own two weights come first."""
        return inside(applied, _around(applied, list(applied.layer.weights.values())[2:]))

    return {"TimeDistributed": time_distributed, "SpectralNormalization": spectral}

"""The canonical form of recurrent layers with a fixed number of steps, and of layers that wrap a layer.

The steps are written out one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..checkpoint.keras_json import LayerConfig
from ..checkpoint.layer_graph import Array, Call, Layer
from ..checkpoint.weights import weight_names
from .activations import activation_of
from .board_layers import emit_convolution
from .emitter import Emitter, Value, refuse
from .layers import Rule, emit_combination, emit_concatenation, emit_dense, emit_part, emit_reshape
from .network import Conv

# The most numbers in kernels that are repeated for each step, and the most steps.
_COPIED, _STEPS = 1 << 22, 128
# The states after one step, from its part of the input's product and the states before it (None at the first step).
_Step = Callable[[Value, "list[Value] | None"], list[Value]]


def _gate(emitter: Emitter, layer: Layer, value: Value, name: str) -> Value:
    """`value` after the layer's `activation` or `recurrent_activation`."""
    default = "tanh" if name == "activation" else "sigmoid"
    return emitter.activation(value, activation_of(layer, layer.config.get(name, default), emitter.keras_major))


def _parted(emitter: Emitter, value: Value, count: int) -> list[Value]:
    """The last axis in `count` equal parts."""
    axis = len(value.shape) - 1
    size = value.shape[axis] // count
    return [emit_part(emitter, value, axis, at * size, size) for at in range(count)]


def _times(emitter: Emitter, x: Value, y: Value) -> Value:
    return emit_combination(emitter, [x, y], "multiply")


def _plus(emitter: Emitter, x: Value, y: Value) -> Value:
    return emit_combination(emitter, [x, y], "add")


def _lstm_step(emitter: Emitter, layer: Layer, recurrent: Callable[[Value], Value]) -> _Step:
    """A step of an LSTM: input, forget and output gates around a cell."""

    def step(x: Value, before: list[Value] | None) -> list[Value]:
        whole = x if before is None else _plus(emitter, x, recurrent(before[0]))
        i, f, c, o = _parted(emitter, whole, 4)
        fresh = _times(emitter, _gate(emitter, layer, i, _RECURRENT), _gate(emitter, layer, c, _OWN))
        if before is not None:
            fresh = _plus(emitter, _times(emitter, _gate(emitter, layer, f, _RECURRENT), before[1]), fresh)
        made = _times(emitter, _gate(emitter, layer, o, _RECURRENT), _gate(emitter, layer, fresh, _OWN))
        return [made, fresh]

    return step


def _gru_step(emitter: Emitter, layer: Layer, kernel: Array, bias: Array | None) -> _Step:
    """A step of a GRU: update and reset gates.

    `bias` is that of the recurrent candidate, if the reset comes after its product.
    """
    units, after = kernel.shape[0], bool(layer.config.get("reset_after", True))

    def step(x: Value, before: list[Value] | None) -> list[Value]:
        xz, xr, xh = _parted(emitter, x, 3)
        state = None if before is None else before[0]
        candidate = None
        if state is not None:
            width = 3 * units if after else 2 * units
            shifts = None if bias is None or not after else _behind_zeros(bias, width)
            made = emit_dense(emitter, layer, state, kernel[:, :width], shifts)
            hz, hr, *more = _parted(emitter, made, width // units)
            xz, xr = _plus(emitter, xz, hz), _plus(emitter, xr, hr)
            candidate = more[0] if more else None
        update, reset = (_gate(emitter, layer, each, _RECURRENT) for each in (xz, xr))
        if candidate is not None:
            xh = _plus(emitter, xh, _times(emitter, reset, candidate))
        elif state is not None:
            xh = _plus(
                emitter, xh, emit_dense(emitter, layer, _times(emitter, reset, state), kernel[:, 2 * units :], None)
            )
        elif after and bias is not None:
            xh = _plus(emitter, xh, emitter.affine(reset, bias, None))
        fresh = _gate(emitter, layer, xh, _OWN)
        if state is None:
            return [_times(emitter, emitter.affine(update, -1.0, 1.0), fresh)]
        carried = _times(emitter, update, state)
        return [_plus(emitter, carried, _times(emitter, emitter.affine(update, -1.0, 1.0), fresh))]

    return step


def _behind_zeros(bias: Array, width: int) -> Array:
    whole = bias.repeat(width // len(bias)) * 0
    whole[-len(bias) :] = bias
    return whole


def _unrolled(emitter: Emitter, layer: Layer, steps: Sequence[Value], step: _Step) -> Value:
    """The last state, or the states of all steps in the order of calculation."""
    states: list[Value] | None = None
    made = []
    for x in steps[::-1] if layer.config.get("go_backwards") else steps:
        states = step(x, states)
        made.append(states[0])
    return _stacked(emitter, layer, made) if layer.config.get("return_sequences") else made[-1]


def _stacked(emitter: Emitter, layer: Layer, parts: Sequence[Value]) -> Value:
    rows = [emit_reshape(emitter, part, (1, *part.shape)) for part in parts]
    return emit_concatenation(emitter, layer, rows, 1) if len(rows) > 1 else rows[0]


def _steps_of(emitter: Emitter, value: Value) -> list[Value]:
    """The steps of (steps, ...) as a list of tensors."""
    parts = [emit_part(emitter, value, 0, at, 1) for at in range(value.shape[0])]
    return [emit_reshape(emitter, part, part.shape[1:]) for part in parts]


def _check(layer: Layer, inputs: Sequence[Value], kernel: Array) -> None:
    steps = inputs[0].shape[0]
    if len(inputs) > 1 or any(layer.config.get(name) for name in ("stateful", "return_state")):
        raise refuse(layer, "states that come from elsewhere, or go there, have no canonical form")
    if steps > _STEPS or steps * kernel.size > _COPIED:
        raise refuse(layer, f"its {steps} steps written out would be too large")


def recurrent(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """GRU, LSTM and SimpleRNN."""
    return _recurrent(emitter, call.layer, inputs, call.layer.kind.rsplit(">", 1)[-1])


def _recurrent(emitter: Emitter, layer: Layer, inputs: list[Value], kind: str) -> Value:
    kernel, inner = layer.weights["kernel"], layer.weights["recurrent_kernel"]
    bias = layer.weights.get("bias")
    _check(layer, inputs, inner)
    if len(inputs[0].shape) != 2:
        raise refuse(layer, f"its input has shape {inputs[0].shape}, not steps and features")
    units, candidate = inner.shape[0], None
    if kind == "GRU" and bias is not None and bias.ndim == 2:
        own, its = bias
        candidate = its[2 * units :]
        bias = own.copy()
        bias[: 2 * units] += its[: 2 * units]
    steps = _steps_of(emitter, emit_dense(emitter, layer, inputs[0], kernel, bias))
    if kind == "GRU":
        return _unrolled(emitter, layer, steps, _gru_step(emitter, layer, inner, candidate))

    def product(state: Value) -> Value:
        return emit_dense(emitter, layer, state, inner, None)

    if kind == "LSTM":
        return _unrolled(emitter, layer, steps, _lstm_step(emitter, layer, product))

    def step(x: Value, before: list[Value] | None) -> list[Value]:
        return [_gate(emitter, layer, x if before is None else _plus(emitter, x, product(before[0])), _OWN)]

    return _unrolled(emitter, layer, steps, step)


def convolutional_lstm(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """ConvLSTM2D: an LSTM whose products are convolutions."""
    layer, weights = call.layer, list(call.layer.weights.values())
    if layer.config.get("data_format") == "channels_first" or len(inputs[0].shape) != 4:
        raise refuse(layer, "with channels first it has no canonical form")
    _check(layer, inputs, weights[1])
    plain = Layer(layer.name, layer.kind, {"padding": "same"})

    def convolve(value: Value, with_config: Layer, kernel: Array, bias: Array | None) -> Value:
        return emit_convolution(emitter, with_config, emitter.plain(value), Conv, kernel, kernel.shape[3], bias)

    bias = weights[2] if len(weights) > 2 else None
    steps = [convolve(step, layer, weights[0], bias) for step in _steps_of(emitter, inputs[0])]
    step = _lstm_step(emitter, layer, lambda state: convolve(state, plain, weights[1], None))
    return _unrolled(emitter, layer, steps, step)


def inner_layer(layer: Layer, entry: Any, weights: Sequence[Array]) -> Layer:
    """The layer that a wrapper's configuration describes, with its weights by name."""
    kind, config = str(entry["class_name"]), dict(entry["config"])
    names = weight_names(LayerConfig(layer.name, kind, config, ())) or tuple(map(str, range(len(weights))))
    if len(names) != len(weights):
        raise refuse(layer, f"around a {kind} with {len(weights)} weights it has no canonical form")
    return Layer(layer.name, kind, config, dict(zip(names, weights, strict=True)))


def bidirectional(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """Bidirectional: a recurrent layer in each direction, and their results joined."""
    layer, weights = call.layer, list(call.layer.weights.values())
    half = len(weights) // 2
    entry = layer.config["layer"]
    forward = inner_layer(layer, entry, weights[:half])
    backward = inner_layer(layer, layer.config.get("backward_layer") or entry, weights[half:])
    turned = bool(forward.config.get("go_backwards"))
    backward = replace(backward, config={**backward.config, "go_backwards": not turned})
    if forward.kind not in ("GRU", "LSTM", "SimpleRNN") or backward.kind != forward.kind:
        raise refuse(layer, f"around a {forward.kind} it has no canonical form")
    made = [_recurrent(emitter, each, inputs, forward.kind) for each in (forward, backward)]
    if forward.config.get("return_sequences"):
        steps = [emit_part(emitter, made[1], 0, at, 1) for at in range(made[1].shape[0])][::-1]
        made[1] = emit_concatenation(emitter, layer, steps, 1) if len(steps) > 1 else steps[0]
    mode = layer.config.get("merge_mode", "concat")
    if mode == "concat":
        return emit_concatenation(emitter, layer, made, -1)
    if mode not in ("sum", "mul", "ave"):
        raise refuse(layer, f"joined by '{mode}' it has no canonical form")
    whole = emit_combination(emitter, made, "multiply" if mode == "mul" else "add")
    return emitter.affine(whole, 0.5, None) if mode == "ave" else whole


def around(rules: Mapping[str, Rule]) -> dict[str, Rule]:
    """The rules of layers that wrap another layer; `rules` must know that layer when they are called."""

    def inside(emitter: Emitter, call: Call, inner: Layer, value: Value) -> Value:
        rule = rules.get(inner.kind)
        if rule is None or inner.kind in (*RULES, "TimeDistributed", "SpectralNormalization"):
            raise refuse(call.layer, f"around a {inner.kind} it has no canonical form")
        plain: dict[str, Any] = {"args": [{"tensor": 0}]}
        made = rule(emitter, replace(call, layer=inner, arguments=plain), [value])
        if isinstance(made, list):
            raise refuse(call.layer, f"around a {inner.kind}, which has several outputs, it has no canonical form")
        return made

    def time_distributed(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
        """TimeDistributed: the inner layer on each step separately."""
        layer, value = call.layer, inputs[0]
        inner = inner_layer(layer, layer.config["layer"], list(layer.weights.values()))
        if value.shape[0] > _STEPS:
            raise refuse(layer, f"its {value.shape[0]} steps written out would be too large")
        made = [inside(emitter, call, inner, step) for step in _steps_of(emitter, value)]
        return _stacked(emitter, layer, made)

    def spectral_normalization(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
        """SpectralNormalization: in inference it is the inner layer, with the kernel that training left."""
        layer = call.layer
        entry = layer.config["layer"]
        count = len(weight_names(LayerConfig(layer.name, str(entry["class_name"]), entry["config"], ())) or ())
        weights = list(layer.weights.values())
        if not count or len(weights) != count + 2:
            raise refuse(layer, f"around a {entry['class_name']} it has no canonical form")
        return inside(emitter, call, inner_layer(layer, entry, weights[2:]), inputs[0])

    return {"TimeDistributed": time_distributed, "SpectralNormalization": spectral_normalization}


_OWN, _RECURRENT = "activation", "recurrent_activation"
RULES: dict[str, Rule] = {
    **dict.fromkeys(("GRU", "LSTM", "SimpleRNN"), recurrent),
    "ConvLSTM2D": convolutional_lstm,
    "Bidirectional": bidirectional,
}

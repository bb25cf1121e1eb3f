"""Rules of Core ML's operations (MIL), by the names of their parameters."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from ..witness.windows import same_padding
from . import linear, moves, pointwise, reductions
from .normal import View
from .program import Constant, Rule, Step, arithmetic, make_bias
from .weights import Weights


def _at(step: Step, name: str) -> int:
    """The place of a parameter's one input."""
    places = step.take(name)
    if not places or len(places) != 1:
        raise step.refusal(f"its parameter '{name}' is not one value")
    return int(places[0])


def _view(step: Step, name: str = "x") -> View:
    return step.view(_at(step, name))


def _constant(step: Step, name: str, default: Any = None) -> Constant:
    return step.constant(_at(step, name)) if name in step.node.attributes else np.asarray(default)


def _whole(step: Step, name: str, default: Any = None) -> list[int]:
    return [int(value) for value in _constant(step, name, default).ravel()]


def _number(step: Step, name: str) -> float:
    return float(_constant(step, name).reshape(()).item())


def _is_set(step: Step, name: str) -> bool:
    return bool(_constant(step, name, False).reshape(()).item())


def _weights(step: Step, name: str) -> Weights:
    return step.weights(_at(step, name))


def _last(view: View) -> View:
    return View(view.node, np.moveaxis(view.index, 1, -1))


def _first(view: View) -> View:
    return View(view.node, np.moveaxis(view.index, -1, 1))


def _margins(step: Step, view: View, spans: Sequence[int], strides: Sequence[int]) -> list[tuple[int, int]]:
    """The zeros around the board of a channels-last view; `pad` counts only where the kind is 'custom'."""
    kind, pads = str(_constant(step, "pad_type", "valid").reshape(()).item()), _whole(step, "pad", [0] * 2 * len(spans))
    if kind == "same":
        sides = zip(view.shape[1:-1], spans, strides, strict=True)
        return [same_padding(side, span, stride) for side, span, stride in sides]
    if kind not in ("valid", "custom"):
        raise step.refusal(f"the padding '{kind}' has no rule")
    pairs = zip(pads[::2], pads[1::2], strict=True)
    return list(pairs) if kind == "custom" else [(0, 0)] * len(spans)


def _conv(step: Step) -> View:
    view = _last(_view(step))
    kernel = _weights(step, "weight").each(lambda part: np.moveaxis(part, (0, 1), (-1, -2)))
    *size, depth, _ = kernel.values.shape
    strides, holes = _whole(step, "strides", [1] * len(size)), _whole(step, "dilations", [1] * len(size))
    if _whole(step, "groups", 1) != [view.shape[-1] // depth]:
        raise step.refusal("its groups are not those of its kernel")
    spans = [(side - 1) * hole + 1 for side, hole in zip(size, holes, strict=True)]
    made = linear.convolution(view, kernel, _margins(step, view, spans, strides), strides, holes, step.name)
    if "bias" in step.node.attributes:
        made = make_bias(step, made, _at(step, "bias"))
    return _first(made)


def _linear(step: Step) -> View:
    made = linear.dense(_view(step), _weights(step, "weight").each(np.transpose), step.name)
    return make_bias(step, made, _at(step, "bias")) if "bias" in step.node.attributes else made


def _matmul(step: Step) -> View:
    if _is_set(step, "transpose_x"):
        raise step.refusal("a turned input has no rule")
    kernel = _weights(step, "y")
    if _is_set(step, "transpose_y"):
        kernel = kernel.each(np.transpose)
    return linear.dense(_view(step), kernel, step.name)


def _arithmetic(function: str, step: Step) -> View:
    _at(step, "x"), _at(step, "y")
    return arithmetic(function, step)


def _pad(step: Step) -> View:
    mode = str(_constant(step, "mode", "constant").reshape(()).item())
    if mode != "constant" or _constant(step, "constant_val", 0.0).any():
        raise step.refusal("only zeros have a rule")
    view, pads = _view(step), _whole(step, "pad")
    pairs = list(zip(pads[::2], pads[1::2], strict=True))
    return moves.pad(view, [(0, 0)] * (len(view.shape) - len(pairs)) + pairs, step.name)


def _pool(function: str, step: Step) -> View:
    view, size = _last(_view(step)), _whole(step, "kernel_sizes")
    strides = _whole(step, "strides", [1] * len(size))
    margins = _margins(step, view, size, strides)
    counts = function == "mean" and any(map(any, margins)) and not _is_set(step, "exclude_padding_from_average")
    _is_set(step, "exclude_padding_from_average")
    if counts or _is_set(step, "ceil_mode"):
        raise step.refusal("its way of counting has no rule")
    return _first(reductions.pool(view, function, size, margins, strides, step.name))


def _reduce(function: str, step: Step) -> View:
    axes = _whole(step, "axes")
    return reductions.reduce(_view(step), function, axes, step.name, keep=_is_set(step, "keep_dims"))


def _concat(step: Step) -> View:
    if _is_set(step, "interleave"):
        raise step.refusal("interleaving has no rule")
    return moves.join([step.view(at) for at in step.take("values")], _whole(step, "axis")[0], step.name)


def _squeeze(step: Step) -> View:
    view = _view(step)
    over = {axis % len(view.shape) for axis in _whole(step, "axes")}
    return moves.reshape(view, [size for axis, size in enumerate(view.shape) if axis not in over], step.name)


def _expand(step: Step) -> View:
    view = _view(step)
    return moves.reshape(view, np.expand_dims(view.index, tuple(_whole(step, "axes"))).shape, step.name)


def _function(name: str, step: Step) -> View:
    return pointwise.activate(_view(step), name, (), step.name)


def _with_alpha(name: str, step: Step) -> View:
    return pointwise.activate(_view(step), name, (_number(step, "alpha"),), step.name)


def _prelu(step: Step) -> View:
    view, alpha = _view(step), _weights(step, "alpha")
    return pointwise.prelu(view, alpha.reshape(1, -1, *[1] * (len(view.shape) - 2)), step.name)


def _clip(step: Step) -> View:
    return pointwise.clip(_view(step), _number(step, "alpha"), _number(step, "beta"), step.name)


RULES: dict[str, Rule] = {
    "conv": _conv,
    "linear": _linear,
    "matmul": _matmul,
    "add": partial(_arithmetic, "add"),
    "sub": partial(_arithmetic, "subtract"),
    "mul": partial(_arithmetic, "multiply"),
    "maximum": partial(_arithmetic, "maximum"),
    "minimum": partial(_arithmetic, "minimum"),
    "relu": lambda step: pointwise.relu(_view(step), step.name),
    "relu6": lambda step: pointwise.clip(_view(step), 0.0, 6.0, step.name),
    "clip": _clip,
    "leaky_relu": partial(_with_alpha, "leaky"),
    "elu": partial(_with_alpha, "elu"),
    "prelu": _prelu,
    "tanh": partial(_function, "tanh"),
    "sigmoid": partial(_function, "sigmoid"),
    "softplus": partial(_function, "softplus"),
    "softsign": partial(_function, "softsign"),
    "silu": lambda step: pointwise.swish(_view(step), step.name),
    "softmax": lambda step: reductions.softmax(_view(step), _whole(step, "axis", -1), step.name),
    "reshape": lambda step: moves.reshape(_view(step), _whole(step, "shape"), step.name),
    "transpose": lambda step: moves.transpose(_view(step), _whole(step, "perm"), step.name),
    "pad": _pad,
    "max_pool": partial(_pool, "max"),
    "avg_pool": partial(_pool, "mean"),
    "reduce_mean": partial(_reduce, "mean"),
    "reduce_max": partial(_reduce, "max"),
    "reduce_min": partial(_reduce, "min"),
    "reduce_sum": partial(_reduce, "sum"),
    "concat": _concat,
    "squeeze": _squeeze,
    "expand_dims": _expand,
    "identity": _view,
}

"""Rules of Core ML's operations (MIL), by the names of their parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from . import alike, functions, linear, moves, pointwise, reductions, terms
from .lower import CodedConstant
from .normal import MisfitError, Node, View
from .program import Constant, Rule, Step, arithmetic, make_bias
from .terms import Term
from .weights import Weights, stored

# Below the smallest normal float32: adding it to any other number changes nothing.
_TINY = 1.2e-38


def _at(step: Step, name: str) -> int:
    """The place of the one input of a parameter."""
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


def _margins(step: Step, view: View, spans: Sequence[int], strides: Sequence[int]) -> list[tuple[int, int]]:
    """The zeros around the board of a channels-last view; `pad` counts only for the kind 'custom'."""
    kind, pads = str(_constant(step, "pad_type", "valid").reshape(()).item()), _whole(step, "pad", [0] * 2 * len(spans))
    if kind == "same":
        return linear.same_margins(view, spans, strides)
    if kind not in ("valid", "custom"):
        raise step.refusal(f"the padding '{kind}' has no rule")
    pairs = zip(pads[::2], pads[1::2], strict=True)
    return list(pairs) if kind == "custom" else [(0, 0)] * len(spans)


def _conv(step: Step) -> View:
    view = alike.channels_last(_view(step))
    kernel = _weights(step, "weight").each(lambda part: np.moveaxis(part, (0, 1), (-1, -2)))
    *size, depth, _ = kernel.values.shape
    strides, holes = _whole(step, "strides", [1] * len(size)), _whole(step, "dilations", [1] * len(size))
    if _whole(step, "groups", 1) != [view.shape[-1] // depth]:
        raise MisfitError(step.name, "has other groups than its kernel")
    spans = linear.spans(size, holes, step.name)
    made = linear.convolution(view, kernel, _margins(step, view, spans, strides), strides, holes, step.name)
    if "bias" in step.node.attributes:
        made = make_bias(step, made, _at(step, "bias"))
    return alike.channels_first(made)


def _linear(step: Step) -> View:
    made = linear.dense(_view(step), _weights(step, "weight").each(np.transpose), step.name)
    return make_bias(step, made, _at(step, "bias")) if "bias" in step.node.attributes else made


def _matmul(step: Step) -> View:
    flips = _is_set(step, "transpose_x"), _is_set(step, "transpose_y")
    return alike.matmul(step, _at(step, "x"), _at(step, "y"), flips=flips)


def _gather(step: Step) -> View:
    if _whole(step, "batch_dims", 0) != [0]:
        raise step.refusal("boards that gather by themselves have no rule")
    _is_set(step, "validate_indices")
    return alike.gathered(step, _constant(step, "indices"), _whole(step, "axis", 0)[0])


def _arithmetic(function: str, step: Step) -> View:
    _at(step, "x"), _at(step, "y")
    return arithmetic(function, step)


def _subtract(step: Step) -> View:
    values = [step.value(_at(step, name)) for name in ("x", "y")]
    if isinstance(values[0], View) and isinstance(values[1], View):
        made = reductions.less_log_sum(values[0], values[1], step.name)
        if made is not None:
            return made
    return arithmetic("subtract", step)


def _pad(step: Step) -> View:
    mode = str(_constant(step, "mode", "constant").reshape(()).item())
    if mode != "constant" or _constant(step, "constant_val", 0.0).any():
        raise step.refusal("only zeros have a rule")
    view, pads = _view(step), _whole(step, "pad")
    pairs = list(zip(pads[::2], pads[1::2], strict=True))
    return moves.pad(view, [(0, 0)] * (len(view.shape) - len(pairs)) + pairs, step.name)


def _pool(function: str, step: Step) -> View:
    view, size = alike.channels_last(_view(step)), _whole(step, "kernel_sizes")
    strides = _whole(step, "strides", [1] * len(size))
    margins = _margins(step, view, size, strides)
    counts = function == "mean" and any(map(any, margins)) and not _is_set(step, "exclude_padding_from_average")
    _is_set(step, "exclude_padding_from_average")
    if counts or _is_set(step, "ceil_mode"):
        raise step.refusal("its way of counting has no rule")
    return alike.channels_first(reductions.pool(view, function, size, margins, strides, step.name))


def _reduce(function: str, step: Step) -> View:
    axes = _whole(step, "axes")
    return reductions.reduce(_view(step), function, axes, step.name, keep=_is_set(step, "keep_dims"))


def _concat(step: Step) -> View:
    if _is_set(step, "interleave"):
        raise step.refusal("interleaving has no rule")
    return moves.join([step.view(at) for at in step.take("values")], _whole(step, "axis")[0], step.name)


def _function(name: str, step: Step) -> View:
    return pointwise.named(_view(step), name, step.name)


def _with_alpha(make: Callable[..., Term], step: Step) -> View:
    alpha = _weights(step, "alpha").reshape()
    return pointwise.activate(_view(step), lambda x: make(x, alpha), step.name)


def _prelu(step: Step) -> View:
    view, alpha = _view(step), _weights(step, "alpha")
    return pointwise.prelu(view, alpha.reshape(1, -1, *[1] * (len(view.shape) - 2)), step.name)


def _clip(step: Step) -> View:
    view = _view(step)
    for name, side in (("alpha", "maximum"), ("beta", "minimum")):
        limit = _weights_or_infinite(step, name)
        if limit is not None:
            view = pointwise.with_constant(side, view, limit, step.name, first=False)
    return view


def _weights_or_infinite(step: Step, name: str) -> Weights | None:
    """A limit as weights; None if it is infinite."""
    return _weights(step, name).reshape() if np.isfinite(_constant(step, name)).all() else None


def _hard_sigmoid(step: Step) -> View:
    slope, offset = _number(step, "alpha"), _number(step, "beta")
    return pointwise.activate(_view(step), lambda x: functions.hard_sigmoid(x, slope, offset), step.name)


def _gelu(step: Step) -> View:
    mode = str(_constant(step, "mode", "EXACT").reshape(()).item())
    if mode not in ("EXACT", "TANH_APPROXIMATION"):
        raise step.refusal(f"the mode {mode} has no rule")
    approximate = mode != "EXACT"
    return pointwise.activate(_view(step), partial(functions.gelu, approximate=approximate), step.name)


def _beside_epsilon(name: str, step: Step) -> View:
    """A function of x plus an epsilon so small that in the precision of the calculation the sum is x."""
    view, epsilon = _view(step), float(_constant(step, "epsilon", 0.0).reshape(()).item())
    is_half = "epsilon" in step.node.attributes and isinstance(step.value(_at(step, "epsilon")), CodedConstant)
    if epsilon > _TINY and not _is_above(view.node, epsilon, np.float16 if is_half else np.float32):
        raise step.refusal(f"its epsilon {epsilon:g} may count")
    return pointwise.named(view, name, step.name)


def _is_above(node: Node, epsilon: float, precision: type[np.floating[Any]]) -> bool:
    """Whether all numbers are a mean of squares plus a summand beside which `epsilon` is less than half a unit."""
    if node.kind != "affine" or node.inputs[0].node.kind != "reduce" or node.scaled is None:
        return False
    squares = node.inputs[0].node.inputs[0].node
    _, scale, shift = node.scaled
    is_square = squares.term is not None and squares.term.function == "multiply" and len(squares.term.parts) == 2
    unit = float(np.spacing(precision(shift.values)))
    return is_square and bool(scale.values > 0) and bool(shift.values > 0) and epsilon < unit / 2


def _negative(step: Step) -> View:
    return linear.affine(_view(step), stored(-1.0), linear.zeros(), step.name)


def _square(step: Step) -> View:
    return pointwise.combine("multiply", _view(step), _view(step), step.name)


def _greater(step: Step) -> View:
    limit = float(_weights(step, "y").values.reshape(()).item())
    return pointwise.activate(_view(step), lambda x: terms.apply("greater", x, limit), step.name)


def _cast(step: Step) -> View:
    kind = str(_constant(step, "dtype").reshape(()).item())
    if kind not in ("fp32", "fp16"):
        raise step.refusal(f"a cast to {kind} has no rule")
    return _view(step)


def _slice_by_size(step: Step) -> View:
    view, begin, size = _view(step), _whole(step, "begin"), _whole(step, "size")
    sizes = zip(begin, size, view.shape, strict=True)
    end = [side if count == -1 else first + count for first, count, side in sizes]
    return step.cut(view, begin, end, all_boards=size[0] == -1)


def _slice_by_index(step: Step) -> View:
    view, begin, end = _view(step), _whole(step, "begin"), _whole(step, "end")
    rank = len(view.shape)
    if set(_whole(step, "stride", [1] * rank)) != {1} or any(_whole(step, "squeeze_mask", [0] * rank)):
        raise step.refusal("a step, or an axis that goes, has no rule")
    masks = [_whole(step, name, [0] * rank) for name in ("begin_mask", "end_mask")]
    cut = [
        slice(None if masks[0][at] else begin[at], None if masks[1][at] else end[at]).indices(side)[:2]
        for at, side in enumerate(view.shape)
    ]
    first, last = [first for first, _ in cut], [last for _, last in cut]
    return step.cut(view, first, last, all_boards=bool(masks[1][0]))


_NAMED = ("tanh", "sigmoid", "softplus", "softsign", "silu", "exp", "abs", "sqrt", "erf", "sign")
_BESIDE_EPSILON = {"log": "log", "rsqrt": "rsqrt", "inverse": "reciprocal"}

RULES: dict[str, Rule] = {
    "conv": _conv,
    "linear": _linear,
    "matmul": _matmul,
    "gather": _gather,
    "add": partial(_arithmetic, "add"),
    "sub": _subtract,
    "mul": partial(_arithmetic, "multiply"),
    "maximum": partial(_arithmetic, "maximum"),
    "minimum": partial(_arithmetic, "minimum"),
    "relu": lambda step: pointwise.relu(_view(step), step.name),
    "relu6": lambda step: pointwise.clip(_view(step), 0.0, 6.0, step.name),
    "clip": _clip,
    "real_div": partial(_arithmetic, "divide"),
    "square": _square,
    "greater": _greater,
    "cast": _cast,
    "leaky_relu": partial(_with_alpha, functions.leaky),
    "elu": partial(_with_alpha, functions.elu),
    "prelu": _prelu,
    **{name: partial(_function, name) for name in _NAMED},
    **{name: partial(_beside_epsilon, function) for name, function in _BESIDE_EPSILON.items()},
    "sigmoid_hard": _hard_sigmoid,
    "gelu": _gelu,
    "slice_by_size": _slice_by_size,
    "slice_by_index": _slice_by_index,
    "softmax": lambda step: reductions.softmax(_view(step), _whole(step, "axis", -1), step.name),
    "reshape": lambda step: step.reshaped(_view(step), _whole(step, "shape")),
    "transpose": lambda step: step.moved(_view(step), _whole(step, "perm")),
    "pad": _pad,
    "max_pool": partial(_pool, "max"),
    "avg_pool": partial(_pool, "mean"),
    "reduce_mean": partial(_reduce, "mean"),
    "reduce_max": partial(_reduce, "max"),
    "reduce_min": partial(_reduce, "min"),
    "reduce_log_sum_exp": partial(_reduce, "log_sum_exp"),
    "reduce_sum": partial(_reduce, "sum"),
    "concat": _concat,
    "squeeze": lambda step: step.without_axes(_view(step), _whole(step, "axes")),
    "expand_dims": lambda step: step.with_axes(_view(step), _whole(step, "axes")),
    "identity": _view,
}

"""Rules of operations whose inputs have the same order in ONNX, TensorFlow and TFLite."""

from __future__ import annotations

import numpy as np

from . import functions, linear, moves, pointwise, terms
from .normal import MisfitError, View
from .products import product_of
from .program import Constant, Step, Value, arithmetic
from .weights import stored


def negative(step: Step) -> View:
    """-x."""
    return linear.affine(step.view(), stored(-1.0), linear.zeros(), step.name)


def square(step: Step) -> View:
    """X times x."""
    return pointwise.combine("multiply", step.view(), step.view(), step.name)


def squared_difference(step: Step) -> View:
    """(x - y) times (x - y)."""
    apart = arithmetic("subtract", step)
    return pointwise.combine("multiply", apart, apart, step.name)


def greater(step: Step) -> View:
    """1 if x is greater than a number, else 0: the form of true and false after a cast."""
    limit = float(step.weights(1).values.reshape(()).item())
    return pointwise.activate(step.view(), lambda x: terms.apply("greater", x, limit), step.name)


def channels_last(view: View) -> View:
    """(1, C, *board) as (1, *board, C)."""
    return View(view.node, np.moveaxis(view.index, 1, -1))


def channels_first(view: View) -> View:
    """(1, *board, C) as (1, C, *board)."""
    return View(view.node, np.moveaxis(view.index, -1, 1))


def matmul(step: Step, left: int = 0, right: int = 1, *, flips: tuple[bool, bool] = (False, False)) -> View:
    """The matrix product of two tensors, or of a tensor and weights; `flips` says which of both is transposed."""
    if isinstance(step.value(left), View) and isinstance(step.value(right), View):
        return product_of(step.view(left), step.view(right), flips, step.name)
    if flips[0]:
        raise MisfitError(step.name, "takes boards together")
    kernel = step.weights(right)
    return linear.dense(step.view(left), kernel.each(np.transpose) if flips[1] else kernel, step.name)


def pad(step: Step) -> View:
    """Zeros around x: the second input has a row (before, after) for each axis."""
    pairs = [(int(before), int(after)) for before, after in step.constant(1).tolist()]
    if step.has(2) and step.constant(2).any():
        raise step.refusal("only zeros have a rule")
    return moves.pad(step.view(), pairs, step.name)


def identity(step: Step) -> Value:
    """X, a tensor or a constant."""
    value = step.value(0)
    if value is None:
        raise step.refusal("it reads nothing")
    return value


def function(name: str, step: Step) -> View:
    """A function of one number that has a name."""
    return pointwise.named(step.view(), name, step.name)


def leaky(step: Step, default: float | None = None) -> View:
    """Leaky relu with the attribute alpha as its slope."""
    slope = step.take("alpha", default)
    return pointwise.activate(step.view(), lambda x: functions.leaky(x, slope), step.name)


def gathered(step: Step, places: Constant, axis: int) -> View:
    """The places of x along an axis that a list in the file gives."""
    if places.ndim != 1:
        raise step.refusal("places that are no list have no rule")
    return moves.take(step.view(), [int(place) for place in places], axis, step.name)


def slice_by_size(step: Step) -> View:
    """The part of x that begins at the second input and has the size of the third; -1 means the rest."""
    view, begin, size = step.view(), step.whole(1), step.whole(2)
    sizes = zip(begin, size, view.shape, strict=True)
    end = [side if count == -1 else first + count for first, count, side in sizes]
    return step.cut(view, begin, end, all_boards=size[0] == -1)

"""Rules of operations whose inputs have the same order in ONNX, TensorFlow and TFLite."""

from __future__ import annotations

from . import linear, moves, pointwise, terms
from .normal import View
from .program import Constant, Step, arithmetic
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

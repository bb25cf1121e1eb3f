"""Functions of one number as terms: softplus, gelu and others, built from the few operations of file formats.

A term has one form, however a file writes it: products and sums in one order, factors pulled out of products, limits
joined, constants apart from the structure as weights. So x * 0.5 * (1 + erf) and (x + x * erf) / 2 differ, but x * (0.5
* (1 + erf)) and 0.5 * (x * (1 + erf)) are equal.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .weights import Weights, is_one, is_zero, scaled, shifted, stored


@dataclass(frozen=True, eq=False)
class Term:
    """`function` of its `parts`, with its own `numbers`: "affine" has a scale and a shift, "above" a least value."""

    function: str
    parts: tuple[Term, ...] = ()
    numbers: tuple[Weights, ...] = ()


X = Term("x")
Function = Callable[[Term], Term]
_ODD = frozenset({"tanh", "erf"})
_JOINED = {"above": (0,), "below": (0,)}


def number(value: float) -> Weights:
    """A constant in the type that every format stores, float32."""
    return stored(np.float32(value))


def affine(part: Term, scale: Weights | float = 1.0, shift: Weights | float = 0.0) -> Term:
    """Scale times `part` plus shift; joined with `part` if that is affine too."""
    scale, shift = (item if isinstance(item, Weights) else number(item) for item in (scale, shift))
    if part.function == "affine":
        before, moved = part.numbers
        return affine(part.parts[0], scaled(before, scale), shifted(scaled(moved, scale), shift))
    return part if is_one(scale) and is_zero(shift) else Term("affine", (part,), (scale, shift))


def above(part: Term, least: Weights | float = 0.0) -> Term:
    """The larger of `part` and a number."""
    return _limit("above", part, least if isinstance(least, Weights) else number(least))


def below(part: Term, most: Weights | float = 0.0) -> Term:
    """The smaller of `part` and a number."""
    return _limit("below", part, most if isinstance(most, Weights) else number(most))


def _limit(side: str, part: Term, limit: Weights) -> Term:
    other = "below" if side == "above" else "above"
    if part.function == "affine" and is_one(part.numbers[0].negative()) and is_zero(part.numbers[1]):
        # The larger of -x and c is minus the smaller of x and -c.
        return affine(_limit(other, part.parts[0], limit.negative()), -1.0)
    if part.function == side:
        inside = part.numbers[0]
        return Term(side, part.parts, (_nearer(side, inside, limit),))
    if side == "above" and part.function == "below" and limit.values < part.numbers[0].values:
        # Two limits have one order: the least value is applied first. They commute, because it is below the other
        # limit.
        return below(above(part.parts[0], limit), part.numbers[0])
    return Term(side, (part,), (limit,))


def _nearer(side: str, one: Weights, other: Weights) -> Weights:
    first = one.values >= other.values if side == "above" else one.values <= other.values
    return one if first else other


def total(*parts: Term) -> Term:
    """The sum of the parts, in one order."""
    flat = [item for part in parts for item in (part.parts if part.function == "add" else (part,))]
    return Term("add", tuple(sorted(flat, key=order)))


def product(*parts: Term) -> Term:
    """The product of the parts, in one order, with the factors' own factors pulled out."""
    flat = [item for part in parts for item in (part.parts if part.function == "multiply" else (part,))]
    factor = number(1.0)
    rest: list[Term] = []
    for part in flat:
        if part.function == "affine" and is_zero(part.numbers[1]):
            factor = scaled(part.numbers[0], factor) if not is_one(factor) else part.numbers[0]
            part = part.parts[0]
        rest.extend(part.parts if part.function == "multiply" else (part,))
    return affine(Term("multiply", tuple(sorted(rest, key=order))), factor)


def apply(function: str, part: Term, *numbers: float) -> Term:
    """An elementary function of `part`."""
    if function in _ODD and part.function == "affine" and is_zero(part.numbers[1]) and part.numbers[0].values < 0:
        return affine(apply(function, affine(part, -1.0)), -1.0)
    if function in ("abs", "sign") and part.function == "affine" and is_zero(part.numbers[1]):
        # |c x| is |c| |x|; the sign of c x for a positive c is that of x.
        inner, factor = apply(function, part.parts[0]), part.numbers[0]
        sign = 1.0 if factor.values > 0 else -1.0
        size = factor if sign > 0 else factor.negative()
        return affine(inner, size) if function == "abs" else affine(inner, sign)
    if function == "rsqrt":
        return apply("reciprocal", apply("sqrt", part))
    return Term(function, (part,), tuple(number(value) for value in numbers))


def structure(term: Term) -> tuple[Any, ...]:
    """The form of the term without its numbers; terms that differ only in numbers have one structure."""
    return (term.function, *(structure(part) for part in term.parts))


def numbers_of(term: Term) -> Iterator[Weights]:
    """All numbers of the term, in the order of its structure."""
    yield from term.numbers
    for part in term.parts:
        yield from numbers_of(part)


def constants(term: Term) -> Weights | None:
    """The numbers as one weight (N,), None if there are none."""
    numbers = list(numbers_of(term))
    if not numbers:
        return None
    values = np.array([float(each.values.reshape(())) for each in numbers])
    exact = all(each.error is None for each in numbers)
    errors = np.array([float(each.bound.reshape(())) for each in numbers])
    is_rounded, is_coded = any(each.is_rounded for each in numbers), any(each.is_coded for each in numbers)
    return Weights(values, None if exact else errors, is_rounded, is_coded=is_coded)


def order(term: Term) -> tuple[int, str, tuple[float, ...]]:
    """A sorting key for terms, short ones first."""
    values = tuple(float(each.values.reshape(())) for each in numbers_of(term))
    return _length(term), repr(structure(term)), values


def _length(term: Term) -> int:
    return 1 + sum(_length(part) for part in term.parts)


def replace(term: Term, part: Term) -> Term:
    """The term with `part` in place of each x."""
    if term.function == "x":
        return part
    parts = [replace(each, part) for each in term.parts]
    if term.function == "affine":
        return affine(parts[0], *term.numbers)
    if term.function in ("add", "multiply"):
        return (total if term.function == "add" else product)(*parts)
    if term.function in _JOINED:
        return _limit(term.function, parts[0], term.numbers[0])
    if term.function in ("abs", "sign", *_ODD):
        return apply(term.function, parts[0])
    return Term(term.function, tuple(parts), term.numbers)


def leading(term: Term) -> tuple[Weights, Weights] | None:
    """The scale and the shift before everything else, if every x has the same ones; else None."""
    stretches: list[tuple[Weights, Weights] | None] = []
    _leading(term, None, stretches)
    first = stretches[0]
    if first is None or any(other is None or not _alike(first, other) for other in stretches):
        return None
    return first


def _leading(term: Term, around: tuple[Weights, Weights] | None, stretches: list[Any]) -> None:
    if term.function == "x":
        stretches.append(around)
    for part in term.parts:
        _leading(part, (term.numbers[0], term.numbers[1]) if term.function == "affine" else None, stretches)


def _alike(one: tuple[Weights, Weights], other: tuple[Weights, Weights]) -> bool:
    return all(float(a.values) == float(b.values) for a, b in zip(one, other, strict=True))


def without_leading(term: Term) -> Term:
    """The term of y, if each x is only in y = scale x + shift."""
    if term.function == "affine" and term.parts[0].function == "x":
        return X
    return Term(term.function, tuple(without_leading(part) for part in term.parts), term.numbers)


def rises(term: Term) -> bool:
    """Whether the term never falls while its x rises."""
    if term.function == "x":
        return True
    if term.function == "affine":
        return bool(term.numbers[0].values >= 0) and rises(term.parts[0])
    return term.function in _RISING and all(rises(part) for part in term.parts)


_RISING = frozenset({"above", "below", "add", "exp", "log", "sqrt", "tanh", "sigmoid", "erf", "sign", "greater"})

_VALUES: Mapping[str, Callable[..., Any]] = {
    "affine": lambda part, scale, shift: scale * part + shift,
    "above": np.maximum,
    "below": np.minimum,
    "greater": lambda part, limit: (part > limit).astype(np.float64),
    "add": lambda *parts: sum(parts),
    "multiply": lambda *parts: math.prod(parts),
    "abs": np.abs,
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "reciprocal": np.reciprocal,
    "tanh": np.tanh,
    "sigmoid": lambda part: 0.5 + 0.5 * np.tanh(0.5 * part),
    "erf": np.vectorize(math.erf, otypes=[np.float64]),
    "sign": np.sign,
}


def evaluate(term: Term, x: Any) -> Any:
    """The value for float64 numbers, which tests compare with a function's own definition."""
    if term.function == "x":
        return x
    parts = [evaluate(part, x) for part in term.parts]
    return _VALUES[term.function](*parts, *(float(each.values) for each in term.numbers))

"""Activation functions as terms, by their published definitions, for Keras' names and the formats' operations."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import pairwise

import numpy as np

from .terms import Function, Term, above, affine, apply, below, numbers_of, order, product, structure, total
from .weights import Weights, ulp

# Klambauer et al., Self-Normalizing Neural Networks (2017).
_SELU_ALPHA, _SELU_SCALE = 1.6732632423543772, 1.0507009873554805
# Abramowitz and Stegun 7.1.26: within 1.5e-7 of erf everywhere, about one unit in the last place of a float32 near 1.
_ERF_P, _ERF = 0.3275911, (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)


def relu(x: Term) -> Term:
    """The larger of x and 0."""
    return above(x, 0.0)


def clip(x: Term, low: float, high: float) -> Term:
    """`x` cut to low..high; a limit may be infinite."""
    x = above(x, low) if low > -math.inf else x
    return below(x, high) if high < math.inf else x


def leaky(x: Term, slope: float | Weights) -> Term:
    """X above zero, slope x below."""
    return total(above(x, 0.0), affine(below(x, 0.0), slope))


def elu(x: Term, alpha: float | Weights = 1.0) -> Term:
    """X above zero, alpha (e^x - 1) below."""
    shift = alpha.negative() if isinstance(alpha, Weights) else -alpha
    return total(above(x, 0.0), affine(apply("exp", below(x, 0.0)), alpha, shift))


def celu(x: Term, alpha: float = 1.0) -> Term:
    """X above zero, alpha (e^(x / alpha) - 1) below."""
    return total(above(x, 0.0), affine(apply("exp", affine(below(x, 0.0), 1 / alpha)), alpha, -alpha))


def softplus(x: Term) -> Term:
    """log(1 + e^x), as max(x, 0) + log(1 + e^-|x|)."""
    tail = apply("exp", affine(apply("abs", x), -1.0))
    return total(above(x, 0.0), apply("log", affine(tail, 1.0, 1.0)))


def softsign(x: Term) -> Term:
    """X / (1 + |x|)."""
    return product(x, apply("reciprocal", affine(apply("abs", x), 1.0, 1.0)))


def gelu(x: Term, *, approximate: bool = False) -> Term:
    """X Phi(x), or with tanh(sqrt(2 / pi) (x + 0.044715 x^3)), Hendrycks and Gimpel 2016."""
    if not approximate:
        inner = apply("erf", affine(x, math.sqrt(0.5)))
    else:
        inner = apply("tanh", affine(total(x, affine(product(x, x, x), 0.044715)), math.sqrt(2 / math.pi)))
    return affine(product(x, affine(inner, 1.0, 1.0)), 0.5)


def hard_sigmoid(x: Term, slope: float, offset: float) -> Term:
    """Slope x + offset, cut to 0..1."""
    return clip(affine(x, slope, offset), 0.0, 1.0)


def bent_relu(x: Term, slope: float, most: float, threshold: float) -> Term:
    """X above the threshold and at most `most`; slope (x - threshold) below it."""
    top = product(x, apply("greater", x, threshold)) if threshold else above(x, 0.0)
    top = below(top, most) if most < math.inf else top
    return total(top, affine(above(affine(x, -1.0, threshold), 0.0), -slope)) if slope else top


PLAIN: Mapping[str, Function] = {
    "linear": lambda x: x,
    "relu": relu,
    "relu6": lambda x: clip(x, 0.0, 6.0),
    "leaky_relu": lambda x: leaky(x, 0.2),
    "elu": elu,
    "celu": celu,
    "selu": lambda x: affine(elu(x, _SELU_ALPHA), _SELU_SCALE),
    "swish": lambda x: product(x, apply("sigmoid", x)),
    "silu": lambda x: product(x, apply("sigmoid", x)),
    "gelu": gelu,
    "mish": lambda x: product(x, apply("tanh", softplus(x))),
    "softplus": softplus,
    "softsign": softsign,
    "hard_tanh": lambda x: clip(x, -1.0, 1.0),
    "hard_swish": lambda x: product(x, hard_sigmoid(x, 1 / 6, 0.5)),
    "hard_silu": lambda x: product(x, hard_sigmoid(x, 1 / 6, 0.5)),
    "tanh_shrink": lambda x: total(x, affine(apply("tanh", x), -1.0)),
    "log_sigmoid": lambda x: affine(softplus(affine(x, -1.0)), -1.0),
    "squareplus": lambda x: affine(total(x, apply("sqrt", affine(product(x, x), 1.0, 4.0))), 0.5),
    "exponential": lambda x: apply("exp", x),
    **{
        name: lambda x, name=name: apply(name, x)  # type: ignore[misc]
        for name in ("tanh", "sigmoid", "exp", "log", "abs", "sqrt", "rsqrt", "reciprocal", "erf", "sign")
    },
}


def erf_by_polynomial(x: Term) -> Term:
    """erf(x), if x is a positive factor times something: s (1 - poly(t) t e^-z^2), t = 1 / (1 + p z)."""
    z = apply("abs", x)
    t = apply("reciprocal", affine(z, _ERF_P, 1.0))
    inner = affine(t, _ERF[0])
    for at, (_, coefficient) in enumerate(pairwise(_ERF)):
        inner = affine(product(inner, t) if at else inner, 1.0, coefficient)
    tail = apply("exp", affine(product(z, z), -1.0))
    return product(apply("sign", x), affine(product(inner, t, tail), -1.0, 1.0))


def recognise(term: Term) -> Term:
    """The term with erf in place of each polynomial that approximates it."""
    if term.function == "multiply":
        for at, part in enumerate(term.parts):
            if part.function != "sign":
                continue
            rest = [other for place, other in enumerate(term.parts) if place != at]
            for other in rest:
                factor = _factor(other)
                if factor is None:
                    continue
                inner = affine(part.parts[0], factor)
                if _same(Term("multiply", tuple(sorted((part, other), key=order))), erf_by_polynomial(inner)):
                    left = [recognise(each) for each in rest if each is not other]
                    return product(apply("erf", inner), *left) if left else apply("erf", inner)
    parts = tuple(recognise(part) for part in term.parts)
    if all(one is other for one, other in zip(parts, term.parts, strict=True)):
        return term
    rebuilt: Callable[..., Term] | None = {"add": total, "multiply": product}.get(term.function)
    if rebuilt is not None:
        return rebuilt(*parts)
    return affine(parts[0], *term.numbers) if term.function == "affine" else Term(term.function, parts, term.numbers)


def _factor(term: Term) -> Weights | None:
    """The factor of |x| in the polynomial's t = 1 / (1 + p z), divided by p; None if the term has no such part."""
    stack = [term]
    while stack:
        top = stack.pop()
        if top.function == "reciprocal" and top.parts[0].function == "affine":
            scale, _ = top.parts[0].numbers
            factor = scale.exact / float(np.float32(_ERF_P))
            return Weights(factor, ulp(factor) / 2, scale.is_rounded, is_coded=scale.is_coded)
        stack.extend(top.parts)
    return None


def _same(one: Term, other: Term) -> bool:
    """Whether two terms are equal except for roundings of their constants."""
    if structure(one) != structure(other):
        return False
    pairs = zip(numbers_of(one), numbers_of(other), strict=True)
    return all(abs(float(a.values - b.values)) <= float(ulp(b.values)) + float(a.bound) * a.is_coded for a, b in pairs)

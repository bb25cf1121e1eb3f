"""The functions of one number: each term is the function whose name it has, and one spelling of it is like another."""

from __future__ import annotations

import numpy as np
import pytest

from azx.validate.equivalence.functions import PLAIN, bent_relu, erf_by_polynomial, hard_sigmoid, recognise
from azx.validate.equivalence.terms import X, above, affine, apply, evaluate, product, rises, structure, total
from azx.validate.witness import activations

NUMBERS = np.linspace(-8, 8, 1001)


@pytest.mark.parametrize("name", [name for name in PLAIN if name in activations.FUNCTIONS])
def test_a_term_is_the_function_that_the_witness_knows_by_its_name(name: str) -> None:
    answered = evaluate(PLAIN[name](X), NUMBERS)
    np.testing.assert_allclose(answered, activations.FUNCTIONS[name](NUMBERS), rtol=2e-7, atol=2e-7)


@pytest.mark.parametrize("major", [2, 3])
def test_hard_sigmoid_is_that_of_each_keras(major: int) -> None:
    term = hard_sigmoid(X, 0.2 if major == 2 else 1 / 6, 0.5)
    np.testing.assert_allclose(evaluate(term, NUMBERS), activations.hard_sigmoid(NUMBERS, major), atol=2e-7)


def test_a_relu_with_a_threshold_a_slope_and_a_largest_value() -> None:
    term = bent_relu(X, 0.125, 3.0, 0.5)
    expected = np.where(NUMBERS > 0.5, np.minimum(NUMBERS, 3.0), 0.125 * (NUMBERS - 0.5))
    np.testing.assert_allclose(evaluate(term, NUMBERS), expected, atol=1e-12)


def test_the_polynomial_is_erf_and_a_changed_one_is_not() -> None:
    # The published bound is 1.5e-7.
    np.testing.assert_allclose(evaluate(erf_by_polynomial(X), NUMBERS), activations.erf(NUMBERS), rtol=0, atol=1.6e-7)
    assert structure(recognise(erf_by_polynomial(affine(X, 0.7)))) == structure(apply("erf", affine(X, 0.7)))
    turned = product(apply("sign", X), affine(erf_by_polynomial(X).parts[0], 1.0, 1e-6))
    assert structure(recognise(turned)) == structure(turned)


def test_factors_and_order_make_no_other_term_and_other_functions_do() -> None:
    half, erf = affine(X, 0.5), apply("erf", X)
    one = product(half, affine(erf, 1.0, 1.0))
    other = affine(product(affine(erf, 1.0, 1.0), X), 0.5)
    assert structure(one) == structure(other)
    assert structure(one) != structure(affine(total(X, product(X, erf)), 0.5))
    assert structure(above(affine(X, -1.0))) == structure(affine(PLAIN["relu"](affine(X, -1.0))))


@pytest.mark.parametrize(("name", "expected"), [("elu", True), ("tanh", True), ("gelu", False), ("abs", False)])
def test_what_never_falls(name: str, expected: bool) -> None:
    assert rises(PLAIN[name](X)) == expected

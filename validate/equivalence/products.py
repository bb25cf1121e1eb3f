"""Rules of products of two tensors that both depend on the board, and of Einstein sums.

Each number of such a product is a sum of products, each of one number from either tensor; only these pairs matter. So
the places themselves give an order for the sum, the result and both factors, and a transposition before or after a
product disappears. A number that multiplies a whole factor moves into a matrix before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

import numpy as np

from .linear import affine, rows, zeros
from .normal import Index, MisfitError, Node, NoRuleError, View, edge, settle
from .reductions import reduce
from .weights import Weights, is_zero

# The most products of two numbers in one node. More would take gigabytes to write down.
_MOST = 1 << 25


def matrix_product(x: View, y: View, name: str) -> View:
    """(1, ..., n, k) times (1, ..., k, m), with axes of size 1 in between broadcast: (1, ..., n, m)."""
    if len(x.shape) != len(y.shape) or len(x.shape) < 3 or x.shape[-1] != y.shape[-2]:
        raise MisfitError(name, f"multiplies {x.shape} by {y.shape}")
    left, right = x.index[..., :, None, :], np.swapaxes(y.index, -1, -2)[..., None, :, :]
    try:
        shape = np.broadcast_shapes(left.shape, right.shape)
    except ValueError as error:
        raise MisfitError(name, f"multiplies {x.shape} by {y.shape}") from error
    return _summed(View(x.node, left), View(y.node, right), shape, name)


def contract(letters: tuple[str, str, str], x: View, y: View | Weights, name: str) -> View:
    """An Einstein sum of a tensor (1, ...) and a second tensor or numbers in the file.

    `letters` are those of both operands and of the result, without the boards' axis, which comes first in every tensor.
    """
    left, right, made = letters
    sizes = _sizes(letters, x, y, name)
    if isinstance(y, Weights):
        return _by_kernel(letters, x, y, sizes, name)
    x, left = _without_alone(x, left, right + made, name)
    y, right = _without_alone(y, right, left + made, name)
    summed = [letter for letter in left if letter not in made]
    shape = tuple(sizes[letter] for letter in (*made, *summed))
    factors = [View(view.node, _spread(view.index[0], own, [*made, *summed])) for view, own in ((x, left), (y, right))]
    if not summed:
        factors = [View(each.node, each.index[..., None]) for each in factors]
        shape = (*shape, 1)
    if len(summed) > 1:
        flat = (*shape[: len(made)], prod(shape[len(made) :]))
        factors = [View(each.node, np.broadcast_to(each.index, shape).reshape(flat)) for each in factors]
        shape = flat
    product = _summed(factors[0], factors[1], shape, name)
    return View(product.node, product.index.reshape(1, *shape[:-1]))


def _sizes(letters: tuple[str, str, str], x: View, y: View | Weights, name: str) -> dict[str, int]:
    left, right, made = letters
    shapes = x.shape[1:], y.values.shape if isinstance(y, Weights) else y.shape[1:]
    sizes: dict[str, int] = {}
    for own, shape in zip((left, right), shapes, strict=True):
        if len(own) != len(shape) or len(set(own)) != len(own):
            raise NoRuleError("einsum", name, f"'{own}' does not fit {shape}")
        for letter, size in zip(own, shape, strict=True):
            if sizes.setdefault(letter, size) != size:
                raise MisfitError(name, f"sums {left},{right} over {shapes}")
    if len(set(made)) != len(made) or not set(made) <= set(sizes):
        raise NoRuleError("einsum", name, f"'{made}' has no rule")
    return sizes


def _by_kernel(letters: tuple[str, str, str], x: View, kernel: Weights, sizes: Mapping[str, int], name: str) -> View:
    left, right, made = letters
    summed = [letter for letter in left if letter in right]
    lines, columns = [letter for letter in left if letter not in right], [each for each in right if each not in left]
    if set(summed) & set(made) or sorted(made) != sorted(lines + columns):
        raise NoRuleError("einsum", name, "numbers of its own for each of some places have no rule")
    order = [left.index(letter) + 1 for letter in lines + summed]
    taps = view_rows(x, order, prod(sizes[letter] for letter in lines))
    turn = [right.index(letter) for letter in summed + columns]
    shape = prod(sizes[letter] for letter in summed), prod(sizes[letter] for letter in columns)
    matrix = kernel.each(lambda part: part.transpose(turn).reshape(shape))
    whole = rows(x, taps, matrix, (len(taps),), name)
    own = [*lines, *columns]
    apart = whole.index.reshape([sizes[letter] for letter in own])
    return View(whole.node, apart.transpose([own.index(letter) for letter in made])[None])


def view_rows(view: View, order: Sequence[int], count: int) -> Index:
    """The places of a view (1, ...) with its axes in another order, as `count` rows."""
    return view.index.transpose(0, *order).reshape(count, -1)


def _without_alone(view: View, own: str, elsewhere: str, name: str) -> tuple[View, str]:
    """The tensor summed over axes that only it has."""
    alone = [at + 1 for at, letter in enumerate(own) if letter not in elsewhere]
    if not alone:
        return view, own
    left = "".join(letter for letter in own if letter in elsewhere)
    return reduce(view, "sum", alone, name, keep=False), left


def _spread(index: Index, own: str, wanted: Sequence[str]) -> Index:
    """The places with one axis per wanted letter, of size 1 if the tensor lacks the letter."""
    present = [letter for letter in wanted if letter in own]
    moved = index.transpose([own.index(letter) for letter in present])
    sizes = dict(zip(present, moved.shape, strict=True))
    return moved.reshape([sizes.get(letter, 1) for letter in wanted])


def _summed(x: View, y: View, shape: tuple[int, ...], name: str) -> View:
    """Sums of products of both tensors over the last axis of `shape`, to which each is broadcast."""
    if prod(shape) > _MOST:
        raise NoRuleError("product", name, f"it is of over {_MOST:,} pairs of numbers")
    x, y = (settle(view, name) if view.has_zeros else view for view in (x, y))
    factors, scales = zip(*map(_without_scale, (x, y)), strict=True)
    places = [np.broadcast_to(view.index, shape).reshape(-1, shape[-1]) for view in factors]
    nodes = [view.node for view in factors]
    # If both are parts of one tensor, such as queries and keys, the part that begins first comes first.
    firsts = [(node.digest, int(each.min())) for node, each in zip(nodes, places, strict=True)]
    if firsts[1] < firsts[0]:
        places, nodes = places[::-1], nodes[::-1]
    pairs = places[0].astype(np.int64) * nodes[1].size + places[1]
    within = np.argsort(pairs, axis=1, kind="stable")
    order = np.argsort(np.take_along_axis(pairs, within[:, :1], 1)[:, 0], kind="stable")
    reads = [np.take_along_axis(each, within, 1)[order] for each in places]
    node = Node("product", name, tuple(map(edge, nodes, reads)), len(order))
    index = np.empty(len(order), np.int32)
    index[order] = np.arange(len(order), dtype=np.int32)
    made = View(node, index.reshape(shape[:-1]))
    for scale in scales:
        if scale is not None:
            made = affine(made, scale, zeros(), name)
    return made


def _without_scale(view: View) -> tuple[View, Weights | None]:
    """A factor, and the one number that multiplies all of it, unless that was folded into a matrix."""
    node = view.node
    if node.kind != "affine" or node.scaled is None or not is_zero(node.scaled[2]):
        return view, None
    base, scale, _ = node.scaled
    return View(base, view.index), scale


def product_of(x: View, y: View, flips: tuple[bool, bool], name: str) -> View:
    """A format's matrix product, with optional transposition of its factors."""
    x, y = (
        View(view.node, np.swapaxes(view.index, -1, -2)) if flip and len(view.shape) > 2 else view
        for view, flip in zip((x, y), flips, strict=True)
    )
    return matrix_product(x, y, name)

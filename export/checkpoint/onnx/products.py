"""ONNX' matrix products and normalisations; Gemm, or MatMul with numbers in the file, is a dense layer."""

from __future__ import annotations

from math import prod

import numpy as np

from ..layer_graph import Array
from .operation import Operation, as_keras_numbers
from .values import NoForm, Tensor


def gemm(op: Operation) -> Tensor:
    """A matrix product plus a bias, each with a factor."""
    matrix, bias = op.needed(1), op.known(2)
    if op.get("transA", 0):
        raise NoForm("it takes positions together")
    kernel = (matrix.T if op.get("transB", 0) else matrix) * np.float32(op.get("alpha", 1.0))
    weights = {"kernel": kernel}
    if bias is not None:
        bias = np.broadcast_to(bias.reshape(-1) if bias.size == kernel.shape[1] else bias, (kernel.shape[1],))
        weights["bias"] = np.asarray(bias * np.float32(op.get("beta", 1.0)))
    return _dense(op, weights)


def matmul(op: Operation) -> Tensor:
    """A matrix product of a tensor and numbers in the file, or of two tensors."""
    if isinstance(op.values[0], Tensor) and isinstance(op.values[1], Tensor):
        x, y = op.tensor(0), op.tensor(1)
        if len(x.shape) < 2 or x.shape[:-2] != y.shape[:-2] or x.shape[-1] != y.shape[-2]:
            raise NoForm(f"it multiplies {x.shape} by {y.shape}")
        both = [{"tensor": 0}, {"tensor": 1}]
        return op.make("ops.Matmul", (*x.shape[:-1], y.shape[-1]), [x, y], arguments={"args": both})
    if not isinstance(op.values[0], Tensor):
        return _from_the_left(op, _matrix(op.needed(0)), op.tensor(1))
    kernel = _matrix(op.needed(1))
    if kernel.ndim == 1:
        made = _dense(op, {"kernel": kernel.reshape(-1, 1)})
        return op.reshape(made, made.shape[:-1])
    return _dense(op, {"kernel": kernel})


def _matrix(numbers: Array) -> Array:
    """Numbers in the file without axes of size 1 before the last two."""
    return numbers.reshape(numbers.shape[-2:]) if prod(numbers.shape[:-2]) == 1 else numbers


def _from_the_left(op: Operation, matrix: Array, x: Tensor) -> Tensor:
    """A matrix in the file times a tensor, for example of neighbouring cells; it joins rows, not features."""
    if matrix.ndim != 2 or len(x.shape) < 2 or matrix.shape[1] != x.shape[-2]:
        raise NoForm(f"a matrix of shape {matrix.shape} does not fit an input of {x.shape}")
    rest = "cdefgh"[: len(x.shape) - 2]
    return op.make(
        "ops.Einsum",
        (*x.shape[:-2], len(matrix), x.shape[-1]),
        [x],
        arguments={"args": [{"tensor": 0}, as_keras_numbers(matrix)]},
        subscripts=f"a{rest}yz,xy->a{rest}xz",
    )


def _dense(op: Operation, weights: dict[str, Array]) -> Tensor:
    kernel, x = weights["kernel"], op.x
    if kernel.ndim != 2 or not x.shape or kernel.shape[0] != x.shape[-1]:
        raise NoForm(f"a matrix of shape {kernel.shape} does not fit an input of {x.shape}")
    config = {"units": kernel.shape[1], "use_bias": "bias" in weights, "activation": "linear"}
    return op.make("Dense", (*x.shape[:-1], kernel.shape[1]), weights=weights, **config)


def batch_norm(op: Operation) -> Tensor:
    """A batch normalisation for inference."""
    if op.get("training_mode", 0) or not op.x.shape:
        raise NoForm("it is in training")
    names = ("gamma", "beta", "moving_mean", "moving_variance")
    weights = {name: op.needed(at) for at, name in enumerate(names, start=1)}
    return op.make(
        "BatchNormalization", weights=weights, axis=1, epsilon=op.get("epsilon", 1e-5), scale=True, center=True
    )


def einsum(op: Operation) -> Tensor:
    """An Einstein sum of two tensors, or of a tensor and numbers in the file."""
    written = str(op.get("equation")).replace(" ", "")
    ends, arrow, made = written.partition("->")
    letters = ends.split(",")
    if len(letters) != 2 or not arrow or "." in written or not isinstance(op.values[0], Tensor):
        raise NoForm(f"'{written[:40]}' has no canonical form")
    tensors = [op.tensor(0)]
    sizes = dict(zip(letters[0][1:], op.tensor(0).shape, strict=True))
    second = op.values[1]
    if isinstance(second, Tensor):
        tensors.append(op.tensor(1))
        sizes |= dict(zip(letters[1][1:], tensors[1].shape, strict=True))
        other: object = {"tensor": 1}
    else:
        sizes |= dict(zip(letters[1], op.needed(1).shape, strict=True))
        other = as_keras_numbers(second)
    if any(each[0] != letters[0][0] for each in (made, *letters[: len(tensors)])):
        raise NoForm(f"'{written[:40]}' does not keep the positions first")
    shape = [sizes[letter] for letter in made[1:]]
    return op.make("ops.Einsum", shape, tensors, arguments={"args": [{"tensor": 0}, other]}, subscripts=written)


def rms_norm(op: Operation) -> Tensor:
    """A division over the last axes by the root of their mean square."""
    first = op.axis("axis", -1, len(op.x.shape))
    axes, scale = list(range(first, len(op.x.shape) + 1)), np.broadcast_to(op.needed(1), op.x.shape[first - 1 :])
    return op.make("RMSNormalization", weights={"0": scale}, axis=axes, epsilon=op.get("epsilon", 1e-5))


def group_norm(op: Operation) -> Tensor:
    """A normalisation over groups of planes; before operator set 21, with a scale and a shift per group."""
    groups, planes = int(op.get("num_groups", 1)), op.x.shape[0]
    weights = {str(at): op.needed(at + 1) for at in (0, 1)}
    weights = {name: each if len(each) == planes else each.repeat(planes // groups) for name, each in weights.items()}
    return op.make("GroupNormalization", weights=weights, axis=1, groups=groups, epsilon=op.get("epsilon", 1e-5))


def layer_norm(op: Operation) -> Tensor:
    """A layer normalisation over the last axes."""
    x = op.x
    first = op.axis("axis", -1, len(x.shape))
    axes, shape = list(range(first, len(x.shape) + 1)), x.shape[first - 1 :]
    scale, shift = op.needed(1), op.known(2)
    weights = {"0": np.broadcast_to(scale, shape)}
    weights |= {} if shift is None else {"1": np.broadcast_to(shift, shape)}
    return op.make(
        "LayerNormalization",
        weights=weights,
        axis=axes,
        epsilon=op.get("epsilon", 1e-5),
        scale=True,
        center=shift is not None,
    )


def instance_norm(op: Operation) -> Tensor:
    """A normalisation of each plane separately: a group normalization with one plane per group."""
    weights = {"0": op.needed(1), "1": op.needed(2)}
    return op.make("GroupNormalization", weights=weights, axis=1, groups=-1, epsilon=op.get("epsilon", 1e-5))

"""The tensors of a Core AI graph under construction: the order of their axes, and named constants.

TensorFlow's boards have channels last; Core AI's convolutions need them first. So a tensor records the order of its
axes, and each operation uses the order that suits it best. A transpose is emitted only if two orders disagree. That
happens at the first convolution of a channels-last checkpoint, and where a head flattens its board.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....errors import ConversionError
from ...checkpoint.layer_graph import Array
from ...network.emitter import identity

Order = tuple[int, ...]
CHANNELS_FIRST: Order = (0, 3, 1, 2)


@dataclass(frozen=True, eq=False)
class Tensor:
    """A tensor of TensorFlow's graph: `shape` is TensorFlow's, None a free batch.

    An emitted tensor has a `value` of coreai.authoring, whose axis i is TensorFlow's axis `order[i]`. A constant is
    emitted when it is used.
    """

    shape: tuple[int | None, ...]
    value: Any = None
    order: Order = ()
    constant: Array | None = None

    @classmethod
    def of(cls, constant: Array) -> Tensor:
        """A tensor that is this constant."""
        return cls(constant.shape, constant=constant)

    @property
    def rank(self) -> int:
        """The number of axes, the batch included."""
        return len(self.shape)


class Emitter:
    """Emits into the graph whose block is open; `ops` is the module coreai.authoring."""

    def __init__(self, ops: Any) -> None:
        self.ops = ops
        self._constants = 0

    def const(self, array: Array) -> Any:
        """A constant of float32, int32 or booleans as a value; ConversionError for any other type.

        Its name is a number, because coreai.authoring names large constants at random, and the names are in the file.
        """
        from coreai._compiler.dialects.coreai import ConstantOp
        from coreai._compiler.ir import DenseResourceElementsAttr
        from coreai.authoring.constant import constant

        if array.dtype not in (np.float32, np.float64, np.int32, np.bool_):
            raise ConversionError(f"Core AI: a constant is of {array.dtype}, with which azx does not compute there.")
        # Values that were calculated from constants here are float64.
        whole = np.ascontiguousarray(array, np.float32 if array.dtype == np.float64 else array.dtype)
        if whole.size == 1 or whole.dtype != np.float32:
            return constant(whole.reshape(array.shape))
        kind = self.ops.TensorType(whole.shape, np.float32)._to_mlir_type()
        attribute = DenseResourceElementsAttr.get_from_buffer(whole, f"constant_{self._constants}", kind)
        self._constants += 1
        return self.ops.Value._from_mlir(ConstantOp(value=attribute).result)

    def whole(self, sizes: Array) -> Any:
        """Sizes as a value, for functions of coreai.authoring that accept only values."""
        from coreai.authoring.constant import constant

        return constant(sizes)

    def value_of(self, tensor: Tensor, order: Order | None = None) -> Any:
        """The tensor as a value whose axes are in `order`, which is TensorFlow's by default."""
        order = order or tuple(range(tensor.rank))
        if tensor.constant is not None:
            return self.const(tensor.constant.transpose(order))
        if tensor.order == order:
            return tensor.value
        return self.ops.transpose(tensor.value, numbers([tensor.order.index(axis) for axis in order]))

    def elementwise(self, function: Callable[..., Any], *tensors: Tensor) -> Tensor:
        """A function of one or more tensors, which broadcast as in NumPy.

        The result has the order of the non-constant tensor with the most axes; a board's order comes before any other.
        """
        rank = max(tensor.rank for tensor in tensors)
        computed = [tensor for tensor in tensors if tensor.constant is None]
        if not computed:  # only constants: from here on the result counts as calculated
            computed = [Tensor(tensors[0].shape, order=identity(tensors[0].rank))]
        leading = max(computed, key=lambda t: (t.rank, t.order != identity(t.rank)))
        order = leading.order if leading.rank == rank else identity(rank)
        shape = tuple(map(_broadcast, zip(*(_pad_shape(t.shape, rank) for t in tensors), strict=True)))
        return Tensor(shape, function(*(self.value_of(self.expand(t, rank), order) for t in tensors)), order)

    def expand(self, tensor: Tensor, rank: int) -> Tensor:
        """The tensor with axes of size 1 added in front."""
        missing = rank - tensor.rank
        if not missing:
            return tensor
        shape = _pad_shape(tensor.shape, rank)
        if tensor.constant is not None:
            return Tensor(shape, constant=tensor.constant.reshape((1,) * missing + tensor.constant.shape))
        return self.reshape(tensor, shape)

    def reshape(self, tensor: Tensor, shape: Sequence[int | None]) -> Tensor:
        """The same values in another shape, which may have one free axis."""
        if tensor.constant is not None:
            return Tensor(tuple(shape), constant=tensor.constant.reshape([size or -1 for size in shape]))
        value = self.ops.reshape(self.value_of(tensor), np.array([size or -1 for size in shape], np.int32))
        return Tensor(tuple(shape), value, identity(len(shape)))


def numbers(values: Sequence[int]) -> Array:
    """Sizes and axes in the type that Core AI accepts."""
    return np.array(values, np.uint32)


def _pad_shape(shape: Sequence[int | None], rank: int) -> tuple[int | None, ...]:
    return (1,) * (rank - len(shape)) + tuple(shape)


def _broadcast(sizes: Sequence[int | None]) -> int | None:
    """The size of an axis of the result: the one that is not 1."""
    return next((size for size in sizes if size != 1), 1)

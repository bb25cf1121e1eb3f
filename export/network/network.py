"""Network: the canonical inference network, a short list of operations over named tensors.

Channels are last, batch norm is folded, every constant is float32. Shapes have no batch axis: (6, 7, 75) is a tensor of
(N, 6, 7, 75). `layer` is the Keras layer from which an operation comes; its nodes carry that name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..checkpoint.head import Head
from ..checkpoint.layer_graph import Array

Padding = Literal["SAME", "VALID"]
Pair = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Op:
    """One operation: it reads the tensors `inputs` and makes the tensor `output` of `shape`."""

    layer: str
    inputs: tuple[str, ...]
    output: str
    shape: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class WindowOp(Op):
    """A kernel (kh, kw, C, ...) that slides over (H, W, C); `bias` is None, or has one value per output channel."""

    kernel: Array
    bias: Array | None
    strides: Pair
    padding: Padding
    dilations: Pair


@dataclass(frozen=True, eq=False)
class Conv(WindowOp):
    """Convolution: `kernel` is (kh, kw, C, filters)."""


@dataclass(frozen=True, eq=False)
class DepthwiseConv(WindowOp):
    """A convolution of each channel by itself.

    `kernel` is (kh, kw, C, multiplier), the output has C * multiplier channels.
    """


@dataclass(frozen=True, eq=False)
class Dense(Op):
    """A vector times `kernel` (inputs, units), plus `bias` (units,) unless that is None."""

    kernel: Array
    bias: Array | None


@dataclass(frozen=True, eq=False)
class Affine(Op):
    """x * scale + shift; both broadcast against the tensor's shape. None leaves that part out."""

    scale: Array | None
    shift: Array | None


@dataclass(frozen=True, eq=False)
class Activation(Op):
    """An elementwise function, or softmax over the last axis; activations.py lists the `parameters`."""

    function: str
    parameters: tuple[float, ...] = ()


@dataclass(frozen=True, eq=False)
class PRelu(Op):
    """max(0, x) + alpha * min(0, x), `alpha` broadcast against the tensor's shape."""

    alpha: Array


@dataclass(frozen=True, eq=False)
class Combine(Op):
    """Several tensors joined elementwise, with broadcasting: add, subtract, multiply, divide, maximum, minimum."""

    function: str


@dataclass(frozen=True, eq=False)
class Product(Op):
    """The matrix product of two tensors over their last two axes: (..., n, k) by (..., k, m) is (..., n, m)."""


@dataclass(frozen=True, eq=False)
class Concat(Op):
    """Tensors joined along `axis`, counted without the batch."""

    axis: int


@dataclass(frozen=True, eq=False)
class Pool(Op):
    """Maximum or average over windows of (H, W, C); the average counts only what lies on the board."""

    function: Literal["max", "average"]
    size: Pair
    strides: Pair
    padding: Padding


@dataclass(frozen=True, eq=False)
class Reduce(Op):
    """Mean, sum, maximum or minimum over axes, counted without the batch; with `keep` they stay with size 1."""

    function: Literal["mean", "sum", "max", "min"]
    over: tuple[int, ...]
    keep: bool


@dataclass(frozen=True, eq=False)
class Pad(Op):
    """Zeros around the board: `rows` and `columns` are the numbers (before, after)."""

    rows: Pair
    columns: Pair


@dataclass(frozen=True, eq=False)
class Crop(Op):
    """A window of the tensor that begins at `begin` and has `shape`."""

    begin: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Gather(Op):
    """The values at `places` along `axis` (counted without the batch), in that order: a table of moves."""

    axis: int
    places: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Reshape(Op):
    """The same values in row-major order under another `shape`."""


@dataclass(frozen=True, eq=False)
class Transpose(Op):
    """Axis i of the result is axis `axes[i]` of the input, counted without the batch."""

    axes: tuple[int, ...]


@dataclass(frozen=True)
class Door:
    """An input of the network, with the name and shape it has in the checkpoint."""

    name: str
    shape: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Network:
    """The canonical network; each of `ops` comes after the operations whose results it reads."""

    inputs: tuple[Door, ...]
    ops: tuple[Op, ...]
    outputs: tuple[Head, ...]

    @property
    def multiply_adds(self) -> int:
        """The multiply-adds for one position, in convolutions and dense layers."""
        total = 0
        for op in self.ops:
            if isinstance(op, WindowOp):
                total += op.shape[0] * op.shape[1] * int(op.kernel.size)
            elif isinstance(op, Dense):
                total += int(op.kernel.size)
        return total

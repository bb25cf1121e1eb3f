"""A network's multiply-adds for one position, counted from its layers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from pathlib import Path

from ...export.checkpoint.door.limits import bytes_on_disk
from ...export.checkpoint.layer_graph import Array, Call, LayerGraph
from ...export.network.simplify import shapes as shapes_in

# Further operations per value of a tensor, which is written, normalised, activated and read.
_A_VALUE = 8
# Layers whose kernel's last two axes are input and output channels, in either order.
_DEPTHWISE = "depthwise"
_FLOAT = 4


def multiply_adds_of(graph: LayerGraph) -> int:
    """The multiply-adds for one position in the layers whose shapes are known."""
    shapes = shapes_in(graph)
    values = sum(prod(shape) for shape in shapes.values())
    return _A_VALUE * values + sum(_of_call(call, shapes) for call in graph.calls)


def multiply_adds_of_file(path: Path, shapes: Sequence[tuple[int, ...]]) -> int:
    """An upper bound for an artifact: each of its numbers, once per cell of the board."""
    boards = [sorted(shape) for shape in shapes if 0 not in shape]
    cells = max((prod(board[1:]) for board in boards), default=1)
    return bytes_on_disk(path) // _FLOAT * cells


def _of_call(call: Call, shapes: Mapping[str, tuple[int, ...]]) -> int:
    """A call's multiply-adds: each number of a kernel, once per place of the output."""
    weights = call.layer.weights
    kernels = {name: weight for name, weight in weights.items() if "kernel" in name and weight.ndim > 1}
    values = prod(shapes.get(call.output, ()))
    return sum(int(kernel.size) * max(1, values // _width(name, kernel)) for name, kernel in kernels.items())


def _width(name: str, kernel: Array) -> int:
    """The number of channels in a kernel's output."""
    return max(1, prod(kernel.shape[-2:]) if _DEPTHWISE in name else kernel.shape[-1])

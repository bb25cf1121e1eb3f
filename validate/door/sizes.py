"""Limits the size of an operation's result by tracing the numbers that give it back to constants.

A `Fill` of a few bytes can ask for any amount of memory. Its size is a constant, or is calculated from constants and
the shapes of tensors; then the product of all these constants is at least as large.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from .limits import TENSOR_VALUES, values_in

# Operations that combine sizes, and whether all inputs hold sizes or only the first.
_ALL, _FIRST = -1, 1
GLUE: Mapping[str, int] = {
    **dict.fromkeys(("Pack", "ConcatV2", "Concat", "Add", "AddV2", "Sub", "Mul", "FloorDiv", "RealDiv", "Div"), _ALL),
    **dict.fromkeys(("Maximum", "Minimum", "Max", "Min", "FloorMod", "Mod", "Where", "SelectV2", "Range"), _ALL),
    **dict.fromkeys(("Cast", "Reshape", "Identity", "StridedSlice", "Slice", "Squeeze", "ExpandDims"), _FIRST),
    **dict.fromkeys(("Unpack", "Unsqueeze", "Gather", "GatherV2", "Prod", "ReduceProd", "Split", "Floor"), _FIRST),
    **dict.fromkeys(("SplitV", "Ceil", "Round", "Transpose", "Pad", "Neg", "Abs", "Flatten", "StopGradient"), _FIRST),
    **dict.fromkeys(("Equal", "NotEqual", "Less", "Greater", "GreaterEqual", "LessEqual", "Select"), _ALL),
    **dict.fromkeys(("ConstantOfShape", "Expand", "Tile", "Fill", "ScatterNd", "ReverseV2"), _FIRST),
}
# The same operations under TFLite's names.
GLUE_OF_TFLITE: Mapping[str, int] = {
    **dict.fromkeys(("PACK", "CONCATENATION", "ADD", "SUB", "MUL", "DIV", "FLOOR_DIV", "FLOOR_MOD", "RANGE"), _ALL),
    **dict.fromkeys(
        ("BROADCAST_ARGS", "MAXIMUM", "MINIMUM", "SELECT", "SELECT_V2", "EQUAL", "NOT_EQUAL", "LESS", "GREATER"), _ALL
    ),
    **dict.fromkeys(("CAST", "RESHAPE", "STRIDED_SLICE", "SLICE", "SQUEEZE", "EXPAND_DIMS", "GATHER"), _FIRST),
    **dict.fromkeys(("UNPACK", "REDUCE_PROD", "REDUCE_MAX", "SPLIT", "SPLIT_V", "NEG", "ABS", "PAD", "FILL"), _FIRST),
    **dict.fromkeys(("TILE", "BROADCAST_TO", "REVERSE_V2", "TRANSPOSE", "FLOOR", "CEIL", "ROUND"), _FIRST),
}
# Operations whose result is the size of an existing tensor.
SHAPES = frozenset({"Shape", "ShapeN", "Size", "Rank", "SHAPE", "RANK"})
TOO_LARGE = f"asks for more than {TENSOR_VALUES:,} values"
BY_THE_BOARD = "takes a size that the board decides"


@dataclass(frozen=True)
class Maker:
    """The origin of a tensor: its operation and its inputs."""

    operation: str
    inputs: Sequence[str]


@dataclass(frozen=True)
class Sizes:
    """The tensors of one graph; `constant` gives a constant's whole numbers, None for any other tensor."""

    makers: Mapping[str, Maker]
    constant: Callable[[str], Sequence[int] | None]
    glue: Mapping[str, int]

    def fault(self, tensors: Iterable[str]) -> str | None:
        """The reason why an operation may not take its sizes from these tensors, as a clause; None if it may."""
        total, added, left = 1, set[str](), [name for name in tensors if name]
        while left:
            name = left.pop()
            if name in added:
                continue
            added.add(name)
            values = self.constant(name)
            if values is not None:
                total *= values_in(values)
                if total > TENSOR_VALUES:
                    return TOO_LARGE
                continue
            maker = self.makers.get(name)
            if maker is None:
                return BY_THE_BOARD
            if maker.operation in SHAPES:
                continue
            if maker.operation not in self.glue:
                return BY_THE_BOARD
            count = self.glue[maker.operation]
            left.extend(maker.inputs if count == _ALL else maker.inputs[:count])
        return None

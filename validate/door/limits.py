"""The limits of an artifact, each with its reason; all are counts that do not depend on the machine."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

# A network of 4,000 layers, azx's largest, has about 80,000 nodes in a traced graph.
NODES = 200_000
# The most inputs or outputs of one artifact, as for a checkpoint.
PORTS = 100
# The most values of an input, and of any tensor at run time: an image of 224 x 224 in 64 channels has 3 million.
INPUT_VALUES, TENSOR_VALUES = 1 << 20, 1 << 24
# The values that constants may have beyond four times the file's bytes, since a repeated number takes few bytes.
FREE_BYTES, PACKED = 64 << 20, 4
# No tensor of a board has more axes.
RANK = 32
# The longest name or word in an attribute ("SAME", "NHWC", an einsum's equation).
WORD_LENGTH, NAME_LENGTH = 64, 1_000
# The most bytes in the JSON of a TF.js model without its weights, and of a Core ML package's index.
JSON_BYTES, INDEX_BYTES, JSON_DEPTH = 64 << 20, 1 << 20, 64


def values_in(sizes: Iterable[int]) -> int:
    """The number of values in a tensor of these sizes; a free size (-1, or 0 for "as before") counts as one."""
    return prod(max(1, abs(int(size))) for size in sizes)

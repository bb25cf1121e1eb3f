"""Limits of an artifact, each with its reason: all are counts, and none depends on the machine."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

# A network of 4,000 layers, azx' largest, has some 80,000 nodes in a traced graph.
NODES = 200_000
# Inputs and outputs of one artifact, as of one checkpoint.
PORTS = 100
# Values of an input and of any tensor that is made while it runs: an image of 224 x 224 in 64 channels has 3 million.
INPUT_VALUES, TENSOR_VALUES = 1 << 20, 1 << 24
# Values that constants may have beyond four times the file's bytes, since one number repeated takes few bytes.
FREE_BYTES, PACKED = 64 << 20, 4
# No tensor of a board has more axes.
RANK = 32
# A name or a word in an attribute ("SAME", "NHWC", an einsum's equation).
WORD_LENGTH, NAME_LENGTH = 64, 1_000
# The JSON of a TF.js model without its weights, and of a Core ML package's index.
JSON_BYTES, INDEX_BYTES, JSON_DEPTH = 64 << 20, 1 << 20, 64


def values_in(sizes: Iterable[int]) -> int:
    """How many values a tensor of these sizes has; a free size (-1, 0 for "as before") counts as one."""
    return prod(max(1, abs(int(size))) for size in sizes)

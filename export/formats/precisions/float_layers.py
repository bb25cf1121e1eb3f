"""Which layers of a network stay in float where 8 bits for all of it are too few.

What hurts is known: the heads, whose few numbers decide alone (KataGo leaves them in float for that), and the layers
next to the board, whose errors go through all others. So the heads are left in float first, and then the layers of the
trunk from the board on, one after the other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

# The heads, and then so many less one of the trunk's first layers: each costs its share of the speed.
STEPS = 4
_PRODUCT = re.compile(r"(.+)/(?:Conv2D|DepthwiseConv2dNative|depthwise|MatMul)\d*$")


@dataclass(frozen=True)
class Operation:
    """An operation of an artifact's graph: the tensors that it reads and makes, and whether it is a layer's product."""

    name: str
    reads: tuple[int | str, ...]
    makes: tuple[int | str, ...]
    weighs: bool


def in_float(operations: Sequence[Operation], ends: Sequence[int | str], step: int) -> list[Operation]:
    """Those of `operations`, in their order of execution, that stay in float at `step`; none at step 0.

    `ends` are the tensors that the outputs are. Of a network with one output the head is its last product and what
    follows.
    """
    if step <= 0:
        return []
    serves = _serves(operations, ends)
    heads = [len(served) == 1 for served in serves]
    if len(ends) == 1:
        last = max((at for at, operation in enumerate(operations) if operation.weighs), default=0)
        heads = [at >= last for at in range(len(operations))]
    trunk = [at for at, operation in enumerate(operations) if operation.weighs and not heads[at]][: step - 1]
    return [operation for at, operation in enumerate(operations) if heads[at] or at in trunk]


def layer_of(name: str) -> str:
    """A tensor's layer in the words of the graph: "policy_conv" of "policy_relu/Relu;policy_conv/Conv2D"."""
    parts = name.split(";")
    found = next((match[1] for part in parts if (match := _PRODUCT.match(part))), None)
    return found or parts[0].rpartition("/")[0] or parts[0]


def _serves(operations: Sequence[Operation], ends: Sequence[int | str]) -> list[set[int | str]]:
    """For each operation the outputs that depend on it."""
    reach: dict[int | str, set[int | str]] = {end: {end} for end in ends}
    serves: list[set[int | str]] = [set() for _ in operations]
    for at in range(len(operations) - 1, -1, -1):
        operation = operations[at]
        serves[at] = set().union(*(reach.get(made, set()) for made in operation.makes))
        for read in operation.reads:
            reach.setdefault(read, set()).update(serves[at])
    return serves

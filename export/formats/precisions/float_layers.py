"""Maps a network's layers to an artifact's operations, for layers that stay in float in a lower precision.

A layer is a product with its weights, and everything up to the next product: its activation, its sum. If 8 bits for all
layers fail the gate, some stay in float; measurement decides which (`bundle/precision/mixing.py`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

_PRODUCT = re.compile(r"(.+)/(?:Conv2D|DepthwiseConv2dNative|depthwise|MatMul)\d*$")


@dataclass(frozen=True)
class Operation:
    """An operation of an artifact's graph: its inputs and outputs, and the layer of its product."""

    name: str
    reads: tuple[int | str, ...]
    makes: tuple[int | str, ...]
    product_of: str | None = None


def in_float(operations: Sequence[Operation], layers: Collection[str]) -> list[Operation]:
    """Those of `operations`, in their order of execution, that belong to one of `layers`."""
    ends: dict[int | str, int] = {}
    chosen = []
    for at, operation in enumerate(operations):
        # A sum of two layers' results belongs to the later layer.
        before = max((ends[read] for read in operation.reads if read in ends), default=-1)
        product = at if operation.product_of is not None else before
        ends |= dict.fromkeys(operation.makes, product)
        if product >= 0 and operations[product].product_of in layers:
            chosen.append(operation)
    return chosen


def layer_of(name: str) -> str:
    """A tensor's layer, named as in the graph: "policy_conv" for "policy_relu/Relu;policy_conv/Conv2D"."""
    parts = name.split(";")
    layer = next((match[1] for part in parts if (match := _PRODUCT.match(part))), None)
    return layer or parts[0].rpartition("/")[0] or parts[0]

"""Finds where Keras' tensors lie in an artifact, by the nodes' names and the layout."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import UnsupportedLayer
from ..export.checkpoint.head import Head
from ..export.checkpoint.layer_graph import LayerGraph
from ..export.graph.build import scopes
from ..export.graph.names import node_name
from ..export.network.emitter import Value, identity
from ..export.network.network import Reshape, Transpose
from ..export.network.simplify import shapes, simplify_with_values

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Landmark:
    """A tensor of the checkpoint that an artifact may contain.

    Nodes named `scope`/... make it; `value` gives its layout. `head` is the output's name, empty for an inner tensor.
    """

    tensor: str
    scope: str
    value: Value
    head: str = ""


def landmarks(graph: LayerGraph, heads: Sequence[Head], inputs: Sequence[str]) -> dict[str, Landmark]:
    """The landmarks by Keras' tensor, in the order of execution.

    `heads` and `inputs` are the artifacts'. Tensors that were folded into another layer, or only moved, are left out. A
    network without canonical form is frozen as Keras traces it, each layer under its own name.
    """
    outputs = {output.tensor: head.name for output, head in _pair_heads(graph, heads)}
    try:
        network, values = simplify_with_values(graph)
    except UnsupportedLayer:
        known = shapes(graph)
        bare = {
            call.output: Value(call.output, known.get(call.output, ()), identity(len(known.get(call.output, ()))))
            for call in graph.calls
        }
        scope = {call.output: node_name(call.layer.name) for call in graph.calls}
    else:
        named = scopes(network, heads, inputs)
        made = {op.output: named[op.layer] for op in network.ops if not isinstance(op, (Reshape, Transpose))}
        bare = {call.output: values[call.output] for call in graph.calls}
        scope = {tensor: made[value.name] for tensor, value in bare.items() if value.name in made}
    marks: dict[str, Landmark] = {}
    taken: set[str] = set()
    for tensor, value in bare.items():
        if tensor in outputs or (tensor in scope and value.name not in taken):
            taken.add(value.name)  # a layer that passes its input on, such as Dropout, has the same tensor again
            marks[tensor] = Landmark(tensor, scope.get(tensor, ""), value, outputs.get(tensor, ""))
    return marks


def _pair_heads(graph: LayerGraph, heads: Sequence[Head]) -> Iterator[tuple[Head, Head]]:
    """Each of the checkpoint's outputs with the artifacts' head for it."""
    by_name = {head.source_name: head for head in heads}
    for output in graph.outputs:
        if output.source_name in by_name:
            yield output, by_name[output.source_name]


class Scopes:
    """Finds the scope of a node's name in the spelling of any format: conv2d_1/Conv2D, conv2d_1_Conv2D."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = {_plain(name): name for name in names if name}

    def of(self, name: str) -> str | None:
        """The longest scope with which the name begins; None if no scope fits."""
        words = _plain(name).split("_")
        for end in range(len(words), 0, -1):
            scope = self._names.get("_".join(words[:end]))
            if scope is not None:
                return scope
        return None


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]", "_", name)


def readings(value: Value, expected: Values, values: NDArray[np.float32]) -> Iterator[Values]:
    """An artifact's tensor in Keras' layout, once for each layout of the formats: as frozen, channels first, unchanged.

    `expected` (N, ...) is Keras' own tensor and gives the shape; yields nothing if the sizes differ.
    """
    count, shape = len(expected), expected.shape
    if values.size != expected.size:
        return
    axes = value.axes if len(value.axes) == expected.ndim - 1 else identity(expected.ndim - 1)
    lying = [shape[1 + axis] for axis in axes]
    back = np.argsort((0, *(1 + axis for axis in axes)))
    if expected.ndim == 2 and (order := value.order()) is not None:
        unfolded = np.empty(shape)
        unfolded[:, order] = values.reshape(shape)
        yield unfolded
    if axes != identity(len(axes)):
        yield values.reshape(count, *lying).transpose(back).astype(np.float64)
    if expected.ndim > 2:
        last = np.moveaxis(values.reshape(count, lying[-1], *lying[:-1]), 1, -1)
        yield last.transpose(back).astype(np.float64)
    yield values.reshape(shape).astype(np.float64)

"""Finds inference in a TensorFlow graph: past training's branches, from the placeholders to the last nodes.

A TensorFlow 1 graph includes training: Switch sends a tensor to one of two branches, for training or for inference, and
Merge takes whichever arrives. `keras_learning_phase` is a placeholder whose default means inference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..layer_graph import Array
from .definition import GraphNode

_PASSING = frozenset(
    {"Identity", "StopGradient", "CheckNumerics", "PlaceholderWithDefault", "Snapshot", "ReadVariableOp"}
)
_DOORS = frozenset({"Placeholder"})
# A value that no branch of inference makes.
DEAD = ""


def resolve(nodes: Sequence[GraphNode], constants: Mapping[str, Array]) -> dict[str, str]:
    """For each tensor's name, the tensor that it equals in inference, past Switch, Merge and mere copies.

    DEAD for a tensor that only training makes.
    """
    known: dict[str, str] = {}

    for node in nodes:
        inputs = [known.get(name, name) for name in node.sources]
        if node.kind == "Switch" and inputs[1] in constants:
            goes_on = bool(constants[inputs[1]].reshape(-1)[0])
            known[node.name], known[f"{node.name}:1"] = (DEAD, inputs[0]) if goes_on else (inputs[0], DEAD)
        elif node.kind == "Merge":
            known[node.name] = next((name for name in inputs if name), DEAD)
        elif inputs and DEAD in inputs:
            known[node.name] = DEAD
        elif node.kind in _PASSING:
            known[node.name] = inputs[0]
    return known


def network_nodes(
    nodes: Sequence[GraphNode], constants: Mapping[str, Array], wanted: Sequence[str] | None = None
) -> tuple[list[GraphNode], list[str]]:
    """The inference nodes with their inputs resolved, in order, and the names of the outputs.

    An output depends on a placeholder. It is `wanted`, or nothing in the file reads it, not even training.
    """
    known = resolve(nodes, constants)
    live = {
        node.name: replace(node, inputs=tuple(known.get(name, name) for name in node.sources))
        for node in nodes
        if node.name not in known and node.name not in constants and node.kind not in ("Const", "NoOp", "Assert")
    }
    read = {name.partition(":")[0] for node in nodes for name in node.inputs}
    unread = [node.name for node in nodes if node.name not in read and node.kind != "NoOp"]
    last = [known.get(name, name) for name in (unread if wanted is None else wanted)]
    ends = [name for name in dict.fromkeys(last) if name in live and live[name].kind not in _DOORS]
    waiting, needed = list(ends), set(ends)
    for name in waiting:
        more = [each for each in live[name].inputs if each in live and each not in needed]
        needed.update(more)
        waiting += more
    in_network = [node for node in live.values() if node.name in needed]
    behind: set[str] = set()
    for node in in_network:
        if node.kind in _DOORS or not behind.isdisjoint(node.inputs):
            behind.add(node.name)
    return in_network, [name for name in ends if name in behind]


def is_gradient(name: str) -> bool:
    """Whether a node belongs to training, by TensorFlow's scope for gradients."""
    return any(part.startswith("gradients") for part in name.split("/"))


def join_leaky(nodes: Sequence[GraphNode], constants: Mapping[str, Array]) -> list[GraphNode]:
    """The nodes with each max(slope * x, x) replaced by LeakyRelu; other readers of the product keep it.

    TensorFlow 1 wrote `tf.nn.leaky_relu` so until 1.8. The slope must be from 0 to 1.
    """
    made = {node.name: node for node in nodes}
    return [_leaky(node, made, constants) if node.kind == "Maximum" else node for node in nodes]


def _leaky(node: GraphNode, made: Mapping[str, GraphNode], constants: Mapping[str, Array]) -> GraphNode:
    for product, below in (node.inputs, node.inputs[::-1]):
        factors = made[product].inputs if product in made and made[product].kind == "Mul" else ()
        slope = next((constants[name] for name in factors if name in constants), None)
        if below in factors and slope is not None and slope.size == 1 and 0 <= slope.item() <= 1:
            packed = np.asarray(slope, "<f4").tobytes()
            return replace(node, kind="LeakyRelu", inputs=(below,), attributes={"alpha": [(4, packed)]})
    return node

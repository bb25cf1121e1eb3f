"""A TensorFlow 1 checkpoint with the graph beside it (.meta) as a LayerGraph; the graph also contains training.

The graph has losses, gradients and an optimizer too. The board is the placeholder on which the most nodes depend alone.
An output depends on the board alone; and training compares it with what it feeds, or nothing reads it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ....errors import CheckpointError
from ..digest import sha256
from ..foreign.arrays import checkpoint_prefix
from ..layer_graph import META, Array, LayerGraph, Source
from ..onnx.operation import Calls
from ..onnx.values import Tensor
from ..protobuf import message, number
from ..tensor_bundle import Bundle
from .definition import GraphNode, graph_nodes
from .dropout import settle_dropout
from .frozen import OPSET, SPELLING, graph_of, input_of, read_node
from .inference import is_gradient, join_leaky, network_nodes, resolve

_VARIABLES = frozenset({"VariableV2", "Variable", "VarHandleOp"})
_SHAPES = frozenset({"Shape", "ShapeN", "Size", "Rank"})
_OF_LOSSES, _ANSWERS = frozenset({"Log", "Neg", "Reshape", "Squeeze"}), frozenset({"Softmax", "LogSoftmax", "Sigmoid"})
_BOOL = 10


@dataclass(frozen=True, eq=False)
class MetaGraph:
    """The network in a checkpoint's graph: its nodes, values known in advance, its board and the likely outputs.

    `sure` are the outputs that training compares; the others may be figures of training. `assumed` has a sentence for
    each fed probability of dropout.
    """

    nodes: tuple[GraphNode, ...]
    constants: Mapping[str, Array]
    assumed: tuple[str, ...]
    variables: tuple[str, ...]
    board: str
    sure: tuple[str, ...]
    ends: tuple[str, ...]


def meta_of(path: Path) -> Path | None:
    """The .meta of the checkpoint that has this file; None if it is missing."""
    prefix = checkpoint_prefix(path)
    meta = None if prefix is None else prefix.with_name(f"{prefix.name}.{META}")
    return meta if meta is not None and meta.is_file() else None


def read_meta_graph(meta: Path) -> LayerGraph:
    """The LayerGraph of a checkpoint; nothing in its graph runs.

    CheckpointError if it is damaged, if it contains no network, or if an operation has no canonical form.
    """
    where, network = f"'{meta}'", find_network(meta)
    prefix = meta.with_suffix("")
    bundle = Bundle(prefix, f"'{prefix}'")
    missing = [name for name in network.variables if name not in bundle.keys]
    if missing:
        raise CheckpointError(f"{where}: its variable '{missing[0][:80]}' is not in the checkpoint: copy it again.")
    constants = {**network.constants, **{name: bundle.value(name) for name in network.variables}}
    calls = Calls(OPSET, None, dict(constants))
    spec = input_of(next(node for node in network.nodes if node.name == network.board), where)
    calls.unique(spec.tensor)
    calls.values[spec.name] = Tensor(spec.tensor, spec.shape)
    failed: dict[str, CheckpointError] = {}
    for node in join_leaky(network.nodes, constants):
        if node.kind == "Placeholder":
            continue
        before = next((failed[name] for name in node.inputs if name in failed), None)
        try:
            if before is None:
                read_node(calls, node, where)
        except CheckpointError as error:
            before = error
        if before is not None:
            failed[node.name] = before
    needed = next((failed[name] for name in network.sure or network.ends if name in failed), None)
    if needed is not None:
        raise needed
    # An output has at least one number per position; a sum over positions is a figure of training.
    ends = [name for name in network.ends if name not in failed and isinstance(calls.values[name], Tensor)]
    if not ends:
        raise CheckpointError(f"{where} has no output that follows from a board: give the network as ONNX.")
    source = Source(
        meta,
        META,
        sha256(next(iter(sorted(meta.parent.glob(f"{prefix.name}.data-*"))), meta)),
        SPELLING,
        {"class_name": "MetaGraphDef", "config": {}},
        framework="TensorFlow 1, a checkpoint with its graph",
    )
    return graph_of(calls, (spec,), ends, source, network.assumed)


def find_network(meta: Path) -> MetaGraph:
    """The nodes of inference in a .meta; CheckpointError if it is damaged or has no board."""
    nodes, constants = graph_nodes(meta, lambda parser, data: message(parser.fields(data), 2))
    variables = {node.name: np.zeros(0) for node in nodes if node.kind in _VARIABLES}
    fed = {node.name: np.zeros((), bool) for node in nodes if node.kind == "Placeholder" and _is_flag(node)}
    settled = settle_dropout(nodes, {**constants, **variables, **fed})
    nodes, known = settled.nodes, settled.constants
    behind = _placeholders(nodes, known)
    alone = [name for names in behind.values() if len(names) == 1 for name in names]
    board = max(dict.fromkeys(alone), key=alone.count, default=None)
    if board is None:
        raise CheckpointError(f"'{meta}' has no placeholder for a board: give the network as ONNX.")
    sure, last = _ends(nodes, behind, board)
    names = resolve(nodes, known)
    live, ends = network_nodes(nodes, known, [*sure, *last])
    read = {name for node in live for name in node.inputs}
    return MetaGraph(
        tuple(live),
        {name: value for name, value in known.items() if name not in variables},
        settled.quirks,
        tuple(name for name in variables if name in read),
        board,
        tuple(name for name in ends if name in {names.get(each, each) for each in sure}),
        tuple(ends),
    )


def _is_flag(node: GraphNode) -> bool:
    """Whether a placeholder takes a bool that says whether training runs; in inference it does not."""
    return number(node.attributes.get("dtype", []), 6) == _BOOL


def _placeholders(nodes: Sequence[GraphNode], known: Mapping[str, Array]) -> dict[str, frozenset[str]]:
    """For each node's name, the placeholders from whose values inference calculates it; shapes do not count.

    Dropout, with a placeholder for its rate, lies in a branch of training only.
    """
    behind: dict[str, frozenset[str]] = {}
    names = resolve(nodes, known)
    for node in nodes:
        if node.kind == "Placeholder" and node.name not in known:
            behind[node.name] = frozenset({node.name})
        elif node.name in known or node.kind in _SHAPES:
            behind[node.name] = frozenset()
        else:
            given = (names[node.name],) if node.name in names else node.inputs
            inputs = (names.get(name, name).partition(":")[0] for name in (each.removesuffix(":0") for each in given))
            behind[node.name] = frozenset().union(*(behind.get(name, frozenset()) for name in inputs))
    return behind


def _ends(nodes: Sequence[GraphNode], behind: Mapping[str, frozenset[str]], board: str) -> tuple[list[str], list[str]]:
    """The outputs that training compares with fed values, and those that nothing reads; gradients do not count."""
    sure, read, alone = [], set(), frozenset({board})
    for node in nodes:
        if is_gradient(node.name) or node.kind in _SHAPES:
            continue
        inputs = [name.partition(":")[0] for name in node.inputs]
        read.update(inputs)
        if len(behind[node.name]) > 1:
            sure += [name for name in inputs if behind.get(name) == alone and name != board]
    made = {node.name: node for node in nodes}
    sure = [_before_the_loss(name, made, behind, board) for name in sure]
    mine = [node for node in nodes if behind[node.name] == alone and node.name != board]
    last = [node.name for node in mine if node.name not in read and not is_gradient(node.name)]
    # A loss on logits compares the answers of the softmax after them.
    answered = {made[name].inputs[0].partition(":")[0]: name for name in (*sure, *last) if made[name].kind in _ANSWERS}
    sure = list(dict.fromkeys(answered.get(name, name) for name in sure))
    return sure, [name for name in last if name not in sure]


def _before_the_loss(name: str, made: Mapping[str, GraphNode], behind: Mapping[str, frozenset[str]], board: str) -> str:
    """The output before the loss's own operations on it: a logarithm, or another shape."""
    before = made[name].inputs[0].partition(":")[0] if made[name].kind in _OF_LOSSES else name
    return (
        name
        if before == name or behind.get(before) != frozenset({board})
        else _before_the_loss(before, made, behind, board)
    )

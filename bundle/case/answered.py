"""Finds the random boards that a network can answer: those without 0 / 0, and with a legal move.

A network that computes its legal moves from the board subtracts a large number from the logits of the others, such as
1e9. At that size float32 holds only every 64th whole number. If a board leaves no move, all logits become the same
number, or what rounding leaves of them. No game contains such a board, and nothing could be proved on it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import UnsupportedLayer
from ...export.checkpoint.layer_graph import Call, LayerGraph
from ...validate.witness.evaluate import evaluate

# From here on, neighbouring float32 numbers are a sixteenth apart: adding a small number loses part of it.
LARGE = 1e6
Mask = NDArray[np.bool_]


def divides(graph: LayerGraph) -> bool:
    """Whether the network divides one tensor by another: some random boards then give 0 / 0."""
    kinds = {(call.layer.kind, len(call.inputs)) for call in graph.calls}
    return bool(kinds & {("ops.Divide", 2), ("ops.TrueDivide", 2)})


def takes_away(graph: LayerGraph) -> bool:
    """Whether the network has a softmax, and a number of at least LARGE that may mask moves."""
    return any(map(_is_softmax, graph.calls)) and any(_is_large(call.arguments) for call in graph.calls)


def boards_answered(graph: LayerGraph) -> Callable[[Mapping[str, NDArray[Any]]], Mask] | None:
    """A test that marks the boards (N,) with finite answers by the witness and an unmasked number for each softmax.

    None if every board has an answer. The test accepts all boards if the witness cannot run.
    """
    asked = {call.inputs[0] for call in graph.calls if _is_softmax(call)} if takes_away(graph) else set()
    return partial(_is_answered, graph, asked) if asked or divides(graph) else None


def _is_answered(graph: LayerGraph, asked: Set[str], feeds: Mapping[str, NDArray[Any]]) -> Mask:
    def look(name: str, values: NDArray[Any]) -> None:
        if name in asked:
            rows.append((values.max(axis=-1, keepdims=True) > -LARGE).reshape(len(values), -1).all(axis=1))

    count = len(next(iter(feeds.values())))
    rows: list[Mask] = []
    try:
        answers = evaluate(graph, feeds, watch=look)
    except UnsupportedLayer:
        return np.ones(count, np.bool_)
    # The witness runs on groups of boards, so that `look` gets each softmax once per group.
    softmaxes = len(asked)
    groups = [rows[at : at + softmaxes] for at in range(0, len(rows), softmaxes)] if softmaxes else []
    left: list[Mask] = [np.concatenate([np.logical_and.reduce(group) for group in groups])] if groups else []
    finite = [np.isfinite(answer.reshape(count, -1)).all(axis=1) for answer in answers.values()]
    return np.asarray(np.logical_and.reduce([*finite, *left]))


def _is_softmax(call: Call) -> bool:
    kind = call.layer.kind
    named = str(call.layer.config.get("activation")) in ("softmax", "log_softmax")
    return bool(call.inputs) and (
        kind in ("Softmax", "ops.Softmax", "ops.LogSoftmax") or (kind == "Activation" and named)
    )


def _is_large(arguments: Any) -> bool:
    """Whether a number of at least LARGE is among a call's arguments."""
    if isinstance(arguments, Mapping):
        return any(map(_is_large, arguments.values()))
    if isinstance(arguments, list | tuple):
        return any(map(_is_large, arguments))
    if isinstance(arguments, np.ndarray | int | float) and not isinstance(arguments, bool):
        return bool((np.abs(np.asarray(arguments, np.float64)) >= LARGE).any())
    return False

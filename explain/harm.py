"""Measures each layer's own effect on an artifact's answers, to find the most harmful layer.

In a lower precision every layer errs, and the size of an error says little about its effect. For example, the next
layer may depend only on a value of 0.1 in a tensor whose largest value is 60. So each layer's errors go through an
original that is otherwise exact. A layer here means all steps that stay in float together: its product, and the steps
up to the next product.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..export.checkpoint.layer_graph import LayerGraph
from ..validate.proof.proof import as_json_number
from .verdict import Answers, is_rounding
from .walk import Step, replay

# A layer is to blame if it alone makes this share of the answers' squared error, and removes it when it is exact.
MUCH = 0.5


@dataclass(frozen=True, eq=False)
class Harm:
    """A layer's steps, the one with weights first, and its own share of the answers' squared error.

    The shares of a network add up to about 1; much more or less means that its layers' errors depend on each other.
    `left` is the share that remains if this layer alone is exact; it is measured only for very harmful layers.
    """

    steps: tuple[Step, ...]
    share: float
    left: float | None = None

    @property
    def is_much(self) -> bool:
        """Whether this layer is to blame: it does much harm, and much less remains without it."""
        return self.left is not None and self.left <= 1 - MUCH

    @property
    def weight(self) -> tuple[float, float]:
        """The key that orders layers: the harm done and the harm removed, because one of them alone may be chance."""
        return self.share * (1 - self.left) if self.left is not None else 0.0, self.share

    @property
    def layer(self) -> str:
        """The layer that has the weights."""
        return self.steps[0].layer

    def as_data(self) -> dict[str, Any]:
        """The layer's part of the output of `azx explain --json`."""
        layers = tuple(dict.fromkeys(name for step in self.steps for name in step.layers))
        left = {} if self.left is None else {"left": as_json_number(self.left)}
        return {"layer": self.layer, "layers": layers, "alone": as_json_number(self.share)} | left


def harms(
    graph: LayerGraph, steps: Sequence[Step], feeds: Mapping[str, NDArray[np.float32]], truth: Answers
) -> list[Harm]:
    """The layers with errors beyond rounding, in the order of execution; empty if no layer has any.

    `truth` are the original's answers (N, ...) by source name. The result is also empty if an answer is not a finite
    number.
    """
    total = _squared_error(graph, replay(graph, steps, feeds), truth)
    if not (np.isfinite(total) and total > 0):
        return []
    erring = [each for each in by_layer(steps) if not all(is_rounding(step) for step in each)]
    shares = [Harm(each, _squared_error(graph, replay(graph, each, feeds), truth) / total) for each in erring]
    for at, each in enumerate(shares):
        if each.share >= MUCH:
            others = [step for step in steps if step not in each.steps]
            shares[at] = replace(each, left=_squared_error(graph, replay(graph, others, feeds), truth) / total)
    return shares


def by_layer(steps: Sequence[Step]) -> list[tuple[Step, ...]]:
    """The steps of each layer with weights; a sum of two layers belongs to the later one."""
    layers: list[list[Step]] = []
    owner: dict[str, int] = {}
    for step in steps:
        if step.weighs:
            layers.append([])
            at = len(layers) - 1
        else:
            read = [name.partition("#")[0] for call in step.calls for name in call.inputs]
            at = max((owner[name] for name in read if name in owner), default=-1)
        if at >= 0:
            layers[at].append(step)
            owner[step.output] = at
    return [tuple(each) for each in layers]


def _squared_error(graph: LayerGraph, answers: Answers, truth: Answers) -> float:
    """The mean squared error of all heads, each in units of its largest answer."""
    total = 0.0
    for head in graph.outputs:
        answer, expected = (np.asarray(each[head.source_name], np.float64) for each in (answers, truth))
        largest = max(float(np.abs(expected).max(initial=0.0)), float(np.finfo(np.float32).tiny))
        with np.errstate(invalid="ignore", over="ignore"):
            total += float((((answer - expected) / largest) ** 2).mean())
    return total

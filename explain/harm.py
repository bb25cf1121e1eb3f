"""What each layer of an artifact does to the answers alone: which of them harms most.

In a lower precision every layer errs, and the size of an error says little about its effect. The next layer may depend
only on a number of 0.1 beside a largest value of 60. So each layer's errors go through an original that is exact
otherwise. A layer is here what an export leaves in float with it: its product, and what follows up to the next one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..export.checkpoint.layer_graph import LayerGraph
from .verdict import Answers, is_rounding, number
from .walk import Step, replay

# Share of the answers' squared error that one layer must make, and must take with it, to be blamed for it.
MUCH = 0.5


@dataclass(frozen=True, eq=False)
class Harm:
    """A layer's steps, the first of which has its weights, and its share of the answers' squared error, alone.

    The shares of a network add up to about 1; much more or less says that its layers' errors hang together. `left` is
    the share that remains where this layer alone is exact, known of those that harm much.
    """

    steps: tuple[Step, ...]
    share: float
    left: float | None = None

    @property
    def is_much(self) -> bool:
        """Whether this layer is to blame: it does much harm, and without it much less is left."""
        return self.left is not None and self.left <= 1 - MUCH

    @property
    def weight(self) -> tuple[float, float]:
        """By which layers are ordered: what they do and take with them, since either alone may be chance."""
        return self.share * (1 - self.left) if self.left is not None else 0.0, self.share

    @property
    def layer(self) -> str:
        """The layer that has the weights."""
        return self.steps[0].layer

    def as_data(self) -> dict[str, Any]:
        """What `azx explain --json` prints of it."""
        layers = tuple(dict.fromkeys(name for step in self.steps for name in step.layers))
        left = {} if self.left is None else {"left": number(self.left)}
        return {"layer": self.layer, "layers": layers, "alone": number(self.share)} | left


def harms(
    graph: LayerGraph, steps: Sequence[Step], feeds: Mapping[str, NDArray[np.float32]], truth: Answers
) -> list[Harm]:
    """The layers that err by more than rounding, in the order of execution; none if nothing is wrong.

    `truth` are the original's answers (N, ...) by source name. Answers that are no numbers have no error to share.
    """
    total = _squared_error(graph, replay(graph, steps, feeds), truth)
    if not (np.isfinite(total) and total > 0):
        return []
    erring = [each for each in by_layer(steps) if not all(is_rounding(step) for step in each)]
    found = [Harm(each, _squared_error(graph, replay(graph, each, feeds), truth) / total) for each in erring]
    for at, each in enumerate(found):
        if each.share >= MUCH:
            others = [step for step in steps if step not in each.steps]
            found[at] = replace(each, left=_squared_error(graph, replay(graph, others, feeds), truth) / total)
    return found


def by_layer(steps: Sequence[Step]) -> list[tuple[Step, ...]]:
    """The steps of each layer with weights; where two layers meet, in a sum, the later one ends there."""
    found: list[list[Step]] = []
    owner: dict[str, int] = {}
    for step in steps:
        if step.weighs:
            found.append([])
            at = len(found) - 1
        else:
            read = [name.partition("#")[0] for call in step.calls for name in call.inputs]
            at = max((owner[name] for name in read if name in owner), default=-1)
        if at >= 0:
            found[at].append(step)
            owner[step.output] = at
    return [tuple(each) for each in found]


def _squared_error(graph: LayerGraph, answers: Answers, truth: Answers) -> float:
    """The mean squared error of all heads, each in units of its largest answer."""
    total = 0.0
    for head in graph.outputs:
        answer, expected = (np.asarray(each[head.source_name], np.float64) for each in (answers, truth))
        largest = max(float(np.abs(expected).max(initial=0.0)), float(np.finfo(np.float32).tiny))
        with np.errstate(invalid="ignore", over="ignore"):
            total += float((((answer - expected) / largest) ** 2).mean())
    return total

"""Walks through the layers: how each one changed the values that the artifact itself gave it.

A layer's own error compares the artifact's tensor with the same layer calculated in float64 from the artifact's own
inputs to it. So errors in those inputs do not count. Its drift compares the artifact's tensor with the original's, and
thus includes all earlier errors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..export.checkpoint.layer_graph import Call, LayerGraph
from ..validate.witness.evaluate import apply, input_tensors, last_reads
from .landmarks import Landmark
from .matching import Matcher, relative
from .taps.tap import Tap

Values = NDArray[np.float64]
# The number of later layers that may fit an unnamed tensor better.
AHEAD = 2


@dataclass(frozen=True, eq=False)
class Step:
    """One identified tensor of the artifact, and the layers that it covers; the last one makes it in Keras.

    `own`, `rounding` and `drift` are shares of the tensor's largest value. `own` is the layers' own error, `rounding`
    float32's error in NumPy from the same values, `drift` the distance from the original. Adding `correction` (N, ...)
    to the layers' exact result gives the artifact's tensor.
    """

    calls: tuple[Call, ...]
    tensor: str
    by: str
    own: float
    rounding: float
    drift: float
    correction: NDArray[np.float32]

    @property
    def output(self) -> str:
        """Keras' name of the tensor."""
        return self.calls[-1].output

    @property
    def layers(self) -> tuple[str, ...]:
        """The names of the layers, in the order of execution."""
        return tuple(dict.fromkeys(call.layer.name for call in self.calls))

    @property
    def layer(self) -> str:
        """The layer to name in a fault: the first one with weights, else the last."""
        return next((call.layer.name for call in self.calls if call.layer.weights), self.calls[-1].layer.name)

    @property
    def weighs(self) -> bool:
        """Whether one of the layers has weights."""
        return any(call.layer.weights for call in self.calls)


def walk(
    graph: LayerGraph, marks: Mapping[str, Landmark], taps: Sequence[Tap], feeds: Mapping[str, NDArray[np.float32]]
) -> list[Step]:
    """The steps in the order of execution; `feeds` have the checkpoint's input names.

    Raises UnsupportedLayer if the float64 witness has no rule for a layer.
    """
    matcher, major = Matcher(taps, dict(marks)), graph.source.keras_major
    truth, actual = input_tensors(graph, feeds), input_tensors(graph, feeds)
    single = input_tensors(graph, feeds, np.float32)
    behind: dict[str, int] = dict.fromkeys(actual, -1)
    waiting: dict[str, tuple[Call, ...]] = dict.fromkeys(actual, ())
    steps = []
    wanted = {head.tensor for head in graph.outputs}
    for at, (call, dead) in enumerate(zip(graph.calls, last_reads(graph), strict=True)):
        for tensors in (truth, actual, single):
            _keep_tensors(tensors, call, apply(call, tensors, major))
        expected = actual[call.output]
        behind[call.output] = max(behind[_first(name)] for name in call.inputs)
        members = tuple(dict.fromkeys(each for name in call.inputs for each in waiting[_first(name)]))
        waiting[call.output] = (*members, call)
        mark = marks.get(call.output)
        match = mark and matcher.find(mark, expected, behind[call.output], partial(_ahead, graph, at, actual, major))
        if match:
            inexact = relative(single[call.output].astype(np.float64), expected)
            own, drift = relative(match.values, expected), relative(match.values, truth[call.output])
            correction = (match.values - expected).astype(np.float32)
            steps.append(Step(waiting[call.output], match.tap.name, match.by, own, inexact, drift, correction))
            behind[call.output], waiting[call.output] = matcher.place(match.tap), ()
            actual[call.output], single[call.output] = match.values, match.values.astype(np.float32)
        for name in dead - wanted:
            for tensors in (truth, actual, single):
                tensors.pop(name, None)
    return steps


def _first(tensor: str) -> str:
    """The first output of the call that made a tensor."""
    return tensor.partition("#")[0]


def _keep_tensors(tensors: dict[str, Values], call: Call, made: Sequence[Values]) -> None:
    for index, values in enumerate(made):
        tensors[f"{call.output}#{index}" if index else call.output] = values


def _ahead(graph: LayerGraph, at: int, actual: Mapping[str, Values], major: int) -> list[Values]:
    """The results of the next layers that depend on this one only."""
    values, tensors = [], dict(actual)
    output = graph.calls[at].output
    for _ in range(AHEAD):
        readers = [call for call in graph.calls[at + 1 :] if output in call.inputs]
        if len(readers) != 1 or any(name not in tensors for name in readers[0].inputs):
            break
        values.append(apply(readers[0], tensors, major)[0])
        output = readers[0].output
        tensors[output] = values[-1]
    return values


def replay(graph: LayerGraph, steps: Sequence[Step], feeds: Mapping[str, NDArray[np.float32]]) -> dict[str, Values]:
    """The outputs (N, ...), by source name, of an artifact with the errors in `steps` and exact otherwise.

    Each step's own error is added to its result from the new inputs.
    """
    tensors, major = input_tensors(graph, feeds), graph.source.keras_major
    corrections = {step.output: step.correction for step in steps}
    for call in graph.calls:
        _keep_tensors(tensors, call, apply(call, tensors, major))
        if call.output in corrections:
            tensors[call.output] = tensors[call.output] + corrections[call.output]
    return {head.source_name: tensors[head.tensor] for head in graph.outputs}

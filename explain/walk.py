"""The walk through the layers: what each of them did to the values that the artifact itself gave it.

A layer's own error compares the artifact's tensor with the same layer computed in float64 from the artifact's own
inputs to it. Errors in those inputs do not count. Its drift is the artifact's tensor against the original's, all
earlier errors in it.
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
# Layers that follow an unnamed tensor and may have a better claim to it.
AHEAD = 2


@dataclass(frozen=True, eq=False)
class Step:
    """One tensor of the artifact that was found: the layers that it stands for, the last of them its maker in Keras.

    `own`, `rounding` and `drift` are shares of the tensor's largest value. `own` is the layers' own error, `rounding`
    that of float32 in NumPy from the same values, `drift` the distance from the original. `correction` (N, ...) is
    what, added to the layers' exact result, gives the artifact's.
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
        """The layer that a fault is named after: the first that has weights, else the last."""
        return next((call.layer.name for call in self.calls if call.layer.weights), self.calls[-1].layer.name)

    @property
    def weighs(self) -> bool:
        """Whether one of the layers has weights."""
        return any(call.layer.weights for call in self.calls)


def walk(
    graph: LayerGraph, marks: Mapping[str, Landmark], taps: Sequence[Tap], feeds: Mapping[str, NDArray[np.float32]]
) -> list[Step]:
    """The steps in the order of execution. `feeds` go by the checkpoint's input names.

    Raises UnsupportedLayer if the float64 witness has no rule for a layer.
    """
    matcher, major = Matcher(taps, dict(marks)), graph.source.keras_major
    truth, given = input_tensors(graph, feeds), input_tensors(graph, feeds)
    single = input_tensors(graph, feeds, np.float32)
    behind: dict[str, int] = dict.fromkeys(given, -1)
    waiting: dict[str, tuple[Call, ...]] = dict.fromkeys(given, ())
    steps = []
    wanted = {head.tensor for head in graph.outputs}
    for at, (call, dead) in enumerate(zip(graph.calls, last_reads(graph), strict=True)):
        for tensors in (truth, given, single):
            _keep_tensors(tensors, call, apply(call, tensors, major))
        expected = given[call.output]
        behind[call.output] = max(behind[_first(name)] for name in call.inputs)
        members = tuple(dict.fromkeys(each for name in call.inputs for each in waiting[_first(name)]))
        waiting[call.output] = (*members, call)
        mark = marks.get(call.output)
        found = mark and matcher.find(mark, expected, behind[call.output], partial(_ahead, graph, at, given, major))
        if found:
            inexact = relative(single[call.output].astype(np.float64), expected)
            own, drift = relative(found.values, expected), relative(found.values, truth[call.output])
            correction = (found.values - expected).astype(np.float32)
            steps.append(Step(waiting[call.output], found.tap.name, found.by, own, inexact, drift, correction))
            behind[call.output], waiting[call.output] = matcher.place(found.tap), ()
            given[call.output], single[call.output] = found.values, found.values.astype(np.float32)
        for name in dead - wanted:
            for tensors in (truth, given, single):
                tensors.pop(name, None)
    return steps


def _first(tensor: str) -> str:
    """The first output of the call that made a tensor."""
    return tensor.partition("#")[0]


def _keep_tensors(tensors: dict[str, Values], call: Call, made: Sequence[Values]) -> None:
    for index, values in enumerate(made):
        tensors[f"{call.output}#{index}" if index else call.output] = values


def _ahead(graph: LayerGraph, at: int, given: Mapping[str, Values], major: int) -> list[Values]:
    """What the layers that alone follow this one give."""
    values, tensors = [], dict(given)
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
    """The outputs (N, ...), by source name, of an artifact that errs as in `steps` and is exact otherwise.

    The steps' own errors are added to what each makes of its new inputs.
    """
    tensors, major = input_tensors(graph, feeds), graph.source.keras_major
    corrections = {step.output: step.correction for step in steps}
    for call in graph.calls:
        _keep_tensors(tensors, call, apply(call, tensors, major))
        if call.output in corrections:
            tensors[call.output] = tensors[call.output] + corrections[call.output]
    return {head.source_name: tensors[head.tensor] for head in graph.outputs}

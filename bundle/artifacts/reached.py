"""Positions that the original reaches by playing itself, with its answers on them: for gates, and for int8's scales."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import UnsupportedLayer
from ...export.checkpoint.head import POLICY, Head
from ...export.checkpoint.layer_graph import LayerGraph
from ...export.graph.frozen import FrozenGraph
from ...export.temporary import temporary_folder
from ...games.game import Reading
from ...validate.gate.self_play import self_play
from ...validate.positions import Positions
from ...validate.run import Answers
from ...validate.witness.evaluate import evaluate
from ...validate.workers import Workers, result

# How many positions of self-play a gate takes, and how many int8's scales are found on.
JUDGED, CALIBRATED = 2_000, 500
# What the seed of the second has more than that of the first: scales are not judged on what they were found on.
CALIBRATION_SEED = 2**34
Outputs = dict[str, NDArray[Any]]
Ask = Callable[[NDArray[np.float32]], Outputs]


@dataclass(frozen=True, eq=False)
class Reached:
    """Positions of self-play by the checkpoint's input name; `exact` are the witness' answers, missing without one."""

    positions: Positions
    exact: Answers


def reached(
    workers: Workers,
    graph: LayerGraph,
    heads: tuple[Head, ...],
    reading: Reading,
    counts: Mapping[int, int],
    frozen: FrozenGraph | None,
) -> list[Reached]:
    """Positions of self-play, so many for each seed.

    The float64 witness plays; where it does not know a layer, the frozen graph does in TensorFlow. UnsupportedLayer
    where there is no such graph.
    """
    try:
        return result(workers.light(by_witness, graph, heads, reading, counts), "playing by the float64 witness")
    except UnsupportedLayer as error:
        if frozen is None:
            raise
        played = result(workers.tensorflow(by_graph, graph, heads, reading, counts, frozen), "playing by TensorFlow")
        return [replace(each, exact=Answers("float64 witness", missing=str(error))) for each in played]


def by_witness(
    graph: LayerGraph, heads: tuple[Head, ...], reading: Reading, counts: Mapping[int, int]
) -> list[Reached]:
    """Self-play by the witness; UnsupportedLayer where it does not know a layer."""
    name = graph.inputs[0].name
    return _played(lambda boards: evaluate(graph, {name: boards}), name, heads, reading, counts)


def by_graph(
    graph: LayerGraph, heads: tuple[Head, ...], reading: Reading, counts: Mapping[int, int], frozen: FrozenGraph
) -> list[Reached]:
    """Self-play by the frozen graph in TensorFlow; its answers are its own and no witness'."""
    from ...export.formats.table import FORMATS

    sources = {head.name: head.source_name for head in frozen.outputs}
    with temporary_folder("self-play") as folder:
        path = folder / "network.pb"
        FORMATS["pb"].write(frozen, path)
        with FORMATS["pb"].open(path) as runner:

            def ask(boards: NDArray[np.float32]) -> Outputs:
                answers = runner.run({frozen.inputs[0].name: boards})
                return {sources[name]: answer for name, answer in answers.items()}

            return _played(ask, graph.inputs[0].name, heads, reading, counts)


def _played(ask: Ask, name: str, heads: tuple[Head, ...], reading: Reading, counts: Mapping[int, int]) -> list[Reached]:
    policy = next(head for head in heads if head.role == POLICY)
    found = []
    for seed, count in counts.items():
        told: dict[bytes, tuple[NDArray[Any], ...]] = {}
        answer = partial(_noted, ask, [head.source_name for head in heads], policy.source_name, told)
        positions = self_play(reading, name, answer, policy.activation, count, seed)
        rows = [told[board.tobytes()] for board in positions.feeds[name]]
        outputs = {head.source_name: np.stack([row[at] for row in rows]) for at, head in enumerate(heads)}
        found.append(Reached(positions, Answers("float64 witness", outputs)))
    return found


def _noted(
    ask: Ask, names: list[str], policy: str, told: dict[bytes, tuple[NDArray[Any], ...]], boards: NDArray[np.float32]
) -> NDArray[Any]:
    """The policy's answers, all heads' noted by the board: asking again would take as long as the games did."""
    outputs = ask(boards)
    for row, board in enumerate(boards):
        told.setdefault(board.tobytes(), tuple(outputs[name][row] for name in names))
    return outputs[policy]

"""The original: runs Keras and the float64 witness, and stores their answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import AzxError, NotRunHere
from ...export.checkpoint.head import Head, with_ranges
from ...export.checkpoint.layer_graph import LayerGraph
from ...export.graph.frozen import Port
from ...export.original.live import LiveModel
from ...manifest import Calculation
from ...system.progress import Step
from ...system.workers import Workers, result
from ...validate.answers import Answers
from ...validate.positions import Positions
from ...validate.proof.calculation import Comparison
from ...validate.proof.truth import Truth, establish
from ...validate.run import original, rounded, witness
from .detection import artifact_feeds

Feeds = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, eq=False)
class SelfPlay:
    """Positions of self-play by the checkpoint's input name; `exact` are the witness' answers, if it can run."""

    positions: Positions
    exact: Answers


@dataclass(frozen=True, eq=False)
class Original:
    """The network of the checkpoint, whose answers its artifacts must give.

    `heads` and `inputs` have the artifacts' names and the checkpoint's. `model` is the exported model in memory, None
    for a file. `traced` is the reason why the graph is traced from Keras, None if it is simplified. `work` is
    multiply-adds per position, None if unknown.
    """

    graph: LayerGraph
    heads: tuple[Head, ...]
    inputs: Sequence[Port]
    model: LiveModel | None = None
    traced: str | None = None
    work: int | None = None

    @property
    def names(self) -> dict[str, str]:
        """The checkpoint's input names, each with the artifacts' name for it."""
        return {port.source_name: port.name for port in self.inputs}

    def fed(self, positions: Positions) -> Positions:
        """The positions under the artifacts' input names."""
        return replace(positions, feeds=artifact_feeds(positions, self.names))

    def compare(self, folder: Path, formats: Mapping[str, str], on_step: Step) -> dict[str, Calculation]:
        """Each float32 artifact's comparison of its bytes with the checkpoint; `formats` maps paths to formats."""
        on_step("comparing the files with the checkpoint")
        outputs, inputs = ({each.name: each.source_name for each in of} for of in (self.heads, self.inputs))
        return Comparison(self.graph, outputs, inputs, self.traced).of_all(folder, formats)

    def ask(
        self, workers: Workers, feeds: Feeds, played: SelfPlay | None = None, exact: Future[Answers] | None = None
    ) -> PendingAnswers:
        """Start to answer `feeds`, {the checkpoint's input: (N, ...)}, and then the positions of self-play.

        `exact` has the witness' answers on `feeds`, if known.
        """
        rows = len(next(iter(feeds.values())))
        every = feeds if played is None else join_rows(feeds, played.positions.feeds)
        reference = original(workers, self.graph, self.model, every)
        exact = exact or workers.light(witness, self.graph, feeds)
        return PendingAnswers(self, rows, played, reference, exact, lambda: workers.light(rounded, self.graph, feeds))


@dataclass(frozen=True, eq=False)
class PendingAnswers:
    """The running tasks of Keras and the witness: `rows` positions, and for Keras also those of self-play.

    `rounded` asks the witness for the same answers in float32.
    """

    original: Original
    rows: int
    played: SelfPlay | None
    reference: Callable[[], Answers]
    witness: Future[Answers]
    rounded: Callable[[], Future[Answers]]

    def wait(self) -> OriginalAnswers:
        """The original's answers.

        NotRunHere if neither can run the network, AzxError if rounding decides the answers.
        """
        reference, exact = self.reference(), result(self.witness, "running the float64 witness")
        first = rows_of(reference, slice(0, self.rows))
        try:
            truth = establish(self.original.heads, first, exact, lambda: result(self.rounded(), "asking in float32"))
        except NotRunHere:
            raise
        except AzxError as error:
            raise AzxError(f"'{self.original.graph.source.path}': {error}") from error
        heads = with_ranges(self.original.heads, truth.expected)
        in_play = None
        if self.played is not None:
            rest = rows_of(reference, slice(self.rows, None))
            in_play = establish(heads, rest, self.played.exact).expected
        return OriginalAnswers(self.original.graph.source.name, heads, truth, exact, in_play)


@dataclass(frozen=True, eq=False)
class OriginalAnswers:
    """The original's answers; `name` is its file.

    `heads` have the range of each policy. `exact` are the witness' own answers; they are `missing` if it cannot run.
    `in_play` are the answers on the positions of self-play, {head: (N, ...)}, or None.
    """

    name: str
    heads: tuple[Head, ...]
    truth: Truth
    exact: Answers
    in_play: Mapping[str, NDArray[Any]] | None

    def on(self, positions: Positions) -> Truth:
        """The original's answers on `positions`, for a proof; these must be the first positions it answered."""
        count = len(positions)
        expected = {name: rows[:count] for name, rows in self.truth.expected.items()}
        exact = None if self.truth.exact is None else {name: rows[:count] for name, rows in self.truth.exact.items()}
        notes = (*self.truth.notes, *filter(None, [positions.note]))
        return replace(self.truth, by=f"{self.name}, by {self.truth.by}", expected=expected, exact=exact, notes=notes)

    @property
    def by_witness(self) -> Mapping[str, NDArray[Any]]:
        """The witness' answers (N, ...) by head, equal on every machine; without a witness the original's."""
        if self.exact.missing:
            return self.truth.expected
        return {head.name: self.exact.outputs[head.source_name] for head in self.heads}


def ask_once(workers: Workers, graph: LayerGraph, model: LiveModel | None, feeds: Feeds) -> Answers:
    """The witness' answers, or Keras' if the witness does not know a layer; NotRunHere if neither can run."""
    exact = result(workers.light(witness, graph, feeds), "running the float64 witness")
    if not exact.missing:
        return exact
    answers = original(workers, graph, model, feeds)()
    if answers.missing:
        raise NotRunHere(f"There is nothing to compare with: {answers.missing}; no float64 witness: {exact.missing}.")
    return answers


def rows_of(answers: Answers, rows: slice) -> Answers:
    """The original's answers (N, ...) on some rows, by output."""
    return replace(answers, outputs={name: output[rows] for name, output in answers.outputs.items()})


def join_rows(feeds: Feeds, more: Feeds) -> dict[str, NDArray[Any]]:
    """Each feed (N, ...) with the other feed's rows (M, ...) appended, in its dtype: (N + M, ...)."""
    return {name: np.concatenate([feed, np.asarray(more[name], feed.dtype)]) for name, feed in feeds.items()}

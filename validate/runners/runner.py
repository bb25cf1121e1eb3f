"""The protocol of every runtime: open an artifact, state its signature, answer positions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ...export.graph.frozen import Port
from ...system.installed import not_run_here
from ..door.look import admit

__all__ = ["FREE_BATCH", "Answer", "Port", "Runner", "Signature", "Tensors", "in_words", "repeat_last"]

# The most positions per call that an app uses for a file with a free batch.
FREE_BATCH = 64

Tensors = dict[str, NDArray[Any]]
Answer = Callable[[Mapping[str, NDArray[Any]]], Tensors]


@dataclass(frozen=True)
class Signature:
    """Inputs and outputs in the file's order."""

    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]


class Runner(ABC):
    """A context manager for one artifact in one runtime.

    `runtime` names the runtime with its version ("onnxruntime 1.31.1, CPU"), for the report. `threads` is set before it
    is opened; runtimes with a single thread ignore it, and TensorFlow reads its number from the environment.

    `in_process` is true if it answers in this process, so that this process's time includes it. `stands_in` is true if
    apps use another runtime for the artifact: its answers count, its time does not.

    `format` is the artifact's; its check (`validate/door`) runs before the artifact is opened. None is for a checkpoint
    that NumPy runs, which is not an artifact. It has no default, so that no runner omits the check.
    """

    format: ClassVar[str | None]
    threads = 1
    in_process = True
    stands_in = False

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    @abstractmethod
    def runtime(self) -> str:
        """The runtime that answers, and its version."""

    @abstractmethod
    def open(self) -> None:
        """Load the artifact; raises azx.errors.BundleError if it cannot be read.

        Raises Refused if it can be read but the runtime does not accept it.
        """

    def close(self) -> None:  # noqa: B027 - most runtimes have nothing to release
        """Release the resources of `open`."""

    @abstractmethod
    def signature(self) -> Signature:
        """Names, shapes and order as the file states them."""

    def list_misnamed_nodes(self, nodes: Mapping[str, str]) -> list[str]:
        """The faults of the nodes that compute the outputs (output -> node), in formats that have names for these."""
        return []

    @abstractmethod
    def run_batch(self, feeds: Mapping[str, NDArray[Any]]) -> Tensors:
        """Answer feeds (batch, ...) with (batch, ...) by output; batch is the artifact's own (any if free)."""

    def run(self, feeds: Mapping[str, NDArray[Any]]) -> Tensors:
        """Answer N positions: {input: (N, ...)} -> {output: (N, ...)}, in steps of the batch.

        A file with a free batch is asked as in apps, at most FREE_BATCH positions at a time.
        """
        total = len(next(iter(feeds.values())))
        batch = self.signature().inputs[0].shape[0]
        return self.in_steps(self.run_batch, feeds, batch or min(total, FREE_BATCH), whole=batch is not None)

    def in_steps(self, answer: Answer, feeds: Mapping[str, NDArray[Any]], step: int, *, whole: bool = True) -> Tensors:
        """Answer N positions by `answer`, `step` at a time.

        If `whole`, the last row is repeated to fill the last batch.
        """
        total = len(next(iter(feeds.values())))
        parts = [answer(_slice(feeds, at, step, whole)) for at in range(0, total, step)]
        return {name: np.concatenate([part[name] for part in parts])[:total] for name in parts[0]}

    def other_ways(self, nodes: Mapping[str, str]) -> Sequence[tuple[str, Answer]]:
        """Other ways than `run_batch` in which apps ask such a file for a batch, each with its name for sentences.

        `nodes` are the names of the outputs' nodes (output -> node), in formats that have such names.
        """
        return ()

    def together(self) -> Answer | None:
        """A function that answers N positions many at a time, with the batch made free in memory.

        None if that is not faster here, or if an operation may mix positions.
        """
        return None

    def __enter__(self) -> Self:
        """Check the artifact, then open it; UnsafeArtifact, without opening it, if it does more than calculate."""
        if self.format is not None:
            admit(self.format, self.path)
        try:
            self.open()
        except ImportError as error:
            raise not_run_here(error) from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def in_words(threads: int) -> str:
    """The number of threads in words, for a runtime's name."""
    return "1 thread" if threads == 1 else f"{threads} threads"


def _slice(feeds: Mapping[str, NDArray[Any]], at: int, step: int, whole: bool) -> Tensors:
    """Rows at..at+step: (step, ...); if the feeds end before a `whole` batch, the last row is repeated."""
    part = {name: feed[at : at + step] for name, feed in feeds.items()}
    return repeat_last(part, step - len(next(iter(part.values())))) if whole else part


def repeat_last(feeds: Mapping[str, NDArray[Any]], times: int) -> Tensors:
    """The feeds (N, ...) with their last row added `times` times: (N + times, ...)."""
    if not times:
        return dict(feeds)
    return {name: np.concatenate([rows, np.repeat(rows[-1:], times, axis=0)]) for name, rows in feeds.items()}

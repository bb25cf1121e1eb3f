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

# As many positions at a time as an app asks of a file that leaves its batch free.
FREE_BATCH = 64

Tensors = dict[str, NDArray[Any]]
Answer = Callable[[Mapping[str, NDArray[Any]]], Tensors]


@dataclass(frozen=True)
class Signature:
    """Inputs and outputs in the order in which the file lists them."""

    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]


class Runner(ABC):
    """A context manager over one artifact in one runtime.

    `runtime` names it with its version ("onnxruntime 1.31.1, CPU"), for the report. `threads` is set before it is
    opened; runtimes that have one thread leave it alone, and TensorFlow reads its number from the environment.

    `in_process` says whether it answers in this process, whose time counts it then. `stands_in` says whether it is not
    what runs the artifact in an app: its answers count, and its time does not.

    `format` is the artifact's; its door checks the artifact before it is opened (`validate/door`). None is for a
    checkpoint that NumPy runs, which is no artifact. There is no default, so that no runner forgets the door.
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
        """Runtime and version that answer."""

    @abstractmethod
    def open(self) -> None:
        """Load the artifact; raises azx.errors.BundleError if it cannot be read.

        Refused, if it can be read but the runtime does not accept it.
        """

    def close(self) -> None:  # noqa: B027 - most runtimes have nothing to release
        """Release what `open` took."""

    @abstractmethod
    def signature(self) -> Signature:
        """Names, shapes and order as the file states them."""

    def list_misnamed_nodes(self, nodes: Mapping[str, str]) -> list[str]:
        """What is wrong with the nodes behind the outputs (output -> node), in formats that have such names."""
        return []

    @abstractmethod
    def run_batch(self, feeds: Mapping[str, NDArray[Any]]) -> Tensors:
        """Answer feeds (batch, ...) with (batch, ...) by output; batch is the artifact's own (any if free)."""

    def run(self, feeds: Mapping[str, NDArray[Any]]) -> Tensors:
        """Answer N positions: {input: (N, ...)} -> {output: (N, ...)}, in steps of the batch.

        A file that leaves its batch free is asked as apps ask it, at most FREE_BATCH at a time.
        """
        total = len(next(iter(feeds.values())))
        batch = self.signature().inputs[0].shape[0]
        return self.in_steps(self.run_batch, feeds, batch or min(total, FREE_BATCH), whole=batch is not None)

    def in_steps(self, answer: Answer, feeds: Mapping[str, NDArray[Any]], step: int, *, whole: bool = True) -> Tensors:
        """Answer N positions by `answer`, `step` at a time; the last row is repeated if all must be `whole` batches."""
        total = len(next(iter(feeds.values())))
        parts = [answer(_slice(feeds, at, step, whole)) for at in range(0, total, step)]
        return {name: np.concatenate([part[name] for part in parts])[:total] for name in parts[0]}

    def other_ways(self, nodes: Mapping[str, str]) -> Sequence[tuple[str, Answer]]:
        """Ways besides `run_batch` in which apps ask such a file for a batch, by what sentences call them.

        `nodes` are what the outputs' nodes are called (output -> node), in formats that have such names.
        """
        return ()

    def together(self) -> Answer | None:
        """What answers N positions many at a time, with the batch made free in memory.

        None if that is no quicker here, or if an operation may look along the batch.
        """
        return None

    def __enter__(self) -> Self:
        """Look at the artifact, then open it; UnsafeArtifact if it does more than calculate: it is not opened then."""
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
    """Rows at..at+step; where the feeds end before a `whole` batch, the last row is repeated: (step, ...)."""
    part = {name: feed[at : at + step] for name, feed in feeds.items()}
    return repeat_last(part, step - len(next(iter(part.values())))) if whole else part


def repeat_last(feeds: Mapping[str, NDArray[Any]], times: int) -> Tensors:
    """The feeds (N, ...) with their last row `times` more: (N + times, ...)."""
    if not times:
        return dict(feeds)
    return {name: np.concatenate([rows, np.repeat(rows[-1:], times, axis=0)]) for name, rows in feeds.items()}

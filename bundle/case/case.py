"""One bundle's artifacts and what they are proved with, the same for an export and a validation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Generic, TypeVar

import numpy as np

from ...errors import AzxError
from ...export.checkpoint.head import Head
from ...export.formats.table import Format
from ...manifest import Calculation, Manifest
from ...system.progress import Step
from ...system.workers import Workers
from ...validate.asked import Sample, draw_sample
from ...validate.positions import Positions
from ...validate.proof.proof import ArtifactResult, Proof, prove_all
from ...validate.proof.truth import Truth
from ...validate.run import PendingRun, RunTask, start
from ...validate.runners.runner import Signature
from ..contents.golden import GOLDEN_POSITIONS

Result = TypeVar("Result")


class ProofError(AzxError, Generic[Result]):
    """An error of a proof; `result` has all figures."""

    def __init__(self, message: str, result: Result) -> None:
        super().__init__(message)
        self.result = result


@dataclass(frozen=True, eq=False)
class Case:
    """The artifacts of one bundle under proof: an export has just written them, a validation has found them.

    They lie in `folder` and have the inputs and outputs `ports`; `workers` run them on `positions`, {input of the
    artifacts: float32 (N, ...)}. `also` names further runtimes that run them. `seed` chooses the positions that are
    asked again: in the file's own form, and in the other ways that apps use.
    """

    name: str
    folder: Path
    ports: Signature
    positions: Positions
    also: Sequence[str]
    seed: int
    workers: Workers
    on_step: Step

    def start(self, entry: Format, file: str) -> PendingRun:
        """Start to run an artifact, whose answers must equal the original's."""
        sample = self.sample()
        task = RunTask(entry, self.folder, file, self.positions.feeds, self.ports, sample.rows, sample)
        return start(self.workers, task, self.also)

    def sample(self) -> Sample:
        """The positions that each artifact answers in its file's own form, and in every way that apps ask.

        These are golden.json's, the extreme ones, and some that the seed chooses from the fresh positions, if any. The
        author of a bundle cannot know the chosen ones in advance.
        """
        asked = self.positions
        fixed = np.zeros(len(asked), bool)
        fixed[:GOLDEN_POSITIONS] = fixed[asked.drawn :] = True
        return draw_sample(fixed, range(asked.recorded if asked.fresh else 0, asked.drawn), self.seed)

    def prove(
        self,
        heads: Sequence[Head],
        truth: Truth,
        runs: Sequence[PendingRun],
        approximations: Sequence[ArtifactResult] = (),
        calculations: Mapping[str, Calculation] = MappingProxyType({}),
    ) -> Proof:
        """The proof: each run compared with the original, plus the `approximations` that a gate has checked.

        `calculations` maps each file to the comparison of its bytes with the checkpoint.
        """
        return prove_all(self.name, runs, heads, truth, self.positions, self.on_step, approximations, calculations)


def in_one_line(result: object, folder: Path, contents: Manifest, passed: bool) -> str:
    """A result's line in a notebook: its type and folder, its formats, the verdict."""
    formats = ", ".join(dict.fromkeys(artifact.format for artifact in contents.artifacts))
    return f"{type(result).__name__}({str(folder)!r}: {formats}; {'passed' if passed else 'failed'})"

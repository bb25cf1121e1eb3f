"""What the artifacts of a bundle are held to, in an export and in a validation alike."""

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
from ...validate.run import RunTask, UnderWay, start
from ...validate.runners.runner import Signature
from ..contents.golden import GOLDEN_POSITIONS

Result = TypeVar("Result")


class ProofError(AzxError, Generic[Result]):
    """An error of a proof; `result` has every figure."""

    def __init__(self, message: str, result: Result) -> None:
        super().__init__(message)
        self.result = result


@dataclass(frozen=True, eq=False)
class Case:
    """The artifacts of one bundle under proof. An export writes them first, a validation reads them.

    They lie in `folder`, have `ports` and are run by `workers` on `positions`, {input of the artifacts: float32
    (N, ...)}. `also` names further runtimes that they are run in. `seed` draws which positions are asked in the file's
    own form, and again in other ways.
    """

    name: str
    folder: Path
    ports: Signature
    positions: Positions
    also: Sequence[str]
    seed: int
    workers: Workers
    on_step: Step

    def start(self, entry: Format, file: str) -> UnderWay:
        """Begin to run an artifact, which must answer as the original."""
        sample = self.sample()
        task = RunTask(entry, self.folder, file, self.positions.feeds, self.ports, sample.rows, sample)
        return start(self.workers, task, self.also)

    def sample(self) -> Sample:
        """The positions that each artifact answers in its file's own form, and in every way that apps ask.

        They are golden.json's, the extreme ones, and some that the seed draws from the fresh positions if there are
        any. No author of a bundle can know the drawn ones in advance.
        """
        asked = self.positions
        fixed = np.zeros(len(asked), bool)
        fixed[:GOLDEN_POSITIONS] = fixed[asked.drawn :] = True
        return draw_sample(fixed, range(asked.recorded if asked.fresh else 0, asked.drawn), self.seed)

    def prove(
        self,
        heads: Sequence[Head],
        truth: Truth,
        runs: Sequence[UnderWay],
        approximations: Sequence[ArtifactResult] = (),
        calculations: Mapping[str, Calculation] = MappingProxyType({}),
    ) -> Proof:
        """The proof: each run compared with the original, plus the `approximations` that a gate has checked.

        `calculations` is, by file, what the artifacts' bytes are beside the checkpoint.
        """
        return prove_all(self.name, runs, heads, truth, self.positions, self.on_step, approximations, calculations)


def in_one_line(result: object, folder: Path, contents: Manifest, passed: bool) -> str:
    """A result's line in a notebook: its folder, the formats in it, the verdict."""
    formats = ", ".join(dict.fromkeys(artifact.format for artifact in contents.artifacts))
    return f"{type(result).__name__}({str(folder)!r}: {formats}; {'passed' if passed else 'failed'})"

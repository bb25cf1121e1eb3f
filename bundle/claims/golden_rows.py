"""The positions that prove golden.json: the bundle's positions, with the recorded ones among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...export.checkpoint.head import Head
from ...manifest import Manifest
from ...validate.answers import Answers
from ...validate.positions import Positions
from ...validate.proof.proof import Truth
from ...validate.tolerances import fp32_limit
from ..contents.golden import GoldenFile
from . import golden as recorded
from .findings import Findings


@dataclass(frozen=True, eq=False)
class GoldenRows:
    """What the network is asked, among it the positions of golden.json.

    `feeds` are by the checkpoint's names; those of golden.json begin at row `at`. `golden` is None if it
    cannot be read; `drawn` are the positions that must be in it, None if unknown.
    """

    feeds: dict[str, NDArray[Any]]
    at: int
    golden: GoldenFile | None = None
    drawn: Positions | None = None

    def check(
        self,
        found: Findings,
        manifest: Manifest,
        heads: Sequence[Head],
        truth: Truth,
        exact: Answers | None,
    ) -> None:
        """Compare golden.json with its positions and with the answers on them, the witness' if it has any."""
        if self.golden is None:
            return
        rows = self.golden.rows
        recorded.check_rows(found, rows, manifest, heads, self.drawn)
        by_witness = {head.name: exact.outputs[head.source_name] for head in heads} if exact else {}
        told = {name: answers[self.at :] for name, answers in (by_witness or truth.expected).items()}
        limits = {name: recorded.ROUNDED if exact else fp32_limit(truth.distances[name]) for name in told}
        recorded.check_answers(found, rows, told, limits, exact.by if exact else truth.by)


def join_rows(feeds: Mapping[str, NDArray[Any]], more: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Each feed (N, ...) followed by the other's (M, ...): (N + M, ...)."""
    return {name: np.concatenate([feed, more[name]]) for name, feed in feeds.items()}


def are_same(ours: Mapping[str, NDArray[Any]], theirs: Mapping[str, NDArray[Any]]) -> bool:
    """Whether two feeds, (N, ...) by input, hold the same numbers."""
    return all(np.array_equal(ours[name], theirs[name]) for name in ours)

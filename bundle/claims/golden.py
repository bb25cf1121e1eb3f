"""golden.json held to the positions drawn again, to the rules and, with the checkpoint, to the witness' answers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...export.checkpoint.head import POLICY, UNKNOWN, Head
from ...games.policy import LOGITS, policy_range
from ...manifest import Manifest
from ...validate.compare import scaled_errors
from ...validate.positions import Positions
from ...validate.proof.proof import Truth
from ...validate.run import Answers
from ...validate.tolerances import fp32_limit
from ..contents.describe import FROM_FILE
from ..contents.golden import GOLDEN_POSITIONS, GoldenFile, best_of
from ..contents.manifest import GOLDEN
from .findings import Findings, shorten_value
from .table import ABSENT

# How far a recorded answer of the float64 witness may be from the same answer now, scaled by max(1, |answer|): what it
# was rounded to in float32 (6e-8), and what another processor's sums of float64 may turn by one unit of that.
ROUNDED = 1e-6
# What is drawn for a network of no known game: whole numbers from -1 up to the rows of an Embedding's table.
LOWEST_DRAWN, HIGHEST_DRAWN = -1, 2**24
# How far from 1 the sum of probabilities in float32 may be; what is within the second by chance is no list of logits.
SUM_SLACK, SUM_EXACT = 1e-3, 1e-5
_BOUNDS = {
    "tanh": (-1.0, 1.0),
    "softsign": (-1.0, 1.0),
    "sigmoid": (0.0, 1.0),
    "hard_sigmoid": (0.0, 1.0),
    "softmax": (0.0, 1.0),
    "relu": (0.0, math.inf),
}


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
        check_rows(found, rows, manifest, heads, self.drawn)
        by_witness = {head.name: exact.outputs[head.source_name] for head in heads} if exact else {}
        told = {name: answers[self.at :] for name, answers in (by_witness or truth.expected).items()}
        limits = {name: ROUNDED if exact else fp32_limit(truth.distances[name]) for name in told}
        check_answers(found, rows, told, limits, exact.by if exact else truth.by)


def are_same(ours: Mapping[str, NDArray[Any]], theirs: Mapping[str, NDArray[Any]]) -> bool:
    """Whether two feeds, (N, ...) by input, hold the same numbers."""
    return all(np.array_equal(ours[name], theirs[name]) for name in ours)


def check_rows(
    found: Findings,
    rows: Sequence[Mapping[str, Any]],
    manifest: Manifest,
    heads: Sequence[Head],
    drawn: Positions | None,
) -> None:
    """Number, inputs, legal moves and best moves of the recorded positions.

    `rows` have the form that `read_golden` asks for, `heads` are in the artifacts' order; `drawn` are the positions
    that must be there, fed by the artifacts' names, None if nothing here can draw them.
    """
    count, source = manifest.positions.count, manifest.positions.source
    wanted = min(GOLDEN_POSITIONS, count)
    if len(rows) != wanted:
        found.refute(
            "positions", f"has {len(rows)} and not {wanted}, the first of {count:,} that were proved on", GOLDEN
        )
    _check_distinct(found, rows, source)
    width = next((head.width for head in heads if head.role == POLICY), None)
    if drawn is not None:
        _check_drawn(found, rows, drawn, width)
    else:
        found.doubt("positions", "cannot be drawn again without the checkpoint, or without the user's own file", GOLDEN)
    if drawn is None or not found.current:
        _check_domain(found, rows, source)
        _check_legal(found, rows, width, bool(manifest.game), source)
    _check_best(found, rows, heads)


def _several(found: Findings, member: str, faults: Iterator[tuple[int, str]], *, dated: bool = False) -> None:
    """One claim for all positions (number, clause) in which `member` is false: the first, and how many more."""
    told = list(faults)
    if told:
        number, says = told[0]
        more = f", and so in {len(told) - 1} more positions" if len(told) > 1 else ""
        say = found.refute_if_current if dated else found.refute
        say(f"positions[{number}].{member}", says + more, GOLDEN)


def _check_distinct(found: Findings, rows: Sequence[Mapping[str, Any]], source: str) -> None:
    keys = [repr(row["inputs"]) for row in rows]
    again = [(number, keys.index(key)) for number, key in enumerate(keys) if keys.index(key) < number]
    if again and source != FROM_FILE:  # a user may give a position twice
        _several(found, "inputs", iter((number, f"is position {first} again") for number, first in again))


def _check_drawn(found: Findings, rows: Sequence[Mapping[str, Any]], drawn: Positions, width: int | None) -> None:
    """Inputs and legal moves are those of the positions drawn again, number by number."""

    def others() -> Iterator[tuple[int, str]]:
        for number, row in enumerate(rows[: len(drawn)]):
            for name, feed in drawn.feeds.items():
                stated, right = np.asarray(row["inputs"][name], np.float32), feed[number].astype(np.float32).ravel()
                if not np.array_equal(stated, right):
                    at = int(np.flatnonzero(stated != right)[0])
                    yield (
                        number,
                        f"has {stated[at]:g} at {at} of '{name}' and not {right[at]:g}, as seed and encoding draw it",
                    )

    _several(found, "inputs", others(), dated=True)
    masks = [None] * len(drawn) if width is None or drawn.legal is None else drawn.legal
    legal = [None if mask is None else np.flatnonzero(mask).tolist() for mask in masks]
    differs = (
        (number, f"is {shorten_value(row.get('legal'))} and not {shorten_value(right)}, the moves of that position")
        for number, (row, right) in enumerate(zip(rows, legal, strict=False))
        if row.get("legal") != right
    )
    _several(found, "legal", differs, dated=True)


def _check_domain(found: Findings, rows: Sequence[Mapping[str, Any]], source: str) -> None:
    """Boards that nothing here can draw again hold whole numbers all the same; a user's own may hold anything."""
    if source == FROM_FILE:
        return
    odd = (
        (number, f"holds {shorten_value(value)} in '{name}', which is on no board that azx draws")
        for number, row in enumerate(rows)
        for name, values in row["inputs"].items()
        for value in values
        if not LOWEST_DRAWN <= value <= HIGHEST_DRAWN or value != int(value)
    )
    _several(found, "inputs", odd)


def _check_legal(
    found: Findings, rows: Sequence[Mapping[str, Any]], width: int | None, known: bool, source: str
) -> None:
    """Without positions to compare with: null if no game is known, ascending if one is."""
    free = source == FROM_FILE

    def faults() -> Iterator[tuple[int, str]]:
        for number, row in enumerate(rows):
            legal = row.get("legal")
            if legal is None:
                if width and known and not free:
                    yield number, "is null, and the game is known"
            elif not width or not (known or free):
                yield number, "is given, and nothing tells the moves: no game is known, or there is no policy"
            elif legal != sorted(set(legal)):
                yield number, f"is {shorten_value(legal)}, which is not ascending"

    _several(found, "legal", faults())


def _check_best(found: Findings, rows: Sequence[Mapping[str, Any]], heads: Sequence[Head]) -> None:
    """`best` is the largest recorded number among the legal ones, the first of equals; not there without a policy."""
    policy = next((head for head in heads if head.role == POLICY), None)

    def faults() -> Iterator[tuple[int, str]]:
        for number, row in enumerate(rows):
            right = None if policy is None else best_of(row["outputs"][policy.name], row.get("legal"))
            stated = row.get("best")
            if stated != right or isinstance(stated, bool) or (policy is None and "best" in row):
                yield (
                    number,
                    f"is {shorten_value(stated)} and not {shorten_value(right)}"
                    if policy
                    else "is given without a policy",
                )

    _several(found, "best", faults())


def check_answers(
    found: Findings,
    rows: Sequence[Mapping[str, Any]],
    told: Mapping[str, NDArray[Any]],
    allowed: Mapping[str, float],
    by: str,
) -> None:
    """The recorded outputs held to `told`, each head's answers (N, ...) on the same positions, as `by` gives them.

    `allowed` is the error of each head, scaled by max(1, |answer|), that rounding explains.
    """
    for name, answers in told.items():

        def faults(name: str = name, answers: NDArray[Any] = answers) -> Iterator[tuple[int, str]]:
            for number, (row, right) in enumerate(zip(rows, answers, strict=False)):
                errors = scaled_errors(np.asarray(row["outputs"][name], np.float64), right.ravel())
                if not errors.max() <= allowed[name]:
                    at = int(errors.argmax())
                    yield (
                        number,
                        f"has {row['outputs'][name][at]!r} at {at} and not {right.ravel()[at]:.7g}, as {by} answers",
                    )

        _several(found, f"outputs.{name}", faults())


def check_activations(
    found: Findings, rows: Sequence[Mapping[str, Any]], heads: Sequence[Head], carried: Mapping[str, str]
) -> None:
    """The activations that the manifest states, by the range of the recorded answers.

    `carried` maps each head that the artifacts describe to its activation. For such a head the range alone never
    contradicts what the artifacts confirm.
    """
    for number, head in enumerate(heads):
        values = np.array([row["outputs"][head.name] for row in rows], np.float64).reshape(len(rows), *head.shape)
        member, low_high = f"outputs[{number}].activation", _BOUNDS.get(head.activation)
        if low_high and (values.min() < low_high[0] - ROUNDED or values.max() > low_high[1] + ROUNDED):
            found.refute(
                member,
                f"is {shorten_value(head.activation)}, "
                f"and the recorded answers are {values.min():.4g} to {values.max():.4g}",
            )
        elif head.activation == "softmax" and not _adds_up(values, SUM_SLACK):
            found.refute(member, "is 'softmax', and the answers in golden.json do not add up to 1")
        elif carried.get(head.name) != head.activation:
            if head.activation in ("linear", "relu", "sigmoid") and head.width > 1 and _is_softmax(values):
                found.refute(
                    member,
                    f"is {shorten_value(head.activation)}, "
                    "and the answers in golden.json are probabilities: each adds up to 1",
                )
            else:
                found.doubt(
                    member, f"is {shorten_value(head.activation)}: the answers are in its range, which proves no more"
                )


def check_ranges(
    found: Findings,
    manifest: Manifest,
    heads: Sequence[Head],
    answers: Mapping[str, NDArray[Any]],
    *,
    all_of_them: bool,
) -> None:
    """The range of each policy, by its activation or, if that is unknown, by the original's `answers`.

    `heads` are in the artifacts' order. Fewer positions than the export's do not refute that a policy holds logits.
    """
    for number, (head, stated) in enumerate(zip(heads, manifest.outputs, strict=False)):
        member, said = f"outputs[{number}].policy_range", stated.policy_range
        right = policy_range(head.activation, answers[head.name]) if head.role == POLICY else None
        if said is None and right is not None:
            found.doubt(member, ABSENT)
        elif said == LOGITS != right and head.activation == UNKNOWN and not all_of_them:
            found.doubt(member, f"is {shorten_value(said)}: the positions at hand do not refute it")
        else:
            found.same(member, said, right, f"as the policy of a {head.activation} is read")


def _adds_up(values: NDArray[np.float64], slack: float) -> bool:
    """Whether, in `values` (N, ...), all numbers of a position, or all rows of its last axis, add up to 1."""
    totals = values.reshape(len(values), -1).sum(axis=1)
    return bool((np.abs(totals - 1) <= slack).all() or (np.abs(values.sum(axis=-1) - 1) <= slack).all())


def _is_softmax(values: NDArray[np.float64]) -> bool:
    return len(values) > 1 and bool(values.min() >= 0) and _adds_up(values, SUM_EXACT)

"""Compares golden.json with positions drawn again, the rules and, with the checkpoint, the witness' answers."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...export.checkpoint.head import POLICY, UNKNOWN, Head
from ...games.policy import LOGITS, policy_range
from ...manifest import Manifest
from ...validate.compare import scaled_errors
from ...validate.positions import Positions
from ...validate.tolerances import fp32_limit
from ..contents.describe import FROM_FILE
from ..contents.golden import GOLDEN_POSITIONS, best_of
from ..contents.manifest import GOLDEN
from .artifacts import activations
from .evidence import Evidence
from .findings import Finding, compare, doubt, is_current, refute, refute_if_current, shorten_value
from .table import ABSENT, NO_MEMBER

# The most by which an answer recorded from the float64 witness may differ from the same answer now, scaled by max(1,
# |answer|). It was rounded to float32 (6e-8), and another processor's float64 sums may round to the neighbour.
ROUNDED = 1e-6
# The range of positions without a known game: whole numbers from -1 to the rows of an Embedding's table.
LOWEST_DRAWN, HIGHEST_DRAWN = -1, 2**24
# How far a sum of float32 probabilities may be from 1; and how near to 1 a sum of logits never comes by chance.
SUM_SLACK, SUM_EXACT = 1e-3, 1e-5
Faults = Iterator[tuple[int, str]]
_BOUNDS = {
    **dict.fromkeys(("tanh", "softsign"), (-1.0, 1.0)),
    **dict.fromkeys(("sigmoid", "hard_sigmoid", "softmax"), (0.0, 1.0)),
    "relu": (0.0, math.inf),
}


def are_same(ours: Mapping[str, NDArray[Any]], theirs: Mapping[str, NDArray[Any]]) -> bool:
    """Whether two feeds, (N, ...) by input, hold the same numbers."""
    return all(np.array_equal(ours[name], theirs[name]) for name in ours)


def check_golden(manifest: Manifest, evidence: Evidence) -> Iterator[Finding]:
    """Compare golden.json with its expected positions, the rules and, with the checkpoint, the answers on them.

    The answers are the witness' if it can run.
    """
    known, golden, drawn = evidence.checkpoint, evidence.golden, evidence.drawn
    if known:
        golden, drawn = known.rows.golden, known.rows.drawn
        if known.rows.fault:
            yield refute("positions", known.rows.fault, GOLDEN)
    if golden is None:
        return
    rows = RowCheck(manifest, evidence.heads, golden.rows)
    yield from rows.check_members(golden.members)
    yield from rows.check_rows(drawn)
    if known:
        truth, exact = known.answers.truth, known.answers.exact
        by_witness = {} if exact.missing else {head.name: exact.outputs[head.source_name] for head in evidence.heads}
        for name, answers in (by_witness or truth.expected).items():
            allowed = ROUNDED if by_witness else fp32_limit(truth.distances[name])
            yield from rows.check_answers(name, answers[known.rows.at :], allowed, exact.by if by_witness else truth.by)


def check_activations(manifest: Manifest, evidence: Evidence) -> Iterator[Finding]:
    """Check the manifest's activations by the range of golden.json's answers, unless the checkpoint shows them."""
    if evidence.golden:
        rows = RowCheck(manifest, evidence.heads, evidence.golden.rows)
        yield from rows.check_activations(activations(evidence.statements or {}))


@dataclass(frozen=True, eq=False)
class RowCheck:
    """Checks the recorded positions; `rows` have the form of `read_golden`.

    `heads` are in the artifacts' order. A fault is a position's number with a clause.
    """

    manifest: Manifest
    heads: Sequence[Head]
    rows: Sequence[Mapping[str, Any]]

    @property
    def policy(self) -> Head | None:
        """The policy; None if the network has none."""
        return next((head for head in self.heads if head.role == POLICY), None)

    @property
    def is_from_file(self) -> bool:
        """Whether the positions are the user's own; these may hold values that azx never draws."""
        return self.manifest.positions.source == FROM_FILE

    def check_members(self, stated: Collection[str]) -> Iterator[Finding]:
        """Check golden.json for members that azx does not write; `stated` are the file's own."""
        for name in stated:
            if name not in ("schema_version", "positions"):
                yield refute_if_current(name, NO_MEMBER, GOLDEN)
        yield from self._refute("", self._unknown_members(), dated=True)

    def _unknown_members(self) -> Faults:
        names = {"inputs": [port.name for port in self.manifest.inputs], "outputs": [head.name for head in self.heads]}
        for number, row in enumerate(self.rows):
            parts: list[tuple[str, Mapping[str, Any], Sequence[str]]] = [
                ("", row, ("inputs", "legal", "outputs", "best"))
            ]
            parts += [(f"{part}.", row[part], known) for part, known in names.items() if isinstance(row[part], Mapping)]
            more = [f"{way}{name}" for way, held, known in parts for name in held if name not in known]
            if more:
                yield number, f"has {shorten_value(more)}, which azx does not write"

    def check_rows(self, drawn: Positions | None) -> Iterator[Finding]:
        """Check the number of positions, their inputs, legal moves and best moves.

        `drawn` are the expected positions by the artifacts' input names, None if they cannot be drawn here.
        """
        count = self.manifest.positions.count
        wanted = min(GOLDEN_POSITIONS, count)
        if len(self.rows) != wanted:
            says = f"has {len(self.rows)} and not {wanted}, the first of the proof's {count:,}"
            yield refute("positions", says, GOLDEN)
        yield from self._refute("inputs", self._repeated_inputs())
        if drawn is not None:
            yield from self._refute("inputs", self._other_inputs(drawn), dated=True)
            yield from self._refute("legal", self._other_moves(drawn), dated=True)
        else:
            says = "cannot be drawn again without the checkpoint, or without the user's own file"
            yield doubt("positions", says, GOLDEN)
        if drawn is None or not is_current(self.manifest):
            yield from self._refute("inputs", self._odd_inputs())
            yield from self._refute("legal", self._odd_moves())
        yield from self._refute("best", self._other_best())

    def check_answers(self, name: str, answers: NDArray[Any], allowed: float, by: str) -> Iterator[Finding]:
        """Compare a head's recorded outputs with the `answers` (N, ...) of `by` on the same positions.

        `allowed` is the error, scaled by max(1, |answer|), that rounding explains.
        """
        faults = []
        for number, (row, right) in enumerate(zip(self.rows, answers, strict=False)):
            errors = scaled_errors(np.asarray(row["outputs"][name], np.float64), right.ravel())
            if not errors.max() <= allowed:
                at = int(errors.argmax())
                stated = row["outputs"][name][at]
                faults.append((number, f"has {stated!r} at {at} and not {right.ravel()[at]:.7g}, as {by} answers"))
        yield from self._refute(f"outputs.{name}", faults)

    def check_activations(self, carried: Mapping[str, str]) -> Iterator[Finding]:
        """Check the manifest's activations against the range of the recorded answers.

        `carried` maps each head that the artifacts describe to its activation. For such a head, the artifacts'
        statement counts more than the range.
        """
        for number, head in enumerate(self.heads):
            recorded = [row["outputs"][head.name] for row in self.rows]
            values = np.array(recorded, np.float64).reshape(len(self.rows), *head.shape)
            member, said = f"outputs[{number}].activation", f"is {shorten_value(head.activation)}"
            low, high = _BOUNDS.get(head.activation, (-math.inf, math.inf))
            might_be = head.activation in ("linear", "relu", "sigmoid") and head.width > 1
            if values.min() < low - ROUNDED or values.max() > high + ROUNDED:
                answers = f"the recorded answers are {values.min():.4g} to {values.max():.4g}"
                yield refute(member, f"{said}, and {answers}")
            elif head.activation == "softmax" and not _adds_up(values, SUM_SLACK):
                yield refute(member, f"{said}, and the answers in golden.json do not add up to 1")
            elif carried.get(head.name) == head.activation:
                continue
            elif might_be and _is_softmax(values):
                answers = "the answers in golden.json are probabilities: each adds up to 1"
                yield refute(member, f"{said}, and {answers}")
            else:
                yield doubt(member, f"{said}: the answers are in its range, which proves nothing")

    def _refute(self, member: str, faults: Iterable[tuple[int, str]], *, dated: bool = False) -> Iterator[Finding]:
        """Refute `member` once for all its positions: with the first fault, and the number of others."""
        listed = list(faults)
        if listed:
            number, says = listed[0]
            more = f", and so in {len(listed) - 1} more positions" if len(listed) > 1 else ""
            say = refute_if_current if dated else refute
            yield say(f"positions[{number}].{member}".rstrip("."), says + more, GOLDEN)

    def _repeated_inputs(self) -> Faults:
        keys = [repr(row["inputs"]) for row in self.rows]
        for number, key in enumerate(keys):
            if keys.index(key) < number and not self.is_from_file:
                yield number, f"is position {keys.index(key)} again"

    def _other_inputs(self, drawn: Positions) -> Faults:
        for number, row in enumerate(self.rows[: len(drawn)]):
            for name, feed in drawn.feeds.items():
                stated, right = np.asarray(row["inputs"][name], np.float32), feed[number].astype(np.float32).ravel()
                if not np.array_equal(stated, right):
                    at = int(np.flatnonzero(stated != right)[0])
                    differs = f"has {stated[at]:g} at {at} of '{name}' and not {right[at]:g}"
                    yield number, f"{differs}, as seed and encoding draw it"

    def _other_moves(self, drawn: Positions) -> Faults:
        masks = [None] * len(drawn) if self.policy is None or drawn.legal is None else drawn.legal
        for number, (row, mask) in enumerate(zip(self.rows, masks, strict=False)):
            stated, right = row.get("legal"), None if mask is None else np.flatnonzero(mask).tolist()
            if stated != right:
                yield number, f"is {shorten_value(stated)} and not {shorten_value(right)}, the moves of that position"

    def _odd_inputs(self) -> Faults:
        """Faults of positions that cannot be drawn again: values that no board of azx has."""
        for number, row in enumerate(self.rows if not self.is_from_file else ()):
            for name, values in row["inputs"].items():
                for value in values:
                    if not LOWEST_DRAWN <= value <= HIGHEST_DRAWN or value != int(value):
                        yield number, f"holds {shorten_value(value)} in '{name}', which is on no board that azx draws"

    def _odd_moves(self) -> Faults:
        """Faults of legal moves without positions to compare: null only without a known game, else ascending."""
        known = bool(self.manifest.game)
        for number, row in enumerate(self.rows):
            legal = row.get("legal")
            if legal is None:
                if self.policy and known and not self.is_from_file:
                    yield number, "is null, although the game is known"
            elif not self.policy or not (known or self.is_from_file):
                yield number, "is given, although no game is known or there is no policy"
            elif legal != sorted(set(legal)):
                yield number, f"is {shorten_value(legal)}, which is not ascending"

    def _other_best(self) -> Faults:
        """Faults of `best`: it is the first legal move with the largest number, and absent without a policy."""
        for number, row in enumerate(self.rows):
            if self.policy is None:
                if "best" in row:
                    yield number, "is given without a policy"
                continue
            stated, right = row.get("best"), best_of(row["outputs"][self.policy.name], row.get("legal"))
            if stated != right or isinstance(stated, bool):
                yield number, f"is {shorten_value(stated)} and not {shorten_value(right)}"


def check_ranges(manifest: Manifest, evidence: Evidence) -> Iterator[Finding]:
    """Check each policy's range, by its activation or, if unknown, by the answers on the recorded positions.

    Fewer positions than the export's cannot refute that a policy holds logits.
    """
    known, heads, all_of_them = evidence.checkpoint, evidence.heads, False
    if known:
        heads, all_of_them = known.heads, known.as_exported
        answers = {name: rows[: known.recorded] for name, rows in known.answers.truth.expected.items()}
    elif evidence.golden:
        answers = evidence.golden.answers
    else:
        return
    for number, (head, stated) in enumerate(zip(heads, manifest.outputs, strict=False)):
        member, said = f"outputs[{number}].policy_range", stated.policy_range
        right = policy_range(head.activation, answers[head.name]) if head.role == POLICY else None
        if said is None and right is not None:
            yield doubt(member, ABSENT)
        elif said == LOGITS != right and head.activation == UNKNOWN and not all_of_them:
            yield doubt(member, f"is {shorten_value(said)}: the positions at hand do not refute it")
        else:
            yield from compare(member, said, right, f"which follows from {head.activation}")


def _adds_up(values: NDArray[np.float64], slack: float) -> bool:
    """Whether all numbers of each position in `values` (N, ...), or all rows of its last axis, add up to 1."""
    totals = values.reshape(len(values), -1).sum(axis=1)
    return bool((np.abs(totals - 1) <= slack).all() or (np.abs(values.sum(axis=-1) - 1) <= slack).all())


def _is_softmax(values: NDArray[np.float64]) -> bool:
    return len(values) > 1 and bool(values.min() >= 0) and _adds_up(values, SUM_EXACT)

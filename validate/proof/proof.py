"""The proof of a bundle: each artifact's distance from the original's answers, and the verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import NotRunHere
from ...export.checkpoint.head import POLICY, Head
from ...export.formats.precisions.precision import FP32
from ...manifest import Calculation
from ..asked import RepeatedRun, join_faults
from ..compare import HeadResult, PolicyRule, compare_head, legal_of
from ..gate.verdict import Verdict
from ..positions import BOARDS, Part, Positions
from ..run import PendingRun, Run
from ..tolerances import CONFIDENCE
from .calculation import DIFFERS, SAME, calculation_data, say_calculation
from .trace import exact_trace
from .truth import Truth

UNKNOWN_GAME = (
    "no game is known, so the boards are random: an error that only positions of real games show stays unseen "
    "(say the game with --game or --encoding, or give your positions with --inputs)"
)


@dataclass(frozen=True)
class ArtifactResult:
    """The verdict on one artifact.

    `problems` break the contract, `damage` is the reason why it could not be read. `not_run` names the runtime that is
    not installed here; the artifact is then neither equal nor not equal. An artifact of a lower precision has a `gate`
    instead of `heads`, and `attempts` shows how it was chosen; `golden` are its answers on golden.json's positions. If
    `keep_failing`, it may be outside the gate, as its name and the manifest then say.

    `also` are the verdicts on the same artifact in further runtimes, each named by its `further`. `again` are the other
    ways in which it was asked, each with the number of positions. `trace` has its answers in a form to draw
    (`traces/`), None without answers. `calculation` is the comparison of its bytes with the checkpoint, None if none
    was made.
    """

    file: str
    format: str
    runtime: str
    seconds: float
    heads: tuple[HeadResult, ...]
    problems: tuple[str, ...]
    damage: str | None
    not_run: str | None = None
    precision: str = FP32
    gate: Verdict | None = None
    attempts: tuple[Mapping[str, Any], ...] = ()
    golden: Mapping[str, list[str]] | None = None
    keep_failing: bool = False
    trace: Mapping[str, Any] | None = None
    further: str | None = None
    also: tuple[ArtifactResult, ...] = ()
    again: tuple[tuple[str, int], ...] = ()
    calculation: Calculation | None = None

    @property
    def title(self) -> str:
        """The artifact's path, with the further runtime if the verdict is for one."""
        return f"{self.file} in {self.further}" if self.further else self.file

    @property
    def passed(self) -> bool:
        """Whether the artifact equals the original, or passes its gate, in each runtime.

        If nothing was compared, it fails.
        """
        return self._passed and all(each.passed or each.not_run for each in self.also)

    @property
    def _passed(self) -> bool:
        if self.precision != FP32:
            return self.gate is not None and self.gate.passed and not (self.problems or self.damage or self.not_run)
        compared = bool(self.heads) and all(head.positions for head in self.heads)
        return compared and not self._sentences

    @property
    def is_shown(self) -> bool:
        """Whether the artifact is shown to be the checkpoint's calculation for every board."""
        return self.calculation is not None and self.calculation.verdict == SAME

    @property
    def may_stay(self) -> bool:
        """Whether the artifact may stay: it passed, or it is only outside its gate and kept on request."""
        return self.passed or (self.keep_failing and self.gate is not None and not self.sentences)

    @property
    def sentences(self) -> list[str]:
        """Each failure as a sentence that names the file and the head; a damaged file has only one sentence."""
        more = () if self.damage else self.also
        return [*self._sentences, *(sentence for each in more for sentence in each.sentences)]

    @property
    def _sentences(self) -> list[str]:
        if self.damage:
            return [self.damage]
        differs = self.calculation is not None and self.calculation.verdict == DIFFERS
        about = [f"{self.title}: {say_calculation(self.calculation)}."] if self.calculation and differs else []
        if self.not_run:
            return about
        about += [f"{self.title}: {clause}." for clause in self.problems]
        if self.precision != FP32:
            failures = () if self.gate is None or self.keep_failing else self.gate.failures
            about += [f"{self.title}: {clause}." for clause in failures]
            return about or ([] if self.gate else [f"{self.title}: nothing was compared."])
        about += [f"{self.title}: {head.head} {clause}." for head in self.heads for clause in head.problems]
        return about or ([] if self.heads else [f"{self.title}: nothing was compared."])


def judge(
    file: str,
    format_name: str,
    run: Run,
    heads: Sequence[Head],
    truth: Truth,
    legal: NDArray[np.bool_] | None,
) -> ArtifactResult:
    """Compare one artifact's answers with the original's by head, in further runtimes too; `legal` is (N, width)."""
    results = []
    for head in heads:
        if head.name in run.outputs:
            allowed = legal_of(head, legal)
            rule = truth.rule(head, allowed) if head.role == POLICY else None
            answer, expected = run.outputs[head.name], truth.expected[head.name]
            results.append(compare_head(head, answer, expected, truth.distances[head.name], allowed, rule))
    problems = run.problems if run.damage else (*run.problems, *_heads_without_answer(run, heads))
    if not problems and all(head.passed for head in results):
        # If an artifact fails in the first way of asking, the others are not judged.
        problems = tuple(_wrong_again(run, heads, truth, legal))
    also = tuple(judge(file, format_name, each, heads, truth, legal) for each in run.also)
    result = ArtifactResult(
        file, format_name, run.runtime, run.seconds, tuple(results), problems, run.damage, run.not_run
    )
    return replace(result, further=run.further, also=also, again=asked_again(run))


def asked_again(run: Run) -> tuple[tuple[str, int], ...]:
    """The other ways in which an artifact was asked, with the number of positions for each."""
    count = 0 if run.sample is None else int(run.sample.rows.sum())
    return tuple((way, count) for way in dict.fromkeys(each.way for each in run.again))


def _wrong_again(run: Run, heads: Sequence[Head], truth: Truth, legal: NDArray[np.bool_] | None) -> Iterator[str]:
    """A clause for each way, except the first, in which an artifact does not answer as the original."""
    if run.sample is None:
        return
    rows = run.sample.rows

    def find(again: RepeatedRun) -> list[str]:
        clauses = [f"{head.name} has no answer" for head in heads if head.name not in again.outputs]
        for head in heads:
            if head.name in again.outputs:
                allowed = legal_of(head, legal)
                rule = truth.rule(head, allowed) if head.role == POLICY else None
                own = replace(rule, held=rule.held[rows]) if rule else None
                some = None if allowed is None else allowed[rows]
                expected, off = truth.expected[head.name][rows], truth.distances[head.name]
                result = compare_head(head, again.outputs[head.name], expected, off, some, own)
                clauses += [f"{head.name} {clause}" for clause in result.problems]
        return clauses

    yield from join_faults(run.again, find)


def _heads_without_answer(run: Run, heads: Sequence[Head]) -> list[str]:
    """A clause for each head without an answer that no other problem names."""
    if not run.outputs and not run.problems:
        return []  # then nothing was compared, and one sentence says so
    clauses = " ".join(run.problems)
    return [f"{head.name} has no answer" for head in heads if head.name not in run.outputs and head.name not in clauses]


@dataclass(frozen=True)
class Proof:
    """The proof of an export or a validation; it is true if artifacts passed and none failed.

    `positions` were compared: `parts` by origin, and `extreme` chosen ones. `fresh` of them, which are among the parts,
    come from `fresh_seed`; None if only the manifest's positions were asked.
    """

    bundle: str
    positions: int
    description: str
    against: str
    notes: tuple[str, ...]
    artifacts: tuple[ArtifactResult, ...]
    extreme: int = 0
    parts: tuple[Part, ...] = ()
    fresh: int = 0
    fresh_seed: int | None = None

    @property
    def passed(self) -> bool:
        """Whether an artifact was proved, and every artifact that can run here passed."""
        ran = [artifact for artifact in self.artifacts if not artifact.not_run]
        elsewhere = [artifact for artifact in self.artifacts if artifact.not_run and artifact.sentences]
        return bool(ran) and all(artifact.may_stay for artifact in ran) and not elsewhere

    def __bool__(self) -> bool:
        return self.passed

    @property
    def could_hide(self) -> dict[str, float]:
        """The share of positions like those of each part on which an error may still hide.

        Empty if the proof shows nothing about other positions, or if every float32 artifact is shown to be the same
        calculation. In a part with fresh positions only these count, because an author of the artifacts may have known
        the others.
        """
        exact = any(artifact.precision == FP32 and not artifact.is_shown for artifact in self.artifacts)
        parts = sorted(self.parts, key=lambda part: part.fresh) if self.passed and exact else []
        draws = {part.name: part.independent for part in parts}
        return {name: could_hide(count) for name, count in draws.items() if count}

    @property
    def not_proved(self) -> dict[str, str]:
        """For each artifact whose runtime is not installed, the runtime and how to add it."""
        runs = [each for artifact in self.artifacts for each in (artifact, *artifact.also)]
        return {each.title: each.not_run for each in runs if each.not_run}

    def check_proved(self, require_all: bool) -> None:
        """Raise NotRunHere if nothing could be proved here, or not everything and `require_all` is set."""
        reasons = "; ".join(f"{file} ({reason})" for file, reason in self.not_proved.items())
        if reasons and (require_all or all(artifact.not_run for artifact in self.artifacts)):
            what = "Not every artifact" if require_all else "No artifact"
            raise NotRunHere(f"{what} can be proved here: {reasons}.")

    @property
    def sentences(self) -> list[str]:
        """All failures, one sentence each."""
        return [sentence for artifact in self.artifacts for sentence in artifact.sentences]

    def as_data(self, *, traces: bool = False) -> dict[str, Any]:
        """The proof as JSON types; with `traces`, in the form of parity.json."""
        return {
            "schema_version": 1,
            "passed": self.passed,
            "not_proved": self.not_proved,
            "positions": self.positions,
            "extreme": self.extreme,
            "fresh": {"seed": self.fresh_seed, "positions": self.fresh},
            "could_hide": next(iter(self.could_hide.values()), None),
            "parts": [
                {
                    "name": part.name,
                    "positions": part.count,
                    "independent": part.independent,
                    "could_hide": self.could_hide.get(part.name),
                    "fresh": part.fresh,
                }
                for part in self.parts
            ],
            "description": self.description,
            "against": self.against,
            "notes": list(self.notes),
            "artifacts": [_artifact_data(artifact, traces) for artifact in self.artifacts],
        }


def prove_all(
    bundle: str,
    runs: Sequence[PendingRun],
    heads: Sequence[Head],
    truth: Truth,
    positions: Positions,
    on_step: Callable[[str], None],
    approximations: Sequence[ArtifactResult] = (),
    calculations: Mapping[str, Calculation] = MappingProxyType({}),
) -> Proof:
    """The proof of a bundle: waits for each run and compares its answers; a failure does not stop the others.

    `approximations` are the artifacts of lower precisions, which a gate has judged. `calculations` has the comparison
    of each file's bytes with the checkpoint.
    """
    results, rules = [], dict(_rules(heads, truth, positions))
    for run in runs:
        on_step(f"proving {run.entry.title}")
        answers = run.wait()
        judged = judge(run.file, run.entry.name, answers, heads, truth, positions.legal)
        if answers.together and run.again and not judged.passed:
            # The verdict is on the file, so a fault must show in the file's own form.
            answers = replace(run.again().wait(), also=answers.also)
            judged = judge(run.file, run.entry.name, answers, heads, truth, positions.legal)
        trace = exact_trace(heads, answers.outputs, truth.expected, positions, truth.distances, rules)
        calculation = calculations.get(run.file)
        if calculation is not None:
            calculation = replace(calculation, boards=0 if judged.not_run else positions.drawn)
        results.append(replace(judged, trace=trace, calculation=calculation))
    return Proof(
        bundle,
        positions.recorded,
        positions.summary,
        truth.by,
        (*truth.notes, *_doubts(rules, positions)),
        (*results, *approximations),
        positions.extreme,
        positions.parts,
        positions.fresh,
        positions.fresh_seed,
    )


def _rules(heads: Sequence[Head], truth: Truth, positions: Positions) -> Iterator[tuple[str, PolicyRule]]:
    """The rule for each policy over the legal moves, by its name, if it is known."""
    for head in heads:
        rule = truth.rule(head, legal_of(head, positions.legal)) if head.role == POLICY else None
        if rule is not None:
            yield head.name, rule


def _doubts(rules: Mapping[str, PolicyRule], positions: Positions) -> Iterator[str]:
    """A clause for each question that the positions cannot decide."""
    if any(part.name == BOARDS for part in positions.parts):
        yield UNKNOWN_GAME
    for name, rule in rules.items():
        if rule.unheld:
            yield (
                f"{name}: in {rule.unheld:,} of {len(positions):,} positions rounding decides the original's own "
                "choice among the legal moves: the moves there are not compared"
            )


def could_hide(independent: int) -> float:
    """The largest share of faulty positions that is still possible, at 95 %, after this many draws without a fault.

    1 - 0.05^(1/n), close to 3/n: the rule of three (Hanley and Lippman-Hand, JAMA 249, 1983, 1743-1745). A larger share
    would have appeared in 95 of 100 such proofs.
    """
    share: float = 1 - (1 - CONFIDENCE.value) ** (1 / independent)
    return share


def _artifact_data(artifact: ArtifactResult, traces: bool) -> dict[str, Any]:
    approximate = {
        "precision": artifact.precision,
        "gate": artifact.gate.as_data() if artifact.gate else None,
        "attempts": list(artifact.attempts),
    }
    return {
        "file": artifact.file,
        "format": artifact.format,
        "runtime": artifact.runtime,
        "passed": artifact.passed,
        "proved": artifact.not_run is None,
        "reason": artifact.not_run,
        "seconds": round(artifact.seconds, 4),
        "problems": artifact.sentences,
        "heads": [_head_data(head) for head in artifact.heads],
        "asked_again": [{"way": way, "positions": count} for way, count in artifact.again],
        **(approximate if artifact.precision != FP32 else {}),
        **({"calculation": calculation_data(artifact.calculation)} if artifact.calculation else {}),
        **({"golden": artifact.golden} if traces and artifact.golden else {}),
        **({"further": artifact.further} if artifact.further else {}),
        **({"also": [_artifact_data(each, traces) for each in artifact.also]} if artifact.also else {}),
        **({"trace": artifact.trace} if traces and artifact.trace else {}),
    }


def _head_data(head: HeadResult) -> dict[str, Any]:
    data: dict[str, Any] = {
        "head": head.head,
        "role": head.role,
        "max_error": as_json_number(head.maximum),
        "p99_error": as_json_number(head.p99),
        "mean_error": as_json_number(head.mean),
        "limit": head.limit,
        "reference_distance": head.reference_distance,
    }
    if head.policy:
        data["best_move_agreement"] = head.policy.best_move
        data["ties"] = head.policy.ties
        chances = {"max_probability_difference": head.policy.probability, "max_kl": head.policy.kl}
        data |= {name: None if value is None else as_json_number(value) for name, value in chances.items()}
        data["probability_limit"] = head.policy.limit
        data["probability_distance"] = head.policy.distance
        data["unheld"] = head.policy.unheld
    return data


def as_json_number(value: float) -> float | None:
    """A number for JSON; None if it is not finite."""
    return float(value) if np.isfinite(value) else None

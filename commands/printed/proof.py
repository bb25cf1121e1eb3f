"""A proof for a person to read: a line for each head of each artifact, the runtimes, the verdict."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ...bundle.claims.findings import Claims
from ...bundle.contents.manifest import GOLDEN, MANIFEST
from ...export.formats.precisions.precision import FP32
from ...manifest import Manifest
from ...pages import words
from ...validate.proof.proof import ArtifactResult, Proof
from . import output

COLUMNS = ("", "artifact", "head", "max error", "p99", "mean", "limit", "best move", "probability", "KL")
RIGHT = COLUMNS[3:]
# A narrow terminal shows only the figures that decide; --json and parity.json have all.
WIDE, DECISIVE = 116, ("", "artifact", "head", "max error", "limit", "best move")


def print_proof(proof: Proof, manifest: Manifest) -> None:
    """Print the comparison: every figure with its limit, each artifact's size and its runtime."""
    output.line("")
    output.line(words.describe_comparison(proof.description, proof.against))
    for note in proof.notes:
        output.line(f"  note: {note}")
    shown = COLUMNS if output.width() >= WIDE else DECISIVE
    places = [COLUMNS.index(column) for column in shown]
    exact = [artifact for artifact in proof.artifacts if artifact.precision == FP32]
    ran = [each for artifact in exact for each in (artifact, *artifact.also)]
    rows = [[row[index] for index in places] for each in ran for row in _rows(each)]
    if exact:
        output.table(shown, rows, right=RIGHT)
    # Where the limit comes from: the floor, and the reference's own distance from float64.
    distances = {head.head: head.reference_distance for artifact in exact for head in artifact.heads}
    if exact:
        output.line(words.limit_rule([(name, value) for name, value in distances.items() if value is not None]))
    chances = [head for artifact in exact for head in artifact.heads if head.policy and head.policy.kl is not None]
    moves = {head.head: head.policy.distance for head in chances if head.policy}
    if moves:
        output.line(words.chance_rule([(name, value) for name, value in moves.items() if value is not None]))
    if hidden := words.could_hide(proof.could_hide, proof.fresh_seed):
        output.line(hidden)
    output.line("")
    _print_files(exact, manifest)
    output.line("")


def _print_files(exact: Sequence[ArtifactResult], manifest: Manifest) -> None:
    """Print each file's size and runtime, and what its bytes calculate: once for all if that is the same."""
    sentences: dict[str, str] = {}
    for artifact in exact:
        entry = manifest.artifact(artifact.file)
        sentences[artifact.file] = words.calculation(artifact.calculation, entry.calculation if entry else None)
    is_one = len(sentences) > 1 and len(set(sentences.values())) == 1
    for artifact in exact:
        size = manifest.size_of(artifact.file)
        output.line(f"  {artifact.file} ({output.megabytes(size)}): {_ran(artifact)}")
        if sentences[artifact.file] and not is_one:
            output.line(f"    {sentences[artifact.file]}")
        for each in artifact.also:
            output.line(f"  {each.title}: {_ran(each)}")
    if is_one and (sentence := next(iter(sentences.values()))):
        output.line(f"  Each of the {len(sentences)} files:")
        output.line(f"    {sentence}")


def _rows(artifact: ArtifactResult) -> list[tuple[str, ...]]:
    """A row for each head; a single row with the reason if the artifact did not answer."""
    rows: list[tuple[str, ...]] = []
    for head in artifact.heads:
        good = head.passed and (artifact.passed or not artifact.problems)
        figures = [f"{value:.1e}" for value in (head.maximum, head.p99, head.mean, head.limit)]
        policy = head.policy
        chances = (policy.probability, policy.kl) if policy else ()
        move = (
            [f"{policy.best_move:.1%}", *("" if each is None else f"{each:.1e}" for each in chances)] if policy else []
        )
        rows.append((output.mark(good), "" if rows else artifact.title, head.head, *figures, *(move or ["", "", ""])))
    if artifact.not_run:
        return [(output.ATTENTION, artifact.title, words.NOT_PROVED, *[""] * 7)]
    return rows or [(output.mark(False), artifact.title, "-", *["-"] * 7)]


def _ran(artifact: ArtifactResult) -> str:
    return f"{words.NOT_PROVED}: {artifact.not_run}" if artifact.not_run else artifact.runtime


def print_claims(claims: Claims, loudness: output.Loudness) -> None:
    """Print what manifest.json and golden.json were compared with, and their false claims.

    Unproved claims are listed in a verbose command; else `print_verdict` counts them.
    """
    files = f"{MANIFEST} and {GOLDEN}"
    output.line(f"{files}: held to {claims.held_to}, {len(claims.false) or 'nothing'} false", good=not claims.false)
    for claim in claims.false:
        output.line(f"  {output.mark(False)} {claim.sentence}")
    if claims.unproved and loudness is output.Loudness.VERBOSE:
        output.line("  not proved by that:")
        for claim in claims.unproved:
            output.line(f"    {claim.sentence}")
    output.line("")


def print_verdict(folder: Path, proof: Proof, seconds: float, unproved: int = 0, *, listed: bool = False) -> None:
    """Print that the bundle in `folder` is equal to the original, and which artifacts could not be run here.

    A failed proof is an error instead. One line says how little golden.json alone proves, and how many statements are
    `unproved`. `listed` says that they were listed already.
    """
    if not proof:
        return
    lacking = proof.not_proved
    recorded = proof.against == GOLDEN
    fresh = "" if proof.fresh_seed is None else f", {proof.fresh:,} positions fresh, --seed {proof.fresh_seed}"
    original = words.recorded_answers(proof.positions, GOLDEN) if recorded else words.THE_ORIGINAL
    ran = [artifact for artifact in proof.artifacts if not artifact.not_run]
    exact = [artifact for artifact in ran if artifact.precision == FP32]
    shown, boards = sum(artifact.is_shown for artifact in exact), None if recorded else proof.positions + proof.fresh
    inside = sum(artifact.precision != FP32 and artifact.passed for artifact in ran)
    outside, lacking_here = len(ran) - len(exact) - inside, len(proof.artifacts) - len(ran)
    verdict = words.verdict(words.EqualArtifacts(len(exact), shown, boards, original), inside, outside, lacking_here)
    output.line(f"{folder}: {verdict} ({seconds:.1f} s{fresh})", good=True)
    if recorded or unproved:
        output.warning(words.not_proved_by_that(unproved, recorded=recorded, listed=listed))
    for file, reason in lacking.items():
        output.warning(f"{file}: {words.NOT_PROVED}: {reason}")

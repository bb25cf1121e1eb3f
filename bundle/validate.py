"""Proves a bundle again, on any machine: with its checkpoint, or with golden.json alone."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

from ..errors import AzxError, BundleError, NotEqual, NotRunHere
from ..export.formats.table import FORMATS, Format, check_also
from ..manifest import Artifact, Manifest
from ..system.progress import Fraction, Progress, Step, no_step
from ..system.workers import Workers, load_tensorflow
from ..validate.door.look import look_at_all
from ..validate.positions_file import GivenArrays, GivenPositions, as_given
from ..validate.proof.proof import Proof
from .case.case import ProofError, in_one_line
from .case.checkpoint import Checkpoint, Place, as_checkpoint
from .case.checkpoint_file import open_checkpoint
from .case.keywords import ReadOptions
from .case.notebook import html_of
from .case.option import takes_options
from .case.positions import draw_seed
from .case.settings import check_least
from .claims.findings import Claims
from .contents.listing import check_measured, describe_unlisted
from .contents.manifest import load_manifest
from .folder import last_bundle
from .proving import Validation

# The steps before the artifacts are proved: without the checkpoint, and with it.
STEPS = (1, 5)


@dataclass(frozen=True, eq=False)
class ValidateResult:
    """The result of a validation: the bundle's folder, the artifacts' `proof`, and the verdict on its `claims`.

    `contents` is the manifest, and `manifest` the same as JSON types. `unlisted` is a sentence about unlisted files,
    which were not opened; None if there are none.
    """

    folder: Path
    contents: Manifest
    proof: Proof
    seconds: float
    claims: Claims
    unlisted: str | None = None

    @property
    def manifest(self) -> dict[str, Any]:
        """manifest.json as JSON types."""
        return self.contents.as_data()

    @property
    def passed(self) -> bool:
        """Whether an artifact was proved, all that ran are equal, and no claim of the bundle is false."""
        return self.proof.passed and not self.claims.false

    def __repr__(self) -> str:
        return in_one_line(self, self.folder, self.contents, self.passed)

    def _repr_html_(self) -> str:
        """The figures as a table, for notebooks."""
        return html_of(self.folder, self.passed, self.proof)


class NotProvedBundle(ProofError[ValidateResult], NotRunHere):
    """A bundle with artifacts that could not be proved here."""


class NotEqualBundle(ProofError[ValidateResult], NotEqual):
    """A bundle that does not answer as the original."""


@takes_options(Checkpoint)
def validate_bundle(  # noqa: PLR0913 - each is a keyword
    bundle: str | Path | None = None,
    *,
    against: Place | Checkpoint = None,
    inputs: GivenPositions | GivenArrays | None = None,
    count: int | None = None,
    require_all: bool = False,
    also: Sequence[str] = (),
    workers: Workers | None = None,
    seed: int | None = None,
    on_step: Step = no_step,
    on_progress: Fraction | None = None,
    **reading: Unpack[ReadOptions],
) -> ValidateResult:
    """Check a bundle's files, prove every artifact, and check the statements of manifest.json and golden.json.

    Args:
        bundle: the bundle's folder; the one written last below the current folder if left out.
        against: the checkpoint from which it was made (a path, a shipped name, or the Keras model in memory). Without
            it the artifacts are compared with golden.json, 20 positions. The bundle's own statements are then checked
            against the artifacts and the rules of its game. With it, all of them are derived from the checkpoint again.
        inputs: the user's own positions instead of the recorded ones: the path of an .npz, an array if the network has
            one input, or arrays by input; needs `against`.
        count: number of positions instead of the recorded one; needs `against`.
        require_all: raise if an artifact cannot be run here.
        also: further runtimes to prove artifacts in, beside each format's own: "litert.js" for .tflite.
        workers: processes that stay loaded from one call to the next; None starts new ones.
        seed: the seed of the fresh positions, and of the sample that is asked in several ways. None draws a new seed;
            the proof names it.
        on_step: receives the name of each step, for a progress display.
        on_progress: receives the fraction that is done, from 0 to 1, and the step's name. It is an estimate that never
            falls; 1 comes once, at the end.
        options: as below.

    Returns:
        The folder, its manifest, the proof with every figure, and the claims that cannot be proved.

    Raises:
        NotRunHere: nothing could be proved here, or not all that was required.
        BundleError: the folder is damaged or not a bundle; nothing was run. UnsafeArtifact, a kind of BundleError, if
            an artifact does more than calculate.
        NotEqual: an artifact does not answer as the original, or the bundle makes a false statement about itself; every
            artifact was run first.

    """
    started = time.perf_counter()
    check_least("seed", seed, 0)
    checkpoint = None if against is None else as_checkpoint(against, **reading)
    folder = Path(bundle) if bundle is not None else last_bundle()
    manifest = load_manifest(folder)
    step = Progress("azx.validate", STEPS[checkpoint is not None] + len(manifest.artifacts), on_step, on_progress)
    step("checking the files")
    check_measured(folder)
    formats = [(artifact.path, format_of(folder, artifact)) for artifact in manifest.artifacts]
    look_at_all((entry.name, folder / path) for path, entry in formats)
    check_least("count", count, 1)
    check_also(also, [entry for _, entry in formats])
    if checkpoint is None and (inputs is not None or count is not None):
        option = "--inputs" if inputs is not None else "--positions"
        raise AzxError(f"{option} needs the checkpoint to compare with: give it with --against.")
    with ExitStack() as stack:
        own = stack.enter_context(Workers()) if workers is None else workers
        if workers is not None:
            stack.callback(workers.finish)
        if checkpoint is not None or any(entry.needs_tensorflow for _, entry in formats):
            own.tensorflow(load_tensorflow, checkpoint is None or checkpoint.builder is None)
        job = Validation(folder, manifest, formats, own, step, also, draw_seed() if seed is None else seed)
        if checkpoint is not None:
            step("reading the checkpoint")
            source = stack.enter_context(open_checkpoint(checkpoint))
            proof, claims = job.against(source.read(), source.model, as_given(inputs), count)
        else:
            proof, claims = job.by_golden()
    unlisted = describe_unlisted(folder, manifest)
    done = ValidateResult(folder, manifest, proof, time.perf_counter() - started, claims, unlisted)
    verdict = _verdict(done, require_all)
    step.end(f"{folder}: validated, {'passed' if verdict.passed else 'failed'}")
    return verdict


def _verdict(done: ValidateResult, require_all: bool) -> ValidateResult:
    """The result, or its error; "not equal" comes before "not readable", and that before "not run"."""
    false = done.claims.sentences
    unequal = [a for a in done.proof.artifacts if not a.may_stay and not a.damage and (a.sentences or not a.not_run)]
    damaged = [a.damage for a in done.proof.artifacts if a.damage]
    if unequal or false or not done.proof.artifacts:
        message = " ".join([*done.proof.sentences, *false])
        raise NotEqualBundle(message or "The bundle holds no artifact: nothing was compared.", done)
    if damaged:
        raise BundleError(" ".join(filter(None, damaged)))
    try:
        done.proof.check_proved(require_all)
    except NotRunHere as error:
        raise NotProvedBundle(str(error), done) from error
    return done


def format_of(folder: Path, artifact: Artifact) -> Format:
    """The format of an artifact; BundleError if this azx does not know it."""
    name = artifact.format
    if name not in FORMATS:
        raise BundleError(f"'{folder}': '{artifact.path}' is of format '{name}', which this azx does not know.")
    return FORMATS[name]

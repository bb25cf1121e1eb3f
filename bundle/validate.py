"""Prove a bundle again, any time, on any machine: with its checkpoint, or with golden.json alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import AzxError, BundleError, NotEqual, NotRunHere
from ..export.formats.table import FORMATS, Format, check_also
from ..export.original.live import LiveModel
from ..validate.proof import Proof
from ..validate.workers import Workers, load_tensorflow
from .claims.findings import Claims
from .folder import last_bundle
from .given import given
from .manifest import load_manifest
from .proving import Proving
from .settings import check_least

Step = Callable[[str], None]


@dataclass(frozen=True, eq=False)
class ValidateResult:
    """What a validation found, and in which folder: the artifacts' `proof`, and its `claims` of itself."""

    folder: Path
    manifest: Mapping[str, Any]
    proof: Proof
    seconds: float
    claims: Claims

    @property
    def passed(self) -> bool:
        """Whether an artifact was proved, all that ran are equal, and nothing that the bundle says is false."""
        return self.proof.passed and not self.claims.false


class NotProvedBundle(NotRunHere):
    """A bundle of which artifacts could not be proved here; `result` has every figure."""

    def __init__(self, message: str, result: ValidateResult) -> None:
        super().__init__(message)
        self.result = result


class NotEqualBundle(NotEqual):
    """A bundle that does not answer as the original; `result` has every figure."""

    def __init__(self, message: str, result: ValidateResult) -> None:
        super().__init__(message)
        self.result = result


def validate_bundle(
    bundle: str | Path | None = None,
    *,
    against: str | Path | LiveModel | None = None,
    config: str | Path | None = None,
    builder: str | None = None,
    preset: str | None = None,
    board: tuple[int, int] | None = None,
    allow_code: bool = False,
    inputs: str | Path | None = None,
    count: int | None = None,
    require_all: bool = False,
    also: Sequence[str] = (),
    on_step: Step = lambda name: None,
) -> ValidateResult:
    """Check a bundle's files, prove every artifact in it, and hold manifest.json and golden.json to what is known.

    Args:
        bundle: the bundle's folder; the one written last if left out.
        against: the checkpoint it was made from (a path, a shipped name, or the Keras model in memory). Without it the
            artifacts are compared with golden.json, 20 positions, and what the bundle says of itself with the artifacts
            and the rules of its game; with it, all of that is derived from the checkpoint again.
        config: JSON of its architecture, if it holds weights alone.
        builder: "module:function" that returns the Keras model, likewise.
        preset: the family of networks whose weights they are, instead of either.
        board: (rows, columns), where it leaves them free.
        allow_code: let Keras run Lambda layers of it.
        inputs: positions of one's own (.npz) instead of the recorded ones; needs `against`.
        count: number of positions instead of the recorded one; needs `against`.
        require_all: raise where an artifact cannot be run here.
        also: further runtimes to prove artifacts in, beside the one that each format has: "litert.js" for .tflite.
        on_step: told what begins, for a progress display.

    Returns:
        The folder, its manifest, the proof with every figure, and the claims: what of them cannot be proved.

    Raises:
        NotRunHere: nothing could be proved here, or not all that was required.
        BundleError: the bundle is damaged or not one; nothing was run.
        NotEqual: an artifact does not answer as the original, or the bundle says of itself what is not so. Every
            artifact was run first.

    """
    started = time.perf_counter()
    folder = Path(bundle) if bundle is not None else last_bundle()
    on_step("checking the files")
    manifest = load_manifest(folder)
    formats = [(str(artifact["path"]), _format(folder, artifact)) for artifact in manifest["artifacts"]]
    check_least("count", count, 1)
    check_also(also, [entry for _, entry in formats])
    if against is None and (inputs is not None or count is not None):
        option = "--inputs" if inputs is not None else "--positions"
        raise AzxError(f"{option} needs the checkpoint to compare with: give it with --against.")
    with Workers() as workers, ExitStack() as stack:
        if against is not None or any(entry.needs_tensorflow for _, entry in formats):
            workers.tensorflow(load_tensorflow, builder is None)
        job = Proving(folder, manifest, formats, workers, on_step, also)
        if against is not None:
            on_step("reading the checkpoint")
            source = stack.enter_context(given(against, builder))
            graph = source.read(config=config, builder=builder, preset=preset, board=board, allow_code=allow_code)
            proof, claims = job.against(graph, source.model, Path(inputs) if inputs is not None else None, count)
        else:
            proof, claims = job.by_golden()
    done = ValidateResult(folder, manifest, proof, time.perf_counter() - started, claims)
    return _verdict(done, require_all)


def _verdict(done: ValidateResult, require_all: bool) -> ValidateResult:
    """The result, or the error that it amounts to: not equal comes before not readable, and that before not run."""
    false = done.claims.sentences
    unequal = [a for a in done.proof.artifacts if not a.may_stay and not a.damage and (a.sentences or not a.not_run)]
    damaged = [a.damage for a in done.proof.artifacts if a.damage]
    if unequal or false or not done.proof.artifacts:
        told = " ".join([*done.proof.sentences, *false])
        raise NotEqualBundle(told or "The bundle holds no artifact: nothing was compared.", done)
    if damaged:
        raise BundleError(" ".join(filter(None, damaged)))
    try:
        done.proof.check_proved(require_all)
    except NotRunHere as error:
        raise NotProvedBundle(str(error), done) from error
    return done


def _format(folder: Path, artifact: Mapping[str, Any]) -> Format:
    name = str(artifact["format"])
    if name not in FORMATS:
        raise BundleError(f"'{folder}': '{artifact['path']}' is of format '{name}', which this azx does not know.")
    return FORMATS[name]

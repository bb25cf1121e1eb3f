"""Writes report.html of an existing bundle: from its records, or by running its artifacts again."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Unpack

from ..errors import BundleError
from ..pages.bundle_page import Facts, is_report, page
from ..pages.figures import Bench, Explanation, read_proof
from ..system.progress import Step, no_step
from ..version import __version__
from .case.checkpoint import Checkpoint, Place, as_checkpoint
from .case.keywords import ReadOptions
from .case.option import takes_options
from .contents.listing import read_measured
from .contents.manifest import GOLDEN, PARITY, REPORT, load_manifest
from .folder import last_bundle, replace_report
from .validate import NotEqualBundle, validate_bundle

RECORDED = (
    "this page shows the exporter's records; nothing was compared again: give the checkpoint with --against for that"
)


@dataclass(frozen=True)
class Report:
    """A written page; `passed` is the verdict on it."""

    bundle: Path
    path: Path
    size: int
    passed: bool


@takes_options(Checkpoint)
def report_bundle(
    bundle: str | Path | None = None,
    *,
    output: str | Path | None = None,
    bench: Callable[[Path], Bench] | None = None,
    explanation: Explanation | None = None,
    against: Place | Checkpoint = None,
    on_step: Step = no_step,
    seed: int | None = None,
    **reading: Unpack[ReadOptions],
) -> Report:
    """Write the page of a bundle.

    It draws what the export recorded. If a bundle records no answers by position, its artifacts run on the positions of
    golden.json. With `against` they run on all of its positions, as in `validate_bundle`.

    Args:
        bundle: the bundle's folder; the one written last below the current folder if left out.
        output: the page's file; report.html in the bundle if left out.
        bench: a function that measures the latencies of the bundle's artifacts, if the page shows them.
        explanation: the errors by layer, if the page shows them.
        against: the checkpoint from which the bundle was made.
        on_step: receives the name of each step, for a progress display.
        seed: the seed of the fresh positions, as in `validate_bundle`.
        options: as below.

    Raises:
        BundleError: the bundle is damaged, the page's path holds something else, or the page cannot be written.
        NotRunHere: artifacts must be run, and no runtime for them is installed here.

    """
    folder = Path(bundle) if bundle is not None else last_bundle()
    on_step("checking the files")
    manifest = load_manifest(folder)
    path = Path(output) if output is not None else folder / REPORT
    if os.path.lexists(path) and not is_report(path):
        raise BundleError(f"'{path}' exists and is not a report of azx: move it away, or name another file with -o.")
    parity, facts = _proof(folder, None if against is None else as_checkpoint(against, **reading), seed, on_step)
    measured = bench(folder) if bench else None
    text = page(manifest, parity, __version__, replace(facts, bench=measured, explanation=explanation))
    on_step("writing the page")
    if path.absolute() == (folder / REPORT).absolute():
        replace_report(folder, text)
    else:
        _write(path, text)
    return Report(folder, path, len(text.encode()), bool(parity["passed"]) and not facts.problems)


def _proof(folder: Path, against: Checkpoint | None, seed: int | None, on_step: Step) -> tuple[dict[str, Any], Facts]:
    """The proof in parity.json's form, recorded or made now, and what a reader must know about it."""
    if against is None:
        recorded = _read_parity(folder)
        if recorded is not None:
            return recorded, Facts(
                golden=GOLDEN if recorded["against"] == GOLDEN else None, note=RECORDED, is_recorded=True
            )
    try:
        done = validate_bundle(folder, against=against, on_step=on_step, seed=seed)
    except NotEqualBundle as error:
        done = error.result  # the page must show what is not equal
    data = done.proof.as_data(traces=True)
    by_golden = done.proof.against == GOLDEN
    note = (
        f"{PARITY} records no answers by position, so the artifacts were run on those of {GOLDEN} for this page: "
        "give the checkpoint with --against for all of them"
        if by_golden
        else "the artifacts were run again for this page"
    )
    return data, Facts(golden=GOLDEN if by_golden else None, note=note, problems=tuple(done.claims.sentences))


def _read_parity(folder: Path) -> dict[str, Any] | None:
    """The content of parity.json; None if it is not listed, or lacks answers of an artifact that ran."""
    parity = read_measured(folder)
    if parity is None:
        return None
    proof = read_proof(parity)
    lacking = [each for each in proof.artifacts if each.proved and each.passed and each.trace is None]
    return None if lacking else parity


def _write(path: Path, text: str) -> None:
    """Replace the page in one step; BundleError if the disk refuses it."""
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_text(text, encoding="utf8", newline="\n")
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        reason = error.strerror or error
        raise BundleError(f"'{path}' cannot be written ({reason}): name another file with -o.") from error

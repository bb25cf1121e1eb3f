"""Checkpoint -> bundle: reads, simplifies, writes every format, proves them all, publishes."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

from ..errors import NotEqual, NotRunHere
from ..export.checkpoint.head import Head
from ..export.checkpoint.run_folder import is_run
from ..export.formats.table import check_also, choose
from ..manifest import Manifest
from ..statement import Statement
from ..system.progress import Fraction, Progress, Step, no_step
from ..system.workers import Workers, load_tensorflow
from ..validate.proof.proof import Proof
from .case.case import ProofError, in_one_line
from .case.checkpoint import Checkpoint, Place, as_checkpoint
from .case.checkpoint_file import CheckpointFile, open_checkpoint
from .case.detection import statements_of
from .case.keywords import ReadOptions, SettingsOptions
from .case.notebook import html_of
from .case.option import takes_options
from .case.settings import Settings, as_settings
from .contents.unwritten import NOT_WRITTEN
from .folder import (
    complete,
    holds_tried,
    lock_folder,
    loses_search,
    publish,
    publish_failed,
    remember,
    staging,
)
from .making import Export, Order
from .precision.plan import plan_formats

BUNDLES = Path("bundles")
# The steps read, simplify, build, compare and ask the original; then two per artifact, to write and to prove it.
STEPS, STEPS_A_FORMAT = 5, 2
_ENTERING = threading.Lock()


@dataclass(frozen=True, eq=False)
class ExportResult:
    """The result of an export.

    `contents` is the manifest, and `manifest` the same as JSON types. `skipped` has the reason for each format of `all`
    that could not be written. `kept` are artifacts of other formats that stay from the replaced bundle. `fallback` says
    which layer stopped the simplification, None for a canonical graph. `game_note` lists the games that the shapes fit
    if they do not determine one; `reading` says how the board is read. `statements` say what the outputs are and how
    the board is read, each with its evidence. `search_dropped` is true if the replaced bundle had a search for another
    network.
    """

    folder: Path
    contents: Manifest
    proof: Proof
    skipped: Mapping[str, str]
    kept: tuple[str, ...]
    fallback: str | None
    heads: tuple[Head, ...]
    seconds: float
    game_note: str | None = None
    reading: str | None = None
    search_dropped: bool = False
    statements: tuple[Statement, ...] = ()

    @property
    def manifest(self) -> dict[str, Any]:
        """manifest.json as JSON types."""
        return self.contents.as_data()

    def __repr__(self) -> str:
        return in_one_line(self, self.folder, self.contents, self.proof.passed)

    def _repr_html_(self) -> str:
        """The figures as a table, for notebooks."""
        return html_of(self.folder, self.proof.passed, self.proof)


class NotProvedExport(ProofError[ExportResult], NotRunHere):
    """An export with artifacts that could not be proved here; `result` is what would have been published."""


class NotEqualExport(ProofError[ExportResult], NotEqual):
    """An export whose proof failed; `result` is what would have been published."""


class ExportOptions(SettingsOptions, ReadOptions, total=False):
    """The keywords of `export_checkpoint`."""


@takes_options(Settings, Checkpoint)
def export_checkpoint(
    checkpoint: Place | Checkpoint = None,
    settings: Settings | None = None,
    *,
    output: str | Path | None = None,
    workers: Workers | None = None,
    on_step: Step = no_step,
    on_progress: Fraction | None = None,
    **options: Unpack[ExportOptions],
) -> ExportResult:
    """Export a checkpoint and prove every artifact equal to it.

    Args:
        checkpoint: a path, a shipped checkpoint's name, or a Keras model in memory (Functional or Sequential, Keras 3
            or tf_keras). A model is proved against its own answers. None: the shipped Connect4 network. An
            `azx.Checkpoint` carries its own settings.
        settings: an `azx.Settings` instead of the keywords from `formats` to `noted`.
        output: the bundle's folder; bundles/<stem> if left out.
        workers: processes that stay loaded from one export to the next; its own if left out.
        on_step: receives the name of each step, for a progress display.
        on_progress: receives the fraction that is done, from 0 to 1, and the step's name. It is an estimate that never
            falls; 1 comes once, at the end.
        options: as below.

    Returns:
        The folder, the manifest, the proof with every figure, and what was not written and why.

    Raises:
        AzxError: with one sentence: CheckpointError if the checkpoint cannot be read; GameError if game, encoding or
            positions do not fit; ConversionError if a format asked for by name is refused; BundleError if the folder
            cannot be written; NotRunHere if nothing could be proved here, or not all that was required; NotEqual
            if an artifact does not answer as the original, or is outside its gate. Then the artifacts are in
            <output>.failed and an existing bundle is as it was.

    """
    started = time.perf_counter()
    chosen: dict[str, Any] = dict(options)
    reading = {name: chosen.pop(name) for name in ReadOptions.__annotations__ if name in chosen}
    checkpoint, settings = as_checkpoint(checkpoint, **reading), as_settings(settings, **chosen)
    to_write, skipped = choose(settings.formats, settings.without)
    check_also(settings.also, to_write)
    plan = plan_formats(to_write, settings.precisions, settings.formats, settings.mixed)
    step = Progress("azx.export", STEPS + STEPS_A_FORMAT * plan.count, on_step, on_progress)
    with ExitStack() as stack:
        source = stack.enter_context(open_checkpoint(checkpoint))
        folder = Path(output) if output is not None else BUNDLES / _name_of(checkpoint, source)
        # One thread at a time: clearing the folder above briefly holds locks that others need.
        with _ENTERING:
            stack.enter_context(lock_folder(folder))
            own = stack.enter_context(Workers()) if workers is None else workers
            place = stack.enter_context(staging(folder))
        if workers is not None:
            stack.callback(workers.finish)  # before the staged folder goes
        own.tensorflow(load_tensorflow, checkpoint.builder is None)
        step("reading the checkpoint")
        keeps_tried = holds_tried(folder, {entry.path(source.stem) for entry in plan.exact})
        order = Order(source.read(), settings, plan, source.stem, place, source.model, keeps_tried=keeps_tried)
        made = Export(order, own, step).run()
        parity = made.proof.as_data(traces=True) | ({NOT_WRITTEN: made.refused} if made.refused else {})
        manifest, kept_files = complete(
            place, folder, made.manifest, parity, equal=bool(made.proof), report=settings.report
        )
        plays = made.detection.reading
        done = ExportResult(
            folder,
            manifest,
            made.proof,
            {**skipped, **plan.skipped, **made.refused},
            kept_files,
            made.frozen.fallback,
            made.frozen.outputs,
            time.perf_counter() - started,
            made.detection.note,
            plays.input_line if plays else None,
            loses_search(folder, manifest),
            statements_of(made.detection),
        )
        _publish(done, place, settings.require_all)
        if settings.noted:
            remember(folder)
    step.end(f"{folder}: exported, {'passed' if done.proof.passed else 'failed'}")
    return done


def _name_of(checkpoint: Checkpoint, source: CheckpointFile) -> str:
    """The folder's usual name; for a run's best network with the run's name, since each run has a gen0001."""
    given = checkpoint.path
    if isinstance(given, (str, Path)) and is_run(Path(given)):
        return f"{Path(given).absolute().name}-{source.stem}"
    return source.stem


def _publish(done: ExportResult, place: Path, require_all: bool) -> None:
    """Put the staged bundle in its place, or raise the error that prevents it."""
    if not done.proof.sentences:
        try:
            done.proof.check_proved(require_all)
        except NotRunHere as error:
            raise NotProvedExport(f"{error} Nothing was published.", done) from error
    if not done.proof:
        failed = publish_failed(place, done.folder)
        raise NotEqualExport(" ".join(done.proof.sentences) + f" The artifacts are in '{failed}'.", done)
    publish(place, done.folder)

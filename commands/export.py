"""`azx export`: a checkpoint to a bundle, proved."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..export.formats.precisions.precision import FP32
from .options import options
from .options.from_fields import export_options, recipe_of
from .options.grouped import command
from .printed import output
from .printed.statements import print_statements

if TYPE_CHECKING:
    from ..bundle.case.checkpoint import Checkpoint
    from ..bundle.case.settings import Settings
    from ..bundle.export import ExportResult


@command()
@click.argument("checkpoints", nargs=-1, metavar="[CHECKPOINT]...")
@options.file_option("-o", "--output", "folder", metavar="DIR", help="The bundle; default bundles/NAME.")
@export_options
@options.loudness_options
@options.json_option
def export(
    checkpoints: tuple[str, ...],
    folder: Path | None,
    quiet: bool,
    verbose: bool,
    as_json: bool,
    **chosen: Any,
) -> None:
    """Write CHECKPOINT in every format, each proved equal to the original.

    In a lower precision (--precision) an artifact is held to a gate instead: whether it still decides as the original
    does (docs/precision.md).

    CHECKPOINT is a file or folder of Keras, ONNX, PyTorch, TensorFlow or TF.js, or the name of a shipped network.
    The folder of an `azx train` run means its best network. Without CHECKPOINT azx exports the shipped Connect4
    network.
    Nothing is published unless the proof holds (exit code 3 if it does not). Several checkpoints are a sweep, as in
    `azx sweep`; DIR is then the folder of their bundles.
    """
    loudness = options.loudness(quiet, verbose)
    recipe = recipe_of(chosen)
    if len(checkpoints) > 1:
        from .sweep import Place, run

        run(checkpoints, recipe, Place(folder), loudness, as_json)
        return
    _export_one(recipe.like.at(next(iter(checkpoints), None)), recipe.settings, folder, loudness, as_json)


def _export_one(
    checkpoint: Checkpoint, settings: Settings, folder: Path | None, loudness: output.Loudness, as_json: bool
) -> None:
    from ..bundle.export import STEPS, STEPS_A_FORMAT, NotEqualExport, NotProvedExport, export_checkpoint
    from ..export.formats.table import choose

    quiet = loudness is output.Loudness.QUIET
    formats = choose(settings.formats, settings.without)[0]
    try:
        # The number of tries in a lower precision is not known in advance.
        steps = STEPS + STEPS_A_FORMAT * len(formats) if settings.precisions == (FP32,) else None
        with output.progress("Exporting", steps, loudness) as step:
            done = export_checkpoint(checkpoint, settings, output=folder, on_step=step)
    except (NotEqualExport, NotProvedExport) as error:
        if as_json:
            error.report = output.plain(_data(error.result))
        else:
            _show(error.result, loudness)
        raise
    if as_json:
        output.print_json(_data(done))
        return
    _show(done, loudness)
    if not quiet:
        output.line(f"Next: {_next_step(done, str(checkpoint.path))}")


def _next_step(done: ExportResult, checkpoint: str) -> str:
    """The next command for most people: play the network, say which game it is, or install it into an app."""
    from ..bundle.contents.playable import in_words, problems_of

    if done.contents.game is None:
        return (
            f"{shlex.join(['azx', 'describe', checkpoint])} (the game is unknown, so nobody can play it "
            "yet: a few questions, and an export with the answers; docs/not-recognised.md)"
        )
    if problems := problems_of(done.contents):
        return (
            f"{shlex.join(['azx', 'install', str(done.folder)])} APP (no app of azx can play it: {in_words(problems)})"
        )
    in_browser = any(artifact.format == "tfjs" for artifact in done.contents.artifacts)
    return shlex.join(["azx", "serve" if in_browser else "play", str(done.folder)])


def _data(done: ExportResult) -> dict[str, Any]:
    return {
        "folder": done.folder,
        "passed": done.proof.passed,
        "heads": done.heads,
        "game_note": done.game_note,
        "reading": done.reading,
        "statements": done.statements,
        "fallback": done.fallback,
        "skipped": done.skipped,
        "kept": done.kept,
        "search_dropped": done.search_dropped,
        "seconds": round(done.seconds, 3),
        "manifest": done.manifest,
        "proof": done.proof.as_data(),
    }


def _show(done: ExportResult, loudness: output.Loudness) -> None:
    from .printed.gate import print_gates
    from .printed.proof import print_proof, print_verdict

    if loudness is not output.Loudness.QUIET:
        _print_network(done, verbose=loudness is output.Loudness.VERBOSE)
        print_proof(done.proof, done.contents)
        print_gates(done.proof, done.contents)
        if done.kept:
            output.line(f"Kept from the previous bundle: {', '.join(done.kept)}")
    print_verdict(done.folder, done.proof, done.seconds)
    if not done.proof:
        return
    if done.search_dropped:
        output.warning(
            "the replaced bundle's search is dropped, since it was found for another network or another encoding; "
            f"{shlex.join(['azx', 'tune', str(done.folder)])} finds this one's"
        )
    for name, reason in done.skipped.items():
        output.warning(f"not written: {name} ({reason})")


def _print_network(done: ExportResult, *, verbose: bool) -> None:
    from ..manifest import written_by

    checkpoint = done.manifest["checkpoint"]
    output.line(
        f"{checkpoint['file']}: {written_by(checkpoint['keras_version'])}, {checkpoint['parameters']:,} parameters, "
        f"{output.describe_game(done.manifest)}"
    )
    if done.reading:
        output.line(f"  {done.reading}")
    for head in done.heads:
        units = "value" if head.width == 1 else "values"
        output.line(f"  {head.name}: {head.width} {units}, {head.activation}")
    print_statements(done.statements, verbose=verbose)
    if done.fallback:
        output.line(f"  traced from Keras directly, not simplified: {done.fallback}")

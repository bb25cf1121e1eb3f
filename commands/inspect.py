"""`azx inspect`: what a checkpoint holds."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .options import from_fields, options
from .options.grouped import command
from .printed import output
from .printed.statements import print_statements

if TYPE_CHECKING:
    from ..bundle.inspect import Inspection

# A checkpoint of this many bytes takes seconds to read.
_LARGE = 16 << 20


@command()
@click.argument("checkpoints", nargs=-1, required=True, metavar="CHECKPOINT...")
@from_fields.game_options
@from_fields.head_options
@from_fields.architecture_options
@click.option("-v", "--verbose", is_flag=True, help="Print the figures behind each statement.")
@options.json_option
def inspect(checkpoints: tuple[str, ...], verbose: bool, as_json: bool, **chosen: Any) -> None:
    """Show what each CHECKPOINT holds, without TensorFlow and without running anything in it.

    It lists layers, shapes, parameters, multiply-adds, the Keras that wrote it, and what is unusual. It says what each
    output is, how the board is read, and how that is known. For a file of weights alone it shows the layers and the
    beginning of a builder.

    Several files are shown one after the other; with --json they are a list. If a file cannot be read, azx names it,
    shows the others, and ends with exit code 1.
    """
    if len(checkpoints) == 1:
        shown = _inspect(checkpoints[0], verbose, as_json, dict(chosen))
        if shown is not None:
            output.print_json(shown)
        return
    _inspect_each(checkpoints, verbose, as_json, chosen)


def _inspect_each(checkpoints: tuple[str, ...], verbose: bool, as_json: bool, chosen: dict[str, Any]) -> None:
    """Show each of several files; AzxError at the end if one could not be read."""
    from ..errors import AzxError, printable

    reports: list[Any] = []
    refused: list[str] = []
    for number, checkpoint in enumerate(checkpoints):
        if number and not as_json:
            click.echo()
        try:
            reports.append(_inspect(checkpoint, verbose, as_json, dict(chosen)))
        except AzxError as error:
            refused.append(checkpoint)
            reports.append({"file": checkpoint, "error": str(error)})
            if not as_json:
                click.echo(printable(f"Error: {error}"), err=True)
    if as_json and not refused:
        output.print_json(reports)
    if refused:
        last = AzxError(
            f"{len(refused)} of {len(checkpoints)} files could not be read as networks: {', '.join(refused)}. "
            "The sentence about each says what to do."
        )
        last.report = {"files": output.plain(reports)}
        raise last


def _inspect(checkpoint: str, verbose: bool, as_json: bool, chosen: dict[str, Any]) -> Any:
    """Show one file; for --json, return what is to be printed instead."""
    from ..bundle.inspect import inspect_checkpoint
    from ..errors import NoArchitecture
    from ..export.checkpoint.door.limits import bytes_on_disk
    from ..export.checkpoint.located import find_checkpoint

    path = find_checkpoint(checkpoint)
    # A small network is done before anybody could read a step.
    loudness = output.Loudness.NORMAL if path.exists() and bytes_on_disk(path) > _LARGE else output.Loudness.QUIET
    try:
        with output.progress("Inspecting", None, loudness) as step:
            inspection = inspect_checkpoint(options.take_checkpoint(chosen, path), on_step=step, **chosen)
    except NoArchitecture as error:
        return _show_weights(path, error, as_json)
    if as_json:
        return inspection
    rows = [
        (row.name, row.kind, _shape(row.shape), f"{row.parameters:,}" if row.parameters else "", ", ".join(row.inputs))
        for row in inspection.layers
    ]
    output.table(("layer", "kind", "shape", "parameters", "from"), rows, right=("parameters",))
    _print_summary(inspection, verbose=verbose)
    return None


def _show_weights(path: Path, problem: Exception, as_json: bool) -> Any:
    """Show the contents of a file with weights alone, and the beginning of a builder; returns data for --json."""
    from ..export.checkpoint.foreign.weights import foreign_weights
    from ..export.checkpoint.located import file_and_config
    from ..export.checkpoint.presets.table import find_preset
    from ..export.checkpoint.stored import skeleton, stored_layers

    file, _ = file_and_config(path, None)
    if foreign_weights(file) is not None:
        raise problem  # a builder's beginning is Keras code, for Keras files alone
    layers = stored_layers(file)
    builder = skeleton(layers, file.name)
    if as_json:
        stored = [{"name": row.name, "kind": row.kind, "weights": dict(row.weights)} for row in layers]
        guess = find_preset(layers)
        return {"file": str(file), "kind": "weights", "layers": stored, "builder": builder, "preset_guess": guess}
    shapes = [", ".join(f"{name} {_shape(shape)}" for name, shape in row.weights) for row in layers]
    rows = [(row.name, row.kind or "?", shape) for row, shape in zip(layers, shapes, strict=True)]
    output.table(("layer", "kind", "weights"), rows)
    output.line(str(problem), good=False)
    click.echo(f"\n{builder}")
    return None


def _print_summary(inspection: Inspection, *, verbose: bool) -> None:
    from ..manifest import written_by

    output.line(f"{inspection.file}: {written_by(inspection.keras_version)}, SHA-256 {inspection.sha256}")
    for spec in inspection.inputs:
        output.line(f"  input {spec['name']}: {_shape(spec['shape'])} {spec['dtype']}")
    for head in inspection.heads:
        renamed = f" -> {head.name}" if head.name != head.source_name else ""
        output.line(f"  {head.role} {head.source_name}{renamed}: {_shape(head.shape)}, {head.activation}")
    if inspection.head_problem:
        output.line(f"  heads: {inspection.head_problem}", good=False)
    output.line(f"  {output.describe_game(vars(inspection))}")
    if inspection.reading:
        output.line(f"  {inspection.reading}")
    print_statements(inspection.statements, verbose=verbose)
    if not inspection.game and inspection.heads:
        describe = shlex.join(["azx", "describe", inspection.file])
        output.line(f"  how it sees its board: {describe} (docs/not-recognised.md)")
    if inspection.multiply_adds is None:
        work = f"; no canonical form, traced from Keras directly: {inspection.fallback}"
    else:
        work = f", {inspection.multiply_adds:,} multiply-adds a position, {inspection.operations} canonical operations"
    output.line(f"  {inspection.parameters:,} parameters{work}")
    for quirk in inspection.quirks:
        output.line(f"  quirk: {quirk}")


def _shape(shape: tuple[int, ...] | None) -> str:
    return "?" if shape is None else f"({', '.join(map(str, shape))})"

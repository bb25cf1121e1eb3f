"""`azx report`: a page about a bundle."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..errors import BundleError
from .options import from_fields, options
from .options.grouped import command
from .printed import output

if TYPE_CHECKING:
    from ..pages.figures import Bench

Found = TypeVar("Found")


@command()
@click.argument("bundle", required=False, type=options.FILE)
@options.file_option("-o", "--output", "path", help="The page; default BUNDLE/report.html.")
@click.option("--against", metavar="CHECKPOINT", help="Run the artifacts again, and compare them with this checkpoint.")
@click.option(
    "--seed", type=click.IntRange(0), metavar="N", help="Of --against: the seed that a proof printed, to repeat it."
)
@click.option("--bench", "measures", is_flag=True, help="Measure how long an answer takes here, as azx bench does.")
@options.file_option(
    "--bench-from", "measured", metavar="FILE.json", help="File with the latencies, written by azx bench --json."
)
@options.file_option(
    "--explanation", metavar="FILE.json", help="File with the layers' errors, written by azx explain --json."
)
@from_fields.architecture_options
@from_fields.code_option
@options.loudness_options
@options.json_option
def report(
    bundle: Path | None,
    path: Path | None,
    measures: bool,
    measured: Path | None,
    explanation: Path | None,
    quiet: bool,
    verbose: bool,
    as_json: bool,
    **chosen: Any,
) -> None:
    """Write what was proved of BUNDLE as one HTML file, with plots and boards.

    `azx export` writes it too. Without BUNDLE the one written last below the current folder is taken, and named first.
    The page shows what the export recorded and loads nothing from elsewhere. If a bundle records no answers by
    position, its artifacts run on the 20 positions of golden.json. With --against they run on all of its positions.
    """
    if measures and measured is not None:
        raise click.UsageError("--bench measures now, --bench-from takes what was measured: give one of them.")
    from ..bundle.report import report_bundle
    from ..pages.figures import read_bench, read_explanation

    loudness = options.loudness(quiet, verbose)
    bundle = options.bundle_or_last(bundle, "Reporting", loudness)
    with output.progress("Reporting", None, loudness) as step:

        def bench(folder: Path) -> Bench:
            return _measure(folder, step) if measured is None else _read(measured, "azx bench --json", read_bench)

        wanted = bench if measures or measured is not None else None
        layers = _read(explanation, "azx explain --json", read_explanation) if explanation is not None else None
        against = options.take_original(chosen)
        about = partial(report_bundle, bundle, output=path, bench=wanted, explanation=layers, on_step=step)
        done = about(against=against, seed=chosen["seed"])
    if as_json:
        output.print_json(done)
        return
    output.line(f"{done.path}: {done.size / 1e3:.0f} KB, open it in a browser", good=True)
    if not done.passed:
        output.warning("It says that the bundle is not equal to its original")


def _read(path: Path, writer: str, read: Callable[[dict[str, Any]], Found]) -> Found:
    """The content of a file that another command wrote; BundleError, naming the file, if it does not fit."""
    from ..bundle.contents.manifest import read_json

    do = f"give one that {writer} wrote"
    try:
        return read(read_json(path, f"There is no file at '{path}': {do}.", do=do))
    except BundleError as error:
        if str(path) in str(error):
            raise
        raise BundleError(f"'{path}': {error}") from error


def _measure(folder: Path, step: output.Step) -> Bench:
    from ..pages.figures import read_bench
    from ..verbs.looking import bench_bundles
    from .bench import as_data

    return read_bench(output.plain(as_data(bench_bundles(folder, on_step=step))))

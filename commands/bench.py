"""`azx bench`: how fast the artifacts of bundles are on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .options import from_fields, options
from .options.grouped import command
from .printed import output

if TYPE_CHECKING:
    from ..bench.measure import ArtifactBench, Bench

COLUMNS = ("artifact", "size", "load", "p50", "p90", "p99", "x quickest", "playouts/s", "peak memory", "runtime")


@command()
@click.argument("bundles", nargs=-1, required=True, type=options.FILE, metavar="BUNDLE...")
@options.names_option("--format", "formats", options.FORMAT_NAMES, "These formats alone.")
@options.number_option("--batch", 1, 1, "Positions per answer.")
@options.number_option(
    "--threads", 1, 1, "Threads of ONNX Runtime, LiteRT and TensorFlow; the other runtimes have one."
)
@options.number_option("--rounds", 1, 20, "Blocks of answers per artifact.")
@options.number_option("--simulations", 0, 100, "Simulations of each search; 0 for none.")
@from_fields.also_option
@options.loudness_options
@options.json_option
def bench(bundles: tuple[Path, ...], quiet: bool, verbose: bool, as_json: bool, **chosen: Any) -> None:
    """Measure every artifact of each BUNDLE in its own runtime on this machine.

    All are measured in turn, each in its own process. Other work on the machine slows all of them alike: their ratios
    hold even if their times do not. Playouts are counted for a second of processor time, which other work does not
    change. The last line has the time that the multiply-adds alone take on this machine.
    """
    from ..verbs.looking import bench_bundles

    with output.progress("Measuring", None, options.loudness(quiet, verbose)) as step:
        done = bench_bundles(bundles, on_step=step, **chosen)
    if as_json:
        output.print_json(as_data(done))
        return
    for bundle in dict.fromkeys(bundles):
        _show(done, bundle)


def as_data(done: Bench) -> dict[str, Any]:
    """What --json prints."""
    bundles = [
        {"bundle": bundle, "multiply_adds": work, "least_seconds": done.least(bundle)}
        for bundle, work in done.work.items()
    ]
    return {
        "rounds": done.rounds,
        "threads": done.threads,
        "multiply_adds_per_second": done.multiply_adds,
        "bundles": bundles,
        "artifacts": [each.as_data() for each in done.artifacts],
    }


def _show(done: Bench, bundle: Path) -> None:
    measured = [each for each in done.artifacts if each.bundle == bundle]
    ran = sorted((each for each in measured if each.answers), key=lambda each: each.ratio or 0)
    batch = f", {ran[0].batch} positions an answer" if ran and ran[0].batch > 1 else ""
    title = f"{bundle}: milliseconds an answer{batch}, {done.rounds} rounds in turn"
    output.table(COLUMNS, [_row(each) for each in ran], title=title, right=COLUMNS[1:9])
    for each in measured:
        if each.reason:
            output.warning(f"{each.title} was not measured: {each.reason}")
    least = done.least(bundle)
    if least is not None:
        speed = done.multiply_adds / 1e9
        output.line(
            f"The {done.work[bundle]:,} multiply-adds of a position take one thread of this machine "
            f"{least * 1e3:.2g} ms ({speed:.1f} billion a second, measured on matrices)."
        )


def _row(bench: ArtifactBench) -> list[str]:
    latency = bench.latency
    return [
        bench.title,
        output.megabytes(bench.size),
        f"{bench.load:.2f} s" if bench.load is not None else "",
        *(f"{latency[key] * 1e3:.2f}" for key in ("p50", "p90", "p99")),
        f"{bench.ratio:.2f}" if bench.ratio is not None else "",
        f"{bench.playouts:,.0f}" if bench.playouts is not None else "",
        f"{bench.memory / 1e6:.0f} MB" if bench.memory is not None else "",
        bench.runtime,
    ]

"""Measures `azx sweep` of several checkpoints against an `azx export` of each, in processor time.

It measures and does not judge: the exit code is 0 whatever the figures are, and each target is printed beside them.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT))  # at the end: for `benchmarks` alone, no name of the root may hide a library's
sys.path.append(str(ROOT / "tests" / "support"))

from versions import changed  # noqa: E402

from azx.commands.printed.output import line, print_json, progress  # noqa: E402
from azx.export.checkpoint.located import find_checkpoint, shipped_names  # noqa: E402
from benchmarks.routes.conversion import Timing, azx_command, time_command  # noqa: E402

TARGET, TARGET_UNCHANGED = 0.6, 0.02


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("checkpoints", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--versions", type=click.IntRange(1), default=3, show_default=True, help="Of each, with other weights.")
@click.option("--format", "formats", default="all", show_default=True, help="As azx export has it.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def main(checkpoints: Sequence[Path], versions: int, formats: str, as_json: bool) -> None:
    """Export each checkpoint by a command of its own, sweep all of them, and sweep them again.

    CHECKPOINTS are .h5 files; without them those that azx ships.
    """
    with tempfile.TemporaryDirectory(prefix="azx-bench-") as name:
        folder = Path(name)
        (folder / "runs").mkdir()
        # With other weights each: the sweep would prove the same bytes once.
        files = [
            changed(source, folder / "runs" / f"{source.stem}-version{number}.h5", number, share=0.001)
            for source in checkpoints or map(find_checkpoint, shipped_names())
            for number in range(1, versions + 1)
        ]
        singles, sweep, again = Timing("singles"), Timing("sweep"), Timing("the same sweep again")
        with progress("Measuring", len(files) + 2) as step:
            for at, file in enumerate(files):
                step(f"azx export {file.name}")
                output = str(folder / "singles" / str(at))
                time_command(singles, [*azx_command(), "export", str(file), "--format", formats, "-o", output], folder)
            for timing in (sweep, again):
                step(timing.name)
                time_command(timing, [*azx_command(), "sweep", "runs/*.h5", "--format", formats], folder)
    failed = [timing.failure for timing in (singles, sweep, again) if timing.failure]
    if failed:
        raise SystemExit(f"a command failed: {failed[0]}")
    spent = {timing.name: sum(timing.processor) for timing in (singles, sweep, again)}
    if as_json:
        print_json({"checkpoints": len(files), "processors": os.cpu_count(), "processor_seconds": spent})
        return
    line(f"{len(files)} checkpoints, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    for timing, target in ((singles, None), (sweep, TARGET), (again, TARGET_UNCHANGED)):
        share = f"{spent[timing.name] / spent['singles']:.2f}" + (f", target {target}" if target else "")
        line(f"  {timing.name}: {spent[timing.name]:.1f} s of processor time ({share}), {sum(timing.wall):.1f} s")


if __name__ == "__main__":
    main()

"""Measures `azx export` against the five official conversion routes: time, and the artifacts' latency and size.

It only measures: the exit code is 0 whatever the figures are, and each target is printed beside them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import click

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT))  # at the end: for `benchmarks` alone, no name of the root may hide a library's

from azx.commands.printed.output import line, print_json, progress  # noqa: E402
from azx.export.checkpoint.located import find_checkpoint  # noqa: E402
from azx.export.formats.table import FORMATS  # noqa: E402
from benchmarks.routes import browser, conversion, latency, report  # noqa: E402

SEED_NETWORK = ROOT.parent / "shared" / "data" / "connect4_version0019.h5"


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("checkpoint", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--runs", type=click.IntRange(1), default=3, show_default=True, help="How often everything is converted.")
@click.option("--rounds", type=click.IntRange(1), default=400, show_default=True, help="Rounds of a latency.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
def main(checkpoint: Path | None, runs: int, rounds: int, as_json: bool) -> None:
    """Compare `azx export` with proof to the official routes without, then the latency of their artifacts.

    CHECKPOINT is a tf_keras .h5 file; without it the seed network or, if that is missing, the shipped one.
    """
    source = (checkpoint or default_checkpoint()).resolve()
    with tempfile.TemporaryDirectory(prefix="azx-bench-") as folder, progress("Measuring", runs * 6 + 4) as step:
        timed = conversion.compare(source, Path(folder), runs, step)
        latencies = measure_latencies(timed, source.stem, rounds, step)
        step("latency of TF.js")
        wasm = measure_browser(timed, source.stem)
    if as_json:
        about = {"checkpoint": source.name, "processors": os.cpu_count(), "load": os.getloadavg()}
        print_json({**about, "conversion": timed.as_data(), "latency": latencies, "tfjs": wasm})
        return
    line(f"{source.name}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    report.print_conversion(timed)
    report.print_latency(latencies)
    report.print_browser(wasm)


def default_checkpoint() -> Path:
    """The seed network if it exists, else the shipped one."""
    return SEED_NETWORK if SEED_NETWORK.exists() else find_checkpoint(None)


def ours(timed: conversion.Conversion, name: str, stem: str) -> Path:
    """The artifact that azx wrote."""
    return timed.ours / FORMATS[name].path(stem)


def measure_browser(timed: conversion.Conversion, stem: str) -> dict[str, Any]:
    """The figures of TF.js in Node; the reason if its official route has not written it."""
    if "tfjs" not in timed.working:
        return {"skipped": "there is no artifact of the official route"}
    return browser.measure(ours(timed, "tfjs", stem), conversion.official_path(timed.theirs, "tfjs"))


def measure_latencies(timed: conversion.Conversion, stem: str, rounds: int, step: Any) -> dict[str, Any]:
    """The figures of each format with both artifacts and a runtime here, each measured in its own process."""
    latencies = {}
    for name in latency.OPENERS:
        if name not in timed.working:
            continue
        step(f"latency of {FORMATS[name].title}")
        paths = [str(ours(timed, name, stem)), str(conversion.official_path(timed.theirs, name))]
        command = [sys.executable, "-P", latency.__file__, name, *paths, str(rounds)]
        environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "-1"}
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
        latencies[name] = json.loads(done.stdout)
    return latencies


if __name__ == "__main__":
    main()

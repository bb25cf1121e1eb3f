"""Times `azx export` of all formats, with proof, against the official routes without: fresh processes, interleaved."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from azx.export.formats.table import FORMATS

OFFICIAL = Path(__file__).with_name("official.py")
# Both sides run on the processor, and without log output, which costs time on a terminal.
_ENVIRONMENT = {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "-1"}
TARGET = 0.35
# The package that each format's official route needs beside TensorFlow; an experimental format has none.
NEEDS = {"pb": "tf_keras", "tflite": "tf_keras", "onnx": "tf2onnx", "tfjs": "tensorflowjs", "coreml": "coremltools"}


@dataclass
class Timing:
    """A command run several times: wall and processor seconds of each run, children included."""

    name: str
    wall: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    failure: str | None = None


@dataclass
class Conversion:
    """All timings; the artifacts of the last run are in the folders `ours` and `theirs`.

    `left_out` has the missing package of each format whose route is not installed; azx does not write it then either.
    """

    azx: Timing
    official: dict[str, Timing]
    ours: Path
    theirs: Path
    left_out: dict[str, str] = field(default_factory=dict)

    @property
    def ratios(self) -> list[float]:
        """For each run, azx' wall time over the sum of the official routes'; a failed route counts as 0."""
        return [mine / sum(route.wall[at] for route in self._working_routes()) for at, mine in enumerate(self.azx.wall)]

    @property
    def processor_ratio(self) -> float:
        """The same ratio in processor time, over all runs; other work on the machine hardly affects it."""
        return sum(self.azx.processor) / sum(sum(route.processor) for route in self._working_routes())

    def as_data(self) -> dict[str, Any]:
        """The figures as JSON types."""
        return {
            "azx_seconds": self.azx.wall,
            "official_seconds": {name: route.wall for name, route in self.official.items()},
            "official_failures": {name: route.failure for name, route in self.official.items() if route.failure},
            "left_out": self.left_out,
            "ratios": self.ratios,
            "ratio_min": min(self.ratios),
            "ratio_median": statistics.median(self.ratios),
            "processor_ratio": self.processor_ratio,
            "target": TARGET,
            "met": statistics.median(self.ratios) <= TARGET,
        }

    @property
    def working(self) -> list[str]:
        """The formats whose official route wrote an artifact."""
        return [name for name, route in self.official.items() if route.failure is None]

    def _working_routes(self) -> list[Timing]:
        return [self.official[name] for name in self.working]


def compare(checkpoint: Path, folder: Path, runs: int, on_step: Callable[[str], None]) -> Conversion:
    """Run azx, then the official routes that are installed, `runs` times over, for the same formats, in `folder`."""
    left_out = {name: package for name, package in NEEDS.items() if find_spec(package) is None}
    official = {name: Timing(name) for name in NEEDS if name not in left_out}
    result = Conversion(Timing("azx"), official, folder / "azx", folder / "official", left_out)
    result.theirs.mkdir()
    formats = [part for name in official for part in ("--format", name)]
    for run in range(1, runs + 1):
        on_step(f"run {run} of {runs}: azx export, with proof")
        time_command(result.azx, [*azx_command(), "export", str(checkpoint), *formats, "-o", str(result.ours)], folder)
        if result.azx.failure:
            raise SystemExit(f"azx export failed: {result.azx.failure}")
        for name, timing in result.official.items():
            on_step(f"run {run} of {runs}: the official route to {FORMATS[name].title}")
            target = str(official_path(result.theirs, name))
            time_command(timing, [sys.executable, "-P", str(OFFICIAL), name, str(checkpoint), target], folder)
    return result


def official_path(folder: Path, name: str) -> Path:
    """The path to which the official route to a format writes."""
    return folder / FORMATS[name].path("net")


def azx_command() -> list[str]:
    """The command `azx` beside this Python, or its module if no script is installed."""
    script = Path(sys.executable).with_name("azx")
    return [str(script)] if script.exists() else [sys.executable, "-P", "-m", "azx"]


def time_command(timing: Timing, command: Sequence[str], folder: Path) -> None:
    """Run a command once in `folder`, which also gets the command's state."""
    environment = {**os.environ, **_ENVIRONMENT, "XDG_STATE_HOME": str(folder / "state")}
    used, started = _processor_seconds(), time.perf_counter()
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    timing.wall.append(time.perf_counter() - started)
    timing.processor.append(_processor_seconds() - used)
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines() or [f"exit code {done.returncode}"]
        timing.failure = lines[-1]


def _processor_seconds() -> float:
    spent = os.times()
    return spent.children_user + spent.children_system

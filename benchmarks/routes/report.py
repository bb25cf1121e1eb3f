"""Prints the figures as tables."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from typing import Any

from azx.commands.printed.output import line, table
from azx.export.formats.table import FORMATS
from benchmarks.routes import conversion
from benchmarks.routes.conversion import Conversion, Timing

LATENCY_TARGET = 1.03
_OPERATIONS = {"pb": "nodes", "tflite": "operators", "onnx": "nodes"}


def print_conversion(result: Conversion) -> None:
    """Print each command's time, then the ratio."""
    working = [timing for timing in result.official.values() if timing.failure is None]
    rows = [_row(f"azx export, {len(result.official)} formats, with proof", result.azx)]
    rows += [_row(f"official route to {FORMATS[name].title}", timing) for name, timing in result.official.items()]
    total = [sum(times) for times in zip(*(timing.wall for timing in working), strict=True)]
    rows.append(_row("official routes together, without proof", Timing("sum", total, [_processor(working)])))
    table(
        ["a fresh process each", "min s", "median s", "processor s"], rows, right={"min s", "median s", "processor s"}
    )
    median = statistics.median(result.ratios)
    line(
        f"azx / official: {median:.2f} median, {min(result.ratios):.2f} best of {len(result.ratios)} run(s), "
        f"{result.processor_ratio:.2f} in processor time; {verdict(median, conversion.TARGET)}"
    )
    for name, package in result.left_out.items():
        line(f"{FORMATS[name].title} was left out on both sides: its official route needs {package}.")


def print_latency(latencies: Mapping[str, Mapping[str, Any]]) -> None:
    """Print milliseconds and operations side by side, then whether each is within the target."""
    rows = [
        [
            FORMATS[name].title,
            f"{one['azx_ms']:.3f}",
            f"{one['official_ms']:.3f}",
            f"{one['ratio_median']:.3f}",
            f"{one['ratio_of_minima']:.3f}",
            f"{one['azx_operations']} / {one['official_operations']} {_OPERATIONS[name]}",
            f"{one['difference']:.1e}",
        ]
        for name, one in latencies.items()
    ]
    columns = ["one thread, batch 1", "azx ms", "official ms", "ratio", "of minima", "azx / official", "difference"]
    table(columns, rows, right=set(columns[1:]))
    for name, one in latencies.items():
        line(f"{FORMATS[name].title}: {one['ratio_median']:.3f}; {verdict(one['ratio_median'], LATENCY_TARGET)}")


def print_browser(browsers: Mapping[str, Any]) -> None:
    """Print the figures of TF.js on wasm, and the reasons why an artifact does not run."""
    if "skipped" in browsers:
        line(f"TF.js was not measured: {browsers['skipped']}")
        return
    for side, one in browsers.items():
        if "failure" in one:
            line(f"TF.js, {side}: {one['nodes']} nodes, does not run: {one['failure']}", good=False)
        else:
            timed = f"{one['ms']:.2f} ms best, {one['median_ms']:.2f} ms median"
            line(f"TF.js, {side}: {one['nodes']} nodes, {timed}, {one['runtime']}", good=True)


def verdict(value: float, target: float) -> str:
    """A clause that says whether a ratio meets its target."""
    return f"target at most {target}: {'met' if value <= target else 'missed'}"


def _row(name: str, timing: Timing) -> list[str]:
    if timing.failure:
        return [f"{name} (failed: {timing.failure})", "-", "-", "-"]
    figures = (min(timing.wall), statistics.median(timing.wall), statistics.mean(timing.processor))
    return [name, *(f"{seconds:.1f}" for seconds in figures)]


def _processor(timings: list[Timing]) -> float:
    return sum(statistics.mean(timing.processor) for timing in timings)

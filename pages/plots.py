"""The plots of a page as inline SVG, in the page's own colours, light or dark."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from xml.etree.ElementTree import Element

from ..validate.gate.verdict import format_figure
from ..validate.proof.trace import EXTREME, WIN_RATE, unpack_numbers
from .figures import ArtifactBench, ArtifactLayers, HeadTrace, Trace
from .markup import add, drawing, text_at

WIDTH, LEFT, RIGHT = 360.0, 46.0, 354.0
TOP, BOTTOM = 16.0, 136.0
SQUARE = 220.0
# The most labels beside an axis.
LABELS = 5
# An error this many powers of ten below the largest is drawn as zero.
MOST_DECADES = 6


def error_plot(parent: Element, trace: Trace, head: HeadTrace) -> None:
    """Draw the error at each position on a logarithmic scale, with the limit and the kinds of positions."""
    errors = unpack_numbers(head.errors)
    low, high = _decades([*errors, head.limit])
    description = (
        f"{head.measure} of {head.head} at {trace.positions:,} positions, limit {_figure(head.measure, head.limit)}"
    )
    svg = drawing(parent, WIDTH, 168, description, "plot")

    def across(share: float) -> float:
        return LEFT + (RIGHT - LEFT) * share

    up = partial(_height, low, high)
    _grid(svg, low, high, head.measure)
    for over in (False, True):
        needles = "".join(
            f"M{across((at + 0.5) / len(errors)):.1f} {BOTTOM:g}V{up(error):.1f}"
            for at, error in enumerate(errors)
            if error > 0 and (error > head.limit) == over
        )
        if needles:
            add(svg, "path", d=needles, class_="needles over" if over else "needles")
    add(svg, "path", d=f"M{LEFT:g} {up(head.limit):.1f}H{RIGHT:g}", class_="limit")
    text_at(svg, RIGHT, 9, f"- - limit {_figure(head.measure, head.limit)}", "limit-label", "end")
    ends = [*(kind.begins for kind in trace.kinds[1:]), trace.positions]
    for kind, end in zip(trace.kinds, ends, strict=True):
        begins, ends_at = (across(min(1.0, edge / trace.positions)) for edge in (kind.begins, end))
        if kind.begins:
            add(svg, "path", d=f"M{begins:.1f} {TOP:g}V{BOTTOM + 5:g}", class_="kind")
        if kind.name == EXTREME:
            text_at(svg, RIGHT, BOTTOM + 16, f"{end - kind.begins} extreme", "soft", "end")
        else:
            text_at(svg, (begins + min(ends_at, RIGHT - 40)) / 2, BOTTOM + 16, kind.name, "soft", "middle")
    text_at(svg, LEFT, BOTTOM + 29, f"{trace.positions:,} positions, the largest of each {_run(trace, errors)}", "soft")


def value_plot(parent: Element, head: HeadTrace) -> None:
    """Draw the original's answers against the artifact's: one point per position, on the diagonal if both agree."""
    original, exported = unpack_numbers(head.original or ""), unpack_numbers(head.exported or "")
    pairs = list(zip(original, exported, strict=False))
    if not pairs:
        return
    ends = [*original, *exported]
    low, high = (0.0, 1.0) if min(ends) >= 0 and max(ends) <= 1 else (-1.0, 1.0)
    low, high = min(low, *ends), max(high, *ends)
    off = max(abs(one - other) for one, other in pairs)
    svg = drawing(parent, WIDTH, 252, f"{head.head}: {len(pairs)} answers, at most {off:.2g} apart", "plot")
    start = (WIDTH - SQUARE) / 2 + 8

    def place(original: float, exported: float) -> tuple[float, float]:
        right, up = ((each - low) / (high - low) * SQUARE for each in (original, exported))
        return start + right, 8 + SQUARE - up

    add(svg, "rect", x=start, y=8.0, width=SQUARE, height=SQUARE, class_="ground")
    (x, y), (right, top) = place(low, low), place(high, high)
    add(svg, "path", d=f"M{x:.1f} {y:.1f}L{right:.1f} {top:.1f}", class_="diagonal")
    places = (place(one, other) for one, other in pairs)
    add(svg, "path", d="".join(f"M{x:.1f} {y:.1f}h0" for x, y in places), class_="points")
    for end, anchor in ((low, "start"), (high, "end")):
        at = place(end, end)
        text_at(svg, at[0], SQUARE + 22, f"{end:g}" if end == int(end) else f"{end:.2f}", "soft", anchor)
        text_at(svg, start - 5, at[1] + (9 if end == high else 0), f"{end:.3g}", "soft", "end")
    text_at(svg, start + SQUARE / 2, SQUARE + 22, "original", "soft", "middle")
    add(
        svg, "text", "exported", text_anchor="middle", class_="soft",
        transform=f"translate({start - 12:.1f} {8 + SQUARE / 2:g}) rotate(-90)",
    )  # fmt: skip


def drift_plot(parent: Element, explained: ArtifactLayers) -> None:
    """Draw how far each layer's values are from the original's; layers outside their band are highlighted."""
    drifts = [(layer, layer.drift) for layer in explained.layers if layer.drift is not None]
    if len(drifts) < 2:
        return
    low, high = _decades([drift for _, drift in drifts if drift > 0] or [1.0])
    svg = drawing(parent, WIDTH, 152, f"Drift over {len(drifts)} layers", "plot")
    _grid(svg, low, high)
    step = (RIGHT - LEFT) / (len(drifts) - 1)
    places = [(LEFT + step * at, _height(low, high, drift), layer) for at, (layer, drift) in enumerate(drifts)]
    add(svg, "path", d="M" + "L".join(f"{x:.1f} {y:.1f}" for x, y, _ in places), class_="drift")
    for x, y, layer in places:
        radius, kind = (2.0, "drift-dot") if layer.in_band else (3.5, "drift-dot over")
        add(svg, "circle", cx=x, cy=y, r=radius, class_=kind)
    text_at(svg, LEFT, BOTTOM + 13, drifts[0][0].layer[:24], "soft")
    text_at(svg, RIGHT, BOTTOM + 13, drifts[-1][0].layer[:24], "soft", "end")


def _height(low: int, high: int, error: float) -> float:
    """The height of an error on a logarithmic scale of these powers of ten."""
    exponent = math.log10(error) if error > 0 else low
    return BOTTOM - (BOTTOM - TOP) * min(1.0, max(0.0, (exponent - low) / (high - low)))


def _grid(svg: Element, low: int, high: int, measure: str = "") -> None:
    """Draw a line for each power of ten, with its label."""
    for exponent in range(low, high + 1, max(1, math.ceil((high - low) / (LABELS - 1)))):
        y = _height(low, high, 10.0**exponent)
        add(svg, "path", d=f"M{LEFT:g} {y:.1f}H{RIGHT:g}", class_="grid")
        text_at(svg, LEFT - 5, y + 4, _figure(measure, 10.0**exponent), "soft", "end")


def latency_bars(parent: Element, measured: Sequence[ArtifactBench]) -> None:
    """Draw the time of an answer, one bar per artifact, fastest first: the median, and the 99th percentile."""
    rows = sorted((each for each in measured if each.latency.get("p50")), key=lambda each: each.latency["p50"])
    if not rows:
        return
    longest = max(each.latency.get("p99", each.latency["p50"]) for each in rows)
    times = ", ".join(f"{each.path} {_milliseconds(each.latency['p50'])}" for each in rows)
    svg = drawing(parent, WIDTH, 36 * len(rows) + 4, f"Median time of an answer: {times}", "plot wide")
    for at, each in enumerate(rows):
        y, scale = 36.0 * at, (WIDTH - 82) / longest
        median, slow = (each.latency.get(name, each.latency["p50"]) * scale for name in ("p50", "p99"))
        text_at(svg, 0, y + 13, each.path if len(each.path) < 48 else f"…{each.path[-46:]}")
        add(svg, "rect", x=0, y=y + 18, width=max(slow, 1.0), height=10, rx=2, class_="bar slow")
        add(svg, "rect", x=0, y=y + 18, width=max(median, 1.0), height=10, rx=2, class_="bar")
        text_at(svg, max(slow, median) + 6, y + 27, _milliseconds(each.latency["p50"]), "figure")


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1e3:.3g} ms"


def _run(trace: Trace, errors: Sequence[float]) -> str:
    run = math.ceil(trace.positions / max(1, len(errors)))
    return "one" if run == 1 else f"{run}"


def _decades(errors: Sequence[float]) -> tuple[int, int]:
    """The powers of ten below and above all errors; an error of 0 is at the bottom."""
    positive = [error for error in errors if error > 0]
    if not positive:  # all answers equal, and a limit of 0
        return -MOST_DECADES, 0
    low, high = math.floor(math.log10(min(positive))), math.ceil(math.log10(max(positive)) + 0.1)
    low = max(low, high - MOST_DECADES)
    return low, max(high, low + 1)


def _figure(measure: str, value: float) -> str:
    if measure == WIN_RATE:
        return format_figure(measure, value)
    return f"{value:.0e}".replace("e-0", "e-").replace("e+00", "") if value < 0.001 else f"{value:.3g}"

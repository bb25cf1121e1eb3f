"""Curves over the generations of a training run as inline SVG, in the page's own colours, light or dark."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from .markup import add, drawing, text_at

WIDTH, WIDE, HEIGHT, LEFT, MARGIN = 360.0, 440.0, 172.0, 46.0, 8.0
TOP, BOTTOM = 14.0, 136.0
# The most labels beside an axis.
LABELS = 5
# A curve with more points than this has no dots.
MOST_DOTS = 60


@dataclass(frozen=True)
class Curve:
    """One figure over the generations: one value per generation, or None.

    `band` has the ends of an interval around each value. `marked` are the places with a highlighted dot. `is_wide`
    makes the drawing as wide as the page.
    """

    title: str
    values: Sequence[float | None]
    band: Sequence[tuple[float, float] | None] = ()
    marked: Collection[int] = ()
    from_zero: bool = True
    is_wide: bool = False


def curve_plot(parent: Element, curve: Curve, form: Callable[[float], str] = "{:g}".format) -> None:
    """Draw a line through the values, with its band, its dots and both axes; `form` formats a value beside its axis."""
    known = [(at, value) for at, value in enumerate(curve.values) if value is not None and math.isfinite(value)]
    if not known:
        return
    ends = [value for _, value in known] + [end for pair in curve.band if pair for end in pair]
    width = WIDE if curve.is_wide else WIDTH
    scale = _Scale(min(ends), max(ends), len(curve.values), width, from_zero=curve.from_zero)
    svg = _axes(parent, f"{curve.title}: {form(known[-1][1])} in generation {known[-1][0] + 1}", scale, form)
    band = [(at, pair) for at, pair in enumerate(curve.band) if pair]
    if len(band) > 1:
        there = [f"{scale.x(at):.1f} {scale.y(high):.1f}" for at, (_, high) in band]
        back = [f"{scale.x(at):.1f} {scale.y(low):.1f}" for at, (low, _) in reversed(band)]
        add(svg, "path", d=f"M{'L'.join(there + back)}Z", class_="band")
    places = [(scale.x(at), scale.y(value), at in curve.marked) for at, value in known]
    add(svg, "path", d="M" + "L".join(f"{x:.1f} {y:.1f}" for x, y, _ in places), class_="drift")
    for x, y, is_marked in places:
        if is_marked or len(places) <= MOST_DOTS:
            add(svg, "circle", cx=x, cy=y, r=3.5 if is_marked else 1.8, class_="drift-dot")


def stacked_bars(parent: Element, title: str, names: Sequence[str], rows: Sequence[Sequence[float]]) -> None:
    """Draw a bar per generation with its parts stacked; `rows` has each generation's parts, in the order of `names`."""
    if not rows:
        return
    scale = _Scale(0.0, max(map(sum, rows)), len(rows), WIDTH, from_zero=True)
    svg = _axes(parent, f"{title}, up to generation {len(rows)}: {', '.join(names)}", scale, "{:g}".format)
    width = max(0.5, min(14.0, 0.8 * (scale.right - LEFT) / len(rows)))
    for part in range(len(names)):
        path = ""
        for at, row in enumerate(rows):
            low, high = scale.y(sum(row[:part])), scale.y(sum(row[: part + 1]))
            left = min(max(scale.x(at) - width / 2, LEFT), scale.right - width)
            path += f"M{left:.1f} {low:.1f}V{high:.1f}h{width:.1f}V{low:.1f}Z"
        add(svg, "path", d=path, class_=f"part part{part}")
    for part, name in enumerate(names):
        x = LEFT + 96.0 * part
        add(svg, "rect", x=x, y=HEIGHT - 13, width=9.0, height=9.0, class_=f"part part{part}")
        text_at(svg, x + 13, HEIGHT - 5, name, "soft")


class _Scale:
    """The places of generations and values in the drawing; the axis of values ends at round numbers."""

    def __init__(self, low: float, high: float, count: int, width: float, *, from_zero: bool) -> None:
        if from_zero:
            low, high = min(low, 0.0), max(high, 0.0)
        self.step = _round_step((high - low) or abs(high) or 1.0)
        self.low = math.floor(low / self.step) * self.step
        self.high = max(math.ceil(high / self.step) * self.step, self.low + self.step)
        self.count, self.width, self.right = count, width, width - MARGIN

    def x(self, at: int) -> float:
        return LEFT + (self.right - LEFT) * (at / (self.count - 1) if self.count > 1 else 0.5)

    def y(self, value: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * (value - self.low) / (self.high - self.low)

    @property
    def values(self) -> list[float]:
        return [self.low + self.step * at for at in range(round((self.high - self.low) / self.step) + 1)]


def _round_step(span: float) -> float:
    """1, 2 or 5 times a power of ten, chosen so that at most `LABELS` - 1 steps fill the span."""
    least = span / (LABELS - 1)
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * times for times in (1, 2, 5, 10) if power * times >= least * (1 - 1e-9))


def _axes(parent: Element, title: str, scale: _Scale, form: Callable[[float], str]) -> Element:
    svg = drawing(parent, scale.width, HEIGHT, title, "plot")
    for value in scale.values:
        y = scale.y(value)
        add(svg, "path", d=f"M{LEFT:g} {y:.1f}H{scale.right:g}", class_="grid")
        text_at(svg, LEFT - 5, y + 4, form(round(value, 10)), "soft", "end")
    last = scale.count - 1
    for at in sorted({0, last // 2, last}):
        text_at(svg, scale.x(at), BOTTOM + 15, str(at + 1), "soft", "middle")
    return svg

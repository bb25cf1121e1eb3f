"""A drawing of lines, areas, dots and texts, as SVG and as PNG.

SVG takes its light or dark colours from the page around it, or from the reader's system if the file is alone. PNG knows
neither, so its ground is white.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, tostring

from .markup import add, drawing, text_at

Point = tuple[float, float]
# The colour of each part: as CSS, and as (red, green, blue) on white.
INK = {"ink": (31, 35, 40), "faint": (216, 222, 228), "grey": (89, 99, 110), "accent": (9, 105, 218)}
CSS = (
    ".azx-plot{color:#1f2328;--accent:#0969da}"
    "@media(prefers-color-scheme:dark){.azx-plot{color:#f0f6fc;--accent:#58a6ff}}"
    ".azx-plot text{font:12px system-ui,sans-serif;fill:currentColor}.azx-plot .grey{opacity:.75}"
    ".azx-plot line,.azx-plot polyline{fill:none;stroke:currentColor}.azx-plot .faint{opacity:.18}"
    ".azx-plot .accent{stroke:var(--accent)}.azx-plot circle{fill:var(--accent)}"
    ".azx-plot polygon{fill:var(--accent);opacity:.2;stroke:none}"
)
# Pixels of a PNG per unit. The picture is first drawn `SMOOTH` times larger, which makes its edges smooth.
SCALE, SMOOTH = 2, 2
SIZE = 12


@dataclass(frozen=True)
class Line:
    """A line through points."""

    points: tuple[Point, ...]
    kind: str = "ink"
    width: float = 1.0


@dataclass(frozen=True)
class Area:
    """The area inside a polygon, in a light accent."""

    points: tuple[Point, ...]


@dataclass(frozen=True)
class Dot:
    """A filled circle in the accent."""

    at: Point
    radius: float


@dataclass(frozen=True)
class Text:
    """A text on its base line; `anchor` is start, middle or end."""

    at: Point
    text: str
    anchor: str = "start"
    kind: str = "ink"


Part = Line | Area | Dot | Text


@dataclass(frozen=True)
class Drawing:
    """Parts, drawn in order, on a ground of `width` x `height` units; `title` describes the drawing in words."""

    width: int
    height: int
    title: str
    parts: tuple[Part, ...]


def draw_svg(parent: Element | None, plot: Drawing) -> Element:
    """The drawing as a child of an element of a page; without `parent`, as a file's root."""
    svg = drawing(parent, plot.width, plot.height, plot.title, "azx-plot")
    add(svg, "style").text = CSS
    for part in plot.parts:
        if isinstance(part, Text):
            text_at(svg, part.at[0], part.at[1], part.text, part.kind, part.anchor)
        elif isinstance(part, Dot):
            add(svg, "circle", cx=part.at[0], cy=part.at[1], r=part.radius)
        elif isinstance(part, Area):
            add(svg, "polygon", points=_list_points(part.points))
        else:
            add(svg, "polyline", points=_list_points(part.points), class_=part.kind, stroke_width=part.width)
    return svg


def _list_points(points: Sequence[Point]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def as_svg_text(plot: Drawing) -> str:
    """The drawing as the text of an SVG file."""
    return tostring(draw_svg(None, plot), encoding="unicode") + "\n"


def write_png(drawings: Sequence[Drawing], path: Path) -> None:
    """Write the drawings, one below the other; ImportError if Pillow is missing, OSError if the disk fails."""
    from PIL import Image

    pictures = [_picture(each) for each in drawings]
    size = max(picture.width for picture in pictures), sum(picture.height for picture in pictures)
    whole, top = Image.new("RGB", size, "white"), 0
    for picture in pictures:
        whole.paste(picture, (0, top))
        top += picture.height
    # The drawing has few colours, so a palette loses nothing visible.
    whole.quantize(64).save(path, format="PNG", optimize=True)


def _picture(plot: Drawing) -> Any:
    from PIL import Image, ImageDraw, ImageFont

    unit = SCALE * SMOOTH
    picture = Image.new("RGB", (plot.width * unit, plot.height * unit), "white")
    on = ImageDraw.Draw(picture, "RGBA")
    font = ImageFont.load_default(SIZE * unit)
    for part in plot.parts:
        if isinstance(part, Text):
            place = tuple(at * unit for at in part.at)
            on.text(
                place, part.text, INK[part.kind], font, anchor={"start": "ls", "middle": "ms"}.get(part.anchor, "rs")
            )
        elif isinstance(part, Dot):
            on.circle(tuple(at * unit for at in part.at), part.radius * unit, INK["accent"])
        elif isinstance(part, Area):
            on.polygon([(x * unit, y * unit) for x, y in part.points], (*INK["accent"], 50))
        else:
            points = [(x * unit, y * unit) for x, y in part.points]
            on.line(points, INK[part.kind], round(part.width * unit), joint="curve")
    return picture.resize((plot.width * SCALE, plot.height * SCALE), Image.Resampling.LANCZOS)

"""A drawing of lines, areas, dots and texts, as SVG and as PNG.

In SVG the colours are those of the page around it, light or dark, or of the reader's system where the file stands
alone. PNG has a white ground, because it cannot know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, tostring

from .markup import add, drawing, text_at

Point = tuple[float, float]
# What each part is drawn in: as CSS, and as (red, green, blue) on white.
INK = {"ink": (31, 35, 40), "faint": (216, 222, 228), "grey": (89, 99, 110), "accent": (9, 105, 218)}
CSS = (
    ".azx-plot{color:#1f2328;--accent:#0969da}"
    "@media(prefers-color-scheme:dark){.azx-plot{color:#f0f6fc;--accent:#58a6ff}}"
    ".azx-plot text{font:12px system-ui,sans-serif;fill:currentColor}.azx-plot .grey{opacity:.75}"
    ".azx-plot line,.azx-plot polyline{fill:none;stroke:currentColor}.azx-plot .faint{opacity:.18}"
    ".azx-plot .accent{stroke:var(--accent)}.azx-plot circle{fill:var(--accent)}"
    ".azx-plot polygon{fill:var(--accent);opacity:.2;stroke:none}"
)
# Pixels of a PNG for each unit; it is drawn larger by `SMOOTH` first, which makes its edges smooth.
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
    """What lies within points, in a light accent."""

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
    """Parts, drawn in their order, on a ground of `width` x `height` units; `title` says it in words."""

    width: int
    height: int
    title: str
    parts: tuple[Part, ...]


def draw_svg(parent: Element | None, drawn: Drawing) -> Element:
    """The drawing as a child of an element of a page, or, without one, as a file's root."""
    svg = drawing(parent, drawn.width, drawn.height, drawn.title, "azx-plot")
    add(svg, "style").text = CSS
    for part in drawn.parts:
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


def as_svg_text(drawn: Drawing) -> str:
    """The drawing as a file of its own."""
    return tostring(draw_svg(None, drawn), encoding="unicode") + "\n"


def write_png(drawings: Sequence[Drawing], path: Path) -> None:
    """Write the drawings, one below the other; ImportError without Pillow, OSError if the disk refuses it."""
    from PIL import Image

    pictures = [_picture(each) for each in drawings]
    size = max(picture.width for picture in pictures), sum(picture.height for picture in pictures)
    whole, top = Image.new("RGB", size, "white"), 0
    for picture in pictures:
        whole.paste(picture, (0, top))
        top += picture.height
    # Few colours are in it, and so a palette loses nothing that is seen.
    whole.quantize(64).save(path, format="PNG", optimize=True)


def _picture(drawn: Drawing) -> Any:
    from PIL import Image, ImageDraw, ImageFont

    unit = SCALE * SMOOTH
    picture = Image.new("RGB", (drawn.width * unit, drawn.height * unit), "white")
    on = ImageDraw.Draw(picture, "RGBA")
    font = ImageFont.load_default(SIZE * unit)
    for part in drawn.parts:
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
    return picture.resize((drawn.width * SCALE, drawn.height * SCALE), Image.Resampling.LANCZOS)

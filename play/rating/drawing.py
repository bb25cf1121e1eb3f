"""A drawing of lines, areas, dots and texts, as SVG and as PNG.

In SVG the colours are those of the page around it, light or dark, or of the reader's system where the file stands
alone. PNG has a white ground, because it cannot know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

Point = tuple[float, float]
SVG = "http://www.w3.org/2000/svg"
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


def as_svg(drawing: Drawing) -> Element:
    """The drawing as an element of a page, which can stand alone in a file too."""
    box = f"0 0 {drawing.width} {drawing.height}"
    svg = Element("svg", {"xmlns": SVG, "viewBox": box, "class": "azx-plot", "role": "img"})
    SubElement(svg, "title").text = drawing.title
    SubElement(svg, "style").text = CSS
    for part in drawing.parts:
        if isinstance(part, Text):
            x, y = (f"{at:g}" for at in part.at)
            made = SubElement(svg, "text", {"x": x, "y": y, "text-anchor": part.anchor, "class": part.kind})
            made.text = part.text
        elif isinstance(part, Dot):
            x, y = (f"{at:.1f}" for at in part.at)
            SubElement(svg, "circle", cx=x, cy=y, r=f"{part.radius:g}")
        elif isinstance(part, Area):
            SubElement(svg, "polygon", points=_listed(part.points))
        else:
            width = f"{part.width:g}"
            SubElement(svg, "polyline", {"points": _listed(part.points), "class": part.kind, "stroke-width": width})
    return svg


def _listed(points: Sequence[Point]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def as_svg_text(drawing: Drawing) -> str:
    """The drawing as a file of its own."""
    return tostring(as_svg(drawing), encoding="unicode") + "\n"


def write_png(drawings: Sequence[Drawing], path: Path) -> None:
    """Write the drawings, one below the other; ImportError without Pillow, OSError where the disk refuses it."""
    from PIL import Image

    pictures = [_picture(drawing) for drawing in drawings]
    size = max(picture.width for picture in pictures), sum(picture.height for picture in pictures)
    whole, top = Image.new("RGB", size, "white"), 0
    for picture in pictures:
        whole.paste(picture, (0, top))
        top += picture.height
    # Few colours are in it, and so a palette loses nothing that is seen.
    whole.quantize(64).save(path, format="PNG", optimize=True)


def _picture(drawing: Drawing) -> Any:
    from PIL import Image, ImageDraw, ImageFont

    unit = SCALE * SMOOTH
    picture = Image.new("RGB", (drawing.width * unit, drawing.height * unit), "white")
    on = ImageDraw.Draw(picture, "RGBA")
    font = ImageFont.load_default(SIZE * unit)
    for part in drawing.parts:
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
    return picture.resize((drawing.width * SCALE, drawing.height * SCALE), Image.Resampling.LANCZOS)

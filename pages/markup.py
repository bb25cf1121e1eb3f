"""Pages and drawings as trees of elements with one style sheet, so that no name in a bundle can become a tag.

A page loads no script, picture or font, and its content policy forbids the browser to load any.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, tostring

from ..system.plain_file import open_plain

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
# The mark of the command that wrote a page is within this number of bytes from the beginning.
_HEAD_BYTES = 1000
SVG = "http://www.w3.org/2000/svg"

LONGEST = 400
TICK, CROSS, ATTENTION = "✓", "✗", "!"
GOOD, BAD, OPEN = "good", "bad", "open"
MARKS = {GOOD: TICK, BAD: CROSS, OPEN: ATTENTION}


def document(title: str, mark: str, version: str) -> tuple[Element, Element]:
    """An empty page of the command `mark` of azx `version`: the whole page, and its <main>."""
    html = Element("html", lang="en")
    head = add(html, "head")
    add(head, "meta", charset="utf-8")
    add(head, "meta", http_equiv="Content-Security-Policy", content=POLICY)
    add(head, "meta", name="generator", content=f"{mark} {version}")
    add(head, "meta", name="viewport", content="width=device-width, initial-scale=1")
    add(head, "meta", name="referrer", content="no-referrer")
    add(head, "title", title)
    add(head, "style").text = Path(__file__).with_name("style.css").read_text(encoding="utf8")
    return html, add(add(html, "body"), "main")


def as_text(html: Element) -> str:
    """The page as the text of its file."""
    return "<!doctype html>\n" + tostring(html, encoding="unicode", method="html") + "\n"


def is_written_by(mark: str, path: Path) -> bool:
    """Whether the command `mark` of azx wrote the file; another program's file may have the same name."""
    try:
        with open_plain(path) as file:
            return not path.is_symlink() and mark.encode() in file.read(_HEAD_BYTES)
    except OSError:
        return False


def add(parent: Element, tag: str, text: str = "", /, **attributes: object) -> Element:
    """A new last child of `parent`; `class_` means class, _ in a name means -, numbers get at most two decimals."""
    texts = {name.rstrip("_").replace("_", "-"): _number(value) for name, value in attributes.items()}
    element = SubElement(parent, tag, texts)
    element.text = shorten(text) or None
    return element


def table(parent: Element, titles: Sequence[str]) -> Element:
    """The body of a new table with these columns; the first column is text."""
    grid = add(add(parent, "div", class_="card table"), "table")
    top = add(add(grid, "thead"), "tr")
    for title in titles:
        add(top, "th", title, scope="col")
    return add(grid, "tbody")


def mark(parent: Element, kind: str) -> None:
    """Add the sign for good, bad or open."""
    add(parent, "span", f"{MARKS[kind]} ", class_=f"mark {kind}")


def cell(line: Element, title: str, value: str = "", *below: str, kind: str | None = None) -> None:
    """Add a cell of a column to a row: a value, marked if it is good or bad, and small texts below it."""
    there = add(line, "td", data_label=title)
    if not value:
        return
    holder = add(there, "span", value if kind is None else "")
    if kind is not None:
        mark(holder, kind)
        add(holder, "span", value)
    for text in filter(None, below):
        add(holder, "small", text)


def drawing(parent: Element | None, width: float, height: float, title: str, kind: str) -> Element:
    """An SVG of `width` x `height` units; `title` describes it for screen readers.

    Without `parent`, it is a file's root.
    """
    texts = {"viewBox": f"0 0 {_number(width)} {_number(height)}", "class": kind, "role": "img"}
    svg = Element("svg", {"xmlns": SVG, **texts}) if parent is None else SubElement(parent, "svg", texts)
    add(svg, "title", title)
    return svg


def text_at(svg: Element, x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> None:
    """Add a text to a drawing, at its base line."""
    add(svg, "text", text, x=x, y=y, text_anchor=anchor, class_=kind)


def shorten(text: str) -> str:
    """A text cut to a readable length, without control characters."""
    printable = "".join(letter if letter.isprintable() else " " for letter in text[: LONGEST + 1])
    return printable if len(printable) <= LONGEST else f"{printable[: LONGEST - 1]}…"


def _number(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)

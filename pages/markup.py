"""Pages and drawings as trees of elements, with one style sheet: no name in a bundle can become a tag.

A page asks for nothing: no script, no picture, no font comes from anywhere, and a policy in it tells the browser so.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, tostring

from ..system.plain_file import open_plain

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
# In the beginning of a page stands by which command it was written.
_HEAD_BYTES = 1000
SVG = "http://www.w3.org/2000/svg"

LONGEST = 400
TICK, CROSS, ATTENTION = "✓", "✗", "!"
GOOD, BAD, OPEN = "good", "bad", "open"
MARKS = {GOOD: TICK, BAD: CROSS, OPEN: ATTENTION}


def document(title: str, mark: str, version: str) -> tuple[Element, Element]:
    """An empty page that the command `mark` of azx `version` writes: the whole, and its <main>."""
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
    """The page as it is written to a file."""
    return "<!doctype html>\n" + tostring(html, encoding="unicode", method="html") + "\n"


def is_written_by(mark: str, path: Path) -> bool:
    """Whether the file is a page that the command `mark` of azx wrote, and no other of that name."""
    try:
        with open_plain(path) as file:
            return not path.is_symlink() and mark.encode() in file.read(_HEAD_BYTES)
    except OSError:
        return False


def add(parent: Element, tag: str, text: str = "", /, **attributes: object) -> Element:
    """A new last child. `class_` is class, and _ in a name stands for -; numbers have two decimals at most."""
    told = {name.rstrip("_").replace("_", "-"): _number(value) for name, value in attributes.items()}
    element = SubElement(parent, tag, told)
    element.text = shorten(text) or None
    return element


def table(parent: Element, titles: Sequence[str]) -> Element:
    """The body of a new table with these columns, whose first is text."""
    grid = add(add(parent, "div", class_="card table"), "table")
    top = add(add(grid, "thead"), "tr")
    for title in titles:
        add(top, "th", title, scope="col")
    return add(grid, "tbody")


def mark(parent: Element, kind: str) -> None:
    """The sign of something good, bad or open."""
    add(parent, "span", f"{MARKS[kind]} ", class_=f"mark {kind}")


def cell(line: Element, title: str, value: str = "", *below: str, kind: str | None = None) -> None:
    """A cell of a column in a row: a value, marked if it is good or bad, and small texts below it."""
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
    """An SVG of so many units, which `title` says in words for those who do not see it; a file's own without parent."""
    told = {"viewBox": f"0 0 {_number(width)} {_number(height)}", "class": kind, "role": "img"}
    svg = Element("svg", {"xmlns": SVG, **told}) if parent is None else SubElement(parent, "svg", told)
    add(svg, "title", title)
    return svg


def text_at(svg: Element, x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> None:
    """A text on its base line in a drawing."""
    add(svg, "text", text, x=x, y=y, text_anchor=anchor, class_=kind)


def shorten(text: str) -> str:
    """No more of a text than a person reads; control characters are left out."""
    shown = "".join(letter if letter.isprintable() else " " for letter in text[: LONGEST + 1])
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 1]}…"


def _number(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)

"""Elements of a page. It is written as a tree and not as text, so that no name in a bundle can become a tag."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement

LONGEST = 400
TICK, CROSS, ATTENTION = "✓", "✗", "!"
GOOD, BAD, OPEN = "good", "bad", "open"
MARKS = {GOOD: TICK, BAD: CROSS, OPEN: ATTENTION}


def add(parent: Element, tag: str, text: str = "", /, **attributes: object) -> Element:
    """A new last child. `class_` is class, and _ in a name stands for -; numbers have two decimals at most."""
    told = {name.rstrip("_").replace("_", "-"): _number(value) for name, value in attributes.items()}
    element = SubElement(parent, tag, told)
    element.text = shortened(text) or None
    return element


def drawing(parent: Element, width: float, height: float, title: str, kind: str) -> Element:
    """An SVG of so many units, which `title` says in words for those who do not see it."""
    box = f"0 0 {_number(width)} {_number(height)}"
    svg = SubElement(parent, "svg", {"viewBox": box, "class": kind, "role": "img"})
    add(svg, "title", title)
    return svg


def text_at(svg: Element, x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> None:
    """A text on its base line in a drawing."""
    add(svg, "text", text, x=x, y=y, text_anchor=anchor, class_=kind)


def shortened(text: str) -> str:
    """No more of a text than a person reads; control characters are left out."""
    shown = "".join(letter if letter.isprintable() else " " for letter in text[: LONGEST + 1])
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 1]}…"


def _number(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)

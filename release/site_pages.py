#!/usr/bin/env -S python3 -P
"""Gather the pages of the documentation's site in build/site-docs: `make site` builds it from there.

docs/, README (as its first page), CHANGELOG, CONTRIBUTING and SECURITY; the names of the Python API and a gallery
are written from the live code and the tests' pictures. Needs azx: run it with .venv/bin/python.

`site_pages.py house` writes docs/images/house.svg, the picture of who may import whom.
"""

from __future__ import annotations

import inspect
import os
import re
import shutil
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "build/site-docs"
GOLDENS = ROOT / "apps/android/host/src/test/goldens"
# Pages that lie outside docs/, by their names on the site.
OUTSIDE = {"README.md": "index.md", "CHANGELOG.md": "", "CONTRIBUTING.md": "", "SECURITY.md": ""}
GALLERY = (
    ("connect4", "Connect4", ("connect4-phone-light", "connect4-review-phone-dark")),
    ("dots_and_boxes", "Dots and Boxes", ("dots_and_boxes-phone-light", "dots_and_boxes-over-phone-dark")),
    ("go", "Go", ("go-phone-light", "go-score-phone-dark")),
    ("gomoku", "Gomoku", ("gomoku-phone-light",)),
    ("hex", "Hex", ("hex-phone-light",)),
    ("reversi", "Reversi", ("reversi-phone-light",)),
    ("tictactoe", "Tic-tac-toe", ("tictactoe-phone-light",)),
)


# Which pages a search shows first: answers before explanations, those before lists.
RANKS = {"questions.md": 8, "tutorial.md": 3, "your-own-network.md": 3, "not-recognised.md": 3}
RANKS |= {"cli.md": 0.3, "CHANGELOG.md": 0.1, "python-names.md": 0.1, "roadmap.md": 0.1}


def on_site(text: str, name: str) -> str:
    """A page whose links lead to other pages of the site; what is not on it becomes text, or the repository's address.

    Pictures are copied beside the pages.
    """
    folder = (ROOT / name).parent
    address = os.environ.get("AZX_REPOSITORY", "").rstrip("/")

    def link(found: re.Match[str]) -> str:
        label, target, anchor = found[1], found[2], found[3] or ""
        path = (folder / target).resolve()
        inner = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else ""
        if inner in OUTSIDE:
            return f"[{label}]({OUTSIDE[inner] or inner}{anchor})"
        if path.parent == ROOT / "docs" and path.suffix == ".md":
            return f"[{label}]({path.name}{anchor})"
        if path.suffix in (".png", ".svg") and path.is_file():
            return f"[{label}]({_picture(path)})"
        return f"[{label}]({address}/blob/main/{inner}{anchor})" if address else label

    text = re.sub(r"\[([^\]\n]*)\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?\)", link, text)
    return re.sub(
        r'<img src="(?!https?:)([^"]+)"', lambda found: f'<img src="{_picture((folder / found[1]).resolve())}"', text
    )


def _picture(path: Path) -> str:
    place = TARGET / "images" / path.name
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, place)
    return f"images/{path.name}"


def write(name: str, text: str) -> None:
    """Write a page of the site, with its rank in a search."""
    head = f"---\nsearch:\n  boost: {RANKS[name]}\n---\n\n" if name in RANKS else ""
    (TARGET / name).write_text(head + text, encoding="utf-8")


def python_names() -> str:
    """Every public name of azx with its signature and docstring."""
    import azx

    lines = [
        "# Python, every name",
        "",
        "Written from the live code. [python-api.md](python-api.md) shows how they go together.",
        "",
    ]
    for name in azx.__all__:
        value = getattr(azx, name)
        if not callable(value):
            continue
        try:
            signature = re.sub(r"azx\.[\w.]+\.", "", str(inspect.signature(value)))
        except (TypeError, ValueError):
            signature = "(...)"
        kind = "class" if inspect.isclass(value) else "def"
        about = inspect.getdoc(value) or ""
        lines += [f"## {name}", "", "```python", f"{kind} {name}{signature}", "```", "", "```text", about, "```", ""]
    return "\n".join(lines)


def gallery() -> str:
    """The boards of all games, as the tests of the Android app draw them."""
    lines = ["# Gallery of boards", "", "The Android app's screens, as its tests draw and compare them.", ""]
    for _, title, pictures in GALLERY:
        there = [GOLDENS / f"{name}.png" for name in pictures if (GOLDENS / f"{name}.png").is_file()]
        shown = " ".join(f'<img src="{_picture(path)}" width="220" alt="{title}: {path.stem}">' for path in there)
        lines += [f"## {title}", "", shown or "No picture of it is among the tests' own.", ""]
    return "\n".join(lines)


def house_svg() -> str:
    """The rooms from the roof down, as pyproject.toml has them for the linter."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = next(each["layers"] for each in contracts if each.get("containers") == ["azx"])
    width, height, gap = 640, 40, 10
    top = 60
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {top + len(layers) * (height + gap)}" '
        'font-family="sans-serif" font-size="15" role="img" aria-label="The rooms of azx, from the roof down">',
        f'<path d="M {width // 2} 8 L {width - 12} {top - 6} L 12 {top - 6} Z" fill="#5c6bc0"/>',
        f'<text x="{width // 2}" y="44" text-anchor="middle" fill="#fff">azx</text>',
    ]
    for row, layer in enumerate(layers):
        rooms = [room.strip() for room in layer.split("|")]
        each = (width - 24 - gap * (len(rooms) - 1)) / len(rooms)
        for column, room in enumerate(rooms):
            x, y = 12 + column * (each + gap), top + row * (height + gap)
            place = f'x="{x:.1f}" y="{y}" width="{each:.1f}" height="{height}"'
            lines.append(f'<rect {place} rx="6" fill="#e8eaf6" stroke="#5c6bc0"/>')
            lines.append(f'<text x="{x + each / 2:.1f}" y="{y + 25}" text-anchor="middle" fill="#1a237e">{room}</text>')
    return "\n".join([*lines, "</svg>", ""])


def gather() -> None:
    """Write all pages to build/site-docs."""
    shutil.rmtree(TARGET, ignore_errors=True)
    TARGET.mkdir(parents=True)
    for path in sorted((ROOT / "docs").glob("*.md")):
        text = on_site(path.read_text(encoding="utf-8"), f"docs/{path.name}")
        write(path.name, text)
    for name, own in OUTSIDE.items():
        text = on_site((ROOT / name).read_text(encoding="utf-8"), name)
        write(own or name, text)
    write("python-names.md", python_names())
    write("gallery.md", gallery())


if __name__ == "__main__":
    if sys.argv[1:] == ["house"]:
        (ROOT / "docs/images/house.svg").write_text(house_svg(), encoding="utf-8")
    else:
        gather()

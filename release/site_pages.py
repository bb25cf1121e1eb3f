#!/usr/bin/env -S python3 -P
"""Gather the pages of the documentation's site in build/site-docs, from which `make site` builds it.

These are docs/, README (as the first page), CHANGELOG, CONTRIBUTING and SECURITY. Two more are written from the live
code and the tests' pictures: the names of the Python API, and a gallery. Needs azx: run it with .venv/bin/python.

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
    ("gomoku", "Gomoku", ("gomoku-hint-phone-light", "gomoku-phone-dark")),
    ("hex", "Hex", ()),
    ("reversi", "Reversi", ()),
    ("tictactoe", "Tic-tac-toe", ("tictactoe-phone-light",)),
)


# Pages with a higher rank come first in a search: answers, then explanations, then lists.
RANKS = {"questions.md": 8, "tutorial.md": 3, "your-own-network.md": 3, "not-recognised.md": 3, "in-your-app.md": 3}
RANKS |= {"cli.md": 0.3, "CHANGELOG.md": 0.1, "python-names.md": 0.1, "roadmap.md": 0.1}


def on_site(text: str, name: str) -> str:
    """A page whose links lead to other pages of the site; other links become text, or lead to the repository.

    Pictures are copied beside the pages.
    """
    folder = (ROOT / name).parent
    address = os.environ.get("AZX_REPOSITORY", "").rstrip("/")

    def link(match: re.Match[str]) -> str:
        label, target, anchor = match[1], match[2], match[3] or ""
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


def nested(text: str) -> str:
    """A page with the contents of numbered lists indented by four blanks instead of three, as the site needs it."""
    lines, inside = list[str](), False
    for line in text.split("\n"):
        if re.match(r"\d+\. ", line):
            inside = True
        elif line and not line.startswith(" "):
            inside = False
        lines.append(f" {line}" if inside and line.startswith("   ") else line)
    return "\n".join(lines)


def drawn(text: str) -> str:
    """A page whose blocks with drawn lines are marked, so that they scroll on a phone; other blocks break lines."""
    block = r"^```(?:text)?\n((?:(?!```).*\n)*?.*(?:\+--|──).*\n)"
    return re.sub(block, r"``` { .text .as-is }\n\1", text, flags=re.MULTILINE)


def typed(text: str) -> str:
    """A page whose indented commands are shell blocks, so that on a phone each comment can stand below its command."""

    def fenced(match: re.Match[str]) -> str:
        if not re.search(r"^ {4}(azx|make|pip|git|npm|python3?|dask) ", match[0], re.MULTILINE):
            return match[0]
        return "```bash\n" + re.sub(r"^ {4}", "", match[0], flags=re.MULTILINE) + "```\n"

    return re.sub(r"(?<=\n\n)(?: {4}.*\n|\n(?= {4}))+", fenced, text)


def _picture(path: Path) -> str:
    place = TARGET / "images" / path.name
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, place)
    return f"images/{path.name}"


def write(name: str, text: str) -> None:
    """Write a page of the site, with its rank in a search."""
    head = f"---\nsearch:\n  boost: {RANKS[name]}\n---\n\n" if name in RANKS else ""
    (TARGET / name).write_text(head + nested(typed(drawn(text))), encoding="utf-8")


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
            signature = _one_a_line(inspect.signature(value))
        except (TypeError, ValueError):
            signature = "(...)"
        kind = "class" if inspect.isclass(value) else "def"
        about = inspect.getdoc(value) or ""
        lines += [f"## {name}", "", "```python", f"{kind} {name}{signature}", "```", "", "```text", about, "```", ""]
    return "\n".join(lines)


def _one_a_line(signature: inspect.Signature) -> str:
    """A signature with a line for each parameter, if it has several; types by their last names."""
    text = re.sub(r"azx\.[\w.]+\.", "", str(signature))
    parts = list[str]()
    for each in signature.parameters.values():
        if each.kind is each.KEYWORD_ONLY and "*" not in parts:
            parts.append("*")
        parts.append(re.sub(r"azx\.[\w.]+\.", "", str(each)))
    end = text.rpartition(")")[2]
    return text if len(parts) < 2 else "(\n" + "".join(f"    {part},\n" for part in parts) + f"){end}"


def gallery() -> str:
    """The gallery: a position of each game, and the Android app's screens as its tests draw them."""
    from azx.games.known.catalogue import GAMES
    from azx.mobile_assets.start import under_way
    from azx.pages.board_picture import draw_board
    from azx.pages.png import write_png

    lines = [
        "# Gallery of boards",
        "",
        "A position of each game, and the Android app's screens, as its tests compare them.",
    ]
    for name, title, screens in GALLERY:
        board = TARGET / f"images/board-{name}.png"
        board.parent.mkdir(exist_ok=True)
        board.write_bytes(write_png(draw_board(under_way(GAMES[name].begin(), name), 440, 440, (236, 239, 241))))
        shown = [(f"images/{board.name}", "a position")]
        shown += [(_picture(GOLDENS / f"{screen}.png"), screen) for screen in screens]
        pictures = " ".join(f'<img src="{path}" width="220" alt="{title}: {what}">' for path, what in shown)
        lines += ["", f"## {title}", "", pictures]
    return "\n".join([*lines, ""])


def house_svg() -> str:
    """A picture of the rooms, from the roof down, by the layers in pyproject.toml."""
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
    shutil.copyfile(ROOT / "release/site.css", TARGET / "site.css")


if __name__ == "__main__":
    if sys.argv[1:] == ["house"]:
        (ROOT / "docs/images/house.svg").write_text(house_svg(), encoding="utf-8")
    else:
        gather()

"""SGF's syntax: trees of nodes, a node's properties, a property's values. What they mean is in reading.py."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

# ASCII's blanks: each language has others of its own.
BLANKS = " \t\n\r\f\v"
Properties = Mapping[str, Sequence[str]]
# A tree's ends, a node's begin, a property's name or value; a backslash in a value takes what follows as it is.
_TOKEN = re.compile(r"[ \t\n\r\f\v]*(?:([();])|([A-Za-z]+)|\[((?:[^\]\\]|\\.)*)\])", re.DOTALL)


def main_line(text: str) -> tuple[list[Properties], int]:
    """The nodes of the first game's main line, and how many variations were left out; ValueError if this is no SGF.

    At each fork the main line is the first branch.
    """
    nodes: list[dict[str, list[str]]] = []
    name, ignored, closed, depth = "", 0, 0, 0
    for sign, letters, value in _tokens(text):
        if sign == "(":
            # After a branch has closed, each other one at any fork is a variation.
            ignored += closed > 0
            depth, name = depth + 1, ""
        elif sign == ")" and nodes:
            depth, closed = depth - 1, closed + 1
            if not depth:
                break
        elif closed:
            continue
        elif sign == ";":
            nodes.append({})
            name = ""
        elif not nodes:
            raise ValueError("it begins without a node")
        elif letters:
            # Lower case letters were allowed before FF[4] and mean nothing.
            name = "".join(filter(str.isupper, letters))
            nodes[-1].setdefault(name, [])
        elif not name:
            raise ValueError("a value has no property")
        else:
            nodes[-1][name].append(re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL))
    return [{key: values or [""] for key, values in node.items()} for node in nodes], ignored


def _tokens(text: str) -> Iterator[tuple[str | None, str | None, str]]:
    """Each sign, name or value in its place of three; ValueError if something else stands, or nothing more."""
    at = 0
    while found := _TOKEN.match(text, at):
        at = found.end()
        yield found[1], found[2], found[3] or ""
    raise ValueError(f"character {at + 1} has no place" if text[at:].strip() else "it ends within the game")


def text_of(nodes: Sequence[Properties]) -> str:
    """A game without variations, ten nodes a line."""
    told = [
        ";" + "".join(key + "".join(f"[{_escape(value)}]" for value in values) for key, values in node.items())
        for node in nodes
    ]
    lines = ["".join(told[at : at + 10]) for at in range(0, len(told), 10)]
    return "(" + "\n".join(lines) + ")\n"


def _escape(value: str) -> str:
    return re.sub(r"([\\\]])", r"\\\1", value)

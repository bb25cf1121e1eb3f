"""SGF's syntax: trees of nodes, a node's properties, a property's values. reading.py knows what they mean."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

# ASCII's blanks, because each language also has others.
BLANKS = " \t\n\r\f\v"
Properties = Mapping[str, Sequence[str]]
# The ends of a tree, the beginning of a node, the name or value of a property; a backslash escapes what follows.
_TOKEN = re.compile(r"[ \t\n\r\f\v]*(?:([();])|([A-Za-z]+)|\[((?:[^\]\\]|\\.)*)\])", re.DOTALL)


def main_line(text: str) -> tuple[list[Properties], int]:
    """The nodes of the first game's main line, and the number of variations left out; ValueError if this is not SGF.

    At each fork the main line is the first branch.
    """
    nodes: list[dict[str, list[str]]] = []
    name, ignored, closed, depth = "", 0, 0, 0
    for sign, letters, value in _tokens(text):
        if sign == "(":
            # After a branch has closed, every other branch at any fork is a variation.
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
            # Before FF[4] lower case letters were allowed; they mean nothing.
            name = "".join(filter(str.isupper, letters))
            nodes[-1].setdefault(name, [])
        elif not name:
            raise ValueError("a value has no property")
        else:
            nodes[-1][name].append(re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL))
    return [{key: values or [""] for key, values in node.items()} for node in nodes], ignored


def _tokens(text: str) -> Iterator[tuple[str | None, str | None, str]]:
    """Each token as a triple of which one is set: sign, name or value. ValueError if the text has anything else.

    The caller stops at the game's end; ValueError if the text ends earlier.
    """
    at = 0
    while match := _TOKEN.match(text, at):
        at = match.end()
        yield match[1], match[2], match[3] or ""
    raise ValueError(f"character {at + 1} has no place" if text[at:].strip() else "it ends within the game")


def text_of(nodes: Sequence[Properties]) -> str:
    """A game without variations, ten nodes a line."""
    texts = [
        ";" + "".join(key + "".join(f"[{_escape(value)}]" for value in values) for key, values in node.items())
        for node in nodes
    ]
    lines = ["".join(texts[at : at + 10]) for at in range(0, len(texts), 10)]
    return "(" + "\n".join(lines) + ")\n"


def _escape(value: str) -> str:
    return re.sub(r"([\\\]])", r"\\\1", value)

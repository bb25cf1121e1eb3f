"""The order of names for people: conv2d_2 comes before conv2d_10."""

from __future__ import annotations

import re

NaturalKey = tuple[list[tuple[int, str]], str]


def natural_key(text: str) -> NaturalKey:
    """A sorting key for text whose numbers count as numbers, however many digits they have."""
    words = re.split(r"([0-9]+)", text)
    # Every second word is a number; the longer of two is the larger one.
    parts = [(len(number := word.lstrip("0")), number) if at % 2 else (0, word) for at, word in enumerate(words)]
    return parts, text

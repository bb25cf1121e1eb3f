"""Numbers in the lines of protocols."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..errors import GameError

# Piskvork says 2147483647 milliseconds if there is no limit.
LARGEST = 1e12


def number(words: Sequence[str], at: int = 0) -> float:
    """The finite number at a place of a command's words; GameError if there is none."""
    try:
        value = float(words[at])
    except (IndexError, ValueError) as error:
        raise GameError("syntax error: a number is missing") from error
    if not math.isfinite(value) or abs(value) > LARGEST:
        raise GameError("syntax error: the number is out of range")
    return value


def whole(words: Sequence[str], at: int = 0) -> int:
    """The number at a place of a command's words without its fraction; GameError if there is none."""
    return int(number(words, at))

"""What workers say, made fit for a terminal, a page and a log of this machine: they may say anything."""

from __future__ import annotations

from ..errors import printable

# A sentence for each of ten artifacts, with their paths.
LONGEST = 4000


def clean(said: object) -> str:
    """A worker's text on one line, control characters escaped and no longer than a person reads."""
    text = printable(str(said)[: LONGEST + 1].replace("\n", " "))
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"

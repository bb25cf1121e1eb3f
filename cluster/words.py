"""Makes workers' texts, which may hold anything, safe for a terminal, a page and a log."""

from __future__ import annotations

from ..errors import printable

# Room for a sentence about each of ten artifacts, with its path.
LONGEST = 4000


def clean(raw: object) -> str:
    """A worker's text on one line, with control characters escaped and a limited length."""
    text = printable(str(raw)[: LONGEST + 1].replace("\n", " "))
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"

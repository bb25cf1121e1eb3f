"""The bytes of a file that a request asks for (RFC 9110, section 14): one range, with or without its end."""

from __future__ import annotations

import re
from http import HTTPStatus

# No file has bytes with longer numbers.
_RANGE = re.compile(r"\s*bytes\s*=\s*(\d{0,18})\s*-\s*(\d{0,18})\s*", re.ASCII | re.IGNORECASE)
Sent = tuple[HTTPStatus, range]


def choose_bytes(requested: str | None, only_of: str | None, tag: str, length: int) -> Sent:
    """The status of an answer, and which of the `length` bytes it sends; 416 sends none.

    `requested` is the header Range, `only_of` the header If-Range. If the latter is not `tag`, all bytes are sent,
    because the client has part of another content. The same holds for several ranges, for units other than bytes and
    for malformed ranges.
    """
    everything = HTTPStatus.OK, range(length)
    match = _RANGE.fullmatch(requested or "")
    # A date never equals the tag, and no answer has a date to compare it with.
    if match is None or (only_of is not None and only_of.strip() != tag):
        return everything
    first, last = match.groups()
    if not first:
        if not last:
            return everything
        chosen = range(max(0, length - int(last)), length)
    elif last and int(last) < int(first):
        return everything
    else:
        chosen = range(int(first), min(int(last or length - 1) + 1, length))
    return (HTTPStatus.PARTIAL_CONTENT, chosen) if chosen else (HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, range(0))


def content_range(chosen: range, length: int) -> str:
    """The header Content-Range of an answer with these bytes; for an empty range only the length."""
    return f"bytes {chosen[0]}-{chosen[-1]}/{length}" if chosen else f"bytes */{length}"

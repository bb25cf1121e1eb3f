"""Formats results for notebooks: a line and a table in HTML, with names from files escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


def html_table(title: str, heads: Sequence[str], rows: Iterable[Sequence[object]], verdict: str = "") -> str:
    """A line with the title and a verdict, then a table; None becomes an empty cell."""
    above = "".join(f"<th>{escape(head)}</th>" for head in heads)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    line = f"<p><strong>{escape(title)}</strong>{f': {escape(verdict)}' if verdict else ''}</p>"
    return f"{line}<table><thead><tr>{above}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: object) -> str:
    return f"<td>{'' if value is None else escape(str(value))}</td>"

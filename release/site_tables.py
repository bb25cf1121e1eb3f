"""A hook of mkdocs: each cell of a wide table gets its column's head, so that a phone can show rows as lists."""

from __future__ import annotations

import re
from html import escape, unescape
from typing import Any

# A phone of 390 pixels has room for this many columns of words side by side.
BESIDE = 3


def on_page_content(html: str, **_: Any) -> str:
    """The page; its wide tables get `data-columns`, and their cells get `data-head`."""
    return re.sub(r"<table>.*?</table>", lambda found: with_heads(found[0]), html, flags=re.DOTALL)


def with_heads(table: str) -> str:
    """A table with these attributes if it has more columns than fit, otherwise unchanged."""
    heads = [_text(head) for head in re.findall(r"<th\b[^>]*>(.*?)</th>", table, re.DOTALL)]
    if len(heads) <= BESIDE:
        return table
    rows = re.sub(r"<tr>.*?</tr>", lambda row: _row(row[0], heads), table, flags=re.DOTALL)
    return rows.replace("<table>", f'<table data-columns="{len(heads)}">', 1)


def _row(row: str, heads: list[str]) -> str:
    names = iter(heads)

    def cell(match: re.Match[str]) -> str:
        inner = f"<span>{match[2]}</span>" if match[2].strip() else ""
        return f'<td data-head="{escape(next(names))}"{match[1]}>{inner}</td>'

    return re.sub(r"<td([^>]*)>(.*?)</td>", cell, row, flags=re.DOTALL)


def _text(html: str) -> str:
    return unescape(re.sub(r"<[^>]+>", "", html)).strip()

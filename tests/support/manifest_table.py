"""The table of manifest.json in docs/bundle-format.md: `python -P tests/support/manifest_table.py` writes it.

Its sentences are those of azx.manifest, which the published schema has too. An object of two members is listed once.
"""

from __future__ import annotations

from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from azx.manifest import Manifest, Part, members

PLACE = Path(__file__).parents[2] / "docs" / "bundle-format.md"
BEGIN, END = "<!-- Written by `make docs` from manifest.py. -->\n", "<!-- The end of what is written. -->"


def table() -> str:
    """The table, a row for each member."""
    rows = [f"| `{name}` | {text} |" for name, text in _rows(Manifest, "", {})]
    return "\n".join(["| member | what it says |", "|---|---|", *rows]) + "\n"


def _rows(part: type[Part], path: str, known: dict[type[Part], str]) -> Iterator[tuple[str, str]]:
    hints = get_type_hints(part, include_extras=True)
    for name in members(part):
        notes, classes, is_list = _read(hints[name])
        text, here = " ".join(notes), f"{path}{name}"
        child = classes[0] if classes else None
        if child is None:
            yield here, text
        elif child in known:
            yield here, f"{text} Its members are those of `{known[child]}`.".strip()
        else:
            known[child] = here
            yield here, text or cleandoc(child.__doc__ or "")
            yield from _rows(child, f"{here}{'[].' if is_list else '.'}", known)


def _read(kind: Any) -> tuple[list[str], list[type[Part]], bool]:
    """The sentences about a type, with the values it is limited to; the objects in it; whether these are in a list."""
    notes, classes, is_list = list[str](), list[type[Part]](), get_origin(kind) is tuple
    if isinstance(kind, type) and issubclass(kind, Part):
        return notes, [kind], False
    for inner in get_args(kind) if get_origin(kind) is not Annotated else get_args(kind)[:1]:
        found = _read(inner)
        notes, classes, is_list = notes + found[0], classes + found[1], is_list or found[2]
    if get_origin(kind) is Annotated:
        said = [note for note in get_args(kind)[1:] if isinstance(note, str)]
        limits = dict(pair for note in get_args(kind)[1:] if isinstance(note, tuple) for pair in note)
        values = limits.get("enum", [limits["const"]] if "const" in limits else [])
        missing = [value for value in values if not any(str(value) in text for text in said + notes)]
        listed = [f"{', '.join(f'`{value}`' for value in values)}."] if missing else []
        notes = (said or notes) + listed + (notes if said else [])
    return notes, classes, is_list


def written(page: str) -> str:
    """The page with the table as it is now."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n{table()}\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    PLACE.write_text(written(PLACE.read_text(encoding="utf-8")), encoding="utf-8")

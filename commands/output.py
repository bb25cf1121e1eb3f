"""What the commands print with: lines with a mark, tables, JSON and progress. `rich` is imported when first needed."""

from __future__ import annotations

import dataclasses
import json
import math
import os
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

__all__ = [
    "Loudness",
    "can_show",
    "line",
    "mark",
    "megabytes",
    "plain",
    "played",
    "print_json",
    "progress",
    "table",
    "warning",
    "width",
]

TICK, CROSS, ATTENTION = "✓", "✗", "!"
PLAIN_TICK, PLAIN_CROSS = "ok", "NO"
COLOURS = {TICK: "green", PLAIN_TICK: "green", CROSS: "red", PLAIN_CROSS: "red", ATTENTION: "yellow"}
UNLIMITED = 10_000  # columns of a pipe or a file: nothing is wrapped or cut there

Step = Callable[[str], None]


def mark(good: bool) -> str:
    """A tick or a cross, in letters where standard output cannot encode the signs."""
    if not can_show(TICK + CROSS):
        return PLAIN_TICK if good else PLAIN_CROSS
    return TICK if good else CROSS


def can_show(text: str) -> bool:
    """Whether standard output can encode a text."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def line(text: str, good: bool | None = None) -> None:
    """Print one line to standard output, behind a tick or a cross if `good` is told."""
    shown = text if good is None else f"{mark(good)} {text}"
    console = _console(sys.stdout)
    console.print(_coloured(shown), soft_wrap=not console.is_terminal)


def warning(text: str) -> None:
    """Print one line to standard output, behind a mark: what succeeded, but not whole."""
    line(f"{ATTENTION} {text}")


def width() -> int:
    """Columns that standard output shows side by side; without end for a pipe or a file."""
    return _console(sys.stdout).width


def table(
    columns: Sequence[str], rows: Sequence[Sequence[object]], title: str = "", right: Collection[str] = ()
) -> None:
    """Print `rows`, one cell for each of `columns`, to standard output.

    Columns named in `right` are aligned right and never broken. A cell that begins with a mark takes its colour.
    On a terminal long cells are wrapped to its width; elsewhere every row is one line.
    """
    from rich import box
    from rich.table import Table

    grid = Table(title=title or None, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        grid.add_column(
            column, justify="right" if column in right else "left", overflow="fold", no_wrap=column in right
        )
    for row in rows:
        grid.add_row(*(_coloured(str(cell)) for cell in row))
    _console(sys.stdout).print(grid)


def print_json(value: object) -> None:
    """Print dataclasses, mappings, sequences, paths and NumPy scalars as JSON; NaN and infinity become null."""
    click.echo(json.dumps(plain(value), indent=2, allow_nan=False))


class Loudness(Enum):
    """How much a command says: its verdict alone, the usual, or each step with the time it begins."""

    QUIET = "quiet"
    NORMAL = "normal"
    VERBOSE = "verbose"


@contextmanager
def progress(title: str, total: int | None = None, loudness: Loudness = Loudness.NORMAL) -> Iterator[Step]:
    """Show progress on standard error: a bar on a terminal, a line a step elsewhere.

    `total` is the number of steps, None where it is not known beforehand. A quiet command shows none, a verbose one has
    lines with times on a terminal too.

    The function that it yields is called with a step's name when that step begins:

        with progress("Exporting", total=5) as step:
            step("writing ONNX")
    """
    console = _console(sys.stderr)
    if loudness is Loudness.QUIET:
        yield lambda name: None
        return
    lines = _lines(title, total, loudness is Loudness.VERBOSE)
    plain = loudness is Loudness.VERBOSE or not console.is_terminal
    with lines if plain else _bar(console, title, total) as step:
        yield step


@contextmanager
def _lines(title: str, total: int | None, timed: bool) -> Iterator[Step]:
    begun, started = 0, time.perf_counter()

    def step(name: str) -> None:
        nonlocal begun
        begun += 1
        count = f" {begun}/{total}" if total else ""
        at = f"{time.perf_counter() - started:6.1f} s  " if timed else ""
        click.echo(f"{at}{title}{count}: {name}", err=True)

    yield step


@contextmanager
def _bar(console: Console, title: str, total: int | None) -> Iterator[Step]:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    # Standard output is left alone: under --json it carries the result while the bar runs on standard error.
    with Progress(*columns, console=console, transient=True, redirect_stdout=False) as bar:
        task = bar.add_task(title, total=total)
        begun = 0

        def step(name: str) -> None:
            nonlocal begun
            bar.update(task, completed=begun, description=f"{title}: {name}")
            begun += 1

        yield step


def _console(stream: TextIO) -> Console:
    from rich.console import Console

    fits_anywhere = not stream.isatty() and "COLUMNS" not in os.environ
    return Console(file=stream, markup=False, highlight=False, emoji=False, width=UNLIMITED if fits_anywhere else None)


def _coloured(text: str) -> Text:
    from rich.text import Text

    sign = text.split(" ", 1)[0]
    styled = Text(text)
    if sign in COLOURS:
        styled.stylize(COLOURS[sign], 0, len(sign))
    return styled


def plain(value: object) -> Any:
    """JSON types of dataclasses, mappings, sequences, paths and NumPy scalars; NaN and infinity become null."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in (sorted(value) if isinstance(value, set | frozenset) else value)]
    if isinstance(value, Path):
        return str(value)
    if hasattr(value, "tolist"):  # a NumPy scalar or array
        return plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def megabytes(size: int) -> str:
    """A size in bytes: "1.25 MB"."""
    return f"{size / 1e6:.2f} MB"


def played(data: Mapping[str, Any] | None, note: str | None = None) -> str:
    """What a network plays: "plays gomoku, size 15 (actions: cell)", or "game unknown", with a `note` why."""
    if not data or not data.get("game"):
        return f"game unknown: {note}" if note else "game unknown"
    settings = "".join(f", {name} {value}" for name, value in (data.get("settings") or {}).items())
    actions = "listed" if isinstance(data["actions"], list) else data["actions"]
    return f"plays {data['game']}{settings} (actions: {actions})"

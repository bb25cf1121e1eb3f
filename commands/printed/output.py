"""The commands' output: lines with a mark, tables, JSON and progress. `rich` is imported when it is first needed."""

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

from ...errors import printable
from ...system.streams import can_show

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

TICK, CROSS, ATTENTION = "✓", "✗", "!"
PLAIN_TICK, PLAIN_CROSS = "ok", "NO"
COLOURS = {TICK: "green", PLAIN_TICK: "green", CROSS: "red", PLAIN_CROSS: "red", ATTENTION: "yellow"}
UNLIMITED = 10_000  # Columns of a pipe or a file: nothing is wrapped or cut there.

Step = Callable[[str], None]


def mark(good: bool) -> str:
    """A tick or a cross, in letters if standard output cannot encode the signs."""
    if not can_show(TICK + CROSS):
        return PLAIN_TICK if good else PLAIN_CROSS
    return TICK if good else CROSS


def line(text: str, good: bool | None = None) -> None:
    """Print one line to standard output, behind a tick or a cross if `good` is given."""
    shown = text if good is None else f"{mark(good)} {text}"
    console = _console(sys.stdout)
    console.print(_colour(shown), soft_wrap=not console.is_terminal)


def warning(text: str) -> None:
    """Print one line to standard output with the mark for a partial success."""
    line(f"{ATTENTION} {text}")


def width() -> int:
    """The number of characters in a line of standard output; unlimited for a pipe or a file."""
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
        grid.add_row(*(_colour(str(cell)) for cell in row))
    _console(sys.stdout).print(grid)


def print_json(value: object) -> None:
    """Print dataclasses, mappings, sequences, paths and NumPy scalars as JSON; NaN and infinity become null."""
    click.echo(json.dumps(plain(value), indent=2, allow_nan=False))


def end(sentence: str, code: int, as_json: bool) -> click.exceptions.Exit:
    """Print why a command ends that prints lines of JSON: there the error too is one line. To be raised."""
    if as_json:
        click.echo(json.dumps({"error": sentence.removeprefix("Error: "), "exit_code": code}))
    click.echo(printable(sentence), err=True)
    return click.exceptions.Exit(code)


class Loudness(Enum):
    """How much a command prints: its verdict alone, the usual, or each step with its time."""

    QUIET = "quiet"
    NORMAL = "normal"
    VERBOSE = "verbose"


class Bar:
    """Progress on standard error: a bar on a terminal, lines elsewhere. Made by `bar`.

    A quiet command shows neither; a verbose one has lines on a terminal too.
    """

    def __init__(self, shown: Any, loudness: Loudness) -> None:
        self._shown, self.loudness = shown, loudness
        self._task: Any = None
        self._started = self._printed = time.monotonic()

    def begin(self, title: str, total: int | None, done: int = 0) -> None:
        """Show that `done` of `total` are done; `total` is None if unknown."""
        self._printed = time.monotonic()
        if self._shown is not None:
            self._task = self._shown.add_task(title, total=total, completed=done, left="")

    def update(self, title: str | None = None, done: int | None = None, left: str = "") -> None:
        """Move the bar; an argument left out keeps its value."""
        if self._shown is not None:
            self._shown.update(self._task, completed=done, description=title, left=left)

    def line(self, text: str, timed: bool = False) -> None:
        """Print a line if no bar is shown; if `timed`, a verbose command adds the seconds since the beginning."""
        if self._shown is None:
            self._printed = time.monotonic()
            at = f"{self._printed - self._started:6.1f} s  " if timed and self.loudness is Loudness.VERBOSE else ""
            self.say(at + text)

    def say(self, text: str) -> None:
        """Print a line, beside a bar too."""
        if self.loudness is not Loudness.QUIET:
            click.echo(printable(text), err=True)

    def is_due(self, seconds: float) -> bool:
        """Whether the last line is at least this many seconds old."""
        return time.monotonic() - self._printed >= seconds

    def time_left(self, done: int, rest: int) -> str:
        """The time for the `rest` at the speed of the `done`: "about 12 min left"; empty if unknown."""
        if not rest or not done:
            return ""
        return f"about {duration((time.monotonic() - self._started) / done * rest)} left"

    def stop(self) -> None:
        """Take the bar away."""
        if self._shown is not None:
            self._shown.stop()


def duration(seconds: float) -> str:
    """A time as a person says it: 45 s, 12 min, 3 h 20 min."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"


@contextmanager
def bar(loudness: Loudness = Loudness.NORMAL) -> Iterator[Bar]:
    """Show progress on standard error while the block runs."""
    console = _console(sys.stderr)
    if loudness is not Loudness.NORMAL or not console.is_terminal:
        yield Bar(None, loudness)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (
        SpinnerColumn(),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}"),
        TextColumn("{task.description}", markup=False),
    )
    # Standard output is left alone: under --json it carries the result while the bar runs on standard error.
    with Progress(*columns, console=console, transient=True, redirect_stdout=False) as shown:
        yield Bar(shown, loudness)


@contextmanager
def progress(title: str, total: int | None = None, loudness: Loudness = Loudness.NORMAL) -> Iterator[Step]:
    """Show the progress of `total` steps; None if their number is unknown beforehand.

    The function that it yields is called with a step's name when that step begins:

        with progress("Exporting", total=5) as step:
            step("writing ONNX")
    """
    with bar(loudness) as shown:
        shown.begin(title, total)
        begun = 0

        def step(name: str) -> None:
            nonlocal begun
            shown.update(f"{title}: {name}", begun)
            begun += 1
            shown.line(f"{title}{f' {begun}/{total}' if total else ''}: {name}", timed=True)

        yield step


def _console(stream: TextIO) -> Console:
    from rich.console import Console

    fits_anywhere = not stream.isatty() and "COLUMNS" not in os.environ
    return Console(file=stream, markup=False, highlight=False, emoji=False, width=UNLIMITED if fits_anywhere else None)


def _colour(text: str) -> Text:
    from rich.text import Text

    # Rich removes some control characters, but not those that control a terminal.
    sign, styled = text.split(" ", 1)[0], Text(printable(text))
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


def describe_game(data: Mapping[str, Any] | None) -> str:
    """What a network plays: "plays gomoku, size 15 (actions: cell)", or "game unknown"."""
    if not data or not data.get("game"):
        return "game unknown"
    settings = "".join(f", {name} {value}" for name, value in (data.get("settings") or {}).items())
    actions = "listed" if isinstance(data["actions"], list) else data["actions"]
    return f"plays {data['game']}{settings} (actions: {actions})"

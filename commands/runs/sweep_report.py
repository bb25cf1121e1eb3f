"""What is told of a sweep: how far it is, on standard error, then the table of all checkpoints."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from .. import output
from ..output import Loudness
from . import ratings_report
from .ratings_report import Games

if TYPE_CHECKING:
    from ...sweeps.found import Item
    from ...sweeps.outcome import Outcome
    from ...sweeps.run import Sweep


class Progress:
    """Told of each checkpoint; `bar` is a progress bar of rich, None where lines are written. Made by `progress`."""

    def __init__(self, bar: Any, loudness: Loudness) -> None:
        self._bar, self._loudness = bar, loudness
        self._task: Any = None
        self._total = self._done = self._exported = 0
        self._started = time.monotonic()
        self.games = Games(bar, loudness is Loudness.QUIET)

    def begin(self, total: int) -> None:
        """So many checkpoints there are."""
        self._total = total
        if self._bar is not None:
            self._task = self._bar.add_task("Sweep", total=total, left="")

    def step(self, item: Item, name: str) -> None:
        """A step of one export begins; comes from any thread."""
        if self._bar is not None:
            self._bar.update(self._task, description=f"Sweep: {item.name}, {name}")
        elif self._loudness is Loudness.VERBOSE:
            click.echo(f"{time.monotonic() - self._started:6.1f} s  {item.name}: {name}", err=True)

    def outcome(self, outcome: Outcome) -> None:
        """A checkpoint is done."""
        from ...sweeps.outcome import KEPT, PROVED

        self._done += 1
        self._exported += outcome.status == PROVED
        left = self._left()
        if self._bar is not None:
            self._bar.update(self._task, completed=self._done, left=left)
        elif self._loudness is not Loudness.QUIET:
            took = "" if outcome.status == KEPT else f" in {outcome.seconds:.1f} s"
            said = f"{outcome.item.name} {outcome.status}{took}" + (f"; {left}" if left else "")
            click.echo(f"Sweep {self._done}/{self._total}: {said}", err=True)

    def _left(self) -> str:
        """What the rest will take, if each takes as long as those that were exported."""
        rest = self._total - self._done
        if not rest or not self._exported:
            return ""
        return f"about {duration((time.monotonic() - self._started) / self._exported * rest)} left"


def duration(seconds: float) -> str:
    """A time as a person says it: 45 s, 12 min, 3 h 20 min."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"


@contextmanager
def progress(loudness: Loudness) -> Iterator[Progress]:
    """Show on standard error how far the sweep is: a bar on a terminal, a line for each checkpoint elsewhere."""
    from rich.console import Console

    console = Console(file=sys.stderr, markup=False, highlight=False)
    if loudness is not Loudness.NORMAL or not console.is_terminal:
        yield Progress(None, loudness)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (
        SpinnerColumn(),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}"),
        TextColumn("{task.description}", markup=False),
    )
    with Bar(*columns, console=console, transient=True, redirect_stdout=False) as bar:
        yield Progress(bar, loudness)


def as_data(swept: Sweep) -> dict[str, Any]:
    """The rows of the table and where it lies."""
    return {
        "folder": swept.folder,
        "files": swept.files,
        "passed": not any(outcome.code for outcome in swept.outcomes),
        "seconds": round(swept.seconds, 3),
        "checkpoints": [row for outcome in swept.outcomes for row in outcome.rows()],
        "standings": ratings_report.as_data(swept.standings),
    }


def show(swept: Sweep, loudness: Loudness) -> None:
    """The table, what failed with its sentence, and where everything is."""
    if loudness is not Loudness.QUIET:
        columns = ("", "checkpoint", "game", "formats", "largest error", "limit", "best move", "seconds", "")
        output.line("")
        output.table(columns, [_row(outcome) for outcome in swept.outcomes], right=columns[4:8])
    for outcome in swept.outcomes:
        if outcome.code:
            output.line(f"{outcome.item.checkpoint}: {outcome.message}", good=False)
        elif loudness is not Loudness.QUIET:
            for name, reason in outcome.skipped.items():
                output.warning(f"{outcome.item.name}: not written: {name} ({reason})")
            for reason in outcome.parity.get("not_proved", {}).values():
                output.warning(f"{outcome.item.name}: not proved here: {reason}")
        if outcome.unrated:
            output.warning(f"{outcome.item.name}: not rated: {outcome.unrated}")
    if loudness is not Loudness.QUIET:
        ratings_report.show(swept.standings)
    counts = [outcome.status for outcome in swept.outcomes]
    said = ", ".join(f"{counts.count(status)} {status}" for status in dict.fromkeys(counts))
    good = not any(outcome.code for outcome in swept.outcomes)
    output.line(f"{swept.folder}: {said} ({swept.seconds:.1f} s)", good=good)
    output.line(f"Table: {', '.join(map(str, swept.files))}")


def _row(outcome: Outcome) -> list[str]:
    """The artifact that is nearest to its limit stands for its checkpoint."""
    rows = outcome.rows()
    compared = [row for row in rows if row["limit"] and row["max_error"] is not None]
    worst = max(compared, key=lambda row: row["max_error"] / row["limit"], default=rows[0])
    moves = [row["best_move"] for row in rows if row["best_move"] is not None]
    return [
        output.mark(not outcome.code),
        outcome.item.name,
        str(rows[0]["game"] or ""),
        ", ".join(row["format"] for row in rows if row["format"]),
        f"{worst['max_error']:.1e}" if worst["max_error"] is not None else "",
        f"{worst['limit']:.1e}" if worst["limit"] is not None else "",
        f"{min(moves):.1%}" if moves else "",
        f"{outcome.seconds:.1f}",
        outcome.status,
    ]

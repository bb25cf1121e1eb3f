"""Progress of a sweep on standard error, then the table of all checkpoints."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from . import output
from . import ratings as ratings_report
from .output import Loudness
from .ratings import Games

if TYPE_CHECKING:
    from ...sweeps.outcome import Outcome
    from ...sweeps.sources import Item
    from ...sweeps.sweep import Sweep


class Progress:
    """Shows each checkpoint as it ends. Made by `progress`."""

    def __init__(self, bar: output.Bar) -> None:
        self._bar = bar
        self._total = self._done = self._exported = 0
        self.games = Games(bar)

    def begin(self, total: int) -> None:
        """The sweep begins, with `total` checkpoints."""
        self._total = total
        self._bar.begin("Sweep", total)

    def step(self, item: Item, name: str) -> None:
        """A step of one export begins; called from any thread."""
        self._bar.update(f"Sweep: {item.name}, {name}", left=self._time_left())
        if self._bar.loudness is Loudness.VERBOSE:
            self._bar.line(f"{item.name}: {name}", timed=True)

    def outcome(self, outcome: Outcome) -> None:
        """A checkpoint is done."""
        from ...sweeps.outcome import KEPT, PROVED

        self._done += 1
        self._exported += outcome.status == PROVED
        left = self._time_left()
        self._bar.update(done=self._done, left=left)
        took = "" if outcome.status == KEPT else f" in {outcome.seconds:.1f} s"
        text = f"{outcome.item.name} {outcome.status}{took}" + (f"; {left}" if left else "")
        self._bar.line(f"Sweep {self._done}/{self._total}: {text}")

    def _time_left(self) -> str:
        return self._bar.time_left(self._exported, self._total - self._done)


@contextmanager
def progress(loudness: Loudness) -> Iterator[Progress]:
    """Show the sweep's progress on standard error: a bar on a terminal, a line for each checkpoint elsewhere."""
    with output.bar(loudness) as bar:
        yield Progress(bar)


def as_data(swept: Sweep) -> dict[str, Any]:
    """The rows of the table and its path, as JSON types."""
    return {
        "folder": swept.folder,
        "files": swept.files,
        "passed": not any(outcome.code for outcome in swept.outcomes),
        "seconds": round(swept.seconds, 3),
        "checkpoints": [row for outcome in swept.outcomes for row in outcome.rows()],
        "standings": ratings_report.as_data(swept.standings),
    }


def show(swept: Sweep, loudness: Loudness) -> None:
    """Print the table, the error of each failed checkpoint, and where the files are."""
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
    summary = ", ".join(f"{counts.count(status)} {status}" for status in dict.fromkeys(counts))
    good = not any(outcome.code for outcome in swept.outcomes)
    output.line(f"{swept.folder}: {summary} ({swept.seconds:.1f} s)", good=good)
    output.line(f"Table: {', '.join(map(str, swept.files))}")


def _row(outcome: Outcome) -> list[str]:
    """The row of a checkpoint, with the figures of the artifact that is nearest to its limit."""
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

"""How far a match is, on standard error: a bar with the score on a terminal, elsewhere a line now and then."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ..play.match import GameRecord
    from ..play.match_runner import Match

LINES = 10


class Progress:
    """Told of each game; `bar` is a progress bar of rich, None where lines are written. Made by `progress`."""

    def __init__(self, match: Match, bar: Any) -> None:
        self._match, self._bar = match, bar
        self._task = None if bar is None else bar.add_task("Match", total=match.games)
        self._points = [0.0] * len(match.nets)
        self._done = 0
        self.logged = 0

    def begin(self, logged: int) -> None:
        """So many games are in the log already."""
        self.logged = logged
        if logged:
            click.echo(f"Match: {logged} of {self._match.games} games are in the log and not played again.", err=True)

    def game(self, record: GameRecord) -> None:
        """One more game; those of the log come first."""
        self._done += 1
        for net in (record.first, record.second):
            self._points[net] += record.score(net)
        if self._bar is not None:
            self._bar.update(self._task, completed=self._done, description=f"Match: {self._score()}")
        elif self._done > self.logged and self._done * LINES // self._match.games > (self._done - 1) * LINES // (
            self._match.games
        ):
            click.echo(f"Match {self._done}/{self._match.games}: {self._score()}", err=True)

    def stop(self, log: Path) -> None:
        """Say how to go on after an interruption."""
        if self._bar is not None:
            self._bar.stop()
        click.echo(
            f"Match stopped after {self._done} of {self._match.games} games: give the same command again to go on, "
            f"the games are kept in '{log}'.",
            err=True,
        )

    def _score(self) -> str:
        return " - ".join(f"{points:g}" for points in self._points)


@contextmanager
def progress(match: Match) -> Iterator[Progress]:
    """Show how far `match` is while the block runs."""
    from rich.console import Console

    console = Console(file=sys.stderr, markup=False, highlight=False)
    if not console.is_terminal:
        yield Progress(match, None)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=console, transient=True, redirect_stdout=False) as bar:
        yield Progress(match, bar)

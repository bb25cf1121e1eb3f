"""What is told of networks that played each other after a sweep: how far they are, their standings, JSON."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from .. import output

if TYPE_CHECKING:
    from ...play.match import GameRecord
    from ...play.tournament.tournament import Tournament
    from ...sweeps.rated import Standings

# After so many seconds the next game is told where there is no terminal.
SECONDS = 10.0


class Games:
    """Told of each game of a tournament; `bar` is a progress bar of rich, None where lines are written."""

    def __init__(self, bar: Any, quiet: bool) -> None:
        self._bar, self._quiet = bar, quiet
        self._title, self._done, self._most, self._told = "", 0, 0, 0.0
        self._task: Any = None

    def begin(self, tournament: Tournament, logged: int, most: int) -> None:
        """A tournament begins, of which so many games are there already."""
        self._title, self._done, self._most = tournament.entrants[0].game.title, logged, most
        self._told = time.monotonic()
        if self._bar is not None:
            self._task = self._bar.add_task(f"Match: {self._title}", total=most, completed=logged, left="")
        elif not self._quiet and most:
            kept = f", {logged} of them in the log" if logged else ""
            networks = len(tournament.entrants)
            click.echo(f"Match: {networks} networks of {self._title}, at most {most} games{kept}", err=True)

    def game(self, record: GameRecord) -> None:
        """One more game."""
        self._done += 1
        if self._bar is not None:
            self._bar.update(self._task, completed=self._done)
        elif not self._quiet and time.monotonic() - self._told >= SECONDS:
            self._told = time.monotonic()
            click.echo(f"Match {self._done}/{self._most}: {self._title}", err=True)

    def stop(self) -> None:
        """Say how to go on where a tournament under way was interrupted; nothing where none was."""
        if not self._most or self._done >= self._most:
            return
        if self._bar is not None:
            self._bar.stop()
        click.echo(
            f"Match stopped after {self._done} of at most {self._most} games of {self._title}: they are kept, and the "
            "same command goes on.",
            err=True,
        )


def as_data(standings: Sequence[Standings]) -> list[dict[str, Any]]:
    """Each game's standings as JSON types; `better` is how likely the row's network is better than the column's."""
    return [
        {
            "game": each.game,
            "settings": each.settings,
            "simulations": each.rules.simulations,
            "games": each.games,
            "new_games": each.new,
            "leader": each.leader,
            "found": each.found,
            "doubt": each.doubt,
            "ratings": [
                {"bundle": name, **rated.as_data()} for name, rated in zip(each.names, each.ratings, strict=True)
            ],
            "better": each.better,
            "log": each.log,
        }
        for each in standings
    ]


def show(standings: Sequence[Standings]) -> None:
    """The standings of each game, in the order of the checkpoints."""
    for each in standings:
        _show(each)


def _show(each: Standings) -> None:
    from ...sweeps.outcome import likely

    output.line("")
    output.line(f"{each.line}; {each.new} of the games are new")
    order = sorted(range(len(each.names)), key=lambda at: -each.ratings[at].elo.value)
    ranks = {at: rank for rank, at in enumerate(order, start=1)}
    rows = [
        (
            ranks[at],
            name,
            f"{rated.elo.value:+.0f}",
            f"{rated.elo.low:+.0f} to {rated.elo.high:+.0f}",
            f"{rated.count.points:g}/{rated.count.games}",
            "" if rated.superiority is None else likely(rated.superiority),
        )
        for at, (name, rated) in enumerate(zip(each.names, each.ratings, strict=True))
    ]
    heads = ("#", "network", "Elo", "95 %", "points", "better than the one before")
    output.table(heads, rows, right=[head for head in heads if head != "network"])
    output.line(each.best_line)

"""Progress and results of the games after a sweep: their standings, also as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from . import output

if TYPE_CHECKING:
    from ...match.games import GameRecord
    from ...match.tournament import Tournament
    from ...sweeps.rated import Standings

# Without a terminal, the next game after this number of seconds is printed.
SECONDS = 10.0


class Games:
    """Shows the progress of a tournament, game by game."""

    def __init__(self, bar: output.Bar) -> None:
        self._bar = bar
        self._title, self._done, self._most = "", 0, 0

    def begin(self, tournament: Tournament, logged: int, most: int) -> None:
        """A tournament begins; `logged` games of it exist already."""
        self._title, self._done, self._most = tournament.entrants[0].game.title, logged, most
        self._bar.begin(f"Match: {self._title}", most, logged)
        if most:
            in_log = f", {logged} of them in the log" if logged else ""
            networks = len(tournament.entrants)
            self._bar.line(f"Match: {networks} networks of {self._title}, at most {most} games{in_log}")

    def game(self, record: GameRecord) -> None:
        """A game has ended."""
        self._done += 1
        self._bar.update(done=self._done)
        if self._bar.is_due(SECONDS):
            self._bar.line(f"Match {self._done}/{self._most}: {self._title}")

    def stop(self) -> None:
        """Print how to resume an interrupted tournament; nothing if none was under way."""
        if not self._most or self._done >= self._most:
            return
        self._bar.stop()
        click.echo(
            f"Match stopped after {self._done} of at most {self._most} games of {self._title}: they are kept, and the "
            "same command resumes.",
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

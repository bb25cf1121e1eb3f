"""What is told of a match: how far it is, on standard error, then its result.

A terminal shows a bar with the score, elsewhere comes a line now and then. The result is tables and sentences for a
person, CSV and JSON for a program.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import output

if TYPE_CHECKING:
    from ..play.match import GameRecord
    from ..play.match_result import Count, Pairing, Parting, Rating
    from ..play.match_runner import Match
    from ..play.rating.elo import Interval
    from .runs.question import Question

COUNTS = ("games", "won", "drawn", "lost")
LINES = 10  # of progress, where there is no terminal
SECONDS = 30.0  # after which the next game is told there in any case


class Progress:
    """Told of each game; `bar` is a progress bar of rich, None where lines are written. Made by `progress`."""

    def __init__(self, match: Match, bar: Any) -> None:
        self._match, self._bar = match, bar
        self._task = None if bar is None else bar.add_task("Match", total=match.games)
        self._points = [0.0] * len(match.nets)
        self._done = 0
        self._told = time.monotonic()
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
        elif self._done > self.logged and self._is_due():
            self._told = time.monotonic()
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

    def _is_due(self) -> bool:
        tenth, before = (done * LINES // self._match.games for done in (self._done, self._done - 1))
        return tenth > before or time.monotonic() - self._told >= SECONDS

    def _score(self) -> str:
        return " - ".join(f"{points:g}" for points in self._points)


@contextmanager
def progress(match: Match) -> Iterator[Progress]:
    """Show on standard error how far `match` is while the block runs."""
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


def show(
    match: Match,
    played: Sequence[GameRecord],
    log: Path,
    logged: int,
    seconds: float,
    shown: str,
    question: Question,
) -> None:
    """Print the result as `shown` says: "table", "csv" or "json"."""
    from ..play.match_result import pairings, ratings

    names, header, records = match.names, match.header, question.asked_of(played)
    found = pairings(records, len(names), match.start)
    table = ratings(found, len(names), question.ratings(records)) if len(names) > 2 else []
    rated = [_rating(names, rating) for rating in table]
    if shown == "csv":
        _print_csv(rated or [_line(names, pairing) for pairing in found])
    elif shown == "json":
        opened = zip(header["nets"], match.runtimes, match.readings, strict=True)
        nets = [{**net, "runtime": runtime, "reading": reading} for net, runtime, reading in opened]
        data = {
            **header,
            "nets": nets,
            "distinct_openings": match.distinct,
            "pairings": [pairing.as_data(names) for pairing in found],
            "ratings": [{**row, "rank": rank} for rank, row in enumerate(rated, start=1)],
            **question.answer(names, records),
            "log": log,
            "resumed_games": logged,
            "seconds": round(seconds, 3),
        }
        output.print_json(data)
    else:
        _print_match(match, len(records))
        if table:
            _print_ratings(names, found, table, question)
        else:
            _print_pairing(names, found[0])
        question.print_answer(names, records)
        output.line(f"{len(played) - logged} games played in {seconds:.1f} s, kept in '{log}'.")


def _rating(names: Sequence[str], rating: Rating) -> dict[str, Any]:
    score = rating.count.points / rating.count.games
    return {
        "net": names[rating.net],
        "elo": rating.elo.value,
        "elo_low": rating.elo.low,
        "elo_high": rating.elo.high,
        **_counted(rating.count),
        "score": score,
    }


def _counted(count: Count) -> dict[str, int]:
    return {name: getattr(count, name) for name in COUNTS}


def _print_csv(rows: Sequence[Mapping[str, Any]]) -> None:
    import csv
    import io

    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    click.echo(text.getvalue(), nl=False)


def _line(names: Sequence[str], pairing: Pairing) -> dict[str, Any]:
    score, elo = pairing.score, pairing.elo
    return {
        "one": names[pairing.one],
        "other": names[pairing.other],
        **_counted(pairing.total),
        "score": score.value,
        "score_low": score.low,
        "score_high": score.high,
        "elo": elo.value,
        "elo_low": elo.low,
        "elo_high": elo.high,
        "plies": pairing.plies,
        "pairs": pairing.pairs,
        "same": pairing.same,
    }


def _print_match(match: Match, games: int) -> None:
    """What was played: the game and how, from which openings, by which networks in which runtimes."""
    header = match.header
    settings = "".join(f", {name} {value}" for name, value in match.settings.items())
    how = f"{header['simulations']} simulations" if header["simulations"] else "the policy alone"
    warm = f", temperature {header['temperature']:g}" if header["temperature"] else ""
    turned = ", random symmetries" if header["symmetry"] == "random" else ""
    output.line(f"{match.game.title}{settings}: {games} games, {how}{warm}{turned}, seed {header['seed']}")
    low, high = header["opening_plies"]
    plies = f"{low}" if low == high else f"{low} to {high}"
    count = header["games"] // 2
    if match.distinct == count:
        output.line(f"{count} openings of {plies} random plies, each played from both sides")
    else:
        output.line(
            f"{match.distinct} different openings of {plies} random plies (more were not found), used again for "
            f"{count} pairs of games: the intervals count repeated games as new ones and are too narrow"
        )
    for name, runtime, reading in zip(match.names, match.runtimes, match.readings, strict=True):
        output.line(f"  {name}: {runtime}, {reading}")


def _print_pairing(names: Sequence[str], pairing: Pairing) -> None:
    rows = [
        (title, count.games, count.won, count.drawn, count.lost, f"{count.points / count.games:.1%}")
        for title, count in (
            (f"{names[pairing.one]} first", pairing.as_first),
            (f"{names[pairing.one]} second", pairing.as_second),
            ("together", pairing.total),
        )
    ]
    output.table(("", *COUNTS, "score"), rows, right=(*COUNTS, "score"))
    output.line(f"Score of {names[pairing.one]}: {_score(pairing)}")
    output.line(f"Elo difference: {_elo(pairing.elo)}")
    output.line(f"Mean length: {pairing.plies:.1f} plies")
    _print_partings(names, pairing)


def _score(pairing: Pairing) -> str:
    score = pairing.score
    return f"{score.value:.1%} (95 % interval {score.low:.1%} to {score.high:.1%}, from {pairing.pairs} pairs of games)"


def _elo(elo: Interval) -> str:
    """An Elo difference whose ends may be infinite."""
    if math.isinf(elo.low) and math.isinf(elo.high):
        return "too few games to tell anything"
    if math.isinf(elo.value):
        side = f"at least {elo.low:+.0f}" if elo.value > 0 else f"at most {elo.high:+.0f}"
        return f"without bound, every game was {'won' if elo.value > 0 else 'lost'} (95 % interval: {side})"
    if math.isinf(elo.high):
        return f"{elo.value:+.1f} (95 % interval: at least {elo.low:+.0f}, no upper end)"
    if math.isinf(elo.low):
        return f"{elo.value:+.1f} (95 % interval: at most {elo.high:+.0f}, no lower end)"
    return f"{elo.value:+.1f} (95 % interval {elo.low:+.1f} to {elo.high:+.1f})"


def _print_partings(names: Sequence[str], pairing: Pairing) -> None:
    output.line(f"Pairs whose two games went the same way: {pairing.same} of {pairing.pairs}")
    if pairing.parting:
        output.line(f"First divergence: {_parting(names, pairing, pairing.parting, 'played')}")
    if pairing.agreement:
        agreed, asked = pairing.agreement.agreed, pairing.agreement.asked
        output.line(f"Same move chosen in {agreed} of {asked} positions ({agreed / asked:.2%})")
        if pairing.agreement.first:
            output.line(f"First disagreement: {_parting(names, pairing, pairing.agreement.first, 'chose')}")


def _parting(names: Sequence[str], pairing: Pairing, parting: Parting, verb: str) -> str:
    return (
        f"opening {parting.opening}, ply {parting.ply}: {names[pairing.one]} {verb} {parting.one}, "
        f"{names[pairing.other]} {verb} {parting.other}"
    )


def _print_ratings(names: Sequence[str], found: Sequence[Pairing], table: Sequence[Rating], question: Question) -> None:
    """The rating table, whose row r holds the points of its net against those of ranks 1, 2, ...; then each pairing."""
    points = {}
    for pairing in found:
        points[pairing.one, pairing.other] = pairing.total.points
        points[pairing.other, pairing.one] = pairing.total.games - pairing.total.points
    order = [rating.net for rating in table]
    ranks = [str(rank) for rank in range(1, len(order) + 1)]
    rows = [
        (
            rank,
            names[rating.net],
            f"{rating.elo.value:+.0f}",
            f"±{(rating.elo.high - rating.elo.low) / 2:.0f}",
            f"{rating.count.points:g}/{rating.count.games}",
            *(f"{points[rating.net, net]:g}" if (rating.net, net) in points else "-" for net in order),
        )
        for rank, rating in zip(ranks, table, strict=True)
    ]
    heads = ("#", "network", "Elo", "95 %", "points", *ranks)
    output.table(heads, rows, right=[head for head in heads if head != "network"])
    added = "each network, against the mean" if question.best else "each pairing"
    output.line(f"Elo by Bradley-Terry, mean 0, with one drawn game added to {added}; then points against each.")
    for pairing in found:
        output.line(f"{names[pairing.one]} against {names[pairing.other]}: {_score(pairing)}")
        _print_partings(names, pairing)

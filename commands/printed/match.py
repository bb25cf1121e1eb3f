"""Shows a match: its progress on standard error, then its result and the plot of its ratings.

A terminal shows a bar with the score, elsewhere comes a line now and then. The result is tables and sentences for a
person, CSV and JSON for a program. `Question` says what a match finds out if it is no round robin.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...errors import AzxError, NotRunHere
from ...system.installed import missing
from . import output

if TYPE_CHECKING:
    from ...match.games import GameRecord
    from ...match.rating.elo import Interval
    from ...match.rating.sprt import Sprt
    from ...match.result import Pairing, Parting, Rating
    from ...match.runner import Match
    from ...verbs.matches import MatchResult

COUNTS = ("games", "won", "drawn", "lost")
# Without a terminal: lines of progress in all, and the seconds after which the next game gets one anyway.
LINES = 10
SECONDS = 30.0


class Progress:
    """Shows each game as it ends. Made by `progress`."""

    def __init__(self, match: Match, bar: output.Bar, title: str) -> None:
        self._match, self._bar, self._title = match, bar, title
        self._points = [0.0] * len(match.nets)
        self._done = 0
        self.logged = 0
        bar.begin(title, match.games)

    def begin(self, logged: int) -> None:
        """The match begins; `logged` games of it are in the log already."""
        self.logged = logged
        if logged:
            self._bar.say(f"{self._title}: {logged} of {self._match.games} games are in the log and not played again.")

    def game(self, record: GameRecord) -> None:
        """A game has ended; those of the log come first."""
        self._done += 1
        for net in (record.first, record.second):
            self._points[net] += record.score(net)
        score, total = " - ".join(f"{points:g}" for points in self._points), self._match.games
        self._bar.update(
            f"{self._title}: {score}", self._done, self._bar.time_left(self._done - self.logged, total - self._done)
        )
        tenth, before = (done * LINES // total for done in (self._done, self._done - 1))
        if self._done > self.logged and (tenth > before or self._bar.is_due(SECONDS)):
            self._bar.line(f"{self._title} {self._done}/{total}: {score}")

    def stop(self, log: Path) -> None:
        """Print how to resume after an interruption."""
        self._bar.stop()
        self._bar.say(
            f"{self._title} stopped after {self._done} of {self._match.games} games: give the same command again to "
            f"continue, the games are kept in '{log}'."
        )


@contextmanager
def progress(
    match: Match, title: str = "Match", loudness: output.Loudness = output.Loudness.NORMAL
) -> Iterator[Progress]:
    """Show the progress of `match` on standard error while the block runs; `title` is its name there."""
    with output.bar(loudness) as bar:
        yield Progress(match, bar, title)


def show(done: MatchResult, shown: str, question: Question) -> None:
    """Print the result as `shown` says: "table", "csv" or "json"."""
    from ...match.result import pairings, ratings
    from ...sweeps.table import as_csv

    match, log = done.match, done.log
    names, header, records = match.names, match.header, question.asked_of(done.records)
    pairs = pairings(records, len(names), match.start)
    table = ratings(pairs, len(names), question.ratings(records)) if len(names) > 2 else []
    rated = [_rating(names, rating) for rating in table]
    if shown == "csv":
        click.echo(as_csv(rated or [_line(names, pairing) for pairing in pairs]), nl=False)
    elif shown == "json":
        opened = zip(header["nets"], match.runtimes, match.readings, strict=True)
        nets = [{**net, "runtime": runtime, "reading": reading} for net, runtime, reading in opened]
        data = {
            **header,
            "nets": nets,
            "distinct_openings": match.distinct,
            "pairings": [pairing.as_data(names) for pairing in pairs],
            "ratings": [{**row, "rank": rank} for rank, row in enumerate(rated, start=1)],
            **question.answer(names, records),
            **({"faults": _faults(records)} if "engine" in header else {}),
            "log": log,
            "resumed_games": done.logged,
            "seconds": round(done.seconds, 3),
        }
        output.print_json(data)
    else:
        _print_match(match, len(records))
        if table:
            _print_ratings(names, pairs, table, question)
        else:
            _print_pairing(names, pairs[0])
        question.print_answer(names, records)
        new = len(done.records) - done.logged
        output.line(f"{new} games played in {done.seconds:.1f} s, kept in '{log}'.")


def _rating(names: Sequence[str], rating: Rating) -> dict[str, Any]:
    score = rating.count.points / rating.count.games
    return {
        "net": names[rating.net],
        **_interval("elo", rating.elo),
        **rating.count.as_data(),
        "score": score,
    }


def _interval(name: str, interval: Interval) -> dict[str, float]:
    return {name: interval.value, f"{name}_low": interval.low, f"{name}_high": interval.high}


def _line(names: Sequence[str], pairing: Pairing) -> dict[str, Any]:
    return {
        "one": names[pairing.one],
        "other": names[pairing.other],
        **pairing.total.as_data(),
        **_interval("score", pairing.score),
        **_interval("elo", pairing.elo),
        "plies": pairing.plies,
        "pairs": pairing.pairs,
        "same": pairing.same,
    }


def _print_match(match: Match, games: int) -> None:
    """Print the game and its settings, the openings, and each network with its runtime."""
    header = match.header
    settings = "".join(f", {name} {value}" for name, value in match.settings.items())
    how = _how(header)
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


def _how(header: Mapping[str, Any]) -> str:
    """How the networks play: simulations, seconds or a level."""
    if header.get("level"):
        return f"level {header['level']}"
    if header.get("seconds_a_move") and header["simulations"] is None:
        return f"{header['seconds_a_move']:g} s a move"
    return f"{header['simulations']} simulations" if header["simulations"] else "the policy alone"


def _faults(records: Sequence[GameRecord]) -> dict[str, int]:
    from ...match.against_engine import faults

    return dict(faults(records))


def print_faults(done: MatchResult) -> None:
    """Print what the other program did that ended games before the rules did, and how often."""
    from ...match.against_engine import faults

    name, counted = done.match.names[1], faults(done.records)
    kinds = {"crashed": "crashes", "hung": "hangs", "illegal": "illegal moves", "refused": "refusals of a legal move"}
    counts = ", ".join(f"{counted[kind]} {words}" for kind, words in kinds.items())
    output.line(
        f"{name}: {counts}, {counted['resigned']} resignations; its slowest move took {done.slowest or 0:.1f} s."
    )
    for record in done.records:
        if record.fault is not None and record.fault[0] != "resigned":
            side = "first" if record.first == 1 else "second"
            output.line(
                f"  opening {record.opening + 1}, {name} {side}, after {len(record.moves)} plies: {record.fault[1]}"
            )


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
    output.line(f"Elo difference: {in_points(pairing.elo)}")
    output.line(f"Mean length: {pairing.plies:.1f} plies")
    _print_partings(names, pairing)


def _score(pairing: Pairing) -> str:
    score = pairing.score
    return f"{score.value:.1%} (95 % interval {score.low:.1%} to {score.high:.1%}, from {pairing.pairs} pairs of games)"


def in_points(elo: Interval) -> str:
    """An Elo difference whose ends may be infinite."""
    if math.isinf(elo.low) and math.isinf(elo.high):
        return "too few games for an estimate"
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
        agreed, positions = pairing.agreement.agreed, pairing.agreement.asked
        output.line(f"Same move chosen in {agreed} of {positions} positions ({agreed / positions:.2%})")
        if pairing.agreement.first:
            output.line(f"First disagreement: {_parting(names, pairing, pairing.agreement.first, 'chose')}")


def _parting(names: Sequence[str], pairing: Pairing, parting: Parting, verb: str) -> str:
    return (
        f"opening {parting.opening}, ply {parting.ply}: {names[pairing.one]} {verb} {parting.one}, "
        f"{names[pairing.other]} {verb} {parting.other}"
    )


def _print_ratings(names: Sequence[str], pairs: Sequence[Pairing], table: Sequence[Rating], question: Question) -> None:
    """Print the rating table, then each pairing; a row has the net's points against the nets of ranks 1, 2, ..."""
    points = {}
    for pairing in pairs:
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
    for pairing in pairs:
        output.line(f"{names[pairing.one]} against {names[pairing.other]}: {_score(pairing)}")
        _print_partings(names, pairing)


class Question:
    """Whether the first of two networks passes a test, or which of `networks` is the best; else a round robin.

    UsageError if the two clash.
    """

    def __init__(self, sprt: Sprt | None, best: bool, networks: int) -> None:
        if sprt is not None and (networks != 2 or best):
            raise click.UsageError("--gate is for a match of two networks, the new one first.")
        self.sprt, self.best, self._networks = sprt, best, networks

    def asked_of(self, records: Sequence[GameRecord]) -> list[GameRecord]:
        """The games that count; games after the test's end do not."""
        from ...match.schedule import sprt_result

        if self.sprt is None:
            return list(records)
        pairs = sprt_result({record.key: record for record in records}, self.sprt).pairs
        return [record for record in records if record.opening < pairs]

    def ratings(self, records: Sequence[GameRecord]) -> list[Interval] | None:
        """The networks' ratings if not all of them met; None if they did."""
        from ...match.rating.league_ratings import intervals, rate_league
        from ...match.result import league_of

        if not self.best:
            return None
        league = league_of(records, self._networks)
        return intervals(league, rate_league(league))

    def answer(self, names: Sequence[str], records: Sequence[GameRecord]) -> Mapping[str, Any]:
        """The answer as data; empty for a round robin."""
        if self.sprt is not None:
            return {"gate": _of_sprt(self.sprt, records)}
        return {"best": _of_best(names, records)} if self.best else {}

    def print_answer(self, names: Sequence[str], records: Sequence[GameRecord]) -> None:
        """The same as a sentence."""
        for name, answer in self.answer(names, records).items():
            output.line(_sprt_line(names[0], answer) if name == "gate" else _best_line(answer))


def _of_sprt(sprt: Sprt, records: Sequence[GameRecord]) -> dict[str, Any]:
    from ...match.schedule import sprt_result

    result = sprt_result({record.key: record for record in records}, sprt)
    low, high = sprt.bounds
    return {
        "elo0": sprt.elo0,
        "elo1": sprt.elo1,
        "passed": result.passed,
        "pairs": result.pairs,
        "log_likelihood_ratio": result.ratio,
        "bounds": [low, high],
    }


def _of_best(names: Sequence[str], records: Sequence[GameRecord]) -> dict[str, Any]:
    from ...match.rating.league_ratings import rate_league
    from ...match.result import league_of
    from ...match.schedule import is_found

    league = league_of(records, len(names))
    rated = rate_league(league)
    return {
        "net": names[rated.leader],
        "found": is_found(league, rated),
        "doubt": rated.doubt,
        "superiority": dict(zip(names, rated.superiority[rated.leader].tolist(), strict=True)),
        "pairs": int(league.pair_counts.sum() // 2),
    }


def _sprt_line(name: str, gate: Mapping[str, Any]) -> str:
    from ...match.rating.sprt import in_words

    low, high = gate["bounds"]
    verdict = in_words(gate["passed"], gate["elo0"], gate["elo1"])
    more = "" if gate["passed"] is not None else ": give more --games, and the same command resumes"
    return (
        f"Gate: {name} {verdict}, after {gate['pairs']} pairs of games "
        f"(log-likelihood ratio {gate['log_likelihood_ratio']:.2f}, bounds {low:.2f} and {high:.2f}){more}"
    )


def _best_line(best: Mapping[str, Any]) -> str:
    if not best["found"]:
        return f"Best: not known yet, {best['net']} leads; another one is better with up to {best['doubt']:.0%}"
    doubt = f"another one is better with at most {best['doubt']:.1%}"
    return f"Best: {best['net']}, after {best['pairs']} pairs of games; {doubt}"


def check_plot(context: click.Context, option: click.Parameter, path: Path | None) -> Path | None:
    """The file as given; UsageError or AzxError before anything is played if it could not be written."""
    if path is None or path.suffix == ".svg":
        return path
    if path.suffix != ".png":
        raise click.BadParameter(f"'{path}' ends in neither .png nor .svg.")
    if (lacking := missing("PIL")) is not None:
        raise NotRunHere(f"{lacking}, or name a file that ends in .svg.")
    return path


def write_plot(done: MatchResult, question: Question, path: Path) -> None:
    """Write the curve; AzxError if the disk refuses it."""
    from ...match.rating.curve import curve
    from ...match.result import pairings, ratings
    from ...pages.drawing import as_svg_text, write_png

    match, relevant = done.match, question.asked_of(done.records)
    played = pairings(relevant, len(match.names), match.start)
    table = ratings(played, len(match.names), question.ratings(relevant))
    elos = [rating.elo for rating in sorted(table, key=lambda rating: rating.net)]
    how = f"{match.rules.simulations} simulations" if match.rules.simulations else "the policy alone"
    title = f"{match.game.title}: {len(elos)} networks, {len(relevant)} games, {how}"
    drawing = curve(title, match.names, elos, table[0].net)
    try:
        if path.suffix == ".svg":
            path.write_text(as_svg_text(drawing), encoding="utf8", newline="\n")
        else:
            write_png([drawing], path)
    except OSError as error:
        raise AzxError(f"'{path}' cannot be written ({error.strerror or error}): name another file.") from error

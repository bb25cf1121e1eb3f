"""`azx match` and `azx tune` as functions."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from ..bundle.contents.manifest import MANIFEST, read_manifest
from ..bundle.export import BUNDLES
from ..cluster import players as seating
from ..errors import AzxError, BundleError
from ..export.checkpoint.located import shipped_names
from ..games.search_settings import SearchSettings
from ..match.against_engine import EngineMatch, Opponent, Strength, prepare_engine_match
from ..match.candidates import CANDIDATES, in_words
from ..match.games import Block, GameRecord, Rules
from ..match.players import Net, Players
from ..match.rating.sprt import Sprt
from ..match.result import Pairing, pairings
from ..match.runner import Match, play, prepare
from ..match.schedule import Records, all_blocks, sprt_result, until_best, until_settled
from ..match.tuning import Outcome, Terms, note_search
from ..match.tuning import tune as find_search
from ..match.watcher import SilentWatcher, Watch, Watcher, WatchTitled
from ..pages.notebook import html_table
from ..system.progress import Fraction, Progress
from .defaults import ENGINE_SECONDS

_LOG = logging.getLogger("azx.match")


@dataclass(frozen=True, eq=False)
class MatchResult:
    """A played match: its networks and rules, all games of its log, and how many of them an earlier run played.

    `passed` is the verdict of a gate, None without a gate or while it is undecided. `slowest` are the seconds of the
    other program's longest thought, None between networks.
    """

    match: Match
    records: tuple[GameRecord, ...]
    log: Path
    logged: int
    seconds: float
    passed: bool | None = None
    slowest: float | None = None

    @cached_property
    def pairings(self) -> Sequence[Pairing]:
        """For each two networks: games, score and Elo with their intervals."""
        return pairings(self.records, len(self.match.names), self.match.start)

    def __repr__(self) -> str:
        return f"MatchResult({', '.join(self.match.names)}: {len(self.records)} games)"

    def _repr_html_(self) -> str:
        """The pairings as a table, for notebooks."""
        names = self.match.names
        heads = ("one", "other", "games", "won", "drawn", "lost", "Elo", "95 %")
        rows = [
            (names[each.one], names[each.other], *each.total.as_data().values(), f"{each.elo.value:+.0f}",
             f"{each.elo.low:+.0f} to {each.elo.high:+.0f}")
            for each in self.pairings
        ]  # fmt: skip
        return html_table(self.match.game.title, heads, rows)


def as_net(net: str | Path | Net) -> Net:
    """A network of a match: itself, or the one at a path or of a shipped name."""
    return net if isinstance(net, Net) else Net(str(net))


def match_networks(  # noqa: PLR0913 - each is a keyword
    nets: Sequence[str | Path | Net],
    *,
    games: int = 40,
    simulations: int = 50,
    temperature: float = 0.0,
    seed: int = 0,
    plies: str | None = None,
    proves: bool = False,
    agreement: bool = False,
    settings: Mapping[str, Any] | None = None,
    gate: Sprt | tuple[float, float] | None = None,
    best: bool = False,
    workers: int | None = None,
    backend: str = "local",
    scheduler: str | None = None,
    log: str | Path | None = None,
    watch: Watch | None = None,
    on_progress: Fraction | None = None,
) -> MatchResult:
    """Let networks play each other; a match that was stopped resumes from its log.

        done = azx.match_networks(["bundles/old", "bundles/new"], games=100)
        print(done.pairings[0].elo)

    Args:
        nets: two networks or more: bundles, checkpoints, artifacts, shipped names, or `azx.match.players.Net` values,
            which carry a game, an encoding and a search of their own. One may be named twice.
        games: games for each two networks; an odd number is rounded up, since each opening is played from both sides.
        simulations: simulations of the search for each move; 0 plays the policy alone.
        temperature: draws moves by their visits; 0 plays the best.
        seed: of the openings and all drawn moves.
        plies: random plies of each opening, as "2-6"; by default by game.
        proves: count what the rules prove.
        agreement: count the positions in which both networks choose the same move.
        settings: of the game's board, such as {"size": 9}.
        gate: (Elo0, Elo1), for two networks: play until it is clear whether the first leads by Elo1 or only by Elo0.
        best: play the most informative games until the best network is clear.
        workers: processes that play; one for each core if left out.
        backend: "local", or "dask" for the workers of a cluster.
        scheduler: the cluster's address.
        log: the file for the games; in azx-matches if left out.
        watch: follows each game.
        on_progress: receives the fraction of the games that is played, and the score.

    Returns:
        The games, and the score of each two networks with its interval.

    Raises:
        AzxError: fewer than two networks, or a gate of more than two. GameError if they do not play one game on one
            board, LogError if the log is that of another match.

    """
    if len(nets) < 2:
        raise AzxError("A match needs two networks: name another one, or the same one again.")
    rules = Rules(simulations, temperature, seed, agreement, proves)
    with seating.players(backend, scheduler, workers) as seats:
        prepared = prepare([*map(as_net, nets)], rules, (games + 1) // 2, plies, settings or {}, seats)
        return _play(prepared, seats, gate=_as_gate(gate), best=best, log=log, watch=watch, on_progress=on_progress)


def match_engine(  # noqa: PLR0913 - each is a keyword
    net: str | Path | Net,
    command: str,
    *,
    protocol: str | None = None,
    engine_seconds: float = ENGINE_SECONDS,
    games: int = 40,
    simulations: int | None = 50,
    seconds: float | None = None,
    level: int | None = None,
    seed: int = 0,
    plies: str | None = None,
    settings: Mapping[str, Any] | None = None,
    gate: Sprt | tuple[float, float] | None = None,
    log: str | Path | None = None,
    watch: Watch | None = None,
    on_progress: Fraction | None = None,
) -> MatchResult:
    """Let a network play another program, as `azx match --engine` does; azx is the referee.

    Args:
        net: as one of `match_networks`.
        command: the program's command line, such as "gnugo --mode gtp". It is run.
        protocol: "gtp", "gomocup", "nboard" or "ugi"; the game's usual one if left out.
        engine_seconds: the program's time for a move; it is killed after twice that and 5 s.
        games: how many; an odd number is rounded up.
        simulations: simulations of the network's search for each move; None if only `seconds` count.
        seconds: the network's time for a move.
        level: 1 to 8: the network plays at this level.
        seed: of the openings.
        plies: random plies of each opening, as "2-6".
        settings: of the game's board, such as {"size": 9}.
        gate: (Elo0, Elo1): play until it is clear whether the network leads by Elo1 or only by Elo0.
        log: the file for the games; in azx-matches if left out.
        watch: follows each game.
        on_progress: receives the fraction of the games that is played, and the score.

    Returns:
        The games, with the fault that ended one, and the score with its interval.

    Raises:
        AzxError: the program does not start, does not answer, or does not play the network's game.

    """
    opponent, strength = Opponent(command, protocol, engine_seconds), Strength(simulations, seconds, level)
    with EngineMatch(as_net(net), strength, opponent) as seats:
        # These identify its games; without simulations the network plays by the clock.
        rules = Rules(50 if simulations is None else simulations, seed=seed)
        prepared = prepare_engine_match(seats, rules, (games + 1) // 2, plies, settings or {})
        done = _play(prepared, seats, gate=_as_gate(gate), log=log, watch=watch, on_progress=on_progress)
    return replace(done, slowest=seats.slowest)


def _as_gate(gate: Sprt | tuple[float, float] | None) -> Sprt | None:
    return gate if gate is None or isinstance(gate, Sprt) else Sprt(*gate)


def _play(
    prepared: Match,
    seats: Players,
    *,
    gate: Sprt | None = None,
    best: bool = False,
    log: str | Path | None = None,
    watch: Watch | None = None,
    on_progress: Fraction | None = None,
) -> MatchResult:
    """Play the games of a prepared match that its log lacks; the parameters are those of `match_networks`."""
    count = len(prepared.nets)
    if gate is not None and (count != 2 or best):
        raise AzxError("A gate is for a match of two networks, the new one first: leave it or the others out.")

    def schedule(blocks: Sequence[Block], records: Records) -> Iterator[Sequence[Block]]:
        if gate is not None:
            return until_settled(blocks, gate, records)
        return until_best(blocks, count, records) if best else all_blocks(blocks, records)

    place = prepared.default_log if log is None else Path(log)
    begun, known = time.perf_counter(), 0
    progress = Progress("azx.match", prepared.games, on_progress=on_progress)
    with (watch or _silent)(prepared) as watcher:

        def begin(logged: int) -> None:
            nonlocal known
            known = logged
            watcher.begin(logged)

        def game(record: GameRecord) -> None:
            watcher.game(record)
            progress(f"{prepared.names[record.first]} - {prepared.names[record.second]}")

        try:
            records = play(prepared, place, seats, begin, game, schedule)
        except (KeyboardInterrupt, SystemExit):
            watcher.stop(place)
            raise
    verdict = None if gate is None else sprt_result({record.key: record for record in records}, gate).passed
    done = MatchResult(prepared, tuple(records), place, known, time.perf_counter() - begun, verdict)
    progress.end(f"{place}: {len(records)} games")
    return done


def _silent(match: Match) -> AbstractContextManager[Watcher]:
    return nullcontext(SilentWatcher())


@dataclass(frozen=True, eq=False)
class Tuned:
    """The outcome of a tuning, the bundle's folder, and whether its manifest has the new search."""

    folder: Path
    outcome: Outcome
    terms: Terms
    written: bool

    def __repr__(self) -> str:
        confirmed = self.outcome.confirmed
        return f"Tuned({str(self.folder)!r}: {in_words(confirmed.search) if confirmed else 'no stronger search'})"

    def _repr_html_(self) -> str:
        """The candidates as a table, for notebooks."""
        rows = [
            (in_words(trial.search), trial.pairing.total.games, f"{trial.pairing.elo.value:+.0f}",
             f"{trial.pairing.elo.low:+.0f} to {trial.pairing.elo.high:+.0f}")
            for trial in self.outcome.trials
            if trial.pairing
        ]  # fmt: skip
        return html_table(str(self.folder), ("search", "games", "Elo", "95 %"), rows)


def tune_search(  # noqa: PLR0913 - each is a keyword
    bundle: str | Path,
    *,
    simulations: int = 50,
    games: int = 160,
    confirming: int = 200,
    plies: str | None = None,
    seed: int = 0,
    hours: float | None = None,
    searches: Sequence[SearchSettings] = (),
    write: bool = True,
    workers: int | None = None,
    backend: str = "local",
    scheduler: str | None = None,
    watch: WatchTitled | None = None,
) -> Tuned:
    """Find the best search for a bundle's network, and record it in the manifest if games show that it is stronger.

    Args:
        bundle: the bundle's folder, or the name of a shipped network that was exported here.
        simulations: simulations of both sides for each move: your app's number.
        games: most games of each candidate.
        confirming: games that confirm the best candidate, on other openings.
        plies: random plies of each opening, as "2-6".
        seed: of the openings.
        hours: stop after this time, with the result so far.
        searches: the candidates; azx's own if left out.
        write: record the search; False leaves the bundle as it is.
        workers: processes that play; one for each core if left out.
        backend: "local", or "dask" for the workers of a cluster.
        scheduler: the cluster's address.
        watch: follows the games of each candidate.

    Returns:
        The games of each candidate, and whether the manifest was changed.

    Raises:
        BundleError: there is no such bundle.
        AzxError: as from `match_networks`.

    """
    folder = _folder_of(bundle)
    manifest = read_manifest(folder)
    pairs = (games + 1) // 2, (confirming + 1) // 2
    terms = Terms(simulations, *pairs, seed, plies, hours, list(searches) or CANDIDATES)
    with seating.players(backend, scheduler, workers) as seats:
        outcome = find_search(Net(str(folder)), terms, seats, watch or (lambda match, title: _silent(match)))
    written = outcome.confirmed is not None and write
    if written:
        note_search(folder, manifest, outcome, terms)
    _LOG.info("%s: %s", folder, "a stronger search" if outcome.confirmed else "no stronger search")
    return Tuned(folder, outcome, terms, written)


def _folder_of(bundle: str | Path) -> Path:
    """The folder of a bundle; BundleError if it is none."""
    for folder in (Path(bundle), BUNDLES / bundle):
        if (folder / MANIFEST).is_file() and (folder == Path(bundle) or str(bundle) in shipped_names()):
            return folder
    raise BundleError(
        f"'{bundle}' is no bundle, and a search is recorded in a bundle's manifest: give the folder that azx export "
        f"wrote, or export the checkpoint first."
    )

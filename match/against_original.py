"""Artifacts against their original: pairs of games with equal simulations, then with equal time for both.

How many simulations fit into equal time is measured before the first game and written into the log. These numbers are
part of what identifies the match. So the games do not depend on the clock, and an interrupted match resumes with the
same figures.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .. import manifest as parts
from ..bundle.contents.manifest_model import read_part
from ..bundle.folder import amend
from ..errors import AzxError, NotRunHere
from ..games.search import Search
from ..games.search_settings import USUAL, SearchSettings
from ..games.state import State, play_line
from ..manifest import Manifest
from ..play.network import NetworkEvaluator
from ..system.plain_file import read_plain
from ..system.temporary import temporary_folder
from ..system.workers import Ask, ask_in_process
from .games import Rules
from .log import LOG_BYTES, digest_of, parse_line
from .opponents import Contest
from .players import ONE_THREAD, Net, Networks, Players
from .result import Pairing, pairings
from .runner import FOLDER, Match, play, prepare
from .watcher import Watch

SIMULATIONS, TIME = "simulations", "time"
# Speeds are measured at this number of positions: those where the first games begin.
MEASURED_AT = 8
# Rounds of a measurement. In each round both networks search one position; slow runtimes get fewer rounds.
ROUNDS, FEWEST, LONGEST_SECONDS = 24, 6, 60.0


Seats = Callable[[], AbstractContextManager[Players]]


@dataclass(frozen=True)
class Terms:
    """A match has `pairs` pairs of games, with `simulations` per move of the original; `seed` draws the openings.

    `logs` is the folder of the logs; by default it lies below the working folder.
    """

    pairs: int = 100
    simulations: int = 50
    seed: int = 0
    logs: Path | None = None

    def log(self, artifact: str, equal: str, default: Path) -> Path:
        """The path of one match's log."""
        if self.logs is None:
            return default
        return self.logs / f"{artifact.replace('/', '-')}-{equal}.jsonl"


@dataclass(frozen=True, eq=False)
class Strength:
    """An artifact's result against its original with equal simulations or time; counts and score are the artifact's.

    `simulations`, `runtimes` and `per_second` belong to the artifact and the original, in this order. `per_second` has
    the measured simulations per second; it is None if nothing depends on it. `distinct` openings were played.
    """

    artifact: str
    against: str
    equal: str
    simulations: tuple[int, int]
    per_second: tuple[float, float] | None
    runtimes: tuple[str, ...]
    distinct: int
    pairing: Pairing
    log: Path

    def as_data(self) -> dict[str, Any]:
        """The manifest's member; an Elo difference without bound is null."""
        total = self.pairing.total
        return {
            "artifact": self.artifact,
            "against": self.against,
            "equal": self.equal,
            "simulations": list(self.simulations),
            "playouts_per_second": self.per_second and [round(each, 1) for each in self.per_second],
            "runtimes": list(self.runtimes),
            "games": total.games,
            "openings": self.distinct,
            "won": total.won,
            "drawn": total.drawn,
            "lost": total.lost,
            "score": self.pairing.score.as_estimate(),
            "elo": self.pairing.elo.as_estimate(),
        }


@dataclass(frozen=True, eq=False)
class ContestResults:
    """The results; `reasons` says by artifact why it did not play, or not at equal time."""

    strengths: tuple[Strength, ...]
    reasons: Mapping[str, str]


def play_contests(
    listed: Sequence[Contest], terms: Terms, seats: Seats, watch: Watch, on_step: Callable[[str], None]
) -> ContestResults:
    """Play every contest that can be played here.

    `seats` opens players for each contest anew, because the runtimes' libraries clash. `watch` receives each match.

    Raises:
        AzxError: an artifact does not answer, reads its board unlike its original, or no match could be played.
        LogError: a log cannot be resumed.

    """
    strengths, reasons = list[Strength](), dict[str, str]()
    for contest in listed:
        if contest.original is None:
            reasons[contest.artifact] = contest.reason
            continue
        on_step(f"opening {contest.artifact} and {contest.against}")
        with _measure_alone() as ask:
            try:
                stand_in = ask(_stand_in, (contest.net, contest.original))
            except NotRunHere as error:
                reasons[contest.artifact] = str(error).rstrip(".")
                continue
            if stand_in:
                equal = "" if contest.named else "; if named with --strength-of, it plays with equal simulations"
                reasons[contest.artifact] = f"{stand_in}, stands in for what apps have: no equal time{equal}"
            if not stand_in or contest.named:
                with seats() as players:
                    strengths += _play_contest(contest, terms, players, watch, None if stand_in else ask, on_step)
    if not strengths:
        clauses = "; ".join(f"{artifact}: {reason}" for artifact, reason in reasons.items())
        raise AzxError(f"No artifact could be played against its original ({clauses}).")
    return ContestResults(tuple(strengths), reasons)


def _play_contest(
    contest: Contest, terms: Terms, players: Players, watch: Watch, ask: Ask | None, on_step: Callable[[str], None]
) -> Iterator[Strength]:
    """Games with equal simulations, then with equal time if their speeds can be measured."""
    assert contest.original is not None  # noqa: S101 - those without are left out before
    nets = contest.net, contest.original
    match = prepare(nets, Rules(terms.simulations, seed=terms.seed), terms.pairs, None, {}, players)
    one, other = (net["reading"] for net in match.header["nets"])
    if one != other:
        raise AzxError(
            f"'{contest.artifact}' and '{contest.against}' read the board in two ways ({match.readings[0]}; "
            f"{match.readings[1]}): measure without --against, or export the checkpoint again."
        )
    log = terms.log(contest.artifact, SIMULATIONS, match.default_log)
    yield _finish(contest, match, log, SIMULATIONS, None, players, watch)
    if ask is None:
        return
    log = terms.log(contest.artifact, TIME, _log_of(match))
    speed = _read_measured(log)
    if speed is None:
        on_step(f"measuring {contest.artifact} and {contest.against}")
        states = [play_line(match.start, line) for block in match.blocks for _, line in block.openings][:MEASURED_AT]
        measured = ask(_speeds, nets, states, terms.simulations)
        speed = measured.bought(terms.simulations), measured.per_second
    each = speed[0], terms.simulations
    header = {**match.header, "simulations_each": list(each), "playouts_per_second": list(speed[1])}
    timed = replace(match, rules=replace(match.rules, each=each), header=header)
    yield _finish(contest, timed, log, TIME, speed[1], players, watch)


def _finish(
    contest: Contest,
    match: Match,
    log: Path,
    equal: str,
    per_second: tuple[float, float] | None,
    players: Players,
    watch: Watch,
) -> Strength:
    with watch(match) as watcher:
        try:
            records = play(match, log, players, watcher.begin, watcher.game)
        except (KeyboardInterrupt, SystemExit):
            watcher.stop(log)
            raise
    (pairing,) = pairings(records, 2, match.start)
    one, other = match.rules.of(0).simulations, match.rules.of(1).simulations
    return Strength(
        contest.artifact,
        contest.against,
        equal,
        (one, other),
        per_second,
        match.runtimes,
        match.distinct,
        pairing,
        log,
    )


def _log_of(match: Match) -> Path:
    """The log of the games at equal time; its name does not depend on the measured numbers of simulations."""
    return Path(FOLDER) / f"{digest_of(match.header)[:16]}-time.jsonl"


def _read_measured(log: Path) -> tuple[int, tuple[float, float]] | None:
    """The simulations that fit into equal time and both speeds, from a log's first line; None if there is no log."""
    try:
        head = parse_line(read_plain(log, LOG_BYTES).partition(b"\n")[0])
        bought, (one, other) = head["simulations_each"][0], head["playouts_per_second"]
        return int(bought), (float(one), float(other))
    except (OSError, TypeError, ValueError, KeyError, IndexError):
        return None  # opening the log reports what is wrong with it


@contextmanager
def _measure_alone() -> Iterator[Ask]:
    """A process that only opens networks and times them."""
    with (
        temporary_folder("strength") as folder,
        ask_in_process(folder, ONE_THREAD, "measuring the networks' speeds") as ask,
    ):
        yield ask


@dataclass(frozen=True)
class Speeds:
    """`per_second` holds both networks' simulations per second; `ratio` is the first one's speed over the other's.

    Each is a median over the rounds, so `ratio` is not exactly the quotient of the two speeds.
    """

    per_second: tuple[float, float]
    ratio: float

    def bought(self, simulations: int) -> int:
        """The number of simulations that the first network makes while the other makes `simulations`; at least 1."""
        return max(1, round(simulations * self.ratio))


def measure_speeds(
    networks: tuple[NetworkEvaluator, NetworkEvaluator],
    states: Sequence[State],
    simulations: int,
    settings: SearchSettings = USUAL,
) -> Speeds:
    """Search the positions with both networks in turn, with `simulations` simulations each and these settings.

    If both answer in this process, processor time counts, because other work on the machine does not affect it. If one
    answers in its own process (TF.js in Node), wall-clock time counts.
    """
    clock = time.process_time if all(network.in_process for network in networks) else time.perf_counter
    # The first search compiles, and its answers are slow.
    for network in networks:
        _seconds(network, states[0], simulations, settings, clock)
    taken: tuple[list[float], list[float]] = [], []
    end = time.monotonic() + LONGEST_SECONDS
    for turn in range(ROUNDS):
        for side in (0, 1) if turn % 2 else (1, 0):
            taken[side].append(_seconds(networks[side], states[turn % len(states)], simulations, settings, clock))
        if turn + 1 >= FEWEST and time.monotonic() > end:
            break
    ratio = statistics.median(other / one for one, other in zip(*taken, strict=True))
    one, other = (simulations / statistics.median(seconds) for seconds in taken)
    return Speeds((one, other), ratio)


def _seconds(
    network: NetworkEvaluator, state: State, simulations: int, settings: SearchSettings, clock: Callable[[], float]
) -> float:
    search = Search(state, network, settings=settings)
    begun = clock()
    search.run(simulations)
    return max(clock() - begun, 1e-6)


# The networks that the measuring process holds open.
_NETWORKS = Networks()


def _stand_in(nets: Sequence[Net]) -> str | None:
    """The runtime of a network that is not the apps' runtime; None if both networks run in the apps' runtimes."""
    opened = [_NETWORKS.get(net) for net in nets]
    return next((network.runtime for network in opened if network.stands_in), None)


def _speeds(nets: tuple[Net, Net], states: Sequence[State], simulations: int) -> Speeds:
    networks = _NETWORKS.get(nets[0]), _NETWORKS.get(nets[1])
    # Both networks belong to one bundle, and its manifest says how to search them.
    return measure_speeds(networks, states, simulations, _NETWORKS.search_of(nets[0]))


def note_strength(folder: Path, manifest: Manifest, strengths: Sequence[Strength]) -> Manifest:
    """Write the artifacts' strength into the bundle's manifest and return it; entries of other artifacts stay.

    `manifest` was read before the games. BundleError if the bundle has been replaced since then, is in use
    or cannot be written.
    """
    new = {_match_of(each): each for each in (read_part(parts.Strength, strength.as_data()) for strength in strengths)}

    def with_these(there: Manifest) -> Manifest:
        others = [each for each in there.strength or () if _match_of(each) not in new]
        return replace(there, strength=tuple(sorted([*others, *new.values()], key=_match_of)))

    return amend(folder, manifest, with_these)


def _match_of(strength: parts.Strength) -> tuple[str, str, str]:
    return strength.artifact, strength.against, strength.equal

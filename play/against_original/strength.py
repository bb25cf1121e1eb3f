"""Artifacts against their original: pairs of games with equal simulations, and again with what equal time buys.

How many simulations a time buys is measured before the first game and written into the log, which says with it which
match it is. So the games do not depend on the clock, and what was interrupted goes on with what was measured.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from ...errors import AzxError, NotRunHere
from ...export.temporary import temporary_folder
from ...games.state import State
from ...validate.workers import processes_in, result, shielded
from ..match import GameRecord, Rules
from ..match_log import parsed
from ..match_result import Pairing, pairings
from ..match_runner import FOLDER, Match, play, prepare
from ..match_workers import ONE_THREAD, Net, Networks, Players
from ..rating.elo import Interval
from .opponents import Contest
from .speeds import Speeds, speeds

SIMULATIONS, TIME = "simulations", "time"
# Positions that speeds are measured at: where the first games begin.
MEASURED_AT = 8


class Watcher(Protocol):
    """Told of one match: how many games the log has, each game, and that it was interrupted."""

    def begin(self, logged: int) -> None:
        """So many games are in the log already."""

    def game(self, record: GameRecord) -> None:
        """One more game."""

    def stop(self, log: Path) -> None:
        """The match ends before its last game."""


Ask = Callable[..., Any]
Seats = Callable[[], AbstractContextManager[Players]]
Watch = Callable[[Match], AbstractContextManager[Watcher]]


@dataclass(frozen=True)
class Terms:
    """`pairs` of games of a match, `simulations` of the original for a move, `seed` of the openings and all draws.

    `logs` is the folder of the games; they are kept below the working folder where it is left out.
    """

    pairs: int = 100
    simulations: int = 50
    seed: int = 0
    logs: Path | None = None

    def log(self, artifact: str, equal: str, default: Path) -> Path:
        """Where the games of one match are kept."""
        if self.logs is None:
            return default
        return self.logs / f"{artifact.replace('/', '-')}-{equal}.jsonl"


@dataclass(frozen=True, eq=False)
class Strength:
    """How an artifact did against its original with equal simulations or time; counts and score are the artifact's.

    `simulations`, `runtimes` and `per_second` are the artifact's and the original's; the last one, the simulations a
    second that were measured, is None where nothing hangs on it. `distinct` openings were played.
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
            "score": _interval(self.pairing.score),
            "elo": _interval(self.pairing.elo),
        }


@dataclass(frozen=True, eq=False)
class Played:
    """What was found, and by artifact why it did not play, or not at equal time."""

    found: tuple[Strength, ...]
    reasons: Mapping[str, str]


def play_contests(
    listed: Sequence[Contest], terms: Terms, seats: Seats, watch: Watch, on_step: Callable[[str], None]
) -> Played:
    """Play every contest that can be played here.

    `seats` makes who plays, for each contest anew: the runtimes' libraries clash. `watch` is told of each match.

    Raises:
        AzxError: an artifact does not answer, reads its board otherwise than its original, or none could be played.
        LogError: a log cannot be gone on with.

    """
    found, reasons = list[Strength](), dict[str, str]()
    for contest in listed:
        if contest.original is None:
            reasons[contest.artifact] = contest.reason
            continue
        on_step(f"opening {contest.artifact} and {contest.against}")
        with _measuring() as ask:
            try:
                stand_in = ask(_stand_in, (contest.net, contest.original))
            except NotRunHere as error:
                reasons[contest.artifact] = str(error).rstrip(".")
                continue
            if stand_in:
                equal = "" if contest.named else "; named with --strength-of it plays with equal simulations"
                reasons[contest.artifact] = f"{stand_in}, stands in for what apps have: no equal time{equal}"
            if not stand_in or contest.named:
                with seats() as players:
                    found += _played(contest, terms, players, watch, None if stand_in else ask, on_step)
    if not found:
        told = "; ".join(f"{artifact}: {reason}" for artifact, reason in reasons.items())
        raise AzxError(f"No artifact could be played against its original ({told}).")
    return Played(tuple(found), reasons)


def _played(
    contest: Contest, terms: Terms, players: Players, watch: Watch, ask: Ask | None, on_step: Callable[[str], None]
) -> Iterator[Strength]:
    """With equal simulations, then with equal time where somebody can be asked how long they take."""
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
    yield _finished(contest, match, log, SIMULATIONS, None, players, watch)
    if ask is None:
        return
    log = terms.log(contest.artifact, TIME, _log_of(match))
    told = _told_by(log)
    if told is None:
        on_step(f"measuring {contest.artifact} and {contest.against}")
        states = [_begun(match.start, line) for block in match.blocks for _, line in block.openings][:MEASURED_AT]
        measured = ask(_speeds, nets, states, terms.simulations)
        told = measured.bought(terms.simulations), measured.per_second
    each = told[0], terms.simulations
    header = {**match.header, "simulations_each": list(each), "playouts_per_second": list(told[1])}
    timed = replace(match, rules=replace(match.rules, each=each), header=header)
    yield _finished(contest, timed, log, TIME, told[1], players, watch)


def _finished(
    contest: Contest,
    match: Match,
    log: Path,
    equal: str,
    per_second: tuple[float, float] | None,
    players: Players,
    watch: Watch,
) -> Strength:
    with watch(match) as told:
        try:
            records = play(match, log, players, told.begin, told.game)
        except (KeyboardInterrupt, SystemExit):
            told.stop(log)
            raise
    (pairing,) = pairings(records, 2, match.start)
    one, other = match.rules.of(0).simulations, match.rules.of(1).simulations
    about = contest.artifact, contest.against, equal, (one, other), per_second
    return Strength(*about, match.runtimes, match.distinct, pairing, log)


def _log_of(match: Match) -> Path:
    """Where the games at equal time are kept: known before it is known how many simulations that time buys."""
    digest = hashlib.sha256(json.dumps(match.header, sort_keys=True).encode()).hexdigest()
    return Path(FOLDER) / f"{digest[:16]}-time.jsonl"


def _told_by(log: Path) -> tuple[int, tuple[float, float]] | None:
    """The simulations that the time bought and both speeds, as the first line of a log has them; None without one."""
    if not log.exists():
        return None
    head = parsed(log.read_bytes().partition(b"\n")[0])
    try:
        bought, (one, other) = head["simulations_each"][0], head["playouts_per_second"]
        return int(bought), (float(one), float(other))
    except (TypeError, ValueError, KeyError, IndexError):
        return None  # whoever opens the log says what is wrong with it


def _begun(start: State, line: Sequence[int]) -> State:
    for action in line:
        start = start.apply(action)
    return start


@contextmanager
def _measuring() -> Iterator[Ask]:
    """A process that has nothing to do but to open networks and to be timed: ask(function, *arguments)."""
    with temporary_folder("strength") as folder:
        processes = processes_in(folder, 1, ONE_THREAD)
        try:
            yield lambda function, *arguments: result(
                processes.submit(shielded, function, *arguments), "measuring the networks' speeds"
            )
        finally:
            processes.shutdown()


# Of the process that measures.
_NETWORKS = Networks()


def _stand_in(nets: Sequence[Net]) -> str | None:
    """The runtime of one of them that is not what apps have; None where both are."""
    opened = [_NETWORKS.get(net) for net in nets]
    return next((network.runtime for network in opened if network.stands_in), None)


def _speeds(nets: tuple[Net, Net], states: Sequence[State], simulations: int) -> Speeds:
    return speeds((_NETWORKS.get(nets[0]), _NETWORKS.get(nets[1])), states, simulations)


def _interval(interval: Interval) -> dict[str, float | None]:
    ends = {"value": interval.value, "low": interval.low, "high": interval.high}
    return {name: round(end, 4) if math.isfinite(end) else None for name, end in ends.items()}

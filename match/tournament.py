"""Networks of one game play each other until it is known which is the best, or, if they are few, all against all.

    tournament = prepare(entrants, Rules(simulations=50), pairs=20)
    played = play(tournament, Path("azx-matches"), workers)

The log keeps every game (`log.py`): what was played is not played again, and a network more plays only its own games.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import AzxError
from ..games.game import Game, Value
from ..games.known.recognition import by_name
from ..games.state import State
from ..version import __version__
from .games import Block, GameRecord, Key, Rules, blocks
from .log import TournamentLog, digest_of, open_tournament_log
from .openings import openings, read_plies
from .players import Net, NetworkError, Players
from .runner import digest
from .schedule import play_waves, until_best

# So many networks play all against all: every rating is then as sure as the others.
FEW = 6
# Openings of a block. A fixed number, so that more games of each two only add blocks.
OPENINGS = 2


@dataclass(frozen=True)
class Entrant:
    """A network that was opened; `identity` is the same for the same bytes read in the same way, whatever its name."""

    net: Net
    name: str
    runtime: str
    game: Game
    settings: Mapping[str, Value]
    identity: str


def enter(nets: Sequence[Net], workers: Players) -> list[Entrant | str]:
    """Each network as an entrant, or the sentence that says why it is none: one that fails keeps out no other."""
    return [_enter(net, workers) for net in nets]


def _enter(net: Net, workers: Players) -> Entrant | str:
    try:
        (fact,) = workers.describe([net])
        game = by_name(fact.game)
        settings = {setting.name: setting.default for setting in game.settings} | dict(fact.settings)
        identity = digest_of([digest(net.net), fact.reading])[:32]
    except (AzxError, OSError) as error:
        return str(error)
    return Entrant(net, fact.name, fact.runtime, game, settings, identity)


def by_game(entrants: Sequence[Entrant]) -> list[list[Entrant]]:
    """Those of one game and board together, in their order; of several with one identity the first alone."""
    groups: dict[str, dict[str, Entrant]] = {}
    for entrant in entrants:
        key = json.dumps([entrant.game.name, entrant.settings], sort_keys=True)
        groups.setdefault(key, {}).setdefault(entrant.identity, entrant)
    return [list(group.values()) for group in groups.values()]


@dataclass(frozen=True)
class Tournament:
    """What can be played: `lines` are the openings, of which `distinct` differ.

    `header` has all that a game depends on beside its two networks and its opening.
    """

    entrants: tuple[Entrant, ...]
    rules: Rules
    lines: tuple[tuple[int, ...], ...]
    distinct: int
    header: Mapping[str, Any]

    @property
    def start(self) -> State:
        """The first state of every game."""
        first = self.entrants[0]
        return first.game.begin(first.settings)

    @property
    def file(self) -> str:
        """The name of its log, the same for the same game and rules whoever plays."""
        return f"{self.header['game']}-{digest_of(self.header)[:8]}.jsonl"


@dataclass(frozen=True)
class Played:
    """The games between `entrants`, which are those that played to the end; `new` of them were played now.

    `failed` has, by their identities, why the others did not.
    """

    entrants: tuple[Entrant, ...]
    records: tuple[GameRecord, ...]
    new: int
    failed: Mapping[str, str]
    log: Path


@dataclass(frozen=True)
class Listener:
    """Told how many games are in the log and how many there may be at most; then of each game that is played."""

    begin: Callable[[Tournament, int, int], None] = lambda tournament, logged, most: None
    game: Callable[[GameRecord], None] = lambda record: None


def prepare(entrants: Sequence[Entrant], rules: Rules, pairs: int, plies: str | None = None) -> Tournament:
    """A tournament of entrants of one game and board; of `pairs` of games of each two, made a multiple of `OPENINGS`.

    `plies` are the random plies of each opening as "LO-HI". GameError if no opening can be drawn.
    """
    first = entrants[0]
    lengths = read_plies(plies) if plies else first.game.plies
    pairs += -pairs % OPENINGS
    drawn = openings(first.game.begin(first.settings), pairs, lengths, rules.seed)
    header = {
        "azx": __version__,
        "game": first.game.name,
        "settings": dict(first.settings),
        "opening_plies": list(lengths),
        "simulations": rules.simulations,
        "temperature": rules.temperature,
        "proven": rules.proves,
        "seed": rules.seed,
    }
    return Tournament(tuple(entrants), rules, drawn.lines, drawn.distinct, header)


def play(tournament: Tournament, folder: Path, workers: Players, listener: Listener | None = None) -> Played:
    """Play what the log in `folder` does not hold yet; a network that fails is left out, and the others go on.

    LogError if the log cannot be resumed, AzxError if a process that played died: the games are kept.
    """
    entrants, failed, listener = list(tournament.entrants), dict[str, str](), listener or Listener()
    log, new = folder / tournament.file, 0
    while True:
        nets = [entrant.net for entrant in entrants]
        every = blocks(len(entrants), tournament.lines, OPENINGS)
        identities = [entrant.identity for entrant in entrants]
        with open_tournament_log(log, tournament.header, identities, tournament.start, every) as kept:
            records = {record.key: record for record in kept.records}
            if not failed:
                listener.begin(tournament, len(records), sum(len(block.keys) for block in every))
            try:
                waves = _waves(every, len(entrants), records, kept)
                for record in play_waves(waves, nets, tournament.start, tournament.rules, records, workers):
                    kept.add(record)
                    listener.game(record)
                    new += 1
                if len(entrants) > 1:
                    kept.settle()
                ordered = tuple(records[key] for key in sorted(records))
                return Played(tuple(entrants), ordered, new, failed, log)
            except NetworkError as error:
                failed[entrants.pop(error.net).identity] = str(error)


def _waves(
    every: Sequence[Block], networks: int, records: Mapping[Key, GameRecord], kept: TournamentLog
) -> Iterator[Sequence[Block]]:
    """What is played, wave by wave; a wave that was planned and not ended comes first, as it was planned."""
    if networks <= FEW:
        yield every
        return
    yield kept.unfinished_wave
    known = [block for block in every if records.keys() >= set(block.keys)]
    for wave in until_best(every, networks, records, known, kept.settled):
        kept.plan(wave)
        yield wave

"""Networks of one game play each other until the best one is known; a few networks play all against all.

    tournament = prepare(entrants, Rules(simulations=50), pairs=20)
    played = play(tournament, Path("azx-matches"), workers)

The log keeps every game (`log.py`). No game is played twice, and a new network plays only its own games.
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

# Up to this number of networks play all against all, which makes every rating equally sure.
FEW = 6
# Openings per block. The number is fixed, so that more games of each pairing only add blocks.
OPENINGS = 2


@dataclass(frozen=True)
class Entrant:
    """An opened network; the same bytes read in the same way have the same `identity`, whatever their name."""

    net: Net
    name: str
    runtime: str
    game: Game
    settings: Mapping[str, Value]
    identity: str


def enter(nets: Sequence[Net], workers: Players) -> list[Entrant | str]:
    """Each network as an entrant, or the sentence that says why it cannot take part; a failure affects no other."""
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
    """The entrants grouped by game and board, in their order; of equal identities only the first is kept."""
    groups: dict[str, dict[str, Entrant]] = {}
    for entrant in entrants:
        key = json.dumps([entrant.game.name, entrant.settings], sort_keys=True)
        groups.setdefault(key, {}).setdefault(entrant.identity, entrant)
    return [list(group.values()) for group in groups.values()]


@dataclass(frozen=True)
class Tournament:
    """A tournament that can be played: `lines` are the openings, and `distinct` of them differ.

    `header` holds all that a game depends on, except its two networks and its opening.
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
        """The name of its log; it depends on the game and the rules, not on the players."""
        return f"{self.header['game']}-{digest_of(self.header)[:8]}.jsonl"


@dataclass(frozen=True)
class TournamentResult:
    """The games between `entrants`, the networks that played to the end; `new` games were played now.

    `failed` says by their identities why the others did not.
    """

    entrants: tuple[Entrant, ...]
    records: tuple[GameRecord, ...]
    new: int
    failed: Mapping[str, str]
    log: Path


@dataclass(frozen=True)
class Listener:
    """Hears how many games the log has and how many there may be at most; then hears of each game played."""

    begin: Callable[[Tournament, int, int], None] = lambda tournament, logged, most: None
    game: Callable[[GameRecord], None] = lambda record: None


def prepare(entrants: Sequence[Entrant], rules: Rules, pairs: int, plies: str | None = None) -> Tournament:
    """A tournament of entrants of one game and board; `pairs` per pairing is rounded up to a multiple of `OPENINGS`.

    `plies` are the random plies of each opening as "LO-HI". GameError if no opening can be drawn.
    """
    first = entrants[0]
    lengths = read_plies(plies) if plies else first.game.plies
    pairs += -pairs % OPENINGS
    lines = openings(first.game.begin(first.settings), pairs, lengths, rules.seed)
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
    return Tournament(tuple(entrants), rules, lines.lines, lines.distinct, header)


def play(tournament: Tournament, folder: Path, workers: Players, listener: Listener | None = None) -> TournamentResult:
    """Play the games that the log in `folder` lacks; a network that fails is left out, and the others continue.

    LogError if the log cannot be resumed; AzxError if a process that played died. The log keeps its games either way.
    """
    entrants, failed, listener = list(tournament.entrants), dict[str, str](), listener or Listener()
    log, new = folder / tournament.file, 0
    while True:
        nets = [entrant.net for entrant in entrants]
        every = blocks(len(entrants), tournament.lines, OPENINGS)
        identities = [entrant.identity for entrant in entrants]
        with open_tournament_log(log, tournament.header, identities, tournament.start, every) as tournament_log:
            records = {record.key: record for record in tournament_log.records}
            if not failed:
                listener.begin(tournament, len(records), sum(len(block.keys) for block in every))
            try:
                waves = _waves(every, len(entrants), records, tournament_log)
                for record in play_waves(waves, nets, tournament.start, tournament.rules, records, workers):
                    tournament_log.add(record)
                    listener.game(record)
                    new += 1
                if len(entrants) > 1:
                    tournament_log.settle()
                ordered = tuple(records[key] for key in sorted(records))
                return TournamentResult(tuple(entrants), ordered, new, failed, log)
            except NetworkError as error:
                failed[entrants.pop(error.net).identity] = str(error)


def _waves(
    every: Sequence[Block], networks: int, records: Mapping[Key, GameRecord], tournament_log: TournamentLog
) -> Iterator[Sequence[Block]]:
    """The blocks to play, wave by wave; an unfinished wave of the log comes first, as it was planned."""
    if networks <= FEW:
        yield every
        return
    yield tournament_log.unfinished_wave
    known = [block for block in every if records.keys() >= set(block.keys)]
    for wave in until_best(every, networks, records, known, tournament_log.settled):
        tournament_log.plan(wave)
        yield wave

"""A match between networks in any runtime: opens them, plays on several processes, keeps the log."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..bundle.case.reading import identity
from ..errors import GameError
from ..export.checkpoint.digest import sha256
from ..export.checkpoint.foreign.beside import files_beside
from ..games.game import Game, Value
from ..games.known.recognition import by_name
from ..games.search_settings import USUAL
from ..games.state import State
from ..play.network_files import find_network
from ..version import __version__
from .games import Block, GameRecord, Key, Line, Rules, blocks
from .log import digest_of, open_match_log
from .openings import openings, read_plies
from .players import Facts, Net, Players
from .schedule import all_blocks, play_waves

FOLDER = "azx-matches"


@dataclass(frozen=True)
class Match:
    """A match that can be played: `header` identifies it, `distinct` is the number of different openings."""

    nets: tuple[Net, ...]
    names: tuple[str, ...]
    runtimes: tuple[str, ...]
    game: Game
    settings: Mapping[str, Value]
    blocks: tuple[Block, ...]
    rules: Rules
    header: Mapping[str, Any]
    distinct: int
    readings: tuple[str, ...]

    @property
    def start(self) -> State:
        """The first state of every game."""
        return self.game.begin(self.settings)

    @property
    def games(self) -> int:
        """The number of games of all pairings together."""
        return sum(len(block.keys) for block in self.blocks)

    @property
    def default_log(self) -> Path:
        """The log's default place, below the working folder; the same match has the same place."""
        return Path(FOLDER) / f"{digest_of(self.header)[:16]}.jsonl"


Listener = Callable[[GameRecord], None]
Schedule = Callable[[Sequence[Block], Mapping[Key, GameRecord]], Iterator[Sequence[Block]]]


def prepare(
    nets: Sequence[Net],
    rules: Rules,
    pairs: int,
    plies: str | None,
    settings: Mapping[str, Value],
    workers: Players,
    apart_from: Sequence[Line] = (),
) -> Match:
    """Open the nets once to learn what they play; GameError if they do not play the same game on the same board.

    No opening equals one of `apart_from`.
    """
    facts = workers.describe(nets)
    game, agreed = agree(facts, settings)
    names = _names([net.net for net in nets], [fact.name for fact in facts])
    lengths = read_plies(plies) if plies else game.plies
    lines = openings(game.begin(agreed), pairs, lengths, rules.seed, apart_from)
    header = {
        "azx": __version__,
        "game": game.name,
        "settings": agreed,
        "nets": [
            {"name": name, "sha256": digest(net.net), "reading": fact.reading}
            for name, net, fact in zip(names, nets, facts, strict=True)
        ],
        "encoding": _digests([net.encoding for net in nets]),
        "symmetry": nets[0].symmetry,
        "games": 2 * pairs,
        "opening_plies": list(lengths),
        "simulations": rules.simulations,
        "temperature": rules.temperature,
        "agreement": rules.agreement,
        "seed": rules.seed,
    }
    if rules.proves:
        # Written only if true: a match without it keeps the log that it had before this choice existed.
        header["proven"] = True
    if apart_from:
        header["apart_from"] = digest_of(apart_from)
    if rules.each:
        header["simulations_each"] = list(rules.each)
    searches = tuple(fact.search for fact in facts)
    # Drawn moves are drawn by visits, and only the visits of PUCT measure a move.
    if any(search != USUAL for search in searches) and rules.simulations and not rules.temperature:
        rules = replace(rules, searches=searches)
        header["search"] = [search.as_data() for search in searches]
    configs = [Path(net.like.config) if net.like.config else None for net in nets]
    if any(configs):
        header["config"] = _digests(configs)
    options: dict[str, list[Any]] = {
        "builder": [net.like.builder for net in nets],
        "preset": [net.like.preset for net in nets],
        "board": [net.like.board for net in nets],
        "value_head": [net.names.value_head for net in nets],
        "policy_head": [net.names.policy_head for net in nets],
    }
    for name, values in options.items():
        if any(values):
            header[name] = values
    runtimes, readings = tuple(fact.runtime for fact in facts), tuple(fact.line for fact in facts)
    every = tuple(blocks(len(nets), lines.lines))
    return Match(tuple(nets), names, runtimes, game, agreed, every, rules, header, lines.distinct, readings)


def play(
    match: Match,
    log: Path,
    workers: Players,
    on_start: Callable[[int], None],
    on_game: Listener,
    schedule: Schedule = all_blocks,
) -> list[GameRecord]:
    """Play the games that `log` does not hold yet and return all, in the order of their openings.

    `schedule` takes the blocks and the known games by their keys, and yields blocks until enough were
    played (`schedule.py`). `on_start` receives the number of games in the log, `on_game` each game, logged ones too.
    LogError if the log cannot be resumed.
    """
    with open_match_log(log, match.header, match.start, match.blocks) as match_log:
        records = {record.key: record for record in match_log.records}
        on_start(len(records))
        for record in match_log.records:
            on_game(record)
        waves = schedule(match.blocks, records)
        for record in play_waves(waves, match.nets, match.start, match.rules, records, workers):
            match_log.add(record)
            on_game(record)
    return [records[key] for key in sorted(records)]


def _digests(files: Sequence[Path | None]) -> Any:
    """SHA-256 of the file, if all networks share one; None if no network has one; else a list, one for each network.

    An encoding that is a name, not a file, keeps its name instead.
    """
    digests = [file and identity(file) for file in files]
    return digests[0] if len(set(digests)) == 1 else digests


def digest(net: str) -> str:
    """SHA-256 of the file `net`, or of the names and digests of its folder's files and of those beside it."""
    path = find_network(net).path
    folder = path if path.is_dir() else path.parent
    files = sorted(path.rglob("*")) if path.is_dir() else [path, *files_beside(path)]
    if files == [path]:
        return sha256(path)
    named = [file for file in files if file.is_file()]
    listing = "".join(f"{file.relative_to(folder).as_posix()}\n{sha256(file)}\n" for file in named)
    return hashlib.sha256(listing.encode()).hexdigest()


def _names(paths: Sequence[str], files: Sequence[str]) -> tuple[str, ...]:
    """Names for the nets: their files' names, or the given paths if file names are equal; numbered if necessary."""
    names = [text if files.count(name) > 1 else name for text, name in zip(paths, files, strict=True)]
    return tuple(
        f"{name} ({names[: at + 1].count(name)})" if names.count(name) > 1 else name for at, name in enumerate(names)
    )


def agree(facts: Sequence[Facts], wanted: Mapping[str, Value]) -> tuple[Game, dict[str, Value]]:
    """The common game and all its settings; GameError if the nets differ from each other or from `wanted`."""
    game = by_name(facts[0].game)
    for fact in facts[1:]:
        if fact.game != game.name:
            raise GameError(
                f"'{facts[0].name}' plays {game.title}, '{fact.name}' {by_name(fact.game).title}: "
                "choose networks of one game, or say with --game what they play."
            )
    game.begin(wanted)  # refuses settings that the game does not have
    wanted = {setting.name: setting.read(wanted[setting.name]) for setting in game.settings if setting.name in wanted}
    fixed = {name for shape in game.shapes for name in shape.settings}
    defaults = {setting.name: setting.default for setting in game.settings}
    played = [defaults | dict(fact.settings) for fact in facts]
    for name in defaults:
        values = [settings[name] for settings in played]
        if name in fixed and name in wanted:
            values.append(wanted[name])
        if len(set(values)) > 1 and (name in fixed or name not in wanted):
            raise GameError(_apart(game, name, facts, values))
    return game, {name: wanted.get(name, played[0][name]) for name in defaults}


def _apart(game: Game, name: str, facts: Sequence[Facts], values: Sequence[Value]) -> str:
    at = next(index for index, value in enumerate(values) if value != values[0])
    other = f"'{facts[at].name}' for" if at < len(facts) else "you ask for"
    return (
        f"'{facts[0].name}' is made for {game.title} with {name} {values[0]}, {other} {values[at]}: "
        f"choose networks of one {name}, or another --{name}."
    )

"""Matches and tournaments on disk: a line of JSON that says which one it is, then one for each finished game.

A line counts once its end is written, so that a killed match can be resumed. The log of a tournament identifies its
networks by their contents and reading, so a new network plays only its own games. Such a log has two more kinds of
lines. One lists the blocks of a wave before it is played, because later games depend on earlier ones. The other lists
networks whose best one is already known.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from ..errors import AzxError, GameError
from ..games.state import State
from ..system.exchange import lock_of
from ..system.lock import hold_lock
from ..system.plain_file import read_plain
from .games import Block, GameRecord, Key

MATCH, TOURNAMENT = "azx match", "azx tournament"
LOG_BYTES = 256 << 20  # a game takes up to 1 KiB


class LogError(AzxError):
    """A log that cannot be resumed: it is another match's, damaged, in use, or no log at all."""


class MatchLog:
    """An open log, made by `open_match_log`: `records` are the games read from it, `add` writes one more."""

    def __init__(self, file: BinaryIO, records: Sequence[GameRecord]) -> None:
        self._file, self.records = file, tuple(records)

    def add(self, record: GameRecord) -> None:
        """Write a finished game."""
        _write_line(self._file, as_data(record))


@contextmanager
def open_match_log(path: Path, header: Mapping[str, Any], start: State, games: Sequence[Block]) -> Iterator[MatchLog]:
    """Open the log of the match that `header` (JSON types) describes; make the log if it is missing.

    `start` is the first state of every game, `games` the match's blocks. An incomplete last line is dropped. LogError
    if the file is another match's log, a damaged log or no log; the file then stays as it was.
    """
    in_use = f"'{path}' is in use by another match: wait until it ends, or choose another --log."
    openings = {number: line for block in games for number, line in block.openings}
    missing = {key: openings[key[0]] for block in games for key in block.keys}
    with _open_lines(path, {"kind": MATCH, **header}, in_use) as (head, lines, file):
        if head is not None:
            _check_match(path, head, json.loads(json.dumps({"kind": MATCH, **header})))
        records = [_match_record(path, number, line, start, missing) for number, line in lines]
        yield MatchLog(file(), records)


class TournamentLog:
    """An open log that names networks by their identities; made by `open_tournament_log`.

    `records` are the log's games between the networks that take part now. `unfinished_wave` holds the blocks of a
    wave that was not played to its end. `settled` holds the participants whose best one is already known.
    """

    def __init__(self, identities: Sequence[str], start: State, blocks: Sequence[Block]) -> None:
        self._identities, self._start = identities, start
        self._numbers = {identity: number for number, identity in enumerate(identities)}
        self._blocks = {(*block.nets, *(number for number, _ in block.openings)): block for block in blocks}
        self._openings = dict(opening for block in blocks for opening in block.openings)
        self._records: dict[Key, GameRecord] = {}
        self._wave: list[Block] = []
        self._file: BinaryIO
        self.settled: frozenset[int] = frozenset()

    @property
    def records(self) -> list[GameRecord]:
        """The games between the networks that take part now."""
        return list(self._records.values())

    @property
    def unfinished_wave(self) -> list[Block]:
        """The blocks of the last wave; empty if it was played to its end."""
        return [] if all(self._records.keys() >= set(block.keys) for block in self._wave) else self._wave

    def add(self, record: GameRecord) -> None:
        """Write a finished game."""
        first, second = (self._identities[net] for net in (record.first, record.second))
        _write_line(self._file, {**as_data(record), "first": first, "second": second})

    def plan(self, wave: Sequence[Block]) -> None:
        """Write the blocks that are played next."""
        data = [[*(self._identities[net] for net in block.nets), [n + 1 for n, _ in block.openings]] for block in wave]
        _write_line(self._file, {"wave": data})

    def settle(self) -> None:
        """Write that the best of these networks was found, or that they have no games left."""
        if len(self.settled) < len(self._identities):
            _write_line(self._file, {"settled": list(self._identities), "pairs": len(self._openings)})

    def read(self, lines: Iterator[tuple[int, bytes]], path: Path) -> None:
        """Take in the lines after the first, without those of networks that do not take part now."""
        for number, line in lines:
            with _name_line(path, number, "these matches", "."):
                data = parse_line(line)
                if "wave" in data:
                    self._wave = self._blocks_of(data["wave"])
                elif "settled" in data:
                    self._read_settled(data["settled"], data["pairs"])
                else:
                    self._read_game(data)

    def write_to(self, file: BinaryIO) -> None:
        """Write the next lines into this file."""
        self._file = file

    def _read_game(self, data: dict[str, Any]) -> None:
        first, second = (self._numbers.get(data[side]) for side in ("first", "second"))
        if first is None or second is None or data["opening"] - 1 not in self._openings:
            return
        record = record_from({**data, "first": first, "second": second})
        opening = self._openings[record.opening]
        if record.key in self._records or record.moves[: len(opening)] != opening or not is_a_game(record, self._start):
            raise ValueError(data)
        self._records[record.key] = record

    def _blocks_of(self, wave: Sequence[Any]) -> list[Block]:
        """The blocks of a wave; empty if one of its networks does not take part now."""
        blocks = []
        for one, other, openings in wave:
            pair = sorted(self._numbers.get(each, -1) for each in (one, other))
            blocks.append(self._blocks.get((*pair, *(number - 1 for number in openings))))
        return [block for block in blocks if block is not None] if None not in blocks else []

    def _read_settled(self, identities: Sequence[str], pairs: int) -> None:
        """Take in the settled networks; they count only if each two had at least `pairs` pairs of games."""
        here = frozenset(self._numbers[each] for each in identities if each in self._numbers)
        if len(here) == len(identities) and pairs >= len(self._openings):
            self.settled = here


@contextmanager
def open_tournament_log(
    path: Path, header: Mapping[str, Any], identities: Sequence[str], start: State, blocks: Sequence[Block]
) -> Iterator[TournamentLog]:
    """Open the log of the tournament that `header` (JSON types) describes; make the log if it is missing.

    `identities` are those of the networks, by their numbers. `start` is the first state of every game, `blocks` are all
    that these networks may play. An incomplete last line is dropped. LogError if the file is no log of this
    tournament, or a line is no game; the file then stays as it was.
    """
    first_line, log = {"kind": TOURNAMENT, **header}, TournamentLog(identities, start, blocks)
    with _open_lines(path, first_line, f"'{path}' is in use by another sweep: wait until it ends.") as (
        head,
        lines,
        file,
    ):
        if head is not None and parse_line(head) != json.loads(json.dumps(first_line)):
            raise LogError(f"'{path}' is no log of these matches (line 1 says so): it stays unchanged, move it away.")
        log.read(lines, path)
        log.write_to(file())
        yield log


Lines = Iterator[tuple[int, bytes]]


@contextmanager
def _open_lines(
    path: Path, header: Mapping[str, Any], in_use: str
) -> Iterator[tuple[bytes | None, Lines, Callable[[], BinaryIO]]]:
    """A log's first line, its numbered other lines, and a function that opens the file for more lines.

    The first line is None if `header` must still be written. The file does not change before the function is called; it
    then drops an incomplete last line. LogError if the file is in use.
    """
    with hold_lock(lock_of(path), LogError(in_use)), ExitStack() as stack:
        raw = _read_if_there(path)
        end = raw.rfind(b"\n") + 1
        is_new = end == 0 and json.dumps(header).encode().startswith(raw)
        first, *lines = raw[:end].splitlines() or [raw]

        def open_file() -> BinaryIO:
            file = stack.enter_context(path.open("r+b" if path.exists() else "w+b"))
            file.truncate(end)
            file.seek(end)
            if not end:
                _write_line(file, header)
            return file

        yield None if is_new else first, iter(enumerate(lines, start=2)), open_file


def _read_if_there(path: Path) -> bytes:
    """A log's bytes, empty if the file is missing; LogError if it cannot be a log."""
    try:
        return read_plain(path, LOG_BYTES)
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise LogError(
            f"'{path}' cannot be read as a log ({error.strerror or error}): it stays unchanged, move it away or "
            "choose another --log."
        ) from error


def _write_line(file: BinaryIO, data: Mapping[str, Any]) -> None:
    """Write one complete line of JSON."""
    file.write(json.dumps(data).encode() + b"\n")
    file.flush()


def digest_of(data: Any) -> str:
    """SHA-256 of JSON types; it identifies a match or an encoding."""
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


def parse_line(line: bytes) -> Any:
    """The JSON value of a line; None if the line is no JSON."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


@contextmanager
def _name_line(path: Path, number: int, matches: str, more: str) -> Iterator[None]:
    """Turn an error in a line into a LogError that names the line; `more` ends its sentence with further advice."""
    try:
        yield
    except (KeyError, TypeError, ValueError, GameError) as error:
        raise LogError(
            f"'{path}': line {number} is no finished game of {matches}: it stays unchanged, "
            f"take the line out to play that game again{more}"
        ) from error


def _check_match(path: Path, head: bytes, expected: Mapping[str, Any]) -> None:
    data = parse_line(head)
    if not isinstance(data, dict) or data.get("kind") != MATCH:
        raise LogError(f"'{path}' is no log of a match (by its first line): it stays unchanged, choose another --log.")
    names = [name for name in dict.fromkeys([*expected, *data]) if data.get(name) != expected.get(name)]
    if names:
        differences = "; ".join(_difference(name, data.get(name), expected.get(name)) for name in names)
        raise LogError(
            f"'{path}' is the log of another match ({differences}): it stays unchanged, "
            "choose another --log or give the options of that match."
        )


def _difference(name: str, there: Any, here: Any) -> str:
    if name == "nets" and isinstance(there, list):
        there, here = (", ".join(_net(net) for net in nets) for nets in (there, here))
    there, here = (value if isinstance(value, str) else json.dumps(value) for value in (there, here))
    return f"{name} {there} there, {here} here"


def _net(net: Any) -> str:
    if not isinstance(net, dict) or not {"name", "sha256"} <= set(net):
        return "?"
    read = f" read as {net['reading'][:8]}" if isinstance(net.get("reading"), str) else ""
    return f"{net['name']} {net['sha256'][:8]}{read}"


def _match_record(
    path: Path, number: int, line: bytes, start: State, missing: dict[Key, tuple[int, ...]]
) -> GameRecord:
    """The game of one line. It is taken out of `missing`, the games of the match that were not read yet."""
    with _name_line(path, number, "this match", ", or choose another --log."):
        record = record_from(parse_line(line))
        opening = missing.pop(record.key)
        if not is_a_game(record, start):
            raise ValueError(record)
    if record.moves[: len(opening)] != opening:
        raise LogError(
            f"'{path}': line {number} begins otherwise than opening {record.opening + 1} of this match: "
            "it stays unchanged, choose another --log."
        )
    return record


def as_data(record: GameRecord) -> dict[str, Any]:
    """A game as JSON types, in the form of a log's line."""
    data: dict[str, Any] = {
        "opening": record.opening + 1,
        "first": record.first,
        "second": record.second,
        "result": int(record.result),
        "plies": len(record.moves),
        "moves": list(record.moves),
    }
    if record.fault is not None:
        data["fault"] = list(record.fault)
    return {**data, "preferred": list(record.preferred)} if record.preferred else data


def record_from(data: Any) -> GameRecord:
    """The game of an `as_data` value; KeyError, TypeError or ValueError for anything else."""
    if not isinstance(data, dict):
        raise TypeError(data)
    preferred = tuple((int(one), int(other)) for one, other in data.get("preferred", ()))
    moves = tuple(data["moves"])
    if len(moves) != data["plies"]:
        raise ValueError(data)
    kind, reason = data.get("fault", (None, None))
    fault = None if kind is None else (str(kind), str(reason))
    opening, result = data["opening"] - 1, float(data["result"])
    return GameRecord(opening, data["first"], data["second"], moves, result, preferred, fault)


def is_a_game(record: GameRecord, start: State) -> bool:
    """Whether the moves are legal and end in the result, or a fault ended them; GameError if one is illegal."""
    state = start
    for action in record.moves:
        state = state.apply(action)
    if record.fault is not None:
        return not state.is_terminal and abs(record.result) == 1
    return state.is_terminal and state.returns() == record.result

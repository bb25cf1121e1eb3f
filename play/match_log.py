"""A match on disk: a line of JSON that says which match it is, then one for each finished game.

A line counts once its end is written, so that a killed match can go on where it stopped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from ..bundle.exchange import lock_of
from ..errors import AzxError, GameError
from ..export.lock import locked_by
from ..games.state import State
from .match import Block, GameRecord, Key

KIND = "azx match"


class LogError(AzxError):
    """A log that cannot be gone on with: another match's, damaged, in use, or no log at all."""


class MatchLog:
    """An open log: `records` are the games that were in it, `add` writes one more. Made by `open_log`."""

    def __init__(self, file: BinaryIO, records: Sequence[GameRecord]) -> None:
        self._file, self.records = file, tuple(records)

    def add(self, record: GameRecord) -> None:
        """Write a finished game."""
        write_line(self._file, as_data(record))


@contextmanager
def open_log(path: Path, header: Mapping[str, Any], start: State, games: Sequence[Block]) -> Iterator[MatchLog]:
    """Open the log of the match that `header` (JSON types) tells, and make it where there is none.

    `start` is the first state of every game, `games` the match's blocks. An incomplete last line is
    dropped. LogError, with the file as it was, where another match's, a damaged or no log lies there.
    """
    in_use = LogError(f"'{path}' is in use by another match: wait until it ends, or choose another --log.")
    with locked_by(lock_of(path), in_use):
        records, end = _read(path, header, start, games)
        with path.open("r+b" if path.exists() else "w+b") as file:
            file.truncate(end)
            file.seek(end)
            if not end:
                write_line(file, {"kind": KIND, **header})
            yield MatchLog(file, records)


def write_line(file: BinaryIO, data: Mapping[str, Any]) -> None:
    """Write one line of JSON, to its end."""
    file.write(json.dumps(data).encode() + b"\n")
    file.flush()


def as_data(record: GameRecord) -> dict[str, Any]:
    """A game as JSON types, as a line of the log has it."""
    data: dict[str, Any] = {
        "opening": record.opening + 1,
        "first": record.first,
        "second": record.second,
        "result": int(record.result),
        "plies": len(record.moves),
        "moves": list(record.moves),
    }
    return {**data, "preferred": list(record.preferred)} if record.preferred else data


def _read(path: Path, header: Mapping[str, Any], start: State, games: Sequence[Block]) -> tuple[list[GameRecord], int]:
    """The finished games, and how many bytes of the file hold them."""
    raw = path.read_bytes() if path.exists() else b""
    end = raw.rfind(b"\n") + 1
    own = json.dumps({"kind": KIND, **header}).encode()
    if end == 0 and own.startswith(raw):
        return [], 0
    told, *lines = raw[:end].splitlines() or [raw]
    _check_header(path, parsed(told), json.loads(own))
    lines_of = {number: line for block in games for number, line in block.openings}
    missing = {key: lines_of[key[0]] for block in games for key in block.keys}
    return [_record(path, number, line, start, missing) for number, line in enumerate(lines, start=2)], end


def parsed(line: bytes) -> Any:
    """What a line says; None where it is no JSON."""
    try:
        return json.loads(line)
    except ValueError:
        return None


def _check_header(path: Path, found: Any, expected: Mapping[str, Any]) -> None:
    if not isinstance(found, dict) or found.get("kind") != KIND:
        raise LogError(f"'{path}' is no log of a match (line 1 says none): it is left as it is, choose another --log.")
    names = [name for name in dict.fromkeys([*expected, *found]) if found.get(name) != expected.get(name)]
    if names == ["nets"] and found.get("nets") == [_without_reading(net) for net in expected["nets"]]:
        raise LogError(
            f"'{path}' was written by an earlier azx, which did not note how each network reads the board, so its "
            "games may be those of another reading: it is left as it is, choose another --log."
        )
    if names:
        told = "; ".join(_difference(name, found.get(name), expected.get(name)) for name in names)
        raise LogError(
            f"'{path}' is the log of another match ({told}): it is left as it is, "
            "choose another --log or give the options of that match."
        )


def _difference(name: str, there: Any, here: Any) -> str:
    if name == "nets" and isinstance(there, list):
        there, here = (", ".join(_net(net) for net in nets) for nets in (there, here))
    return f"{name} {_told(there)} there, {_told(here)} here"


def _net(net: Any) -> str:
    if not isinstance(net, dict) or not {"name", "sha256"} <= set(net):
        return "?"
    read = f" read as {net['reading'][:8]}" if isinstance(net.get("reading"), str) else ""
    return f"{net['name']} {net['sha256'][:8]}{read}"


def _without_reading(net: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in net.items() if name != "reading"}


def _told(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _record(path: Path, number: int, line: bytes, start: State, missing: dict[Key, tuple[int, ...]]) -> GameRecord:
    """The game of one line; it is taken out of `missing`, a match's games that were not read yet."""
    try:
        record = record_from(parsed(line))
        opening = missing.pop(record.key)
        if not is_a_game(record, start):
            raise ValueError(record)
    except (KeyError, TypeError, ValueError, GameError) as error:
        raise LogError(
            f"'{path}': line {number} is no finished game of this match: it is left as it is, "
            "take the line out to play that game again, or choose another --log."
        ) from error
    if record.moves[: len(opening)] != opening:
        raise LogError(
            f"'{path}': line {number} begins otherwise than opening {record.opening + 1} of this match: an earlier azx "
            "drew the openings of its seed differently, choose another --log, or go on with that azx."
        )
    return record


def record_from(data: Any) -> GameRecord:
    """The game that `as_data` told; KeyError, TypeError or ValueError where it is none."""
    if not isinstance(data, dict):
        raise TypeError(data)
    preferred = tuple((int(one), int(other)) for one, other in data.get("preferred", ()))
    moves = tuple(data["moves"])
    if len(moves) != data["plies"]:
        raise ValueError(data)
    return GameRecord(data["opening"] - 1, data["first"], data["second"], moves, float(data["result"]), preferred)


def is_a_game(record: GameRecord, start: State) -> bool:
    """Whether the moves are legal and end in the result; GameError where one is illegal."""
    state = start
    for action in record.moves:
        state = state.apply(action)
    return state.is_terminal and state.returns() == record.result

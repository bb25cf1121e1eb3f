"""A tournament on disk: games by what their networks are, so that one network more plays only its own.

A line of JSON says which tournament it is, as in the log of a match. Then comes a line for each finished game, with
the networks' identities; one for each wave of games, before it is played, because which game is next depends on those
before: a tournament that was stopped ends as it would have; and one for the networks whose order was found.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from ...bundle.exchange import lock_of
from ...errors import GameError
from ...export.lock import locked_by
from ...games.state import State
from ..match import Block, GameRecord, Key
from ..match_log import LogError, as_data, is_a_game, parsed, record_from, write_line

KIND = "azx tournament"


class TournamentLog:
    """An open log, in which networks are told by their identities; made by `open_log`.

    `records` are the games in it between the networks that are here, `planned` the blocks of a wave that was not
    played to its end, `settled` the networks, here all of them, whose best one was found.
    """

    def __init__(self, file: BinaryIO, identities: Sequence[str], most: int) -> None:
        self._file, self._identities, self._most = file, identities, most
        self.records: list[GameRecord] = []
        self.planned: list[Block] = []
        self.settled: frozenset[int] = frozenset()

    def add(self, record: GameRecord) -> None:
        """Write a finished game."""
        first, second = (self._identities[net] for net in (record.first, record.second))
        write_line(self._file, {**as_data(record), "first": first, "second": second})

    def plan(self, wave: Sequence[Block]) -> None:
        """Write which blocks are played next."""
        told = [[*(self._identities[net] for net in block.nets), [n + 1 for n, _ in block.openings]] for block in wave]
        write_line(self._file, {"wave": told})

    def settle(self) -> None:
        """Write that the best of these networks was found, or that they have no games left."""
        if len(self.settled) < len(self._identities):
            write_line(self._file, {"settled": list(self._identities), "pairs": self._most})


@contextmanager
def open_log(
    path: Path, header: Mapping[str, Any], identities: Sequence[str], start: State, blocks: Sequence[Block]
) -> Iterator[TournamentLog]:
    """Open the log of the tournament that `header` (JSON types) tells, and make it where there is none.

    `identities` are those of the networks, by their numbers; `start` is the first state of every game, `blocks` all
    that these networks may play. An incomplete last line is dropped. LogError, with the file as it was, where
    something else lies there, or a line that is no game.
    """
    in_use = LogError(f"'{path}' is in use by another sweep: wait until it ends.")
    told = {"kind": KIND, **header}
    with locked_by(lock_of(path), in_use):
        raw = path.read_bytes() if path.exists() else b""
        end = raw.rfind(b"\n") + 1
        if end and parsed(raw[: raw.index(b"\n")]) != json.loads(json.dumps(told)):
            raise LogError(f"'{path}' is no log of these matches (line 1 says so): it is left as it is, move it away.")
        lines = dict(number for block in blocks for number in block.openings)
        with path.open("r+b" if path.exists() else "w+b") as file:
            log = TournamentLog(file, identities, len(lines))
            _Reader(path, log, identities, start, blocks, lines).read(raw[:end].splitlines()[1:])
            file.truncate(end)
            file.seek(end)
            if not end:
                write_line(file, told)
            yield log


class _Reader:
    """Fills a log's fields from its lines; those of networks that are not here are passed over."""

    def __init__(
        self,
        path: Path,
        log: TournamentLog,
        identities: Sequence[str],
        start: State,
        blocks: Sequence[Block],
        lines: Mapping[int, tuple[int, ...]],
    ) -> None:
        self._path, self._log, self._start, self._lines = path, log, start, lines
        self._numbers = {identity: number for number, identity in enumerate(identities)}
        self._blocks = {(*block.nets, *(number for number, _ in block.openings)): block for block in blocks}
        self._records: dict[Key, GameRecord] = {}

    def read(self, lines: Sequence[bytes]) -> None:
        """Read what comes after the first line."""
        wave: list[Block] = []
        for number, line in enumerate(lines, start=2):
            try:
                said = parsed(line)
                if "wave" in said:
                    wave = self._wave(said["wave"])
                elif "settled" in said:
                    self._settled(said["settled"], said["pairs"])
                else:
                    self._game(said)
            except (KeyError, TypeError, ValueError, GameError) as error:
                raise LogError(
                    f"'{self._path}': line {number} is no finished game of these matches: it is left as it is, "
                    "take the line out to play that game again."
                ) from error
        self._log.records = list(self._records.values())
        if not all(self._records.keys() >= set(block.keys) for block in wave):
            self._log.planned = wave

    def _game(self, said: dict[str, Any]) -> None:
        first, second = (self._numbers.get(said[side]) for side in ("first", "second"))
        if first is None or second is None or said["opening"] - 1 not in self._lines:
            return
        record = record_from({**said, "first": first, "second": second})
        opening = self._lines[record.opening]
        if record.key in self._records or record.moves[: len(opening)] != opening:
            raise ValueError(said)
        if not is_a_game(record, self._start):
            raise ValueError(said)
        self._records[record.key] = record

    def _wave(self, said: Sequence[Any]) -> list[Block]:
        """The blocks of a wave; none where one of its networks is not here."""
        found = []
        for one, other, openings in said:
            pair = sorted(self._numbers.get(each, -1) for each in (one, other))
            found.append(self._blocks.get((*pair, *(number - 1 for number in openings))))
        return [block for block in found if block is not None] if None not in found else []

    def _settled(self, said: Sequence[str], pairs: int) -> None:
        """With fewer games of each two than there may be now, nothing was settled."""
        here = frozenset(self._numbers[each] for each in said if each in self._numbers)
        if len(here) == len(said) and pairs >= self._log._most:
            self._log.settled = here

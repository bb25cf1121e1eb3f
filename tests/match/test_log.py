"""A match's log: resumed where it stopped, refused and left alone where it is another's or damaged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from azx.games.evaluator import Uniform
from azx.games.rules.tictactoe import TicTacToe
from azx.match.games import Block, GameRecord, Rules, blocks, play_block
from azx.match.log import LogError, open_match_log

HEADER: dict[str, Any] = {"game": "tictactoe", "simulations": 0, "nets": [{"name": "a.h5", "sha256": "0" * 64}]}
BLOCKS = blocks(2, ((), (4,), (0, 1)))
RULES = Rules(simulations=0, agreement=True)


def games() -> list[GameRecord]:
    return [r for block in BLOCKS for r in play_block(TicTacToe(), (Uniform(), Uniform()), block, RULES)]


def read(path: Path, header: dict[str, Any] = HEADER, parts: list[Block] = BLOCKS) -> tuple[GameRecord, ...]:
    with open_match_log(path, header, TicTacToe(), parts) as log:
        return log.records


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "folder" / "log é.jsonl"
    with open_match_log(path, HEADER, TicTacToe(), BLOCKS) as new:
        assert new.records == ()
        for record in games():
            new.add(record)
    return path


def test_games_come_back_as_they_were_written(log: Path) -> None:
    assert read(log) == tuple(games())


def test_only_the_log_is_left(log: Path) -> None:
    assert [path.name for path in log.parent.iterdir()] == [log.name]


def test_each_game_is_a_line_of_json_after_the_header(log: Path) -> None:
    header, *lines = map(json.loads, log.read_text().splitlines())
    assert header == {"kind": "azx match", **HEADER}
    assert len(lines) == 6
    assert set(lines[0]) == {"opening", "first", "second", "result", "plies", "moves", "preferred"}


@pytest.mark.parametrize("cut", [1, 10, 40])
def test_an_incomplete_last_line_is_dropped_and_can_be_written_again(log: Path, cut: int) -> None:
    before = log.read_bytes()
    log.write_bytes(before[:-cut])
    with open_match_log(log, HEADER, TicTacToe(), BLOCKS) as again:
        assert again.records == tuple(games()[:-1])
        again.add(games()[-1])
    assert log.read_bytes() == before


@pytest.mark.parametrize("kept", [0, 1, 20])
def test_a_header_that_was_cut_off_is_written_again(log: Path, kept: int) -> None:
    header = log.read_bytes().splitlines(keepends=True)[0]
    log.write_bytes(header[:kept])
    assert read(log) == ()
    assert log.read_bytes() == header


@pytest.mark.parametrize(
    "damage",
    [
        lambda line: line[:20],
        lambda line: "",
        lambda line: "[]",
        lambda line: "\x00" * len(line),
        lambda line: line.replace('"result": 1', '"result": -1'),
        lambda line: line.replace('"first": 0', '"first": 7').replace('"first": 1', '"first": 7'),
        lambda line: line.replace('"moves": [', '"moves": [0, 0, '),
        lambda line: line.replace('"moves": [', '"moves": ["x", '),
        lambda line: line.replace('"opening": ', '"opening": 9'),
    ],
    ids=["cut", "empty", "list", "zeros", "result", "net", "moves", "text", "opening"],
)
def test_a_damaged_line_is_named_and_the_file_left_as_it_is(log: Path, damage: Any) -> None:
    lines = log.read_text().splitlines()
    assert damage(lines[2]) != lines[2]
    lines[2] = damage(lines[2])
    log.write_text("\n".join(lines) + '\n{"open')
    before = log.read_bytes()
    with pytest.raises(LogError, match="line 3 is no finished game of this match: it stays unchanged"):
        read(log)
    assert log.read_bytes() == before


def test_a_game_that_is_there_twice_is_named(log: Path) -> None:
    lines = log.read_text().splitlines()
    log.write_text("\n".join([*lines, lines[1]]) + "\n")
    with pytest.raises(LogError, match="line 8 is no finished game"):
        read(log)


def test_games_of_openings_that_were_drawn_otherwise_are_refused(log: Path) -> None:
    before = log.read_bytes()
    with pytest.raises(LogError, match="line 4 begins otherwise than opening 2 of this match"):
        read(log, parts=blocks(2, ((), (8,), (0, 1))))
    assert log.read_bytes() == before


def test_another_match_is_refused_and_what_differs_named(log: Path) -> None:
    before = log.read_bytes()
    nets = [{"name": "b.h5", "sha256": "1" * 64}]
    with pytest.raises(LogError, match=r"simulations 0 there, 50 here; nets a\.h5 00000000 there, b\.h5 11111111 here"):
        read(log, {**HEADER, "simulations": 50, "nets": nets})
    assert log.read_bytes() == before


READ: dict[str, Any] = {**HEADER, "nets": [{**HEADER["nets"][0], "reading": "a" * 64}]}


def test_a_log_from_before_readings_were_noted_is_another_match(log: Path) -> None:
    before = log.read_bytes()
    with pytest.raises(LogError, match=r"nets a\.h5 00000000 there, a\.h5 00000000 read as aaaaaaaa here"):
        read(log, READ)
    with pytest.raises(LogError, match=r"log of another match \(simulations 0 there, 9 here; nets"):
        read(log, {**READ, "simulations": 9})
    assert log.read_bytes() == before


def test_a_network_read_otherwise_is_another_one(tmp_path: Path) -> None:
    with open_match_log(tmp_path / "x.jsonl", READ, TicTacToe(), BLOCKS):
        pass
    nets = [{**READ["nets"][0], "reading": "b" * 64}]
    with pytest.raises(LogError, match=r"a\.h5 00000000 read as aaaaaaaa there, a\.h5 00000000 read as bbbbbbbb here"):
        read(tmp_path / "x.jsonl", {**READ, "nets": nets})


@pytest.mark.parametrize("content", [b"my notes\n", b"my notes", b"{}\n", b"\xff\xfe\n", b"[1]\n"])
def test_a_file_that_is_no_log_is_refused_and_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(LogError, match="is no log of a match"):
        read(path)
    assert path.read_bytes() == content


def test_a_log_in_use_is_refused(log: Path) -> None:
    with (
        open_match_log(log, HEADER, TicTacToe(), BLOCKS),
        pytest.raises(LogError, match="is in use by another match: wait until it ends"),
        open_match_log(log, HEADER, TicTacToe(), BLOCKS),
    ):
        pass

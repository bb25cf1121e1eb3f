"""A match against another program: what is counted, what is kept, and what is said."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import azx
from azx.cli import cli
from azx.games.rules.tictactoe import TicTacToe
from azx.match.games import GameRecord
from azx.match.log import as_data, is_a_game, record_from
from azx.match.result import pairings

# A UGI program of tic-tac-toe: the lowest empty cell, or at the third question of a game something else.
FAKE = """
import sys, time, os
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["ugi"]: print("id name lowest\\nugiok", flush=True)
    if words[:1] == ["isready"]: print("readyok", flush=True)
    if words[:1] == ["position"]: moves = words[3:]
    if words[:1] == ["go"]:
        if len(moves) >= LIMIT: THEN
        print("bestmove", min(set("012345678") - set(moves)), flush=True)
    if words[:1] == ["quit"]: break
"""


def program(tmp_path: Path, then: str = "pass", limit: int = 99) -> str:
    file = tmp_path / "lowest.py"
    file.write_text(FAKE.replace("THEN", then).replace("LIMIT", str(limit)), encoding="utf8")
    return shlex.join([sys.executable, str(file)])


def play(tmp_path: Path, command: str, *more: str) -> tuple[int, str]:
    words = ["match", "tictactoe", "--engine", command, "--engine-seconds", "20", "--games", "4", "--simulations", "8"]
    result = CliRunner().invoke(cli, [*words, "--opening-plies", "1", "--log", str(tmp_path / "log.jsonl"), *more])
    assert "Traceback" not in result.output
    return result.exit_code, result.output


def test_a_match_is_played_kept_and_gone_on_with(tmp_path: Path) -> None:
    code, said = play(tmp_path, program(tmp_path))
    assert code == 0, said
    assert "lowest: 0 crashes, 0 hangs, 0 illegal moves, 0 refusals of a legal move, 0 resignations" in said
    code, said = play(tmp_path, program(tmp_path), "--json")
    assert code == 0, said
    told = json.loads(said[said.index("{") :])
    assert told["resumed_games"] == 4
    assert (told["engine"]["protocol"], told["faults"]) == ("ugi", {})
    assert told["pairings"][0]["games"] == 4


@pytest.mark.parametrize(
    ("then", "said"), [("print('bestmove 99', flush=True); continue", "4 illegal moves"), ("os._exit(1)", "4 crashes")]
)
def test_faults_lose_the_game_and_are_counted(tmp_path: Path, then: str, said: str) -> None:
    code, output = play(tmp_path, program(tmp_path, then, limit=3))
    assert code == 0, output
    assert said in output
    assert "4 games" in output
    assert "100.0%" in output
    assert output.count("  opening ") == 4


def test_a_program_that_never_plays_ends_the_match(tmp_path: Path) -> None:
    code, output = play(tmp_path, program(tmp_path, "os._exit(1)", limit=0))
    assert code == 1
    assert "made no move in 3 games in a row" in output


def test_a_program_that_says_no_name_gets_a_sentence(tmp_path: Path) -> None:
    code, output = play(tmp_path, shlex.join([sys.executable, "-c", "pass"]))
    assert code == 1
    assert "has ended (exit code 0) when azx asked for its name by ugi: start it in a terminal" in output


def test_wrong_choices_are_refused(tmp_path: Path) -> None:
    for more in (["--agreement"], ["--best"], ["--temperature", "1"], ["--level", "12"], ["--engine-protocol", "gtp"]):
        code, output = play(tmp_path, program(tmp_path), *more)
        assert code in (1, 2), output
    result = CliRunner().invoke(cli, ["match", "tictactoe", "tictactoe", "--level", "3"])
    assert result.exit_code == 2
    assert "give --engine too" in result.output


def test_a_fault_is_read_as_it_was_written() -> None:
    record = GameRecord(0, 1, 0, (0, 4), -1.0, fault=("crashed", "it ended"))
    assert record_from(json.loads(json.dumps(as_data(record)))) == record
    assert is_a_game(record, TicTacToe())
    assert not is_a_game(GameRecord(0, 1, 0, (0, 4), 0.0, fault=("crashed", "it ended")), TicTacToe())
    # A fault cannot end a game that is over.
    assert not is_a_game(GameRecord(0, 1, 0, (0, 4, 1, 5, 2), 1.0, fault=("crashed", "")), TicTacToe())


def test_pairs_of_which_one_was_cut_short_have_no_divergence() -> None:
    whole = GameRecord(0, 0, 1, (0, 4, 1, 5, 2), 1.0)
    cut = GameRecord(0, 1, 0, (0, 4), -1.0, fault=("crashed", ""))
    (found,) = pairings([whole, cut], 2, TicTacToe())
    assert found.parting is None
    assert found.total.won == 2


def test_a_program_plays_a_function_too(tmp_path: Path) -> None:
    how: dict[str, Any] = {"games": 2, "simulations": 8, "plies": "1", "engine_seconds": 20.0}
    done = azx.match_engine("tictactoe", program(tmp_path), log=tmp_path / "log.jsonl", **how)
    assert (len(done.records), done.logged, done.match.names[1]) == (2, 0, "lowest")
    assert done.slowest is not None
    assert 0 < done.slowest < 20

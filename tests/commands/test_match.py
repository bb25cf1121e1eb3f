"""`azx match`, with stand-ins for networks where the games do not matter, with real ones where they do."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from azx.bundle.case.checkpoint import Checkpoint
from azx.cli import cli
from azx.games.evaluator import Evaluation
from azx.games.game import Reading
from azx.games.known.recognition import by_name
from azx.games.search_settings import read_settings
from azx.games.state import State
from azx.match import players as match_workers
from azx.match import runner as match_runner
from azx.match.games import Block, GameRecord, Rules

Azx = Callable[..., subprocess.CompletedProcess[str]]


class StandIn:
    """Prefers moves as the seed in its file says; a file holds game, seed and settings as JSON."""

    def __init__(self, path: Path) -> None:
        told = json.loads(path.read_text())
        game = by_name(told["game"])
        self.name, self.runtime = path.name, "stand-in"
        self.reading = Reading(game, replace(game.encoding, **told.get("read", {})), None, told.get("settings", {}))
        self.value, self.search = None, read_settings(told.get("search"), self.name)
        self.policy = np.random.default_rng(told["seed"]).random(400)
        self.remembering = nullcontext

    def evaluate(self, states: Sequence[State]) -> list[Evaluation]:
        return [Evaluation(0.0, self.policy[: state.actions]) for state in states]


@pytest.fixture
def match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Runs `azx match` in this process and in the test's folder, with three nets a, b, c of tic-tac-toe."""

    @contextmanager
    def opened(net: Checkpoint, **options: Any) -> Iterator[StandIn]:
        yield StandIn(Path(net.place))

    monkeypatch.setattr(match_workers, "open_network", opened)
    monkeypatch.chdir(tmp_path)
    for seed, name in enumerate("abc"):
        write(name, game="tictactoe", seed=seed)

    def run(*arguments: object) -> Result:
        return CliRunner().invoke(cli, ["match", *map(str, arguments), "--workers", "1"])

    return run


def write(name: str, **content: Any) -> None:
    Path(name).write_text(json.dumps(content))


def table(result: Result) -> str:
    """What was printed, without the last line, which has the seconds."""
    assert result.exit_code == 0, result.stderr
    return "\n".join(result.stdout.splitlines()[:-1])


def test_two_nets_get_a_table_with_score_interval_and_difference(match: Callable[..., Result]) -> None:
    said = table(match("a", "b", "--games", 12, "--simulations", 0))
    assert "Tic-tac-toe: 12 games, the policy alone, seed 0" in said
    assert "6 openings of 0 to 3 random plies, each played from both sides" in said
    for begin in ("a first", "a second", "together", "Score of a: ", "Elo difference: ", "Pairs whose two games went"):
        assert any(line.strip().startswith(begin) for line in said.splitlines()), begin
    assert "First divergence: opening 1, ply " in said
    assert max(map(len, said.splitlines())) <= 120


def test_the_table_of_the_games_fits_80_columns(match: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    long = "a_network_with_a_rather_long_name_version0004.h5"
    Path("b").rename(long)
    for nets in (("a", long), ("a", long, "c")):
        said = table(match(*nets, "--games", 4, "--simulations", 0))
        grid = [line for line in said.splitlines() if "%" in line or "±" in line]
        assert max(map(len, grid[:2])) <= 80


def test_a_net_against_itself_is_even_and_every_pair_goes_one_way(match: Callable[..., Result]) -> None:
    said = table(match("a", "a", "--games", 8, "--simulations", 10, "--agreement"))
    assert "Score of a (1): 50.0%" in said
    assert "went the same way: 4 of 4" in said
    assert "First divergence" not in said
    assert "(100.00%)" in said


def test_perfect_play_draws_every_game(match: Callable[..., Result]) -> None:
    """A full board: with enough simulations nobody loses tic-tac-toe from the empty board."""
    done = match("a", "b", "--games", 2, "--simulations", 2000, "--opening-plies", 0, "--json")
    (pairing,) = json.loads(done.stdout)["pairings"]
    assert pairing["total"] == {"won": 0, "drawn": 2, "lost": 0}
    assert pairing["plies"] == 9


def test_an_odd_number_of_games_is_rounded_up_and_said(match: Callable[..., Result]) -> None:
    done = match("a", "b", "--games", 3, "--simulations", 0, "--json")
    assert "4 games instead of 3." in done.stderr
    assert json.loads(done.stdout)["games"] == 4


def test_json_has_everything_and_either_option_prints_it(match: Callable[..., Result]) -> None:
    told = json.loads(match("a", "b", "--games", 4, "--simulations", 0, "--json").stdout)
    assert (told["game"], told["games"], told["seed"], told["resumed_games"]) == ("tictactoe", 4, 0, 0)
    assert [net["name"] for net in told["nets"]] == ["a", "b"]
    assert set(told["pairings"][0]["score"]) == {"value", "low", "high"}
    again = json.loads(match("a", "b", "--games", 4, "--simulations", 0, "--format", "json").stdout)
    assert again["resumed_games"] == 4
    different = {"resumed_games", "seconds"}
    assert {k: v for k, v in again.items() if k not in different} == {
        k: v for k, v in told.items() if k not in different
    }


def test_infinite_differences_are_told_in_words_and_are_null_in_json(match: Callable[..., Result]) -> None:
    write("a", game="tictactoe", seed=2)
    arguments = ("a", "b", "--games", 2, "--simulations", 0, "--opening-plies", 0)
    (pairing,) = json.loads(match(*arguments, "--json").stdout)["pairings"]
    for seed in range(50):
        if pairing["score"]["value"] == 1:
            break
        write("a", game="tictactoe", seed=seed)
        (pairing,) = json.loads(match(*arguments, "--json").stdout)["pairings"]
    assert pairing["elo"]["value"] is None
    assert "Elo difference: without bound, every game was won (95 % interval: at least " in match(*arguments).stdout


def test_csv_is_one_line_for_two_nets(match: Callable[..., Result]) -> None:
    done = match("a", "b", "--games", 4, "--simulations", 0, "--format", "csv")
    (row,) = csv.DictReader(io.StringIO(done.stdout))
    assert (row["one"], row["other"], row["games"]) == ("a", "b", "4")
    assert int(row["won"]) + int(row["drawn"]) + int(row["lost"]) == 4


def test_three_nets_make_a_round_robin_with_a_rating_table(match: Callable[..., Result]) -> None:
    arguments = ("a", "b", "c", "--games", 6, "--simulations", 0)
    said = table(match(*arguments))
    for pair in ("a against b: ", "a against c: ", "b against c: "):
        assert pair in said
    told = json.loads(match(*arguments, "--json").stdout)
    assert [rating["rank"] for rating in told["ratings"]] == [1, 2, 3]
    assert sum(rating["elo"] for rating in told["ratings"]) == pytest.approx(0, abs=1e-6)
    rows = list(csv.DictReader(io.StringIO(match(*arguments, "--format", "csv").stdout)))
    assert [row["net"] for row in rows] == [rating["net"] for rating in told["ratings"]]
    assert sum(int(row["games"]) for row in rows) == 2 * 3 * 6


def test_repeated_openings_are_owned_up_to(match: Callable[..., Result]) -> None:
    said = table(match("a", "b", "--games", 24, "--simulations", 0, "--opening-plies", 1))
    assert "9 different openings of 1 random plies (more were not found), used again for 12 pairs" in said


def test_a_match_that_is_interrupted_says_how_to_go_on_and_ends_alike(
    match: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ("a", "b", "--games", 12, "--simulations", 0)
    unbroken = table(match(*arguments, "--log", "whole.jsonl"))
    play: Any = vars(match_workers)["play_block"]
    played: list[Any] = []

    def interrupted(*given: Any) -> Iterator[Any]:
        for record in play(*given):
            if len(played) == 5:
                raise KeyboardInterrupt
            played.append(record)
            yield record

    monkeypatch.setattr(match_workers, "play_block", interrupted)
    stopped = match(*arguments)
    assert stopped.exit_code == 130
    assert "Match stopped after 5 of 12 games: give the same command again to continue, the games are kept in " in (
        stopped.stderr
    )
    monkeypatch.setattr(match_workers, "play_block", play)
    resumed = match(*arguments)
    assert "Match: 5 of 12 games are in the log and not played again." in resumed.stderr
    assert table(resumed) == unbroken
    assert resumed.stdout.splitlines()[-1].startswith("7 games played in ")


def test_the_log_of_other_options_is_refused_by_name(match: Callable[..., Result]) -> None:
    match("a", "b", "--games", 2, "--simulations", 0, "--log", "x.jsonl")
    done = match("a", "c", "--games", 2, "--simulations", 0, "--seed", 1, "--log", "x.jsonl")
    assert done.exit_code == 1
    assert done.stderr.startswith("Error: 'x.jsonl' is the log of another match (nets a ")
    assert "seed 0 there, 1 here" in done.stderr


def test_a_net_that_has_changed_is_another_match(match: Callable[..., Result]) -> None:
    match("a", "b", "--games", 2, "--simulations", 0, "--log", "x.jsonl")
    write("b", game="tictactoe", seed=9)
    assert "is the log of another match (nets " in match("a", "b", "--games", 2, "--log", "x.jsonl").stderr


def test_one_file_read_in_two_ways_is_two_networks(
    match: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ("a", "b", "--games", 2, "--simulations", 0)
    match(*arguments, "--log", "x.jsonl")
    (first,) = Path("x.jsonl").read_text().splitlines()[:1]
    monkeypatch.setattr(match_runner, "digest", lambda net: "0" * 64)
    match(*arguments)
    write("b", game="tictactoe", seed=1, read={"flip": True})
    match(*arguments)
    assert len(list(Path("azx-matches").glob("*.jsonl"))) == 2
    assert [set(net) for net in json.loads(first)["nets"]] == [{"name", "sha256", "reading"}] * 2


def test_a_corrupted_log_is_told_with_its_line(match: Callable[..., Result]) -> None:
    arguments = ("a", "b", "--games", 4, "--simulations", 0, "--log", "x.jsonl")
    match(*arguments)
    log = Path("x.jsonl")
    log.write_text(log.read_text().replace('"result": ', '"result: ', 1))
    before = log.read_bytes()
    done = match(*arguments)
    assert (done.exit_code, done.stdout) == (1, "")
    assert "Error: 'x.jsonl': line 2 is no finished game of this match" in done.stderr
    assert log.read_bytes() == before


@pytest.mark.parametrize(
    ("other", "options", "sentence"),
    [
        ({"game": "connect4"}, (), "'a' plays Tic-tac-toe, 'b' Connect4: choose networks of one game"),
        ({"game": "tictactoe"}, ("--rule", "renju"), "Tic-tac-toe has no setting 'rule': it has none."),
        ({"game": "tictactoe"}, ("--opening-plies", "x"), "opening plies 'x' are no number and no range"),
    ],
)
def test_what_does_not_fit_is_one_sentence(
    match: Callable[..., Result], other: dict[str, Any], options: Sequence[str], sentence: str
) -> None:
    write("b", seed=1, **other)
    done = match("a", "b", *options)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith(f"Error: {sentence}")
    assert not list(Path().glob("azx-matches/*"))


@pytest.mark.parametrize(
    ("sizes", "options", "sentence"),
    [
        ((9, 13), (), "'a' is made for Go with size 9, 'b' for 13: choose networks of one size, or another --size."),
        ((9, 9), ("--size", "13"), "'a' is made for Go with size 9, you ask for 13: "),
    ],
)
def test_boards_of_two_sizes_are_refused(
    match: Callable[..., Result], sizes: tuple[int, int], options: Sequence[str], sentence: str
) -> None:
    for name, size in zip("ab", sizes, strict=True):
        write(name, game="go", seed=1, settings={"size": size})
    assert match("a", "b", *options).stderr.startswith(f"Error: {sentence}")


def test_a_setting_is_played_and_told(match: Callable[..., Result]) -> None:
    for name in "ab":
        write(name, game="gomoku", seed=1, settings={"size": 7})
    done = match("a", "b", "--rule", "renju", "--games", 2, "--simulations", 0)
    assert "Gomoku, size 7, rule renju: 2 games" in table(done)


def test_one_net_alone_is_wrong_usage(match: Callable[..., Result]) -> None:
    done = match("a")
    assert done.exit_code == 2
    assert "A match needs two networks" in done.stderr


def test_nets_of_one_name_are_told_apart(match: Callable[..., Result]) -> None:
    Path("other").mkdir()
    Path("a").rename("other/b")
    told = json.loads(match("b", "other/b", "b", "--games", 2, "--simulations", 0, "--json").stdout)
    assert [net["name"] for net in told["nets"]] == ["b (1)", "other/b", "b (2)"]


def test_random_symmetries_are_drawn_anew_for_each_block(
    match: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds: list[int] = []

    @contextmanager
    def opened(net: Checkpoint, **options: Any) -> Iterator[Any]:
        seeds.append(options["seed"])
        yield StandIn(Path(net.place))

    monkeypatch.setattr(match_workers, "open_network", opened)
    assert match("a", "b", "--games", 8, "--simulations", 0, "--symmetry", "random").exit_code == 0
    assert seeds == [0, 0, 0, 0, 1, 1, 2, 2, 3, 3]


def test_help_needs_no_numpy(tmp_path: Path) -> None:
    code = "import sys\nfrom azx.cli import cli\ntry:\n    cli(['match', '--help'])\nexcept SystemExit:\n    pass\n"
    code += "assert not {'numpy', 'rich', 'joblib', 'numba'} & set(sys.modules), sys.modules"
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True)


@pytest.mark.whole
def test_real_networks_play_the_same_games_on_two_workers_and_when_killed_and_resumed(
    azx: Azx, small_bundle: Path, tmp_path: Path
) -> None:
    artifact = str(next(small_bundle.glob("*.onnx")))
    arguments = ["match", artifact, artifact, "--games", "16", "--simulations", "15", "--json"]
    one = azx(*arguments, "--workers", 1, "--log", "one.jsonl")
    assert one.returncode == 0, one.stderr
    killed = subprocess.Popen(
        [sys.executable, "-m", "azx", *arguments, "--workers", "2", "--log", "two.jsonl"],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        wait_for_games(tmp_path / "two.jsonl", killed)
    finally:
        os.killpg(killed.pid, signal.SIGKILL)
        killed.wait()
    two = azx(*arguments, "--workers", 2, "--log", "two.jsonl")
    assert two.returncode == 0, two.stderr
    found = [json.loads(done.stdout) for done in (one, two)]
    assert 0 < found[1]["resumed_games"] < 16
    assert found[0]["pairings"] == found[1]["pairings"]
    assert found[0]["pairings"][0]["same"] == 8
    lines = [sorted((tmp_path / name).read_text().splitlines()[1:]) for name in ("one.jsonl", "two.jsonl")]
    assert lines[0] == lines[1]


def wait_for_games(log: Path, process: subprocess.Popen[bytes]) -> None:
    """Until the log holds a game; fails where the process ended before."""
    end = time.monotonic() + 900
    while time.monotonic() < end and process.poll() is None:
        if log.exists() and log.read_bytes().count(b"\n") > 1:
            return
        time.sleep(0.02)
    pytest.fail("the match ended before it was killed")


@pytest.mark.whole
def test_a_network_of_no_game_is_a_sentence(azx: Azx, checkpoint: Path) -> None:
    done = azx("match", checkpoint, checkpoint, "--game", "go", "--workers", 1)
    assert (done.returncode, done.stdout) == (1, "")
    assert "Go networks take " in done.stderr


def test_two_workers_hand_over_each_game_when_it_ends(tmp_path: Path) -> None:
    """A block of eight games, of which those that are short are there before the block is."""
    net, lines = match_workers.Net(str(tmp_path / "stand-in")), [(0,), (), (4, 0, 8)]
    found: list[set[int]] = []

    def looked(game: Path) -> None:
        found.append({record.opening for record in match_workers._take_games(game)})

    class Watched(match_workers.Networks):
        def play(self, *arguments: Any) -> Iterator[GameRecord]:
            for opening in range(len(lines)):
                yield GameRecord(opening, 0, 1, (0, 1, 2), 1.0)
                looked(tmp_path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(match_workers, "_NETWORKS", Watched())
        match_workers._play([net, net], by_name("tictactoe").begin(), Rules(), Block((0, 1), ()), tmp_path)
    assert found == [{0}, {1}, {2}]
    assert list(tmp_path.iterdir()) == []


def test_encodings_and_architectures_are_given_for_one_network_or_for_all(
    match: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: dict[str, tuple[Any, Any]] = {}

    @contextmanager
    def opened(net: Checkpoint, **options: Any) -> Iterator[StandIn]:
        seen[str(net.place)] = (options["encoding"], net.config)
        yield StandIn(Path(net.place))

    monkeypatch.setattr(match_workers, "open_network", opened)
    for name in ("one.json", "all.json", "c.json"):
        Path(name).write_text(name)
    options = ("--encoding", "a=one.json", "--encoding", "all.json", "--config", "b=c.json")
    arguments = ("a", "b", "--games", 2, "--simulations", 0, "--log", "x.jsonl")
    told = json.loads(match(*arguments, *options, "--json").stdout)
    assert seen == {"a": (Path("one.json"), None), "b": (Path("all.json"), Path("c.json"))}
    assert len(set(told["encoding"])) == 2
    assert told["config"][0] is None
    assert "log of another match (encoding " in match(*arguments).stderr


def test_builders_code_and_heads_are_given_for_one_network_or_for_all(
    match: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: dict[str, Any] = {}

    @contextmanager
    def opened(net: Checkpoint, **options: Any) -> Iterator[StandIn]:
        names = options["names"]
        seen[str(net.place)] = [net.builder, net.allow_code, names.value_head, names.policy_head]
        yield StandIn(Path(net.place))

    monkeypatch.setattr(match_workers, "open_network", opened)
    arguments = ("a", "b", "--games", 2, "--simulations", 0, "--log", "log.jsonl")
    options = ("--builder", "b=nets:make", "--allow-code", "b", "--value-head", "out", "--policy-head", "a=moves")
    assert match(*arguments, *options).exit_code == 0
    assert seen == {"a": [None, False, "out", "moves"], "b": ["nets:make", True, "out", None]}
    told = json.loads(Path("log.jsonl").read_text().splitlines()[0])
    assert (told["builder"], told["value_head"]) == ([None, "nets:make"], ["out", "out"])
    # Which output is the value decides the games: another match than one without the options.
    assert "log of another match (" in match(*arguments).stderr
    said = match(*arguments, "--allow-code", "c").stderr
    assert "--allow-code c: no network of this match is called 'c'." in said


def moves_of(log: str) -> list[Any]:
    return [json.loads(line)["moves"] for line in Path(log).read_text().splitlines()[1:]]


def test_a_bundles_search_is_played_and_another_one_is_asked_for(match: Callable[..., Result]) -> None:
    gumbel = {"root": {"kind": "gumbel", "considered": 4, "c_visit": 50.0, "c_scale": 0.1}}
    write("g", game="tictactoe", seed=0, search=gumbel)
    write("four.json", **gumbel)

    def played(log: str, *nets_and_options: object) -> Any:
        done = match(*nets_and_options, "--simulations", 9, "--games", 12, "--log", log)
        assert done.exit_code == 0, done.stderr
        return json.loads(Path(log).read_text().splitlines()[0]).get("search")

    puct = {"root": {"kind": "puct"}}
    assert played("own", "g", "b") == [gumbel, puct]
    assert played("asked", "a", "b", "--search", "four.json", "--search", "puct") == [gumbel, puct]
    assert played("usual", "g", "b", "--search", "puct") is None
    assert played("drawn", "g", "b", "--temperature", 1) is None
    assert moves_of("own") == moves_of("asked") != moves_of("usual")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--search", "none.json"), "--search none.json: there is no such file"),
        (("--search", "a"), "'a' is to be searched in a way that this azx does not know (search.root): use"),
        (("--search", "puct") * 3, "--search is given 3 times: give it once, or for each of the 2 networks."),
        (("--search", "gumbel", "--temperature", "1"), "leave it or --search out."),
    ],
)
def test_a_search_that_cannot_be_is_a_sentence(
    match: Callable[..., Result], options: tuple[str, ...], said: str
) -> None:
    assert said in " ".join(match("a", "b", *options).stderr.replace("│", " ").split())


def test_a_search_of_a_later_azx_is_not_played(match: Callable[..., Result]) -> None:
    write("later", game="tictactoe", seed=0, search={"root": {"kind": "puct"}, "solver": True})
    assert "'later' is to be searched in a way that" in match("later", "b").stderr


def test_an_encoding_for_all_leaves_a_bundles_own(match: Callable[..., Result], small_bundle: Path) -> None:
    seen: list[Any] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(match_workers, "open_network", lambda net, **options: seen.append(options["encoding"]))
        Path("all.json").write_text("{}")
        match(small_bundle, "a", "--encoding", "all.json")
        match(small_bundle, "a", "--encoding", f"{small_bundle}=all.json")
    assert seen == [None, Path("all.json")]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--encoding", "z=one.json"), "no network of this match is called 'z'"),
        (("--config", "x.json", "--config", "y.json"), "is given twice for all networks"),
    ],
)
def test_a_file_for_no_network_or_twice_is_a_sentence(
    match: Callable[..., Result], options: tuple[str, ...], said: str
) -> None:
    done = match("a", "b", *options)
    assert done.exit_code == 2
    assert said in done.stderr

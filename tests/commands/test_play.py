"""`azx play`: whole games by standard input, their log, and what is said where something is wrong."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from azx.cli import cli
from azx.games.evaluator import Uniform
from azx.games.game import Reading
from azx.games.known.catalogue import GAMES
from azx.games.search_settings import USUAL
from azx.play import network as evaluators
from azx.play.game_log import read_log

Play = Callable[..., Result]


class Stand(Uniform):
    """A network that costs nothing, for a game whose network is not at hand."""

    name, runtime, search, remembering = "uniform", "none", USUAL, nullcontext

    def __init__(self, game: str) -> None:
        shape = GAMES[game].shapes[0]
        self.reading = Reading(GAMES[game], shape.encodings[0], shape.numberings[0], shape.settings)


# What a shell calls a process that Ctrl-C has ended.
INTERRUPTED = 130


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    """Runs `azx play` with the lines typed, in a folder of its own; `game` plays without a network."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    def run(*arguments: object, typed: str = "", game: str | None = None) -> Result:
        @contextmanager
        def opened(net: object, **options: Any) -> Iterator[Any]:
            yield Stand(str(game))

        with monkeypatch.context() as patch:
            if game is not None:
                patch.setattr(evaluators, "open_network", opened)
            lines = "".join(f"{line}\n" for line in (typed.splitlines() if "\n" in typed else typed.split()))
            return CliRunner().invoke(cli, ["play", *map(str, arguments)], input=lines)

    return run


@pytest.fixture
def net(small_bundle: Path) -> Path:
    return small_bundle / "small net é.onnx"


def events(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf8").splitlines()]


def boards(output: str) -> list[str]:
    """The boards of Connect4 that were shown, without their brackets and spaces."""
    found = re.findall(r"(?:^ [ .XO\[\]]+\n){6}", output, flags=re.MULTILINE)
    return [re.sub(r"[^.XO\n]", "", board) for board in found]


def test_a_game_against_an_artifact_is_shown_and_logged(play: Play, net: Path) -> None:
    done = play(net, "--side", "first", "--simulations", 6, "--log", "game.jsonl", typed="3 2 quit")
    assert done.exit_code == 0, done.output
    assert "You have red (X) and move first." in done.stdout
    assert "Your move (columns 0-6; ? for help): 3\nYou play 3.\n" in done.stdout
    assert re.search(r"AI plays \d \(6 simulations, depth \d, win rate \d+ %, \d\.\d s\)\.", done.stdout)
    assert "\x1b" not in done.stdout
    assert boards(done.stdout)[1] == ".......\n" * 5 + "...X...\n"
    begin, *moves = events(Path("game.jsonl"))
    assert (begin["event"], begin["game"], begin["human"]) == ("begin", "connect4", 0)
    assert [move["by"] for move in moves] == ["you", "ai", "you", "ai"]
    assert moves[0]["action"] == 38
    assert moves[1]["simulations"] == 6


def test_moves_and_commands_that_do_not_fit_are_explained_and_asked_again(play: Play) -> None:
    done = play("--side", "first", "--simulations", 2, game="tictactoe", typed="4 4 9 undone quit")
    assert "Cell 4 cannot be played: that place is occupied." in done.stdout
    assert "'9' is neither a move nor a command: type a cell such as" in done.stdout
    assert done.stdout.count("Your move") == 5
    assert done.exit_code == 0


def test_undo_takes_back_the_own_move_and_the_answer(play: Play, net: Path) -> None:
    done = play(net, "--side", "first", "--simulations", 2, "--log", "u.jsonl", typed="undo 3 undo 0 quit")
    assert "There is no move of yours to take back." in done.stdout
    assert "Taken back: 2 moves." in done.stdout
    shown = boards(done.stdout)
    assert shown[0] == shown[3] == ".......\n" * 6
    assert read_log(Path("u.jsonl")).actions[0] == 35
    assert len(read_log(Path("u.jsonl")).actions) == 2


def test_a_hint_shows_the_policy_and_the_favourite_and_plays_nothing(play: Play, net: Path) -> None:
    done = play(net, "--side", "first", "--simulations", 8, "--log", "h.jsonl", typed="hint quit")
    assert re.search(r"The network's policy: (\d \d+ %, ){4}\d \d+ %\.", done.stdout)
    assert re.search(r"Its favourite here: \d \(8 simulations", done.stdout)
    assert read_log(Path("h.jsonl")).actions == ()


def test_the_policy_alone_plays_without_simulations(play: Play, net: Path) -> None:
    done = play(net, "--side", "second", "--simulations", 0, typed="quit")
    assert re.search(r"AI plays \d \(policy alone: \d+ %\)\.", done.stdout)


def test_the_end_of_the_input_leaves_the_game_in_order(play: Play) -> None:
    done = play("--side", "first", "--simulations", 2, game="tictactoe", typed="4")
    assert done.exit_code == 0
    assert "Goodbye. To continue: azx play --resume '" in done.stdout
    (log,) = (Path("state") / "azx" / "games").glob("*-tictactoe.jsonl")
    assert len(read_log(log).actions) == 2


def test_a_won_game_says_so_and_can_begin_anew(play: Play) -> None:
    # The uniform network has no plan: the lowest cell that does not lose at once. Two threats are one too many for it.
    done = play("--side", "first", "--simulations", 0, "--log", "w.jsonl", game="tictactoe", typed="4 8 2 6 3 new 8")
    assert "You won.\n" in done.stdout
    assert "The game is over: type new, undo, log or quit." in done.stdout
    assert "A new game." in done.stdout
    kinds = [event["event"] for event in events(Path("w.jsonl"))]
    assert kinds.count("begin") == 2
    assert events(Path("w.jsonl"))[8] == {"event": "end", "result": "You won", "returns": 1.0, "reason": "rules"}
    assert read_log(Path("w.jsonl")).actions[0] == 8


def test_the_other_side_wins_as_well(play: Play) -> None:
    done = play("--side", "second", "--simulations", 0, game="tictactoe", typed="8 7 5")
    assert "AI won.\n" in done.stdout


def test_a_full_board_is_a_draw(play: Play) -> None:
    done = play("--side", "second", "--simulations", 0, game="tictactoe", typed="4 2 3 7")
    assert "\nDraw.\n" in done.stdout


def test_resigning_gives_the_game_to_the_ai_until_it_is_taken_back(play: Play) -> None:
    done = play("--side", "first", "--log", "r.jsonl", game="tictactoe", typed="resign undo quit")
    assert "You resigned: AI won." in done.stdout
    assert "Taken back: the resignation." in done.stdout
    assert read_log(Path("r.jsonl")).end is None


def test_the_same_seed_draws_the_same_side_and_moves(play: Play) -> None:
    def sides(seed: int) -> list[Any]:
        name = f"{seed}-{len(list(Path().glob('*.jsonl')))}.jsonl"
        options = ("--seed", seed, "--temperature", 1, "--simulations", 0, "--log", name)
        assert play(*options, game="tictactoe", typed="4 0 1 2 3").exit_code == 0
        return [(event.get("human"), event.get("action")) for event in events(Path(name))]

    assert sides(1) == sides(1)
    assert {sides(seed)[0][0] for seed in range(8)} == {0, 1}


def test_a_forced_pass_happens_by_itself(play: Play) -> None:
    typed = "hint undo moves " + " ".join(map(str, range(24)))
    done = play("--side", "first", "--simulations", 2, "--log", "d.jsonl", game="dots_and_boxes", typed=typed)
    assert "must pass: the other side moves again." in done.stdout
    assert re.search(r"boxes: X \d, O \d", done.stdout)
    assert "Legal moves: 0-23." in done.stdout
    passes = [event for event in events(Path("d.jsonl")) if event.get("label") == "pass"]
    assert passes
    assert {event["by"] for event in passes} == {"rule"}


def test_a_forbidden_point_of_renju_is_named(play: Play) -> None:
    line = "H8 A1 H10 C1 G9 E1 I9 G1"
    log, start = Path("renju.jsonl"), GAMES["gomoku"].begin({"rule": "renju"})
    settings = {"size": 15, "rule": "renju"}
    log.write_text(json.dumps({"event": "begin", "game": "gomoku", "settings": settings, "human": 0}) + "\n")
    by_label = {start.label(action): action for action in range(225)}
    with log.open("a") as file:
        for ply, label in enumerate(line.split()):
            file.write(json.dumps({"event": "move", "ply": ply, "by": "you", "action": by_label[label]}) + "\n")
    done = play("--resume", log, "--simulations", 1, game="gomoku", typed="H9 quit")
    assert "Point H9 cannot be played: forbidden to black: double three." in done.stdout
    assert "You have black (X)" in done.stdout


def test_go_says_why_a_point_is_illegal_and_knows_the_pass(play: Play) -> None:
    typed = "E5 e5 pass resign log quit"
    done = play("--side", "first", "--simulations", 1, "--komi", 6.5, game="go", typed=typed)
    assert "Point E5 cannot be played: that place is occupied." in done.stdout
    assert "You play pass." in done.stdout


@pytest.mark.parametrize("effort", [("--simulations", 0), ("--simulations", 16), ("--level", 8)], ids=str)
def test_a_pass_on_an_empty_board_of_go_is_answered_by_a_move(play: Play, effort: tuple[object, ...]) -> None:
    """White would win by the komi if both passed."""
    done = play("--side", "first", *effort, "--json", game="go", typed="pass quit")
    moves = [event for event in map(json.loads, done.stdout.splitlines()) if event["event"] == "move"]
    assert [(move["by"], move["label"] == "pass") for move in moves] == [("you", True), ("ai", False)]


def test_a_game_is_resumed_where_it_was_even_after_a_kill(play: Play) -> None:
    play("--side", "second", "--simulations", 2, "--log", "g.jsonl", game="tictactoe", typed="4")
    before = read_log(Path("g.jsonl"))
    with Path("g.jsonl").open("a") as file:
        file.write('{"event": "move", "ply": 3, "act')
    done = play("--resume", "g.jsonl", "--simulations", 2, game="tictactoe", typed="undo quit")
    assert "You have O and the AI moves first." in done.stdout
    assert "Taken back: 2 moves." in done.stdout
    assert read_log(Path("g.jsonl")).actions == before.actions[:1]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: text.replace("{", "(", 2), "line 1 is damaged"),
        (lambda text: text.replace('"ply": 1', '"ply": 2'), "line 3 does not follow"),
        (lambda text: text.replace('"action": 4', '"action": 40'), "line 2 is no legal move"),
        (lambda text: text.replace("tictactoe", "chess"), "game 'chess' is unknown"),
        (lambda text: text.partition("\n")[2], "before a game began"),
        (lambda text: "", "holds no game"),
    ],
)
def test_a_damaged_log_is_one_sentence_and_stays_as_it_is(change: Callable[[str], str], said: str, play: Play) -> None:
    play("--side", "first", "--simulations", 2, "--log", "g.jsonl", game="tictactoe", typed="4 quit")
    log = Path("g.jsonl")
    log.write_text(change(log.read_text()))
    before = log.read_bytes()
    done = play("--resume", log, game="tictactoe", typed="quit")
    assert done.exit_code == 1
    assert said in done.stderr
    assert log.read_bytes() == before


def test_a_log_that_is_there_is_not_written_over(play: Play) -> None:
    Path("mine.jsonl").write_text("precious")
    done = play("--log", "mine.jsonl", game="tictactoe", typed="quit")
    assert done.exit_code == 1
    assert "is there already: continue it with --resume" in done.stderr
    assert Path("mine.jsonl").read_text() == "precious"


def test_json_is_one_object_a_line(play: Play, net: Path) -> None:
    done = play(net, "--json", "--side", "first", "--simulations", 3, "--trace", typed="3 bad hint moves quit")
    kinds = [json.loads(line)["event"] for line in done.stdout.splitlines()]
    assert kinds[:3] == ["begin", "position", "move"]
    assert kinds.count("trace") == 6
    assert {"error", "policy", "hint", "moves", "quit"} <= set(kinds)


def test_the_path_of_every_simulation_is_printed(play: Play, net: Path) -> None:
    done = play(net, "--side", "second", "--simulations", 12, "--trace", typed="quit")
    paths = re.findall(r"^  ([0-6 ]+) \((\d+) visits\)$", done.stdout, flags=re.MULTILINE)
    assert "  the position itself\n" in done.stdout
    assert len(paths) == 11
    assert sum(1 for path, _ in paths if path == "3") <= 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--game", "tictactoe"), "this one takes (2, 6, 7)"),
        (("--size", "9"), "no setting 'size'"),
        (("--encoding", "none.json"), "'none.json' cannot be read as JSON"),
    ],
)
def test_a_game_that_does_not_fit_the_network_is_one_sentence(
    options: tuple[str, ...], said: str, play: Play, net: Path
) -> None:
    done = play(net, *options, typed="quit")
    assert done.exit_code == 1
    assert said in done.stderr
    assert done.stderr.splitlines()[-1].startswith("Error: ")


def test_a_board_of_another_size_than_the_networks_is_refused(play: Play) -> None:
    done = play("--size", 9, game="gomoku", typed="quit")
    assert "reads a board of size 15: it cannot play size 9." in done.stderr
    done = play("--rows", 8, game="connect4", typed="quit")
    assert "reads a board of rows 6: it cannot play rows 8." in done.stderr


def test_time_alone_limits_the_search(play: Play) -> None:
    done = play("--side", "second", "--seconds", 0.05, game="connect4", typed="quit")
    found = re.search(r"AI plays \d \((\d+) simulations", done.stdout)
    assert found is not None
    assert int(found[1]) >= 16


def test_help_imports_nothing_heavy(tmp_path: Path) -> None:
    code = """
import sys
from azx.cli import cli
try:
    cli(["play", "--help"])
except SystemExit:
    print(*sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert "--simulations" in done.stdout
    loaded = {name.split(".")[0] for name in done.stdout.splitlines()[-1].split()}
    assert loaded & {"numpy", "tensorflow", "rich", "numba", "h5py"} == set()


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a pseudo-terminal")
def test_on_a_terminal_ctrl_c_makes_the_ai_move_and_then_ends_the_game(tmp_path: Path, net: Path) -> None:
    leader, follower = os.openpty()
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path), "TERM": "xterm-256color", "COLUMNS": "80"}
    environment.pop("NO_COLOR", None)
    command = [sys.executable, "-m", "azx", "play", net, "--side", "second", "--simulations", "1000000"]
    process = subprocess.Popen(
        [*map(str, command)],
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env=environment,
        cwd=tmp_path,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # which a background shell ignores
    )
    os.close(follower)
    try:
        thinking = read_until(leader, "AI thinks: ")
        process.send_signal(signal.SIGINT)
        moved = read_until(leader, "? for help): ")
        left, pressed = press_until_it_ends(process, leader)
        ended = process.wait(300)
        # A second Ctrl-C may come while the game is ending.
        assert (ended == 0 and "Goodbye." in left) or (pressed > 1 and ended == INTERRUPTED), (ended, pressed, left)
    finally:
        process.kill()
        process.wait()
        os.close(leader)
    assert re.search(r"AI plays \d \(\d+ simulations", moved)
    assert "●" in moved
    assert "Traceback" not in thinking + moved + left


def press_until_it_ends(process: subprocess.Popen[bytes], terminal: int) -> tuple[str, int]:
    """What a terminal showed until the process ended, with Ctrl-C pressed every second, as a person would; how often.

    C's reading of a line misses a signal that comes after the prompt and before it waits.
    """
    shown, pressed = "", 0
    while True:
        if "Goodbye." not in shown and process.poll() is None:
            process.send_signal(signal.SIGINT)
            pressed += 1
        if not select.select([terminal], [], [], 1)[0]:
            if process.poll() is not None:
                return shown, pressed
            continue
        try:
            shown += os.read(terminal, 65536).decode(errors="replace")
        except OSError:  # it has ended, and what it printed is read
            return shown, pressed


def read_until(terminal: int, text: str, seconds: float = 300) -> str:
    """What a terminal showed until `text` came."""
    shown, late = "", time.monotonic() + seconds
    while text not in shown:
        assert time.monotonic() < late, shown
        if select.select([terminal], [], [], 1)[0]:
            shown += os.read(terminal, 65536).decode(errors="replace")
    return shown


def test_a_game_is_saved_at_the_table_and_gone_on_with(play: Play) -> None:
    done = play("--side", "first", "--simulations", 1, game="go", typed="E5\nsave My game.sgf\nsave My game.sgf\nquit")
    assert "The game is saved in 'My game.sgf'." in done.stdout
    assert "'My game.sgf' is there already: save the game to another file." in done.stdout
    text = Path("My game.sgf").read_text()
    assert text.startswith("(;FF[4]CA[UTF-8]AP[azx]GM[1]SZ[9]KM[7.5]RU[Tromp-Taylor]PB[You]PW[connect4];B[ee];W[")
    again = play("--from", "My game.sgf", "--side", "first", "--log", "l.jsonl", game="go", typed="D5 quit")
    assert "Read 2 moves of You and connect4 from 'My game.sgf'." in again.stdout
    assert "You play D5." in again.stdout
    assert [event.get("by") for event in events(Path("l.jsonl"))[1:4]] == ["you", "ai", "you"]
    assert len(read_log(Path("l.jsonl")).actions) == 4


def test_a_list_of_moves_is_written_at_the_end_and_read(play: Play) -> None:
    play("--side", "first", "--simulations", 0, "--save", "g.txt", game="tictactoe", typed="4 8 2 6 quit")
    assert Path("g.txt").read_text() == "tictactoe: 4 0 8 1 2 5 6\n"
    again = play("--from", "g.txt", game="tictactoe", typed="undo quit")
    assert "The game is over (new, undo, log, quit)" in again.stdout
    refused = play("--save", "g.txt", game="tictactoe", typed="quit")
    assert (refused.exit_code, Path("g.txt").read_text()) == (2, "tictactoe: 4 0 8 1 2 5 6\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("4 4", "move 2 is illegal (that place is occupied)"),
        ("connect4: 3", "is a game of Connect4, 'uniform' plays Tic-tac-toe"),
        ("(;GM[1]SZ[9];B[ee](;W[aa])(;W[bb]))", "is a game of Go"),
        ("chess: e4", "is no record of a game"),
    ],
)
def test_a_record_that_does_not_fit_is_one_sentence(text: str, said: str, play: Play) -> None:
    Path("g.txt").write_text(text)
    done = play("--from", "g.txt", "--log", "l.jsonl", game="tictactoe", typed="quit")
    assert done.exit_code == 1
    assert said in done.stderr
    assert not Path("l.jsonl").exists()


def test_variations_of_a_record_are_left_out_and_said_to_be(play: Play) -> None:
    Path("g.sgf").write_text("(;GM[1]SZ[9];B[ee](;W[aa])(;W[bb]))")
    done = play("--from", "g.sgf", "--side", "first", game="go", typed="quit")
    assert "Read 2 moves from 'g.sgf'; 1 variation was left out." in done.stdout


def test_a_level_is_told_and_plays_the_same_game_for_a_seed(play: Play) -> None:
    first, again, other = (
        play(
            "x",
            "--side",
            "second",
            "--level",
            level,
            "--seed",
            seed,
            "--log",
            f"{name}.jsonl",
            game="gomoku",
            typed="quit",
        )
        for name, level, seed in (("a", "novice", 5), ("b", "2", 5), ("c", "2", 6))
    )
    assert "It plays at level 2 of 8, novice (levels are measured with the shipped networks alone" in first.output
    assert [first.exit_code, again.exit_code, other.exit_code] == [0, 0, 0]
    moves = [[event["action"] for event in events(Path(f"{name}.jsonl")) if event["event"] == "move"] for name in "abc"]
    assert moves[0] == moves[1] != moves[2]


def test_a_level_is_no_choice_beside_simulations_and_has_a_name_or_a_number(play: Play) -> None:
    both = play("x", "--level", "3", "--simulations", "10", game="tictactoe", typed="quit")
    assert both.exit_code == 2
    assert "leave --simulations, --seconds and --temperature out" in both.output
    unknown = play("x", "--level", "begginer", game="tictactoe", typed="quit")
    assert unknown.exit_code != 0
    assert "did you mean 'beginner'?" in unknown.output


def test_a_hint_at_a_level_is_the_best_move_and_not_a_drawn_one(play: Play) -> None:
    told = [
        play("x", "--side", "first", "--level", "1", "--seed", seed, game="tictactoe", typed="hint quit").output
        for seed in range(3)
    ]
    assert len({re.search("Its favourite here: (\\w+)", output)[1] for output in told}) == 1  # type: ignore[index]

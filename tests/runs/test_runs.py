"""Runs: what stands in their folder, how they go on, and what `azx train` says."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from azx.bundle.case.reading import described_reading
from azx.bundle.export import export_checkpoint
from azx.cli import cli
from azx.errors import AzxError
from azx.export.checkpoint.located import find_checkpoint
from azx.export.checkpoint.read import read_checkpoint
from azx.export.checkpoint.run_folder import PROGRESS
from azx.games.evaluator import Uniform
from azx.games.known.catalogue import GAMES
from azx.learning import networks, solved
from azx.learning.judges import Contest, EveryLine, LostValues
from azx.learning.networks import reading_for
from azx.learning.solved import SolvedPositions
from azx.runs import generations, page, publish
from azx.runs.actors import Actors
from azx.runs.generations import FALLS_TO, Training, rate_at
from azx.runs.now import NOW
from azx.runs.run import begin_run, open_run, read_progress
from azx.self_play.actor import Task, play_games
from azx.self_play.played import save_games
from azx.self_play.settings import Recipe

SMALL = {"net": "dense:1x16", "games": 8, "simulations": 4}


def train(folder: Path, generations: int, *, new: bool) -> list[dict[str, Any]]:
    run = begin_run(folder, "tictactoe", {}, SMALL, 3, None) if new else open_run(folder)
    with Actors() as actors:
        training = Training(run, actors)
        made = training.generations(lambda: 0.0)
        return [next(made).line for _ in range(generations)]


def weights(path: Path) -> list[Any]:
    import keras

    return [np.asarray(each) for each in keras.models.load_model(path, compile=False).weights]


def test_a_run_that_went_on_is_the_run_that_was_never_interrupted(tmp_path: Path, whole: Path) -> None:
    train(tmp_path / "run", 3, new=True)
    for one, other in zip(*(weights(folder / "gen0003.h5") for folder in (whole, tmp_path / "run")), strict=True):
        np.testing.assert_array_equal(one, other)


def test_half_files_of_a_killed_run_are_made_again(folder: Path, whole: Path) -> None:
    (folder / "gen0003.h5").write_bytes(b"half")
    with (folder / PROGRESS).open("ab") as file:
        file.write(b'{"generation": 3, "ga')
    train(folder, 1, new=False)
    for one, other in zip(*(weights(each / "gen0003.h5") for each in (whole, folder)), strict=True):
        np.testing.assert_array_equal(one, other)


def test_the_elo_of_a_best_network_is_from_games_that_did_not_choose_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The contest that chooses says +100 and is not counted; the games against the best of half the age say +20."""

    def contest(training: Training, new: bytes, other: bytes, seed: int, played: list[Any]) -> Contest:
        chooses, lost = seed < generations.OTHER_OPENINGS, seed == 3
        return Contest(*((10.0, 40, -60.0) if lost else (26.0, 40, 100.0 if chooses else 20.0)), -200.0, 200.0)

    monkeypatch.setattr(Training, "_contest", contest)
    run = begin_run(tmp_path / "run", "hex", {"size": 6}, {**SMALL, "games": 2, "simulations": 2}, 3, None)
    with Actors() as actors:
        made = Training(run, actors).generations(lambda: 0.0)
        lines = [next(made).line for _ in range(6)]
    assert [line["best"] for line in lines] == [True, True, False, True, True, True]
    # The third has lost to the second; the sixth would be measured against it, and is against the second.
    assert [line.get("anchor", {}).get("generation") for line in lines] == [None, 1, None, 2, 2, 2]
    assert [line["elo"] for line in lines] == [0.0, 20.0, -40.0, 40.0, 40.0, 40.0]


@pytest.mark.parametrize(
    ("sampled", "best"),
    [(True, [True, True, True, False, True, False]), (False, [True, True, False, False, True, False])],
)
def test_a_later_network_is_the_best_one_if_it_is_as_good_within_chance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, sampled: bool, best: list[bool]
) -> None:
    """Of 4 positions given away the standard error is 2, of none it is 0; lines of play are counted, not drawn."""
    figures = iter([9.0, 4.0, 6.0, 7.0, 0.0, 1.0])
    judge = LostValues(SolvedPositions([], [])) if sampled else EveryLine()
    monkeypatch.setattr(judge, "measure", lambda network, start: next(figures))
    monkeypatch.setattr(generations, "exact_judge", lambda start: judge)
    lines = train(tmp_path / "run", 6, new=True)
    assert [line["best"] for line in lines] == best
    assert find_checkpoint(tmp_path / "run").name == "gen0005.h5"


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two generations."""
    folder = tmp_path_factory.mktemp("two") / "run"
    train(folder, 2, new=True)
    return folder


@pytest.fixture(scope="module")
def whole(two: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of three generations that nobody disturbed."""
    folder: Path = shutil.copytree(two, tmp_path_factory.mktemp("whole") / "run")
    train(folder, 1, new=False)
    return folder


@pytest.fixture
def folder(two: Path, tmp_path: Path) -> Path:
    """A run of two generations for one test."""
    copy: Path = shutil.copytree(two, tmp_path / "run")
    return copy


class Killed(BaseException):
    """Stands for a kill: nothing is cleared up behind it."""


# What a generation does with files, in its order, each with what is finished if the kill comes before it.
STEPS = {"save_games": 2, "networks.save": 2, "keep_state": 2, "add_progress": 2, "page.write": 3, "nothing": 3}


@pytest.mark.parametrize("step", STEPS)
def test_a_kill_between_two_files_loses_nothing(
    step: str, whole: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the third generation has written by then, the run goes on to the networks of the undisturbed one."""
    owners: dict[str, Any] = {"": generations, "networks": networks, "page": page}
    owner, _, name = step.rpartition(".")
    if step != "nothing":
        real, calls = getattr(owners[owner], name), 0

        def killed(*arguments: Any, **named: Any) -> Any:
            nonlocal calls
            calls += 1
            # The page is drawn as the run goes on, too.
            if step == "page.write" and calls == 1:
                return real(*arguments, **named)
            raise Killed

        monkeypatch.setattr(owners[owner], name, killed)
        with pytest.raises(Killed):
            train(folder, 1, new=False)
        monkeypatch.undo()
        assert len(read_progress(open_run(folder))) == STEPS[step]
    train(folder, 3 - len(read_progress(open_run(folder))), new=False)
    lines = [
        [{**line, "seconds": None, "processor": None, "actors": None} for line in read_progress(open_run(each))]
        for each in (whole, folder)
    ]
    assert lines[0] == lines[1]
    for one, other in zip(*(weights(each / "gen0003.h5") for each in (whole, folder)), strict=True):
        np.testing.assert_array_equal(one, other)
    # And so would the next one be: the optimizer is that of the third generation.
    states = [dict(np.load(each / ".learner1.npz")) for each in (whole, folder)]
    for member in states[0]:
        np.testing.assert_array_equal(states[0][member], states[1][member])


def test_a_lost_learner_is_begun_anew_from_the_network(folder: Path) -> None:
    (folder / ".learner0.npz").write_bytes(b"half")
    with Actors() as actors:
        model = Training(open_run(folder), actors)._learner.model
    saved = {call.layer.name: call.layer.weights for call in read_checkpoint(folder / "gen0002.h5").calls}
    for weight in model.get_layer("dense0").weights:
        np.testing.assert_array_equal(saved["dense0"][weight.name], np.asarray(weight))


def test_removed_games_are_left_out_and_damaged_ones_said(folder: Path) -> None:
    games = folder / ".games"
    (games / "0001.npz").write_bytes(b"half")
    with pytest.raises(AzxError, match="remove it, and the same command resumes without those games"):
        train(folder, 1, new=False)
    (games / "0001.npz").unlink()
    assert train(folder, 1, new=False)[0]["generation"] == 3


def test_a_missing_network_is_said(folder: Path) -> None:
    (folder / "gen0002.h5").unlink()
    with pytest.raises(
        AzxError, match=r"gen0002.h5' is no network that this run can continue with .* restore the file"
    ):
        train(folder, 1, new=False)


def test_a_damaged_line_before_others_is_said_and_removes_nothing(tmp_path: Path) -> None:
    run = begin_run(tmp_path / "run", "tictactoe", {}, SMALL, 3, None)
    line = {"games": 8, "positions": 40, "figure": 3.0, "about": "lost", "best": True, "seconds": {"play": 1.0}}
    first, third = (json.dumps({"generation": number, **line}) for number in (1, 3))
    text = f'{first}\n{{"gener\n{third}\n'
    (tmp_path / "run" / PROGRESS).write_text(text)
    with pytest.raises(AzxError, match=r"line 2 of .* is damaged"):
        read_progress(run)
    assert (tmp_path / "run" / PROGRESS).read_text() == text


def test_a_kill_while_a_run_is_begun_leaves_nothing_in_the_way(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    begin_run(folder, "tictactoe", {}, SMALL, 3, None)
    (folder / "run.json").rename(folder / ".run.json.part")
    assert begin_run(folder, "hex", {}, {}, 3, None).game.name == "hex"
    assert json.loads((folder / "encoding.json").read_text())["game"] == "hex"


@pytest.mark.parametrize("game", GAMES)
def test_a_run_says_how_its_networks_read_the_board(game: str, tmp_path: Path) -> None:
    run = begin_run(tmp_path / "run", game, {}, {}, 0, None)
    reading = run.reading
    assert reading.numbering is not None
    encoding = tmp_path / "run" / "encoding.json"
    again = described_reading(encoding, [reading.encoding.board_shape], reading.numbering.width)
    assert again.as_data() == reading.as_data()
    assert open_run(tmp_path / "run") == run


def test_the_rules_of_a_run_are_those_that_were_asked(tmp_path: Path) -> None:
    started: list[Any] = []

    class Noting(Actors):
        def begin(self, task: Any, *others: Any) -> Any:
            started.append(task.start)
            raise AzxError("enough")

    run = begin_run(tmp_path / "run", "hex", {"size": 3, "rule": "swap"}, SMALL, 0, None)
    with pytest.raises(AzxError, match="enough"):
        next(Training(run, Noting()).generations(lambda: 0.0))
    assert started == [GAMES["hex"].begin({"size": 3, "rule": "swap"})]
    assert started != [GAMES["hex"].begin({"size": 3})]


def test_other_boards_have_networks_too() -> None:
    for game, settings in (("gomoku", {"size": 9}), ("reversi", {"size": 6}), ("hex", {"size": 5})):
        start = GAMES[game].begin(settings)
        assert tuple(reading_for(GAMES[game], settings).encoding.board) == tuple(start.board)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"azx_run": 1}', "no json", "[" * 100_000])
def test_a_folder_that_holds_no_run_is_refused_in_a_sentence(text: str, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(AzxError, match="holds no run"):
        open_run(tmp_path)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("game", 1),
        ("settings", None),
        ("recipe", []),
        ("seed", "0"),
        ("seed", -1),
        ("start_from", 1),
        ("recipe.net", 4),
        ("recipe.games", 0),
        ("recipe.games", 200.0),
        ("recipe.games", True),
        ("recipe.simulations", -1),
        ("recipe.searched", 1.5),
        ("recipe.rate", math.inf),
        ("recipe.epochs", math.nan),
    ],
)
def test_a_run_s_wrong_member_is_refused_in_a_sentence(name: str, value: object, tmp_path: Path) -> None:
    begin_run(tmp_path, "tictactoe", {}, {}, 0, None)
    data = json.loads((tmp_path / "run.json").read_text())
    holder = data["recipe"] if "." in name else data
    holder[name.split(".")[-1]] = value
    (tmp_path / "run.json").write_text(json.dumps(data))
    with pytest.raises(AzxError, match="holds no run"):
        open_run(tmp_path)


def test_a_run_of_a_later_azx_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(json.dumps({"azx_run": 2, "azx_version": "9.0"}))
    with pytest.raises(AzxError, match="a run of another azx"):
        open_run(tmp_path)


def test_the_rate_falls_over_the_second_half() -> None:
    assert rate_at(0.0) == rate_at(0.5) == 1
    assert rate_at(0.75) == pytest.approx(FALLS_TO**0.5)
    assert rate_at(1.0) == pytest.approx(FALLS_TO)


def test_the_command_trains_exports_and_goes_on(
    azx: Callable[..., CompletedProcess[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One format of the best network, by processes that are loaded already; `azx` has them."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(publish, "export_checkpoint", partial(export_checkpoint, formats=("onnx",), count=20))

    def run_train(*arguments: str) -> Any:
        return CliRunner().invoke(cli, ["train", *arguments])

    few = ("--games", "8", "--simulations", "4", "--net", "dense:1x16", "--seed", "3")
    begin = ("tictactoe", "-o", "run", *few)
    done = run_train(*begin, "--generations", "1")
    assert done.exit_code == 0, done.stderr
    assert "generation 1: lines of play lost by the policy alone" in done.stderr
    assert (tmp_path / "bundles" / "best-of" / "tictactoe" / "manifest.json").is_file()
    more = run_train("run", "--generations", "1", "--no-export", "--json")
    events = [json.loads(line) for line in more.stdout.splitlines()]
    assert [each["generation"] for each in events if each["event"] == "generation"] == [2]
    # What was typed first goes on, too, by other processes.
    same = run_train(*begin, "--generations", "1", "--no-export", "--workers", "2", "--json")
    assert '"generation": 3' in same.stdout.splitlines()[-1]
    assert '"places": 2' in same.stdout.splitlines()[-1]
    refused = run_train("run", "--net", "1x8")
    assert refused.exit_code == 1
    assert "'run' is a run, whose --net cannot change" in refused.stderr
    again = run_train("tictactoe", "-o", "run")
    assert "'run' is a run with other settings: resume it with `azx train run`" in again.stderr
    unknown = run_train("chess")
    assert unknown.exit_code == 1
    assert "azx knows connect4" in unknown.stderr
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize("json_option", [(), ("--json",)])
def test_a_full_disk_is_one_sentence_and_leaves_no_half_file(
    json_option: tuple[str, ...], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Path.write_bytes

    def write(path: Path, data: bytes) -> int:
        if ".npz" not in path.name:
            return real(path, data)
        real(path, data[:10])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", write)
    done = CliRunner().invoke(cli, ["train", str(folder), "--generations", "1", "--no-export", *json_option])
    full = f"'{folder}' cannot be written (No space left on device)"
    sentence = f"{full}: make room, then resume with `azx train {folder}`."
    assert done.exit_code == 1
    assert done.stderr.splitlines()[-1] == f"Error: {sentence}"
    if json_option:
        assert json.loads(done.stdout.splitlines()[-1]) == {"error": sentence, "exit_code": 1}
    monkeypatch.undo()
    assert not [path for path in folder.rglob("*") if ".part" in path.name or path.name == NOW]
    assert len(read_progress(open_run(folder))) == 2


def test_a_run_begins_with_the_best_network_of_another(two: Path, tmp_path: Path) -> None:
    source = find_checkpoint(two)
    assert source.name == "gen0001.h5" or source.name == "gen0002.h5"
    run = begin_run(tmp_path / "run", "tictactoe", {}, SMALL, 3, str(source))
    model, saved = generations._begin(run, 0), {c.layer.name: c.layer.weights for c in read_checkpoint(source).calls}
    np.testing.assert_array_equal(np.asarray(model.get_layer("dense0").weights[0]), saved["dense0"]["kernel"])
    wider = begin_run(tmp_path / "wider", "tictactoe", {}, {**SMALL, "net": "dense:1x24"}, 3, str(source))
    with pytest.raises(
        AzxError, match=r"is no network that this run can continue with \(.*shape.*\): restore the file"
    ):
        generations._begin(wider, 0)
    # Nothing was played there, so that other words may begin it again; where something was, they may not.
    assert begin_run(tmp_path / "wider", "tictactoe", {}, SMALL, 3, str(source)).recipe.net == SMALL["net"]
    assert begin_run(two, "tictactoe", {}, SMALL, 3, None).folder == two
    with pytest.raises(AzxError, match="is a run with other settings"):
        begin_run(two, "tictactoe", {}, SMALL, 4, None)


def test_a_name_that_is_no_network_begins_nothing(tmp_path: Path) -> None:
    with pytest.raises(AzxError, match="is no design"):
        begin_run(tmp_path / "run", "tictactoe", {}, {"net": "9"}, 3, None)
    assert not (tmp_path / "run").exists()


def test_games_of_another_game_are_not_learnt_from(folder: Path) -> None:
    games = play_games(Task(GAMES["connect4"].begin(), Recipe("1x4", simulations=2), 1, 2), Uniform())
    save_games(games, folder / ".games" / "0002.npz")
    with pytest.raises(AzxError, match=r"0002.npz' holds no games of a run: remove it"):
        train(folder, 1, new=False)


def test_a_run_of_connect4_is_judged_by_the_solver_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 12 positions here, as solving the usual 200 takes seconds."""
    pytest.importorskip("bitbully")
    monkeypatch.setattr(solved, "POSITIONS", 12)
    monkeypatch.setattr(solved, "_SOLVED", {})
    run = begin_run(tmp_path / "run", "connect4", {}, {"net": "1x4", "games": 4, "simulations": 2}, 3, None)
    with Actors() as actors:
        line = next(Training(run, actors).generations(lambda: 0.0)).line
    assert line["solved"]["positions"] == 12
    assert line["solved"]["low"] <= line["solved"]["percent"] <= line["solved"]["high"]
    assert "solved positions" in (run.folder / "index.html").read_text().lower()

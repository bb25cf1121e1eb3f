"""Runs: what stands in their folder, how they go on, and what `azx train` says."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import numpy as np
import pytest

from azx.bundle.case.reading import described_reading
from azx.errors import AzxError
from azx.export.checkpoint.run_folder import PROGRESS
from azx.games.known.catalogue import GAMES
from azx.learning.networks import reading_for
from azx.runs.actors import Actors
from azx.runs.generations import FALLS_TO, Training, rate_at
from azx.runs.run import begin_run, open_run, read_progress

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


def test_a_run_that_went_on_is_the_run_that_was_never_interrupted(tmp_path: Path) -> None:
    train(tmp_path / "whole", 3, new=True)
    train(tmp_path / "parts", 2, new=True)
    # A kill in the third generation has left its games, half a checkpoint, and half a line.
    (tmp_path / "parts" / "gen0003.h5").write_bytes(b"half")
    with (tmp_path / "parts" / PROGRESS).open("ab") as file:
        file.write(b'{"generation": 3, "ga')
    train(tmp_path / "parts", 1, new=False)
    lines = [
        [{**line, "seconds": None} for line in read_progress(open_run(tmp_path / name))] for name in ("whole", "parts")
    ]
    assert lines[0] == lines[1]
    assert [line["generation"] for line in lines[0]] == [1, 2, 3]
    for one, other in zip(*(weights(tmp_path / name / "gen0003.h5") for name in ("whole", "parts")), strict=True):
        np.testing.assert_array_equal(one, other)


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
        def play(self, task: Any, *others: Any) -> Any:
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


@pytest.mark.parametrize("text", ["", "{}", '{"azx_run": 1}', "no json"])
def test_a_folder_that_holds_no_run_is_refused_in_a_sentence(text: str, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(text)
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


def test_the_command_trains_exports_and_goes_on(azx: Callable[..., CompletedProcess[str]], tmp_path: Path) -> None:
    few = ("--games", "8", "--simulations", "4", "--net", "dense:1x16", "--generations", "1")
    done = azx("train", "tictactoe", "-o", "run", *few)
    assert done.returncode == 0, done.stderr
    assert "generation 1: lines of play lost by the policy alone" in done.stderr
    assert (tmp_path / "bundles" / "best-of" / "tictactoe" / "manifest.json").is_file()
    more = azx("train", "run", "--generations", "1", "--no-export", "--json")
    events = [json.loads(line) for line in more.stdout.splitlines()]
    assert [each["generation"] for each in events if each["event"] == "generation"] == [2]
    refused = azx("train", "run", "--net", "1x8")
    assert refused.returncode == 1
    assert "'run' is a run, whose --net was settled as it began" in refused.stderr
    again = azx("train", "tictactoe", "-o", "run")
    assert "'run' is a run already: go on with `azx train run`" in again.stderr
    unknown = azx("train", "chess")
    assert unknown.returncode == 1
    assert not (tmp_path / "runs").exists()

"""Runs whose games are played by others while the learner learns: by which network, and what a kill changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from azx.learning.onnx_graph import write_graph
from azx.runs import generations
from azx.runs.actors import Actors, Graphs, Harvest, PendingGames, divided_pairs
from azx.runs.generations import Training
from azx.runs.run import begin_run, open_run
from azx.self_play.actor import Task, play_games
from azx.self_play.fast_network import FastNetwork
from azx.self_play.played import load_games

SMALL = {"net": "dense:1x16", "games": 8, "simulations": 4}


class Ahead(Actors):
    """Others that play, in this process: they have played as soon as they began."""

    plays_ahead = True

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.left = list[bytes](), 0

    def begin(self, task: Task, graph: bytes, reading: Any) -> PendingGames:
        self.begun.append(graph)
        harvest, actors = super().begin(task, graph, reading).harvest(lambda games: None), self

        class Done:
            def harvest(self, on_games: Any) -> Harvest:
                on_games(len(harvest.games))
                return harvest

            def close(self) -> None:
                actors.left += 1

        return Done()


def train(folder: Path, most: int, actors: Ahead, *, new: bool, share: float = 0.0) -> list[dict[str, Any]]:
    run = begin_run(folder, "tictactoe", {}, SMALL, 3, None) if new else open_run(folder)
    with actors:
        return [made.line for made in Training(run, actors).generations(lambda: share, most=most)]


def weights(path: Path) -> list[Any]:
    found: list[Any] = []
    with h5py.File(path) as file:
        file["model_weights"].visititems(
            lambda name, item: found.append(np.asarray(item)) if isinstance(item, h5py.Dataset) else None
        )
    return found


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four generations that nobody disturbed."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    actors = Ahead()
    lines = train(folder, 4, actors, new=True)
    assert [line["player"] for line in lines] == [0, 0, 1, 2]
    # As many as were asked for: nothing is played that no generation learns from.
    assert (len(actors.begun), actors.left) == (4, 0)
    return folder


def test_the_games_are_those_of_the_network_before_the_last_one(whole: Path) -> None:
    run = open_run(whole)
    players = [generations._begin(run, number) for number in (0, 0, 1, 2)]
    for number, model in enumerate(players, 1):
        task = Task(run.game.begin(run.settings), run.recipe, run.seed * 100_003 + number, 8)
        games = play_games(task, FastNetwork(write_graph(model), run.reading))
        assert [game.moves for game in load_games(run.games(number))] == [game.moves for game in games], number


@pytest.mark.parametrize("done", [1, 2])
def test_a_run_that_went_on_is_the_run_that_was_never_interrupted(done: int, whole: Path, tmp_path: Path) -> None:
    """What was played ahead when a kill came is played again, by the same network."""
    run = begin_run(tmp_path / "run", "tictactoe", {}, SMALL, 3, None)
    with (actors := Ahead()):
        made = Training(run, actors).generations(lambda: 0.0)
        for _ in range(done):
            next(made)
        assert len(actors.begun) == done + 1
        made.close()
        assert actors.left == 1
    lines = train(tmp_path / "run", 4 - done, Ahead(), new=False)
    assert [line["player"] for line in lines] == [0, 0, 1, 2][done:]
    for number in range(1, 5):
        names = (folder / f"gen{number:04}.h5" for folder in (whole, tmp_path / "run"))
        for one, other in zip(*map(weights, names), strict=True):
            np.testing.assert_array_equal(one, other, err_msg=f"generation {number}")


def test_nothing_is_played_ahead_when_the_time_is_over(tmp_path: Path) -> None:
    actors = Ahead()
    train(tmp_path / "run", 2, actors, new=True, share=1.0)
    assert (len(actors.begun), actors.left) == (2, 0)


def test_a_player_that_somebody_removed_is_replaced_by_the_last_network(whole: Path, tmp_path: Path) -> None:
    train(tmp_path / "run", 2, Ahead(), new=True)
    (tmp_path / "run" / "gen0001.h5").unlink()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Training, "best", 2)
        assert train(tmp_path / "run", 1, Ahead(), new=False)[0]["player"] == 2


def test_pairs_are_divided_into_all_of_them(whole: Path) -> None:
    from azx.games.known.catalogue import GAMES
    from azx.match.pairs import draw_pairs, play_pairs

    run = open_run(whole)
    pairs = draw_pairs(GAMES["connect4"].begin(), GAMES["connect4"], 14, 4, 1)
    parts = divided_pairs(pairs, 3)
    assert [len(part.lines) for part in parts] == [2, 2, 3]
    assert [line for part in parts for line in part.lines] == list(pairs.lines)
    assert [len(part.lines) for part in divided_pairs(pairs, 50)] == [1] * 7
    pairs = draw_pairs(run.game.begin(), run.game, 12, 4, 1)
    graphs: Graphs = write_graph(generations._begin(run, 4)), write_graph(generations._begin(run, 0))
    new, other = (FastNetwork(graph, run.reading) for graph in graphs)
    alone = play_pairs(pairs, new, other)
    with Actors() as actors:
        assert actors.compete(pairs, graphs, run.reading).scores == alone
    assert [score for part in divided_pairs(pairs, 3) for score in play_pairs(part, new, other)] == alone
    assert set(alone) <= {0.0, 0.25, 0.5, 0.75, 1.0}

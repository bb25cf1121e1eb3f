"""Measures a generation of `azx train`: in float32, and as this processor computes it.

    python -P benchmarks/training.py [GAME ...] [--games 200] [--rounds 3] [--json]

For each game, in turn and in one process: positions of self-play a second, by the recipe and by a network whose weights
are slightly random, and milliseconds of a training step. Seconds are of the processor, of one thread. Without units for
bfloat16 both columns are float32, and the ratio is 1.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

os.environ |= {"TF_CPP_MIN_LOG_LEVEL": "3", "TF_NUM_INTRAOP_THREADS": "1", "TF_NUM_INTEROP_THREADS": "1"}

import numpy as np

from azx.games.game import Reading
from azx.games.known.catalogue import GAMES
from azx.learning.learner import Learner
from azx.learning.networks import Design, build, reading_for
from azx.learning.onnx_graph import write_graph
from azx.learning.window import examples_of
from azx.self_play.actor import Task, play_games
from azx.self_play.fast_network import FastNetwork
from azx.self_play.settings import Recipe, recipe_for

# On the small boards of docs/train.md.
SETTINGS: dict[str, dict[str, Any]] = {"gomoku": {"size": 9}, "go": {"size": 9}, "reversi": {"size": 6},
                                       "hex": {"size": 5}}  # fmt: skip
POSITIONS = 3000


def slightly_random(model: Any) -> Any:
    """The model with all weights moved a little, as no weight of a trained network is 0."""
    rng = np.random.default_rng(0)
    for layer in model.layers:
        layer.set_weights([weight + rng.uniform(0, 0.01, weight.shape) for weight in layer.get_weights()])
    return model


def rate_of(task: Task, graph: bytes, reading: Reading, *, exact: bool) -> tuple[float, Any]:
    """Positions of self-play a processor second, and the games."""
    network = FastNetwork(graph, reading, exact=exact)
    begun = time.process_time()
    games = play_games(task, network)
    return sum(len(game.policies) for game in games) / (time.process_time() - begun), games


def step_of(learner: Learner, examples: Any, precision: Callable[[], Any]) -> float:
    """Milliseconds of the processor of a training step."""
    learner._precision = precision
    learner.learn(examples, POSITIONS // 10, 1, 1.0)
    begun = time.process_time()
    steps = learner.learn(examples, POSITIONS, 2, 1.0).steps
    return 1000 * (time.process_time() - begun) / steps


def measure(name: str, games: int, rounds: int) -> dict[str, Any]:
    """The medians of a game's rounds, and of the rounds' own ratios."""
    game, settings = GAMES[name], SETTINGS.get(name, {})
    reading, recipe = reading_for(game, settings), recipe_for(game)
    rows = [one_round(reading, recipe, games, at) for at in range(rounds)]
    return {"game": name, "net": recipe.net} | {key: statistics.median(row[key] for row in rows) for key in rows[0]}


def one_round(reading: Reading, recipe: Recipe, games: int, seed: int) -> dict[str, float]:
    """One round: both kinds of self-play, then both kinds of learning."""
    start = reading.game.begin(dict(reading.settings))
    model = slightly_random(build(Design.read(recipe.net), reading))
    graph, task = write_graph(model), Task(start, recipe, seed, games)
    rate_of(replace(task, count=8), graph, reading, exact=False)  # loads what is compiled
    slow, played = rate_of(task, graph, reading, exact=True)
    fast, _ = rate_of(task, graph, reading, exact=False)
    learner, examples = Learner(model, reading, recipe, 0), examples_of(played, start, reading, recipe.searched)
    usual = learner._precision
    long, short = (step_of(learner, examples, each) for each in (nullcontext, usual))
    return {
        "float32": slow,
        "here": fast,
        "ratio": fast / slow,
        "float32_step": long,
        "here_step": short,
        "step_ratio": short / long,
    }


def main() -> None:
    """Print a line for each game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[*GAMES, []], metavar="GAME")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    for name in options.names or GAMES:
        row = measure(name, options.games, options.rounds)
        if options.json:
            print(json.dumps(row), flush=True)
            continue
        print(
            f"{row['game']:15} {row['net']:12} positions a second {row['float32']:6.0f} {row['here']:6.0f}"
            f" {row['ratio']:5.2f}   ms a step {row['float32_step']:6.1f} {row['here_step']:6.1f}"
            f" {row['step_ratio']:5.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()

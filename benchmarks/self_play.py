"""Measures self-play: positions a processor second of games side by side, with a new network of 4x32 in one thread.

    python -P benchmarks/self_play.py GRAPH.onnx [GAME] [--games 96] [--simulations 32]

Games begin with up to six random plies and are played to their ends, each move by a Gumbel root without its noise. The
network's graph is written if the file is not there. An earlier azx plays the same games, if PYTHONPATH has the folder
of its checkout, called azx, and the file is there: what it lacks is made up for here.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from azx.games.encoding import Encoding, encode
from azx.games.evaluator import Evaluation
from azx.games.game import Game, Reading
from azx.games.known.catalogue import GAMES
from azx.games.random_play import below, generator, random_action
from azx.games.search import Search, run_together
from azx.games.search_settings import Gumbel, SearchSettings
from azx.games.state import State


class OneByOne:
    """The network as it was asked before `azx.self_play` was there: each board encoded alone, and asked each time."""

    name = "the network"

    def __init__(self, graph: bytes, reading: Reading) -> None:
        import onnxruntime as ort

        options = ort.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session = ort.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
        self._reading = reading

    def evaluate(self, states: Sequence[State]) -> list[Evaluation]:
        """An answer for each state: logits, the mover's value."""
        boards = np.stack([encode(state, self._reading.encoding) for state in states])
        policies, values = self._session.run(["policy_head", "value_head"], {"main_input": boards})
        numbers = np.asarray(values, np.float64).reshape(-1).tolist()
        return [Evaluation(value, policy, logits=True) for value, policy in zip(numbers, policies, strict=True)]


def open_network(graph: bytes, reading: Reading) -> Any:
    """The network as the azx that is there asks it."""
    try:
        from azx.self_play.fast_network import FastNetwork
    except ImportError:
        return OneByOne(graph, reading)
    return FastNetwork(graph, reading)


def write_network(file: Path, reading: Reading) -> None:
    """Make an untrained network of four blocks of 32 filters."""
    from azx.learning.networks import Design, build
    from azx.learning.onnx_graph import write_graph

    file.write_bytes(write_graph(build(Design("tower", 4, 32), reading)))


def reading_of(game: Game) -> Reading:
    """The game's reference planes, channels last, as `azx train` shows them."""
    shape = game.shapes[0]
    own = shape.encodings[0]
    layout = "channels_last" if own.layout == "channels_first" else own.layout
    encoding = Encoding(layout, own.board, own.planes, turned=own.turned)
    return Reading(game, encoding, shape.numberings[0], dict(shape.settings))


def opened(start: State, seed: int) -> State:
    """A position after up to six random plies that is not over."""
    rng = generator(seed)
    while True:
        state = start
        for _ in range(below(rng, 7)):
            state = state if state.is_terminal else state.apply(random_action(state, rng))
        if not state.is_terminal:
            return state


def play(network: Any, start: State, games: int, simulations: int) -> int:
    """Play games side by side to their ends; how many positions were searched."""
    settings, positions = SearchSettings(Gumbel(16)), 0
    searches = [Search(opened(start, at), network, proves=True, settings=settings) for at in range(games)]
    while searches:
        positions += len(searches)
        for search in searches:
            search.plan(simulations)
        run_together(searches, network, simulations)
        for search in searches:
            search.play(search.best_action())
        searches = [search for search in searches if not search.state.is_terminal]
    return positions


def main() -> None:
    """Print one line."""
    parser = argparse.ArgumentParser(description="Measure self-play.")
    parser.add_argument("graph", type=Path)
    parser.add_argument("game", nargs="?", default="connect4", choices=list(GAMES))
    parser.add_argument("--games", type=int, default=96)
    parser.add_argument("--simulations", type=int, default=32)
    options = parser.parse_args()
    game = GAMES[options.game]
    reading = reading_of(game)
    if not options.graph.exists():
        write_network(options.graph, reading)
    graph = options.graph.read_bytes()
    play(open_network(graph, reading), game.begin(), 2, options.simulations)  # compiled code is loaded now
    network, begun = open_network(graph, reading), time.process_time()
    positions = play(network, game.begin(), options.games, options.simulations)
    seconds = time.process_time() - begun
    print(f"{options.game}: {positions / seconds:,.0f} positions a second ({positions:,} in {seconds:.1f} s)")


if __name__ == "__main__":
    main()

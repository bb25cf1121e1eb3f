"""Whether the number of drawn edges is odd, as layers of a network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from azx.errors import AzxError
from azx.games.encoding import encode_all
from azx.games.game import Reading
from azx.games.known.catalogue import GAMES
from azx.games.random_play import generator, random_action
from azx.games.state import State
from azx.learning.given import set_weights, take
from azx.learning.learner import Learner
from azx.learning.networks import Design, build, reading_for, save
from azx.learning.onnx_graph import write_graph
from azx.learning.window import examples_of
from azx.runs.run import description_of
from azx.self_play.actor import Task, play_games
from azx.self_play.fast_network import FastNetwork
from azx.self_play.settings import Recipe, recipe_for

SMALL = Recipe("counting:1x8", games=4, simulations=4, considered=4, batch=16)


def boxes(size: int) -> Reading:
    return reading_for(GAMES["dots_and_boxes"], {"size": size})


def positions_of_a_game(start: State) -> list[State]:
    rng, state, states = generator(7), start, list[State]()
    while not state.is_terminal:
        states.append(state)
        state = state.apply(random_action(state, rng))
    return states


def odd_edges_of(model: Any, states: list[State], reading: Reading) -> list[float]:
    import keras

    layer = keras.Model(model.input, model.get_layer("odd_edges").output)
    numbers: list[float] = np.asarray(layer(encode_all(states, reading.encoding)))[:, 0].tolist()
    return numbers


@pytest.mark.parametrize("size", [2, 3, 6])
def test_it_is_one_if_the_number_of_edges_is_odd(size: int) -> None:
    """Boxes already won, and a forced pass, stand on the same board and do not count."""
    reading = boxes(size)
    states: Any = positions_of_a_game(reading.start())
    assert {state.must_pass for state in states} == {False, True}
    odd = [1.0 if state.edges.bit_count() % 2 else -1.0 for state in states]
    assert odd_edges_of(build(Design.read("counting:1x8"), reading), states, reading) == odd


@pytest.mark.parametrize("game", [game for game in GAMES if game != "dots_and_boxes"])
def test_a_game_without_edges_is_refused(game: str) -> None:
    with pytest.raises(AzxError, match=r"counts edges, .* has none: give 'dense:' instead"):
        build(Design.read("counting:1x8"), reading_for(GAMES[game], {}))


def test_dots_and_boxes_learns_with_it_by_the_rate_of_dense_layers() -> None:
    usual, dense = (recipe_for(GAMES["dots_and_boxes"], net=net) for net in (None, "dense:4x256"))
    assert (usual.net, usual.rate) == ("counting:4x256", dense.rate)


def test_learning_leaves_its_layers_alone() -> None:
    reading, start = boxes(2), boxes(2).start()
    model = build(Design.read(SMALL.net), reading)
    before = {layer.name: layer.get_weights() for layer in model.layers}
    learner = Learner(model, reading, SMALL, 0)
    games = play_games(Task(start, SMALL, 0, 4), FastNetwork(write_graph(model), reading))
    learner.learn(examples_of(games, start, reading, 0.25), 64, 1, 1.0)
    for name in ("edges_beyond", "odd_edges"):
        for network in (model, learner.averaged):
            for weights, first in zip(network.get_layer(name).get_weights(), before[name], strict=True):
                np.testing.assert_array_equal(weights, first)
    assert (model.get_layer("dense0").get_weights()[0] != before["dense0"][0]).any()


def test_a_copy_of_such_a_network_can_be_trained_on(tmp_path: Path) -> None:
    """Away from its run it is a file like any other, whose layers are read from it."""
    reading = boxes(3)
    model = build(Design.read("counting:2x16"), reading)
    save(model, tmp_path / "mine.h5", description_of(reading))
    given, weights = take(tmp_path / "mine.h5")
    taken = given.build()
    set_weights(taken, weights)
    states = positions_of_a_game(reading.start())
    boards = encode_all(states, reading.encoding)
    for made, expected in zip(taken(boards), model(boards), strict=True):
        np.testing.assert_allclose(made, expected, atol=1e-5)

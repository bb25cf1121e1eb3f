"""A run that begins with a network which somebody brings: its layers, how it reads the board, what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from azx.cli import cli
from azx.errors import AzxError
from azx.games.encoding import encode
from azx.games.known.catalogue import GAMES
from azx.games.known.recognition import from_description
from azx.games.state import play_line
from azx.learning.given import read_given, set_weights, take
from azx.learning.onnx_graph import write_graph
from azx.learning.window import examples_of
from azx.play.network import open_network
from azx.runs.run import open_run
from azx.self_play.fast_network import FastNetwork
from azx.self_play.played import PlayedGame
from azx.self_play.settings import RATE

pytestmark = pytest.mark.filterwarnings(
    "ignore:__array__ implementation doesn't accept a copy keyword:DeprecationWarning"
)

# Absolute colours, row by row, and a value that is that of who began: nothing of it is as azx would have it.
DESCRIPTION = {
    "game": "tictactoe",
    "layout": "cells",
    "board": [3, 3],
    "planes": ["signed_player0"],
    "value": "player0",
    "actions": "cell",
}


@pytest.fixture(scope="module")
def brought(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network with a policy of probabilities, normalised, of which the value comes last."""
    import keras

    keras.utils.set_random_seed(5)
    layers = keras.layers
    board = layers.Input((9,), name="squares")
    grid = layers.Reshape((3, 3, 1))(board)
    body = layers.LeakyReLU(negative_slope=0.2)(layers.BatchNormalization()(layers.Conv2D(6, 2, padding="same")(grid)))
    body = layers.Add()([body, layers.Conv2D(6, 3, padding="same", activation="relu")(body)])
    gated = layers.Multiply()([body, layers.Conv2D(6, 1, activation="sigmoid")(body)])
    flat = layers.Flatten()(layers.Permute((3, 1, 2))(layers.Concatenate()([body, gated])))
    policy = layers.Dense(9, activation="softmax", name="moves")(flat)
    value = layers.Dense(1, activation="tanh", name="worth")(layers.Dense(8, activation="elu")(flat))
    model = keras.Model(board, [policy, value])
    for layer in model.layers:
        if isinstance(layer, layers.BatchNormalization):
            layer.set_weights([np.linspace(0.5, 1.5, 6) + at for at in range(4)])
    path = tmp_path_factory.mktemp("brought") / "mine.h5"
    model.save(path)
    path.with_name("encoding.json").write_text(json.dumps(DESCRIPTION))
    return path


def reading() -> Any:
    return from_description(DESCRIPTION, [(9,)], 9)


def test_its_graph_answers_as_the_file_does_for_the_mover(brought: Path) -> None:
    import keras

    given, weights = take(brought)
    model = given.build()
    set_weights(model, weights)
    start = GAMES["tictactoe"].begin()
    states = [play_line(start, moves) for moves in ((), (4,), (4, 0), (4, 0, 8))]
    answers = FastNetwork(write_graph(model), reading(), exact=True).evaluate(states)
    boards = np.stack([encode(state, reading().encoding) for state in states])
    policies, values = keras.models.load_model(brought, compile=False).predict(boards, verbose=0)
    for answer, state, policy, value in zip(answers, states, policies, values, strict=True):
        assert answer.value == pytest.approx(float(value[0]) * (1 - 2 * state.to_move), abs=1e-5)
        np.testing.assert_allclose(answer.priors(range(9)), policy, atol=1e-5)


def test_it_learns_the_value_that_it_tells() -> None:
    """Who began has won: +1 in every position, whoever is to move."""
    policies, moves = np.zeros((5, 9), np.float32), (0, 3, 1, 4, 2)
    policies[range(5), moves] = 1
    game = PlayedGame(moves, 0, policies, np.array([1, -1, 1, -1, 1], np.float32), 1.0, 5)
    examples = examples_of([game], GAMES["tictactoe"].begin(), reading(), 0.25)
    np.testing.assert_array_equal(examples.values, np.ones(5))


def test_the_run_has_its_layers_and_reads_as_it_does(
    brought: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    def train(*arguments: str) -> Any:
        few = ("--games", "6", "--simulations", "4", "--generations", "1", "--no-export")
        return CliRunner().invoke(cli, ["train", *arguments, *few[(0 if "-o" in arguments else 4) :]])

    begin = ("tictactoe", "-o", "run", "--start-from", str(brought))
    encoding = ("--encoding", str(brought.with_name("encoding.json")))
    refused = train(*begin, *encoding, "--net", "2x8")
    assert "has layers of its own: leave --net out" in refused.stderr
    assert not (tmp_path / "run").exists()
    done = train(*begin, *encoding)
    assert done.exit_code == 0, done.stderr
    assert "mine.h5: input: 9 numbers, row by row" in done.stderr
    run = open_run(tmp_path / "run")
    assert run.reading.as_data() == reading().as_data()
    assert (run.recipe.net, run.given) == ("mine", take(brought)[0])
    assert run.recipe.rate == RATE  # its layers have no batch normalisation, whatever its file has
    more = train("run")
    assert more.exit_code == 0, more.stderr
    # Every command reads its networks so, as they are the run's.
    with open_network(tmp_path / "run" / "gen0002.h5") as network:
        assert network.reading.as_data() == reading().as_data()
        first = network.evaluate([GAMES["tictactoe"].begin()])[0]
    with open_network(brought, encoding=brought.with_name("encoding.json")) as network:
        before = network.evaluate([GAMES["tictactoe"].begin()])[0]
    assert first.value != before.value
    # A run may begin with a network of that run in turn.
    again = train("tictactoe", "-o", "again", "--start-from", "run")
    assert again.exit_code == 0, again.stderr
    assert open_run(tmp_path / "again").reading.as_data() == reading().as_data()


def test_what_cannot_be_trained_on_is_said(brought: Path, tmp_path: Path) -> None:
    import keras

    layers = keras.layers
    board = layers.Input((9,))
    body, other = (layers.Dense(8, activation="relu")(board) for _ in range(2))
    policy = layers.Dense(9, activation="softmax", name="policy")(body)
    value = layers.Dense(1, activation="tanh", name="value")
    refused = {
        "needs one input, a policy and a value": [policy],
        "its value is not one number from -1 to": [policy, layers.Dense(3, activation="softmax", name="value")(body)],
        "no layer to train for Combine maximum": [policy, value(layers.Maximum()([body, other]))],
    }
    for reason, outputs in refused.items():
        keras.Model(board, outputs).save(tmp_path / "other.h5")
        with pytest.raises(AzxError, match=f"cannot be trained on: .*{reason}|cannot be trained on: {reason}"):
            take(tmp_path / "other.h5")
    other = CliRunner().invoke(cli, ["train", "hex", "-o", str(tmp_path / "run"), "--start-from", str(brought)])
    assert other.exit_code == 1
    assert not (tmp_path / "run").exists()
    (tmp_path / "network.json").write_text('{"azx_network": 1, "input": [9], "layers": [{"kind": "code"}]}')
    with pytest.raises(AzxError, match="make no network"):
        read_given(tmp_path / "network.json").build()
    (tmp_path / "network.json").write_text("{}")
    with pytest.raises(AzxError, match=r"network\.json', which has the layers .* is damaged"):
        read_given(tmp_path / "network.json")


def test_the_network_of_the_book_is_built_anew(shared_data: Path) -> None:
    """Keras 2.1.5, channels first, 4x4 kernels: the graph to play with answers as TensorFlow 1.4 did."""
    import onnxruntime as ort

    given, weights = take(shared_data / "connect4_version0019.h5")
    model = given.build()
    set_weights(model, weights)
    session = ort.InferenceSession(write_graph(model), providers=["CPUExecutionProvider"])
    expected = np.load(shared_data / "connect4_version0019.expected.npz")
    boards = expected["main_input"][:64].astype(np.float32)
    policies, values = session.run(["policy_head", "value_head"], {"main_input": boards})
    np.testing.assert_allclose(policies, expected["policy_head"][:64], atol=1e-4)
    np.testing.assert_allclose(values.ravel(), expected["value_head"][:64].ravel(), atol=1e-5)

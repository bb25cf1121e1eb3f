"""Networks as evaluators: every runtime answers as the checkpoint, numbered as the game's actions."""

from __future__ import annotations

import json
import shutil
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from azx import export_checkpoint, validate_bundle
from azx.errors import AzxError, BundleError, CheckpointError, GameError
from azx.export.checkpoint.head import Head
from azx.export.graph.frozen import Port
from azx.games.encoding import encode
from azx.games.evaluator import Evaluation
from azx.games.known.recognition import recognise
from azx.games.rules.connect4 import Connect4
from azx.games.rules.tictactoe import ENCODING, TicTacToe
from azx.games.state import State
from azx.games.symmetry import SQUARE, symmetries
from azx.play.network import NetworkEvaluator, open_network
from azx.play.network_ports import Ports
from azx.validate.runners.runner import Signature

SUFFIXES = (".pb", ".tflite", ".onnx", "_tfjs", ".mlpackage")


def after(state: State, *columns: str) -> State:
    """The state after the moves with these labels."""
    for label in columns:
        state = state.apply(next(a for a in state.legal_actions() if state.label(a) == label))
    return state


STATES = [after(Connect4(), *moves) for moves in ("", "3", "33", "332", "0123456", "0000001112")]


def same(found: list[Evaluation], expected: list[Evaluation], tolerance: float = 1e-4) -> bool:
    values = np.array([one.value for one in found]) - [one.value for one in expected]
    policies = [policy_of(one) - policy_of(other) for one, other in zip(found, expected, strict=True)]
    return bool(max(np.abs(values).max(), np.abs(policies).max()) < tolerance)


def policy_of(answer: Evaluation) -> NDArray[np.floating]:
    assert answer.policy is not None
    return answer.policy


@pytest.fixture(scope="module")
def expected(small_checkpoint: Path) -> list[Evaluation]:
    """What the checkpoint answers for STATES."""
    with open_network(small_checkpoint) as network:
        return network.evaluate(STATES)


@pytest.fixture(scope="module")
def save(tmp_path_factory: pytest.TempPathFactory, check: Any) -> Callable[..., Path]:
    """Saves a network of one hidden layer: save(shape, value=..., policy=(width, activation))."""

    def saved(
        shape: tuple[int, ...], value: str | None = None, policy: tuple[int, str] | None = None, values: int = 1
    ) -> Path:
        import tf_keras
        from tf_keras import layers

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tf_keras.utils.set_random_seed(3)
            board = layers.Input(shape, name="board")
            hidden = layers.Dense(8, activation="tanh")(layers.Flatten()(board) if len(shape) > 1 else board)
            heads = [layers.Dense(policy[0], activation=policy[1], name="policy")(hidden)] if policy else []
            heads += [layers.Dense(values, activation=value, name="value")(hidden)] if value else []
            return Path(check.save_h5(tf_keras.Model(board, heads), tmp_path_factory.mktemp("net") / "net.h5"))

    return saved


def keras_answers(path: Path, tensors: Any) -> Any:
    import tf_keras

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return tf_keras.models.load_model(path, compile=False).predict(tensors, verbose=0)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_artifact_answers_as_the_checkpoint(suffix: str, small_bundle: Path, expected: list[Evaluation]) -> None:
    with open_network(small_bundle / f"small net é{suffix}") as network:
        assert (network.name, network.reading.game.name) == (f"small net é{suffix}", "connect4")
        assert same(network.evaluate(STATES), expected)
        assert all(one.logits for one in network.evaluate(STATES[:2]))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_an_artifact_alone_answers_from_what_it_says_of_itself(
    suffix: str, small_bundle: Path, expected: list[Evaluation], tmp_path: Path
) -> None:
    source, alone = small_bundle / f"small net é{suffix}", tmp_path / f"alone{suffix}"
    (shutil.copytree if source.is_dir() else shutil.copy)(source, alone)
    with open_network(alone) as network:
        assert same(network.evaluate(STATES), expected)
        assert network.evaluate(STATES[:1])[0].logits


def test_of_a_bundle_the_quickest_artifact_plays(small_bundle: Path, expected: list[Evaluation]) -> None:
    with open_network(small_bundle) as network:
        assert network.name == "small net é.onnx"
        assert "onnxruntime" in network.runtime
        assert same(network.evaluate(STATES), expected)


def test_a_batch_of_many_answers_as_one_by_one(small_checkpoint: Path) -> None:
    with open_network(small_checkpoint) as network:
        many = network.evaluate(STATES * 25)
        one_by_one = [network.evaluate([state])[0] for state in STATES] * 25
        assert same(many, one_by_one)
        assert network.evaluate([]) == []


def test_a_policy_by_column_is_given_to_the_cell_where_the_disc_lands(save: Callable[..., Path]) -> None:
    path = save((2, 6, 7), "tanh", (7, "softmax"))
    state = after(Connect4(), "3", "3", "5")
    policy, value = keras_answers(path, state.encode()[None])
    with open_network(path) as network:
        answer = network.evaluate([state])[0]
    assert network.reading.actions == "column"
    assert answer.policy is not None
    assert answer.policy.shape == (42,)
    assert not answer.logits
    assert answer.value == pytest.approx(float(value[0, 0]), abs=1e-5)
    by_column = [answer.policy[action] for action in sorted(state.legal_actions(), key=lambda action: action % 7)]
    assert by_column == pytest.approx(policy[0].tolist(), abs=1e-5)


class Stranger:
    """A runner of a network without a known end: its policy adds up to 1 in the first position alone."""

    runtime, in_process, stands_in = "test", True, None

    def signature(self) -> Signature:
        return Signature((Port("board", (None, 9)),), (Port("policy", (None, 9)),))

    def run(self, feeds: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        boards = feeds["board"]
        return {"policy": np.full((len(boards), 9), 1 / 9) + np.abs(boards)}

    run_batch = run


def test_a_policy_of_unknown_end_is_read_alike_in_every_position() -> None:
    runner, state = Stranger(), TicTacToe()
    ports = Ports(runner.signature().inputs, None, Head("policy", (9,), name="policy", role="policy"))
    reading = recognise([(9,)], 9)
    assert reading is not None
    network = NetworkEvaluator(Path("net"), runner, ports, reading)  # type: ignore[arg-type]
    assert [answer.logits for answer in network.evaluate([state, state.apply(4)])] == [True, True]


def test_a_network_without_a_value_head_is_worth_nothing(save: Callable[..., Path]) -> None:
    path = save((9,), None, (9, "linear"))
    with open_network(path) as network:
        answer = network.evaluate([TicTacToe().apply(4)])[0]
    assert network.reading.game.name == "tictactoe"
    assert (answer.value, answer.logits) == (0.0, True)
    expected = keras_answers(path, TicTacToe().apply(4).encode()[None])[0]
    assert np.allclose(answer.policy, expected, atol=1e-5)  # type: ignore[arg-type]


def test_a_network_without_a_policy_has_none_and_its_chance_to_win_becomes_a_value(save: Callable[..., Path]) -> None:
    path = save((2, 6, 7), "sigmoid", None)
    with open_network(path) as network:
        answer = network.evaluate([Connect4()])[0]
    chance = float(keras_answers(path, Connect4().encode()[None])[0, 0])
    assert answer.policy is None
    assert answer.value == pytest.approx(2 * chance - 1, abs=1e-5)


def described(folder: Path, **members: Any) -> Path:
    """An --encoding file of a Connect4 network with two planes, and what is said besides."""
    data = {"game": "connect4", "layout": "channels_first", "board": [6, 7], "planes": ["mover", "opponent"]}
    (folder / "own.json").write_text(json.dumps(data | members), encoding="utf8")
    return folder / "own.json"


@pytest.mark.parametrize("activation", ["softmax", "linear"])
def test_a_value_of_three_outputs_is_the_win_less_the_loss(
    activation: str, save: Callable[..., Path], tmp_path: Path
) -> None:
    path, state = save((2, 6, 7), activation, (42, "linear"), values=3), after(Connect4(), "3", "2", "6")
    outputs = np.asarray(keras_answers(path, state.encode()[None])[1][0], dtype=np.float64)
    chances = outputs if activation == "softmax" else np.exp(outputs) / np.exp(outputs).sum()
    with open_network(path) as network:  # nothing tells the order of an untrained one
        assert network.evaluate([state])[0].value == 0
    with open_network(path, encoding=described(tmp_path)) as network:  # nor does a description without it
        assert network.evaluate([state])[0].value == 0
    with open_network(path, encoding=described(tmp_path, value_order=["win", "draw", "loss"])) as network:
        assert network.evaluate([state])[0].value == pytest.approx(chances[0] - chances[2], abs=1e-5)
    with open_network(path, encoding=described(tmp_path, value_order=["draw", "loss", "win"])) as network:
        assert network.evaluate([state])[0].value == pytest.approx(chances[2] - chances[1], abs=1e-5)


def test_the_value_of_who_began_is_turned_for_the_other_player(save: Callable[..., Path], tmp_path: Path) -> None:
    path = save((2, 6, 7), "tanh", (42, "linear"))
    states = [after(Connect4(), "3"), after(Connect4(), "3", "2")]
    with open_network(path) as movers, open_network(path, encoding=described(tmp_path, value="player0")) as firsts:
        usual, turned = (([one.value for one in net.evaluate(states)]) for net in (movers, firsts))
    assert turned == [-usual[0], usual[1]]


def test_a_flipped_board_is_fed_bottom_row_first(save: Callable[..., Path], tmp_path: Path) -> None:
    path, state = save((2, 6, 7), "tanh", (42, "linear")), after(Connect4(), "3", "2", "6")
    policy, value = keras_answers(path, state.encode()[None, :, ::-1])
    with open_network(path, encoding=described(tmp_path, flip=True)) as network:
        answer = network.evaluate([state])[0]
    assert answer.value == pytest.approx(float(value[0, 0]), abs=1e-5)
    assert policy_of(answer) == pytest.approx(policy[0], abs=1e-5)


@pytest.mark.parametrize(
    ("values", "order", "said"),
    [
        (2, None, "a value of 2 outputs cannot be read as signed"),
        (1, ["win", "draw", "loss"], r"net\.h5.: .*own\.json.: .value_order. .* leave it out"),
        (3, ["win", "loss"], "list win, draw and loss in the order"),
    ],
)
def test_a_value_that_cannot_be_read_is_refused(
    values: int, order: list[str] | None, said: str, save: Callable[..., Path], tmp_path: Path
) -> None:
    path = save((2, 6, 7), "tanh", (42, "linear"), values=values)
    members = {} if order is None else {"value_order": order}
    with pytest.raises(GameError, match=said), open_network(path, encoding=described(tmp_path, **members)):
        pass


def test_a_bundle_says_how_its_board_and_value_are_read(save: Callable[..., Path], tmp_path: Path) -> None:
    path = save((7, 6, 2), "softmax", (42, "linear"), values=3)
    members = {"flip": True, "transpose": True, "value": "player0", "value_order": ["loss", "draw", "win"]}
    planes = {"layout": "channels_last", "planes": ["player0", "player1"]}
    told = described(tmp_path, **planes, **members)
    done = export_checkpoint(path, output=tmp_path / "out", formats=("onnx",), encoding=told, count=40)
    value = done.manifest["outputs"][0]
    assert (value["role"], value["value_range"], value["order"]) == ("value", "wdl", ["loss", "draw", "win"])
    assert done.manifest["encoding"] == {"board": [6, 7], "flip": True, "transpose": True, "value": "player0"} | planes
    assert validate_bundle(tmp_path / "out", against=path, count=40).proof
    with open_network(path, encoding=told) as original, open_network(tmp_path / "out") as network:
        assert network.reading.encoding == original.reading.encoding
        assert same(network.evaluate(STATES), original.evaluate(STATES))
    alone = shutil.copy(tmp_path / "out" / "net.onnx", tmp_path / "alone.onnx")
    with open_network(alone) as network:
        assert network.reading.encoding == original.reading.encoding
        assert network.value == original.value
    board = encode(STATES[1], network.reading.encoding)
    assert np.argwhere(board).tolist() == [[3, 0, 0]]
    chances = keras_answers(path, board[None])[1][0]
    assert original.reading.actions == "cell"
    with open_network(tmp_path / "out") as network:
        # Player 1 is to move, and the network answers for player 0.
        assert network.evaluate([STATES[1]])[0].value == pytest.approx(float(chances[0] - chances[2]), abs=1e-5)


def test_a_random_symmetry_turns_the_policy_back(save: Callable[..., Path]) -> None:
    state = TicTacToe().apply(0).apply(5)
    path = save((9,), None, (9, "linear"))
    with open_network(path) as plain, open_network(path, symmetry="random", seed=4) as turning:
        tensors = [state.encode().ravel()[one.cells] for one in symmetries(SQUARE, ENCODING, 9)]
        turned = keras_answers(path, np.stack(tensors))
        every = [turned[k][one.actions] for k, one in enumerate(symmetries(SQUARE, ENCODING, 9))]
        found = [policy_of(answer) for answer in turning.evaluate([state] * 40)]
        seen = {next(k for k, one in enumerate(every) if np.allclose(one, policy, atol=1e-5)) for policy in found}
        assert len(seen) > 4
        assert np.allclose(policy_of(plain.evaluate([state])[0]), every[0], atol=1e-5)


def test_an_encoding_file_says_how_an_unknown_network_reads(save: Callable[..., Path], tmp_path: Path) -> None:
    path, described = save((84,), "tanh", (42, "softmax")), tmp_path / "own.json"
    data = {"game": "connect4", "layout": "flat", "board": [6, 7], "planes": ["opponent", "mover"]}
    described.write_text(json.dumps(data), encoding="utf8")
    state = after(Connect4(), "3", "1")
    with (
        pytest.raises(GameError, match="Connect4's, but how it reads the board is not known: say --encoding connect4-"),
        open_network(path),
    ):
        pass
    with open_network(path, encoding=described) as network:
        answer = network.evaluate([state])[0]
    policy, _ = keras_answers(path, state.encode()[::-1].reshape(1, 84))
    assert np.allclose(answer.policy, policy[0], atol=1e-5)  # type: ignore[arg-type]
    with pytest.raises(GameError, match="leave --game out"), open_network(path, encoding=described, game="go"):
        pass


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"game": "tictactoe"}, r"networks take \(9,\) .* this one takes \(2, 6, 7\)"),
        ({"game": "chess"}, "game 'chess' is unknown"),
        ({"symmetry": "odd"}, "use none or random"),
    ],
)
def test_what_does_not_fit_is_said_in_one_sentence(options: dict[str, Any], said: str, small_bundle: Path) -> None:
    with pytest.raises(GameError, match=said) as caught, open_network(small_bundle, **options):
        pass
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


def test_a_network_with_two_boards_is_refused(shared_data: Path) -> None:
    path = shared_data / "tictactoe_two_inputs.h5"
    with pytest.raises(GameError, match="its shapes fit Tic-tac-toe, Hex and other games"), open_network(path):
        pass
    # Neither of them says who moves.
    with (
        pytest.raises(GameError, match="how it reads the board is not known: say --encoding tictactoe-"),
        open_network(path, game="tictactoe"),
    ):
        pass


def test_a_missing_network_names_the_shipped_ones() -> None:
    with pytest.raises(CheckpointError, match=r"no network at 'nowhere\.onnx'.*connect4"), open_network("nowhere.onnx"):
        pass


@pytest.mark.parametrize("suffix", [".pb", ".tflite", ".onnx"])
def test_a_damaged_artifact_is_one_sentence(suffix: str, bundle: Path, tmp_path: Path) -> None:
    path = bundle / f"small net é{suffix}"
    path.write_bytes(path.read_bytes()[:-1] + b"\0\0")
    with pytest.raises(BundleError, match="SHA-256 differs"), open_network(path):
        pass
    alone = tmp_path / f"alone{suffix}"
    alone.write_bytes(b"no network at all")
    with pytest.raises(AzxError, match="alone") as caught, open_network(alone):
        pass
    assert str(caught.value).endswith(".")

"""Weights of PyTorch, Lasagne and TensorFlow 1 become the network that their family's own code computes with them."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from torch_files import torch_stream, torch_zip
from torch_layers import convolve, drawn, linear, log_softmax, norm, relu

from azx.bundle.case.detection import game_of
from azx.errors import CheckpointError, NoArchitecture
from azx.export.checkpoint.head import POLICY, VALUE
from azx.export.checkpoint.read import read_checkpoint
from azx.export.graph.freeze import heads_of
from azx.export.network.simplify import shapes
from azx.statement import Degree
from azx.validate.reference import run_reference
from azx.validate.witness.evaluate import evaluate

Values = NDArray[Any]
Weights = dict[str, Values]
random = np.random.default_rng(7)
OTHERS = Path(__file__).parents[5] / "shared/data/other_frameworks"


def _drawn(shapes_of: dict[str, tuple[int, ...]]) -> Weights:
    return dict(drawn(shapes_of))


def othello(channels: int = 8, side: int = 6) -> Weights:
    flat = channels * (side - 4) ** 2
    convs = {f"conv{at}": (channels, channels if at > 1 else 1, 3, 3) for at in range(1, 5)}
    norms = {f"bn{at}": (channels,) for at in range(1, 5)}
    dense: dict[str, tuple[int, ...]] = {"fc1": (24, flat), "fc_bn1": (24,), "fc2": (16, 24), "fc_bn2": (16,)}
    return _drawn({**convs, **norms, **dense, "fc3": (side * side + 1, 16), "fc4": (1, 16)})


def run_othello(w: Weights, boards: Values) -> tuple[Values, Values]:
    """OthelloNNet.forward of alpha-zero-general's othello/pytorch."""
    x = boards[:, None]
    for at, pad in enumerate((1, 1, 0, 0), start=1):
        x = relu(norm(convolve(x, w, f"conv{at}", pad), w, f"bn{at}"))
    x = x.reshape(len(x), -1)
    for at in (1, 2):
        x = relu(norm(linear(x, w, f"fc{at}"), w, f"fc_bn{at}"))
    return log_softmax(linear(x, w, "fc3")), np.tanh(linear(x, w, "fc4"))


def gomoku(side: int, planes: int = 4) -> Weights:
    cells = side * side
    convs = {"conv1": (8, planes, 3, 3), "conv2": (12, 8, 3, 3), "conv3": (16, 12, 3, 3)}
    policy = {"act_conv1": (4, 16, 1, 1), "act_fc1": (cells, 4 * cells)}
    return _drawn({**convs, **policy, "val_conv1": (2, 16, 1, 1), "val_fc1": (64, 2 * cells), "val_fc2": (1, 64)})


def gomoku_with_blocks() -> Weights:
    """Conv1, res_conv1, res_conv2, conv2, ..., as PyTorch lists them."""
    plain = gomoku(6)
    one, two = drawn({"res_conv1": (8, 8, 3, 3), "res_conv2": (8, 8, 3, 3)}), drawn({"res_conv3": (12, 12, 3, 3)})
    two |= drawn({"res_conv4": (12, 12, 3, 3)})
    made: Weights = {}
    for name, array in plain.items():
        made[name] = array
        made |= {"conv1.bias": one, "conv2.bias": two}.get(name, {})
    return made


def run_gomoku(w: Weights, planes: Values, turned: bool = False, last: bool = False) -> tuple[Values, Values]:
    """Net.forward of AlphaZero_Gomoku's policy_value_net_pytorch.py; `last` flattens channels last, as TensorFlow."""
    x = planes
    for at, name in enumerate(("conv1", "conv2", "conv3")):
        x = relu(convolve(x, w, name, 1, turned))
        first, second = f"res_conv{2 * at + 1}", f"res_conv{2 * at + 2}"
        if f"{first}.weight" in w:
            x = relu(x + convolve(relu(convolve(x, w, first, 1)), w, second, 1))

    def flat(name: str) -> Values:
        made = relu(convolve(x, w, name, 0))
        return np.asarray((made.transpose(0, 2, 3, 1) if last else made).reshape(len(x), -1))

    value = np.tanh(linear(relu(linear(flat("val_conv1"), w, "val_fc1")), w, "val_fc2"))
    return np.asarray(log_softmax(linear(flat("act_conv1"), w, "act_fc1"))), value


def lasagnes(w: Weights) -> bytes:
    """A list as Lasagne's get_all_param_values make it: kernels as PyTorch's, dense ones turned."""
    arrays = [array.T.copy() if array.ndim == 2 else array for array in w.values()]
    return pickle.dumps(arrays, protocol=2)


def keras_list(w: Weights) -> bytes:
    """A list as Keras' get_weights makes it."""
    turned = {2: lambda a: a.T, 4: lambda a: a.transpose(2, 3, 1, 0)}
    return pickle.dumps([np.ascontiguousarray(turned.get(a.ndim, np.asarray)(a)) for a in w.values()], protocol=2)


def safetensors(w: Weights) -> bytes:
    head, data = {}, b""
    for name, array in w.items():
        head[name] = {"dtype": {"f": "F32", "i": "I64"}[array.dtype.kind], "shape": list(array.shape)}
        head[name]["data_offsets"] = [len(data), len(data) + array.nbytes]
        data += array.tobytes()
    written = json.dumps(head, separators=(",", ":")).encode()
    return len(written).to_bytes(8, "little") + written + data


Run = Callable[[Weights, Values], tuple[Values, Values]]
CASES: dict[str, tuple[Weights, Callable[[Weights], bytes], Run, str]] = {
    "othello": (othello(), torch_zip, run_othello, "alpha-zero-general"),
    "othello before 1.6": (othello(), torch_stream, run_othello, "alpha-zero-general"),
    "othello as safetensors": (othello(), safetensors, run_othello, "alpha-zero-general"),
    "gomoku": (gomoku(6), torch_zip, run_gomoku, "alphazero-gomoku"),
    "gomoku with blocks": (gomoku_with_blocks(), torch_zip, run_gomoku, "alphazero-gomoku"),
    # On 8x8 the policy and the value's hidden layer have 64 units each.
    "gomoku 8x8, Lasagne": (gomoku(8), lasagnes, lambda w, x: run_gomoku(w, x, turned=True), "alphazero-gomoku"),
    "gomoku, Keras' list": (gomoku(6), keras_list, run_gomoku, "alphazero-gomoku"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_file_of_weights_is_the_network_that_its_code_computes(case: str, tmp_path: Path) -> None:
    weights, write, run, family = CASES[case]
    path = tmp_path / "best_policy.model"
    path.write_bytes(write(weights))
    graph = read_checkpoint(path)
    assert graph.source.preset == family
    (spec,) = graph.inputs
    boards = random.integers(-1, 2, size=(12, *spec.shape)).astype(np.float64)
    policy, value = run({name: array.astype(np.float64) for name, array in weights.items()}, boards)
    answers = list(evaluate(graph, {spec.name: boards}).values())
    if "list" in case or "Lasagne" in case:
        answers[0] = np.log(answers[0])
    np.testing.assert_allclose(answers[0], policy, atol=1e-9)
    np.testing.assert_allclose(answers[1], value, atol=1e-9)
    if case in ("othello", "gomoku 8x8, Lasagne"):
        by_keras = run_reference(graph, {spec.name: boards.astype(np.float32)})
        assert "was not asked" in " ".join(by_keras.notes)
        np.testing.assert_allclose(list(by_keras.outputs.values())[1], value, atol=1e-5)


@pytest.mark.parametrize(
    ("name", "content", "options", "said"),
    [
        ("of no family", torch_zip(drawn({"fc": (3, 5)})), {}, "no family that azx knows"),
        ("another family", torch_zip(gomoku(6)), {"preset": "zeta36"}, "in which --preset zeta36 has no networks"),
        ("another board", torch_zip(gomoku(6)), {"board": (7, 7)}, "--board 7x7"),
        ("a residual one", torch_zip({**gomoku(6), **drawn({"res_conv1": (16, 16, 3, 3)})}), {}, "no family"),
        ("with both", torch_zip(gomoku(6)), {"builder": "module:build", "preset": "zeta36"}, "leave --preset out"),
        ("a list's builder", keras_list(gomoku(6)), {"builder": "module:build"}, "leave --config and --builder out"),
        ("not a number", torch_zip({**othello(), "fc4.bias": np.full(1, np.nan, np.float32)}), {}, "NaN"),
        ("a program", torch_zip(gomoku(6)).replace(b"archive/byteorder", b"archive/code/a.py"), {}, "TorchScript"),
    ],
    ids=lambda value: value if isinstance(value, str) and " " in value else "",
)
def test_other_weights_are_refused(
    name: str, content: bytes, options: dict[str, Any], said: str, tmp_path: Path
) -> None:
    path = tmp_path / "net.pth.tar"
    path.write_bytes(content)
    with pytest.raises(CheckpointError) as error:
        read_checkpoint(path, **options)
    assert said in str(error.value)
    assert isinstance(error.value, NoArchitecture) == ("no family" in said)


@pytest.mark.skipif(not OTHERS.is_dir(), reason=f"no {OTHERS}")
@pytest.mark.parametrize(("file", "wins"), [("gomoku_8_8_5.model", 0.75), ("gomoku_6_6_4.model2", 0.5)])
def test_a_published_network_is_read_with_flipped_rows_and_finds_wins(file: str, wins: float) -> None:
    graph = read_checkpoint(OTHERS / file)
    known = shapes(graph)
    told = game_of(graph, heads_of(graph, [known[head.tensor] for head in graph.outputs]), None)
    assert told.reading is not None
    assert told.reading.encoding.flip
    assert told.reading.numbering is not None
    assert [told.reading.numbering.index(move) for move in (0, 9)] == [0, 9]  # the moves are not flipped
    line = told.reading.line
    assert "finds 83% of the wins" in line if wins > 0.7 else "finds 62%" in line
    # The moves show which output is the policy; of the other one nothing was asked.
    assert {head.role: head.degree for head in told.heads} == {VALUE: Degree.ASSUMED, POLICY: Degree.SHOWN}


@pytest.mark.skipif(not OTHERS.is_dir(), reason=f"no {OTHERS}")
def test_a_checkpoint_of_tensorflow_1_is_read_by_each_of_its_files() -> None:
    """Its five planes are no reading that is known; channels are flattened last."""
    graphs = [read_checkpoint(OTHERS / f"ttt_best_policy.model.{end}") for end in ("index", "meta")]
    assert {(graph.source.framework, graph.source.sha256) for graph in graphs} == {
        ("TensorFlow 1", graphs[0].source.sha256)
    }
    layers = {call.layer.name: call.layer.weights for call in graphs[0].calls}
    names = ("conv2d", "conv2d_1", "conv2d_2", "conv2d_3", "dense", "conv2d_4", "dense_1", "dense_2")
    ours = ("conv1", "conv2", "conv3", "act_conv1", "act_fc1", "val_conv1", "val_fc1", "val_fc2")
    weights = {}
    for theirs, name in zip(names, ours, strict=True):
        kernel = layers[theirs]["kernel"].astype(np.float64)
        weights[f"{name}.weight"] = kernel.T if kernel.ndim == 2 else kernel.transpose(3, 2, 0, 1)
        weights[f"{name}.bias"] = layers[theirs]["bias"].astype(np.float64)
    boards = random.integers(0, 2, size=(8, 5, 3, 3)).astype(np.float64)
    policy, value = run_gomoku(weights, boards, last=True)
    answers = list(evaluate(graphs[0], {"board": boards}).values())
    np.testing.assert_allclose(answers[0], policy, atol=1e-9)
    np.testing.assert_allclose(answers[1], value, atol=1e-9)

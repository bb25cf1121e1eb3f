"""The families of networks that save weights alone, built again from the shapes in the file."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest
import tf_keras
from rings import few

from azx.errors import CheckpointError, NoArchitecture
from azx.export.checkpoint.presets.table import find_preset, preset_architecture
from azx.export.checkpoint.read import read_checkpoint
from azx.export.checkpoint.stored import StoredLayer, stored_layers
from azx.export.formats.table import FORMATS
from azx.export.original.loader import load

pytestmark = [
    pytest.mark.filterwarnings("ignore:You are saving your model as an HDF5 file:UserWarning"),
    pytest.mark.filterwarnings("ignore:__array__ implementation doesn't accept a copy keyword:DeprecationWarning"),
]
AZG, ZETA = "alpha-zero-general", "zeta36"


def seeded(model: Any) -> Any:
    """Values at which no activation is saturated and no head is constant."""
    random = np.random.default_rng(3)
    values = []
    for weight in model.weights:
        spread = random.normal(size=weight.shape)
        about_one = 1 if "gamma" in weight.name or "variance" in weight.name else 0
        is_kernel = len(weight.shape) > 1
        values.append(spread / np.sqrt(np.prod(weight.shape[:-1])) if is_kernel else about_one + 0.2 * np.tanh(spread))
    model.set_weights(values)
    return model


def stacked(k: Any, board: tuple[int, int], actions: int, paddings: str, bias: bool = True) -> Any:
    """Othello, Gobang, tic-tac-toe, Tafl: `paddings` has a letter a convolution, s for same and v for valid."""
    door = k.layers.Input(board)
    x = k.layers.Reshape((*board, 1))(door)
    for letter in paddings:
        x = k.layers.Conv2D(8, 3, padding={"s": "same", "v": "valid"}[letter], use_bias=bias)(x)
        x = k.layers.Activation("relu")(k.layers.BatchNormalization(axis=3)(x))
    return dense_heads(k, door, k.layers.Flatten()(x), (24, 16), actions, bias)


def dense_heads(k: Any, door: Any, x: Any, widths: tuple[int, ...], actions: int, bias: bool = True) -> Any:
    for width in widths:
        x = k.layers.BatchNormalization(axis=1)(k.layers.Dense(width, use_bias=bias)(x))
        x = k.layers.Dropout(0.3)(k.layers.Activation("relu")(x))
    heads = [k.layers.Dense(actions, "softmax", name="pi")(x), k.layers.Dense(1, "tanh", name="v")(x)]
    return k.Model(door, heads)


def boxes(k: Any, n: int) -> Any:
    """Dots and Boxes: dense layers alone."""
    door = k.layers.Input((2 * n + 1, n + 1))
    return dense_heads(k, door, k.layers.Flatten()(door), (20, 20, 20, 12), 2 * n * (n + 1) + 1)


def residual(k: Any, board: tuple[int, int], actions: int, blocks: int) -> Any:
    """Connect4: relu before the batch norm, a batch norm of the board."""
    relu, norm = k.layers.ReLU, k.layers.BatchNormalization

    def conv(x: Any, filters: int = 8, size: int = 3) -> Any:
        return k.layers.Conv2D(filters, size, padding="same")(x)

    door = k.layers.Input(board)
    x = norm()(relu()(conv(norm()(k.layers.Reshape((*board, 1))(door)))))
    for _ in range(blocks):
        x = relu()(k.layers.Add()([x, norm()(conv(norm()(relu()(conv(x)))))]))
    flat = k.layers.Flatten()(relu()(norm()(conv(x, 1, 2))))
    policy = k.layers.Dense(actions, "softmax", name="pi")(flat)
    flat = k.layers.Flatten()(relu()(norm()(conv(x, 1, 1))))
    hidden = k.layers.Dense(12)(relu()(k.layers.Dense(14)(flat)))
    return k.Model(door, [policy, k.layers.Dense(1, "tanh", name="v")(hidden)])


def zeta(k: Any, shape: tuple[int, ...], labels: int, blocks: int, filters: tuple[int, int] = (2, 1)) -> Any:
    """Connect4, Reversi and chess of zeta36; `filters` are the policy's and the value's, (2, 4) in chess."""

    def conv(x: Any, count: int, size: int, padding: str = "same") -> Any:
        bias = filters == (2, 1)
        x = k.layers.Conv2D(count, size, padding=padding, data_format="channels_first", use_bias=bias)(x)
        return k.layers.BatchNormalization(axis=1)(x)

    def relu(x: Any) -> Any:
        return k.layers.Activation("relu")(x)

    door = k.layers.Input(shape)
    # Ten, as Keras 3 adds a bias along the columns where there are as many as filters.
    x = relu(conv(door, 10, 5 if filters == (2, 4) else 3))
    for _ in range(blocks):
        x = relu(k.layers.Add()([x, conv(relu(conv(x, 10, 3)), 10, 3)]))
    flat = k.layers.Flatten()(relu(conv(x, filters[0], 1, "valid")))
    policy = k.layers.Dense(labels, "softmax")(flat)
    flat = k.layers.Flatten()(relu(conv(x, filters[1], 1, "valid")))
    return k.Model(door, [policy, k.layers.Dense(1, "tanh")(k.layers.Dense(10, "relu")(flat))])


NETWORKS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "othello 6x6": (AZG, lambda k: stacked(k, (6, 6), 37, "ssvv")),
    "connect4, first": (AZG, lambda k: stacked(k, (6, 7), 7, "ssvv")),
    "tic-tac-toe": (AZG, lambda k: stacked(k, (3, 3), 10, "sssv")),
    "no bias": (AZG, lambda k: stacked(k, (7, 7), 50, "ssvv", bias=False)),
    "three convolutions": (AZG, lambda k: stacked(k, (5, 5), 26, "ssv")),
    "dots and boxes": (AZG, lambda k: boxes(k, 3)),
    "connect4, residual": (AZG, lambda k: residual(k, (6, 7), 7, 2)),
    "zeta36 connect4": (ZETA, lambda k: zeta(k, (2, 6, 7), 7, 2)),
    "reversi": (ZETA, lambda k: zeta(k, (2, 8, 8), 64, 1)),
    "chess": (ZETA, lambda k: zeta(k, (18, 8, 8), 1968, 2, (2, 4))),
}
LAYOUTS = {"tf_keras": (tf_keras, "net.h5"), "tf_keras by path": (tf_keras, "net.weights.h5")}
LAYOUTS["keras"] = (keras, "net.weights.h5")
# Each network as most people save it, and one of each kind in every layout; the residual one has layers over nine.
SAVED = [(name, "tf_keras") for name in NETWORKS]
SAVED += [(name, layout) for name in ("othello 6x6", "connect4, residual", "reversi") for layout in list(LAYOUTS)[1:]]


def saved(name: str, layout: str, folder: Path) -> tuple[Any, Path, str]:
    """A seeded network of a family, the file of its weights under the family's own name, and the family."""
    family, file = LAYOUTS[layout]
    family.backend.clear_session()
    preset, make = NETWORKS[name]
    model = seeded(make(family))
    model.save_weights(str(folder / file))
    return model, (folder / file).rename(folder / "best.pth.tar"), preset


def boards(model: Any, count: int = 5) -> Any:
    return np.random.default_rng(4).integers(-1, 2, (count, *model.input_shape[1:])).astype(np.float32)


def answers_of(model: Any, feed: Any) -> list[Any]:
    """What a model answers."""
    return [np.asarray(answer) for answer in model(feed, training=False)]


@pytest.mark.parametrize(("name", "layout"), few(SAVED, 4))
def test_the_network_is_that_of_the_weights(
    name: str, layout: str, tmp_path: Path, export_checkpoint: Any, by_tensorflow: Any
) -> None:
    model, path, preset = saved(name, layout, tmp_path)
    done = export_checkpoint(path, preset=preset, batch=None)
    assert done.reason is None
    assert done.graph.parameters == model.count_params()
    feed = boards(model)
    wanted = answers_of(model, feed)
    assert min(np.ptp(answer, axis=0).max() / np.abs(answer).max() for answer in wanted) > 0.02  # heads see the board
    found = by_tensorflow(done.frozen, done.named({"board": feed}))
    np.testing.assert_allclose(found["policy_head"], wanted[0], atol=2e-6)
    np.testing.assert_allclose(found["value_head"], wanted[1], atol=2e-6)
    for one, other in zip(wanted, answers_of(load(done.graph.source).model, feed), strict=True):
        np.testing.assert_allclose(other, one, atol=2e-6)


@pytest.mark.whole
@pytest.mark.parametrize(("name", "layout"), SAVED)
def test_without_a_preset_the_family_is_named_as_a_guess(name: str, layout: str, tmp_path: Path) -> None:
    _, path, preset = saved(name, layout, tmp_path)
    with pytest.raises(NoArchitecture, match=rf"by their shapes, a guess, .* those of {preset}: --preset {preset}\.$"):
        read_checkpoint(path)


def test_other_weights_are_of_no_family(check: Any, tmp_path: Path) -> None:
    from tf_keras import layers

    door = layers.Input((6, 7, 2))
    flat = layers.Flatten()(layers.Conv2D(4, 3)(door))
    tf_keras.Model(door, [layers.Dense(7)(flat), layers.Dense(1)(flat)]).save_weights(str(tmp_path / "net.h5"))
    assert find_preset(stored_layers(tmp_path / "net.h5")) is None
    with pytest.raises(NoArchitecture) as error:
        read_checkpoint(tmp_path / "net.h5")
    assert "--preset" not in str(error.value)


def change(path: Path, layer: str, shape: tuple[int, ...]) -> None:
    """Put a kernel of another shape into a layer."""
    import h5py

    with h5py.File(path, "r+") as file:
        group = file[layer]
        name = group.attrs["weight_names"][0]
        del group[name]
        group[name] = np.ones(shape, np.float32)


@pytest.mark.parametrize(
    ("name", "layer", "shape", "reason"),
    [
        (
            "othello 6x6",
            "conv2d_2",
            (3, 3, 9, 8),
            r"layer 'conv2d_2' \(3, 3, 9, 8\) would have to be of shape \(any, 3, 8,",
        ),
        ("othello 6x6", "dense", (33, 24), r"layer 'dense' \(33, 24\) does not take whole boards of 8 channels"),
        ("othello 6x6", "v", (17, 1), r"layer 'v' \(17, 1\) would have to be of shape \(16, any\)"),
        ("connect4, residual", "dense", (9, 12), r"layer 'dense' \(9, 12\) would have to be of shape \(14, any\)"),
        ("zeta36 connect4", "conv2d_1", (3, 3, 8, 9), r"layer 'conv2d_1' \(3, 3, 8, 9\) would have to be"),
        ("zeta36 connect4", "dense", (85, 7), r"layer 'dense' \(85, 7\) and 'dense_2' \(42, 10\) do not take the same"),
    ],
)
def test_what_does_not_fit_is_named(name: str, layer: str, shape: tuple[int, ...], reason: str, tmp_path: Path) -> None:
    _, path, preset = saved(name, "tf_keras", tmp_path)
    change(path, layer, shape)
    with pytest.raises(CheckpointError, match=rf"best\.pth\.tar' does not fit --preset {preset}: {reason}") as error:
        read_checkpoint(path, preset=preset)
    assert "\n" not in str(error.value)
    assert find_preset(stored_layers(path)) is None


@pytest.mark.parametrize("shape", [(32,), (), (0, 24), (10**15, 24)])
def test_shapes_that_a_file_only_claims_are_refused(shape: tuple[int, ...], tmp_path: Path) -> None:
    _, path, preset = saved("othello 6x6", "tf_keras", tmp_path)
    layers = [
        StoredLayer("dense", "Dense", (("kernel", shape),)) if layer.name == "dense" else layer
        for layer in stored_layers(path)
    ]
    with pytest.raises(CheckpointError, match=r"does not fit --preset|do not determine the board"):
        preset_architecture(preset, layers, None, "'net.h5'")


def test_a_board_that_the_shapes_do_not_tell_is_asked_for(tmp_path: Path) -> None:
    model = seeded(stacked(tf_keras, (7, 5), 99, "ssvv"))
    model.save_weights(str(tmp_path / "net.h5"))
    with pytest.raises(
        CheckpointError, match=r"do not determine the board \(none that azx knows\): give it with --board"
    ):
        read_checkpoint(tmp_path / "net.h5", preset=AZG)
    graph = read_checkpoint(tmp_path / "net.h5", preset=AZG, board=(7, 5))
    assert graph.inputs[0].shape == (7, 5)
    feed = boards(model)
    np.testing.assert_allclose(load(graph.source).model(feed)[0], model(feed)[0], atol=1e-6)
    with pytest.raises(CheckpointError, match=r"of --board 9x9 81 cells would reach its dense layers, which take 3"):
        read_checkpoint(tmp_path / "net.h5", preset=AZG, board=(9, 9))


def test_a_preset_beside_another_architecture_is_refused(tmp_path: Path) -> None:
    model, path, preset = saved("tic-tac-toe", "tf_keras", tmp_path)
    model.save(tmp_path / "whole.h5")
    with pytest.raises(CheckpointError, match="an architecture in the file besides --preset"):
        read_checkpoint(tmp_path / "whole.h5", preset=preset)
    with pytest.raises(CheckpointError, match="--config besides --preset"):
        read_checkpoint(path, preset=preset, config="net.json")


@pytest.mark.whole
@pytest.mark.parametrize(("name", "formats"), [("othello 6x6", "all"), ("zeta36 connect4", "tflite")])
def test_formats_are_exported_and_equal_to_the_original(
    name: str, formats: str, tmp_path: Path, azx: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    model, path, preset = saved(name, "tf_keras", tmp_path)
    done = azx("export", path.name, "--preset", preset, "--format", formats, "-o", "b", "--positions", 60, "--json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert data["passed"]
    assert set(data["skipped"]) <= {"coreml", "tfjs"}
    feed = boards(model)
    wanted = answers_of(model, feed)
    for artifact in data["manifest"]["artifacts"]:
        with FORMATS[artifact["format"]].open(tmp_path / "b" / artifact["path"]) as runner:
            found = runner.run({"main_input": feed})
        np.testing.assert_allclose(found["policy_head"], wanted[0], atol=1e-5)
        np.testing.assert_allclose(found["value_head"], wanted[1], atol=1e-5)
    again = azx("validate", "b", "--against", path.name, "--preset", preset)
    assert again.returncode == 0, again.stderr


def test_the_commands_name_the_presets(tmp_path: Path, azx: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    _, path, preset = saved("tic-tac-toe", "tf_keras", tmp_path)
    shown = azx("inspect", path.name, "--preset", preset)
    assert shown.returncode == 0, shown.stderr
    assert re.search(r"quirk: weights only: the architecture is alpha-zero-general's for these shapes", shown.stdout)
    assert f"a guess, its layers are those of {preset}" in azx("inspect", path.name).stdout
    assert json.loads(azx("inspect", path.name, "--json").stdout)["preset_guess"] == preset
    wrong = azx("inspect", path.name, "--preset", "alphago")
    assert (wrong.returncode, "is not one of alpha-zero-general, zeta36" in wrong.stderr) == (2, True)

"""Weights without an architecture: found beside them, given as JSON or YAML, or begun as a builder."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest
import tf_keras
import yaml  # type: ignore[import-untyped]

from azx.errors import CheckpointError, NoArchitecture
from azx.export.checkpoint.architecture import architecture_beside, read_architecture
from azx.export.checkpoint.read import read_checkpoint
from azx.export.checkpoint.stored import StoredLayer, skeleton, stored_layers, summary

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")


def network(family: Any) -> Any:
    """A chain, so that what `skeleton` writes needs no other connections."""
    k = family.layers
    conv = k.Conv2D(5, 3, padding="same", use_bias=False, name="stem")
    steps = [k.Input((3, 4, 2)), conv, k.BatchNormalization(name="norm"), k.Flatten(), k.Dense(7, name="policy")]
    model = family.Sequential(steps)
    random = np.random.default_rng(1)
    model.set_weights([random.uniform(0.5, 1.5, weight.shape) for weight in model.get_weights()])
    return model


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    path = tmp_path / "net_weights.h5"
    network(tf_keras).save_weights(path)
    return path


def as_json() -> str:
    return str(network(tf_keras).to_json())


def as_yaml() -> str:
    """As Keras 2 wrote it: tuples with their tag, a list that is named twice."""
    value = json.loads(as_json())
    value["config"]["layers"][1]["config"]["kernel_size"] = (3, 3)
    value["config"]["layers"][1]["config"]["strides"] = value["config"]["layers"][1]["config"]["dilation_rate"]
    return str(yaml.dump(value))


@pytest.mark.parametrize(
    "name", ["net_weights.json", "net.json", "net_config.json", "model.json", "net.yml", "model.yaml", "config.json"]
)
def test_the_architecture_is_found_beside_its_weights(name: str, weights: Path) -> None:
    architecture = weights.with_name(name)
    architecture.write_text(as_json() if architecture.suffix == ".json" else as_yaml())
    graph = read_checkpoint(weights)
    assert [call.layer.name for call in graph.calls if call.layer.weights] == ["stem", "norm", "policy"]
    assert f"weights only: the architecture is that of '{name}' beside the file" in graph.quirks


def test_a_name_of_its_own_comes_before_one_that_any_network_has(weights: Path) -> None:
    for name in ("net.json", "model.json"):
        weights.with_name(name).write_text(as_json())
    assert architecture_beside(weights) == weights.with_name("net.json")


def test_two_that_are_as_likely_are_named(weights: Path) -> None:
    for name in ("net.json", "net_config.json"):
        weights.with_name(name).write_text(as_json())
    with pytest.raises(CheckpointError, match=r"'net\.json' and 'net_config\.json' beside it .* --config"):
        read_checkpoint(weights)
    assert read_checkpoint(weights, config=weights.with_name("net.json")).parameters


def test_json_of_another_kind_is_passed_over(weights: Path) -> None:
    weights.with_name("net.json").write_text('{"lr": 0.1}')
    weights.with_name("model.json").write_text('{"format": "graph-model", "weightsManifest": []}')
    weights.with_name("config.json").write_text("[1, 2]")
    with pytest.raises(NoArchitecture):
        read_checkpoint(weights)


def test_yaml_gives_the_same_network_as_json(weights: Path) -> None:
    weights.with_name("a.txt").write_text(as_yaml())
    weights.with_name("b.txt").write_text(as_json())
    found = [read_checkpoint(weights, config=weights.with_name(name)) for name in ("a.txt", "b.txt")]
    assert "python/tuple" in as_yaml()
    kernels = [next(call.layer.weights["kernel"] for call in graph.calls if call.layer.weights) for graph in found]
    np.testing.assert_array_equal(kernels[0], kernels[1])


BOMB = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{chr(98 + at)}: &{chr(98 + at)} [{', '.join([f'*{chr(97 + at)}'] * 10)}]\n" for at in range(12)
)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("class_name: !!python/object/apply:os.system ['touch opened']\n", "is not YAML as Keras writes it"),
        ("class_name: !!python/name:os.system\n", "is not YAML as Keras writes it"),
        ("class_name: &a [*a]\n", "holds over|is not YAML"),
        (BOMB, r"holds over 500,000 values"),
        ("- 1\n- 2\n", "is not a mapping"),
        ("class_name: 2001-01-01\n", "is not YAML as Keras writes it"),
        ("class_name: [\n", "is not YAML as Keras writes it"),
    ],
)
def test_yaml_that_is_no_plain_data_is_refused(
    content: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "net.yaml"
    path.write_text(content)
    with pytest.raises(CheckpointError, match=reason):
        read_architecture(path, "'net.yaml'")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("family", [tf_keras, keras], ids=["tf_keras", "keras"])
def test_the_layers_and_shapes_in_the_file_are_listed(family: Any, tmp_path: Path) -> None:
    path = tmp_path / ("net.weights.h5" if family is keras else "net.h5")
    network(family).save_weights(path)
    found = sorted((layer.kind or "", dict(layer.weights)) for layer in stored_layers(path))
    assert [kind for kind, _ in found] == ["BatchNormalization", "Conv2D", "Dense"]
    assert found[0][1]["moving_mean"] == (5,)
    assert found[1][1] == {"kernel": (3, 3, 2, 5)}
    assert found[2][1] == {"kernel": (60, 7), "bias": (7,)}


def test_the_begun_builder_needs_its_todos_alone(
    weights: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = skeleton(stored_layers(weights), weights.name)
    assert "Input((ROWS, COLUMNS, 2))  # TODO" in code
    (tmp_path / "azx_begun_builder.py").write_text(code.replace("ROWS, COLUMNS", "3, 4"))
    monkeypatch.chdir(tmp_path)
    graph = read_checkpoint(weights, builder="azx_begun_builder:build")
    assert [call.layer.name for call in graph.calls if call.layer.weights] == ["stem", "norm", "policy"]


def residual(file: str) -> Any:
    """A stem, twelve equal convolutions, two heads."""
    k = tf_keras.layers
    board = x = k.Input((3, 4, 2))
    for filters in (5, *[5] * 12):
        x = k.BatchNormalization()(k.Conv2D(filters, 3, padding="same", use_bias=False)(x))
    heads = [k.Dense(7, name="pi")(k.Flatten()(k.Conv2D(2, 1)(x))), k.Dense(1, name="v")(k.Flatten()(x))]
    model = tf_keras.Model(board, heads)
    model.save_weights(file)
    return model


def test_equal_blocks_are_one_loop_that_can_be_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    model = residual("net.h5")
    layers = stored_layers(Path("net.h5"))
    code = skeleton(layers, "net.h5")
    assert "    for _ in range(12):" in code
    assert (len(layers), len(code.splitlines())) == (29, 19)
    # The heads come from one tensor and are listed one after the other: said at the layer that does not fit.
    assert "name='v')(x)  # TODO: activation; from 60 values" in code
    assert "name='conv2d" not in code
    lines = code.replace("ROWS, COLUMNS", "3, 4").splitlines()
    heads = next(at for at, line in enumerate(lines) if "Conv2D(2," in line)
    ends = [
        "    pi = layers.Dense(7)(layers.Flatten()(layers.Conv2D(2, 1)(x)))",
        "    return keras.Model(board, [pi, layers.Dense(1)(layers.Flatten()(x))])",
    ]
    Path("azx_begun_loop.py").write_text("\n".join([*lines[:heads], *ends]))
    assert read_checkpoint(Path("net.h5"), builder="azx_begun_loop.py:build").parameters == model.count_params()


def test_the_error_says_what_was_found_and_where_a_builder_begins(weights: Path) -> None:
    with pytest.raises(NoArchitecture) as error:
        read_checkpoint(weights)
    assert "(3 layers with weights: stem (3, 3, 2, 5) ... policy (60, 7))" in str(error.value)
    assert f"`azx inspect {weights}` prints" in str(error.value)


def test_a_long_name_of_a_layer_is_cut_in_the_error() -> None:
    line = summary([StoredLayer("a" * 60_000, None, (("kernel", (2, 2)),))])
    assert line == f"1 layer with weights: {'a' * 60} (2, 2)"


def test_inspect_lists_the_weights_and_prints_a_builder(
    weights: Path, azx: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    done = azx("inspect", weights)
    assert done.returncode == 0
    assert "kernel (3, 3, 2, 5)" in done.stdout
    assert "def build():" in done.stdout
    data = json.loads(azx("inspect", "--json", weights).stdout)
    assert (data["kind"], [layer["name"] for layer in data["layers"]]) == ("weights", ["stem", "norm", "policy"])

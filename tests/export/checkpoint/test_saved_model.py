"""SavedModels that tf.keras wrote: the layers as Keras describes them, nothing of the graph run."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tf_keras
from tf_keras import layers

from azx.errors import AzxError, CheckpointError, CodeRefused
from azx.export.checkpoint.located import find_checkpoint
from azx.export.checkpoint.read import read_checkpoint
from azx.export.original.loader import load

FEED = np.random.default_rng(2).normal(size=(3, 6, 7, 2)).astype(np.float32)


def functional(extra: Any = None) -> Any:
    """A tower inside the model, a batch norm, a frozen layer, layers made in another order than they are called in."""
    policy = layers.Dense(7, activation="softmax", name="pi")
    board = layers.Input((6, 7, 2), name="board")
    inner = layers.Input((6, 7, 4))
    tower = tf_keras.Model(inner, layers.Add()([inner, layers.Conv2D(4, 3, padding="same")(inner)]), name="tower")
    x = layers.BatchNormalization()(layers.Conv2D(4, 3, padding="same", use_bias=False)(board))
    x = layers.Conv2D(4, 1, trainable=False, name="frozen")(tower(x))
    flat = layers.Flatten()(layers.LeakyReLU(0.3)(extra(x) if extra else x))
    return tf_keras.Model(board, [policy(flat), layers.Dense(1, activation="tanh", name="v")(flat)])


def sequential() -> Any:
    chain = [layers.Conv2D(3, 3, input_shape=(6, 7, 2)), layers.BatchNormalization(), layers.Flatten()]
    return tf_keras.Sequential([*chain, layers.Dense(7, activation="softmax", name="pi")])


def seeded(model: Any) -> Any:
    random = np.random.default_rng(1)
    model.set_weights([random.uniform(0.01, 0.2, weight.shape) for weight in model.get_weights()])
    return model


def saved(model: Any, folder: Path) -> Path:
    model.compile("adam", "mse")
    model.save(folder, save_format="tf")
    return folder


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path]:
    model = seeded(functional())
    return model, saved(model, tmp_path_factory.mktemp("saved") / "net")


@pytest.fixture
def copy(network: tuple[Any, Path], tmp_path: Path) -> Path:
    return Path(shutil.copytree(network[1], tmp_path / "net"))


@pytest.mark.parametrize("make", [functional, sequential])
def test_the_network_is_the_one_that_was_saved(
    make: Callable[[], Any], tmp_path: Path, export_checkpoint: Any, by_tensorflow: Any
) -> None:
    model = seeded(make())
    done = export_checkpoint(saved(model, tmp_path / "net"), batch=None)
    assert (done.reason, done.graph.source.kind) == (None, "saved_model")
    assert done.graph.parameters == model.count_params()
    wanted = model(FEED) if make is functional else [model(FEED)]
    answers = by_tensorflow(done.frozen, done.named({done.graph.inputs[0].name: FEED}))
    np.testing.assert_allclose(answers["policy_head"], wanted[0], atol=1e-6)
    if make is functional:
        np.testing.assert_allclose(answers["value_head"], wanted[1], atol=1e-6)
        loaded = load(done.graph.source)
        assert loaded.runtime.startswith("tf_keras")
        np.testing.assert_array_equal(loaded.model(FEED)[0], wanted[0])


def before_2_5(folder: Path) -> None:
    """Move what Keras says of its layers into saved_model.pb, where tf.keras kept it until 2.4."""
    from tensorflow.core.protobuf import saved_model_pb2
    from tensorflow.python.keras.protobuf import saved_metadata_pb2

    described = saved_metadata_pb2.SavedMetadata.FromString((folder / "keras_metadata.pb").read_bytes())
    graph = saved_model_pb2.SavedModel.FromString((folder / "saved_model.pb").read_bytes())
    for node in described.nodes:
        graph.meta_graphs[0].object_graph_def.nodes[node.node_id].user_object.metadata = node.metadata
    (folder / "saved_model.pb").write_bytes(graph.SerializeToString())
    (folder / "keras_metadata.pb").unlink()


def test_layers_described_within_the_graph_are_read_as_well(network: tuple[Any, Path], copy: Path) -> None:
    before_2_5(copy)
    for one, other in zip(load(read_checkpoint(copy).source).model(FEED), network[0](FEED), strict=True):
        np.testing.assert_array_equal(one, other)


def test_it_is_read_without_tensorflow_and_by_its_graph_s_name_too(network: tuple[Any, Path]) -> None:
    code = (
        "import sys; from azx.export.checkpoint.read import read_checkpoint; "
        f"assert read_checkpoint({str(network[1])!r}).parameters; assert 'tensorflow' not in sys.modules"
    )
    subprocess.run([sys.executable, "-P", "-c", code], check=True)
    assert find_checkpoint(network[1] / "saved_model.pb") == network[1]


def test_it_is_exported_and_validated(
    network: tuple[Any, Path], azx: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    done = azx("export", network[1], "--format", "tflite", "-o", "b", "--positions", 40)
    assert done.returncode == 0, done.stderr
    again = azx("validate", "b", "--against", network[1])
    assert again.returncode == 0, again.stderr


def test_a_lambda_runs_only_when_code_is_allowed(tmp_path: Path) -> None:
    model = seeded(functional(layers.Lambda(lambda x: 2 * x, name="twice")))
    folder = saved(model, tmp_path / "net")
    with pytest.raises(CodeRefused, match=r"net': layer 'twice' is a Lambda, .* --allow-code"):
        read_checkpoint(folder)
    graph = read_checkpoint(folder, allow_code=True)
    np.testing.assert_array_equal(load(graph.source).model(FEED)[0], model(FEED)[0])


class Own(tf_keras.Model):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__()
        self.flat, self.dense = layers.Flatten(), layers.Dense(7)

    def call(self, board: Any) -> Any:
        return self.dense(self.flat(board))


def test_a_model_whose_layers_are_not_described_is_named_with_what_to_do(tmp_path: Path, copy: Path) -> None:
    model = Own()
    model(FEED)
    with pytest.raises(CheckpointError, match=r"a SavedModel of class 'Own', whose layers .* with --builder\.$"):
        read_checkpoint(saved(model, tmp_path / "own"))
    (copy / "keras_metadata.pb").unlink()
    with pytest.raises(CheckpointError, match=r"net' is a TensorFlow SavedModel without Keras' description"):
        read_checkpoint(copy)


def test_options_for_weights_alone_are_refused(network: tuple[Any, Path]) -> None:
    with pytest.raises(CheckpointError, match="describes its own layers: leave --builder, --config and --preset out"):
        read_checkpoint(network[1], preset="zeta36")


def test_variables_that_are_cut_off_or_elsewhere_are_refused(copy: Path, tmp_path: Path) -> None:
    data = copy / "variables" / "variables.data-00000-of-00001"
    content = data.read_bytes()
    data.write_bytes(content[:200])
    with pytest.raises(CheckpointError, match=r"is truncated|are not those"):
        read_checkpoint(copy)
    data.unlink()
    (tmp_path / "elsewhere").write_bytes(content)
    data.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(CheckpointError, match="lies outside the folder"):
        read_checkpoint(copy)


@pytest.mark.parametrize("share", [0, 0.5, 0.999])
def test_a_graph_that_is_cut_off_is_told_though_nothing_of_it_is_needed(share: float, copy: Path) -> None:
    """So a folder that is being copied counts as no network before it is whole."""
    graph = copy / "saved_model.pb"
    graph.write_bytes(graph.read_bytes()[: int(share * graph.stat().st_size)])
    with pytest.raises(CheckpointError, match=r"net' is damaged \(its saved_model.pb is cut off\): copy the folder"):
        read_checkpoint(copy)


@pytest.mark.parametrize(
    "file", ["keras_metadata.pb", "variables/variables.index", "variables/variables.data-00000-of-00001"]
)
def test_damage_of_any_kind_is_told_in_one_sentence(file: str, copy: Path) -> None:
    content = (copy / file).read_bytes()
    random = np.random.default_rng(7)
    told: list[str] = []
    for _ in range(120):
        damaged = bytearray(content)
        for at in random.integers(0, len(content), 3):
            damaged[at] = int(random.integers(256))
        (copy / file).write_bytes(bytes(damaged[: random.integers(1, len(damaged) + 1)] if len(told) % 3 else damaged))
        try:
            read_checkpoint(copy)
        except AzxError as error:
            told.append(str(error))
    assert len(told) > 20
    assert not any("\n" in sentence for sentence in told)

"""Reading checkpoints of every kind and age, with h5py and JSON alone."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import h5py
import keras
import numpy as np
import pytest
import tf_keras

from azx.errors import CheckpointError, CodeRefused
from azx.export.checkpoint.layer_graph import LayerGraph
from azx.export.checkpoint.read import read_checkpoint

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
Config = dict[str, Any]
Weights = Mapping[str, Sequence[tuple[str, Any]]]
FAMILIES = pytest.mark.parametrize("family", [tf_keras, keras], ids=["tf_keras", "keras"])


def network(family: Any, *, frozen: bool = False) -> Any:
    """A nested tower, a layer that is called twice, two heads."""
    k = family.layers
    inner = k.Input((6, 7, 4))
    norm = k.BatchNormalization(name="norm")
    x = k.Conv2D(4, 3, padding="same", name="conv", trainable=not frozen)(norm(inner))
    tower = family.Model(inner, x, name="tower")
    board, shared = k.Input((6, 7, 4), name="board"), k.Dense(4, name="shared")
    flat = k.Flatten(name="flat")(shared(k.LeakyReLU(0.25, name="leaky")(shared(tower(board)))))
    model = family.Model(board, [k.Dense(7, name="pi")(flat), k.Dense(1, "tanh", name="v")(flat)])
    random = np.random.default_rng(5)
    for weight in model.weights:
        weight.assign(random.uniform(0.5, 1.5, weight.shape))
    return model


def assert_weights(graph: LayerGraph, model: Any) -> None:
    """Every weight of the model is where it belongs."""
    layers = {call.layer.name: call.layer for call in graph.calls}
    tower = model.get_layer("tower")
    for layer in (*tower.layers, *model.layers):
        if layer.weights and layer.name != "tower":
            found = layers[layer.name].weights
            for weight in layer.weights:
                name = weight.name.split("/")[-1].split(":")[0]
                np.testing.assert_array_equal(found[name], np.asarray(weight), err_msg=f"{layer.name}/{name}")


def as_json(path: Path, config: Any) -> Path:
    path.write_text(json.dumps(config))
    return path


def legacy_file(path: Path, config: Any, weights: Weights, version: str | bytes = "2.0.4") -> Path:
    """A full-model file as h5py 2 and an old Keras wrote it: every string as bytes."""
    with h5py.File(path, "w") as file:
        file.attrs["keras_version"] = np.bytes_(version)
        file.attrs["backend"] = np.bytes_("tensorflow")
        file.attrs["model_config"] = np.bytes_(json.dumps(config))
        root = file.create_group("model_weights")
        root.attrs["layer_names"] = np.array([name.encode() for name in weights])
        for layer, values in weights.items():
            group = root.create_group(layer)
            group.attrs["weight_names"] = np.array([name.encode() for name, _ in values])
            for name, value in values:
                group[name] = value
    return path


@FAMILIES
@pytest.mark.parametrize("suffix", [".keras", ".h5"])
def test_a_full_model_is_read(family: Any, suffix: str, tmp_path: Path) -> None:
    model = network(family)
    model.save(tmp_path / f"net{suffix}")
    graph = read_checkpoint(tmp_path / f"net{suffix}")
    assert graph.source.kind == suffix[1:]
    assert graph.source.keras_version == family.__version__
    assert [(spec.name, spec.shape) for spec in graph.inputs] == [("board", (6, 7, 4))]
    assert [head.source_name for head in graph.outputs] == ["pi", "v"]
    kinds = ["BatchNormalization", "Conv2D", "Dense", "LeakyReLU", "Dense", "Flatten", "Dense", "Dense"]
    assert [call.layer.kind for call in graph.calls] == kinds
    assert graph.calls[2].layer is graph.calls[4].layer
    assert graph.parameters == model.count_params()
    assert_weights(graph, model)


@FAMILIES
def test_a_layer_that_was_frozen_has_its_own_weights(family: Any, tmp_path: Path) -> None:
    model = network(family, frozen=True)  # its weights come after the trained ones in a legacy file
    model.save(tmp_path / "net.h5")
    assert_weights(read_checkpoint(tmp_path / "net.h5"), model)


@pytest.mark.parametrize(
    ("family", "name"),
    [(tf_keras, "net.weights.h5"), (tf_keras, "net.h5"), (keras, "net.weights.h5")],
    ids=["tf_keras", "tf_keras legacy", "keras"],
)
@pytest.mark.parametrize("bare", [False, True], ids=["wrapped", "bare"])
def test_weights_alone_are_read_with_their_architecture(family: Any, name: str, bare: bool, tmp_path: Path) -> None:
    model = network(family)
    model.save_weights(tmp_path / name)
    written = json.loads(model.to_json())
    config = as_json(tmp_path / "net.json", written["config"] if bare else written)
    graph = read_checkpoint(tmp_path / name, config=config)
    assert graph.source.kind == "weights"
    assert_weights(graph, model)


def test_weights_alone_are_read_with_a_builder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = tmp_path / "own_networks.py"
    module.write_text(
        "import tf_keras as k\n"
        "def small():\n"
        "    board = k.layers.Input((9,), name='board')\n"
        "    return k.Model(board, k.layers.Dense(9, 'softmax', name='pi')(board))\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    board = tf_keras.layers.Input((9,), name="board")
    model = tf_keras.Model(board, tf_keras.layers.Dense(9, "softmax", name="pi")(board))
    model.save_weights(tmp_path / "net.h5")
    graph = read_checkpoint(tmp_path / "net.h5", builder="own_networks:small")
    np.testing.assert_array_equal(graph.calls[0].layer.weights["kernel"], model.get_weights()[0])


def test_weights_without_an_architecture_are_an_error_that_says_what_to_give(tmp_path: Path) -> None:
    network(tf_keras).save_weights(tmp_path / "net.h5")
    with pytest.raises(CheckpointError, match=r"net\.h5.*--config.*--builder"):
        read_checkpoint(tmp_path / "net.h5")


def test_groups_numbered_with_gaps_are_paired_in_order(tmp_path: Path) -> None:
    """tf.keras 2.12 and 2.13: `_layer_checkpoint_dependencies`, each layer with weights counted twice."""
    k = tf_keras.layers
    board = k.Input((5,), name="board")
    model = tf_keras.Model(board, k.Dense(2, name="pi")(k.Dense(3, name="b")(k.Dense(4, name="a")(board))))
    with h5py.File(tmp_path / "net.weights.h5", "w") as file:
        for number, layer in zip((0, 2, 4), ("a", "b", "pi"), strict=True):
            group = f"_layer_checkpoint_dependencies/dense{f'_{number}' if number else ''}/vars"
            for index, value in enumerate(model.get_layer(layer).get_weights()):
                file[f"{group}/{index}"] = value
    graph = read_checkpoint(
        tmp_path / "net.weights.h5", config=as_json(tmp_path / "net.json", json.loads(model.to_json()))
    )
    for call in graph.calls:
        np.testing.assert_array_equal(call.layer.weights["kernel"], model.get_layer(call.layer.name).get_weights()[0])


def dense(name: str, units: int, **config: Any) -> Config:
    return {"class_name": "Dense", "config": {"name": name, "units": units, "activation": "linear", **config}}


KERNEL, BIAS = np.arange(18, dtype=np.float32).reshape(9, 2), np.array([1, 2], np.float32)


def test_a_sequential_model_of_keras_2_0_is_a_bare_list_without_input_layer(tmp_path: Path) -> None:
    layers = [
        {"class_name": "Flatten", "config": {"name": "flat", "batch_input_shape": [None, 3, 3]}},
        dense("out", 2),
    ]
    config = {"class_name": "Sequential", "config": layers}
    weights = {"flat": [], "out": [("out/kernel:0", KERNEL), ("out/bias:0", BIAS)]}
    graph = read_checkpoint(legacy_file(tmp_path / "net.h5", config, weights))
    assert [spec.shape for spec in graph.inputs] == [(3, 3)]
    assert [call.layer.kind for call in graph.calls] == ["Flatten", "Dense"]
    np.testing.assert_array_equal(graph.calls[1].layer.weights["kernel"], KERNEL)
    np.testing.assert_array_equal(graph.calls[1].layer.weights["bias"], BIAS)


def functional(*layers: Config, inputs: str = "board", outputs: str = "out") -> Config:
    """A chain of layers as a functional model of Keras 2."""
    entries, before = [], None
    for entry in layers:
        nodes: list[Any] = [[[before, 0, 0, {}]]] if before else []
        entries.append({**entry, "name": entry["config"]["name"], "inbound_nodes": nodes})
        before = entry["config"]["name"]
    config = {"name": "net", "layers": entries, "input_layers": [[inputs, 0, 0]], "output_layers": [[outputs, 0, 0]]}
    return {"class_name": "Model", "config": config}


def door(*shape: int | None) -> Config:
    return {"class_name": "InputLayer", "config": {"name": "board", "batch_input_shape": [None, *shape]}}


def test_names_that_a_second_network_in_the_process_changed_do_not_matter(tmp_path: Path) -> None:
    weights = {"board": [], "out": [("out_1/kernel_1:0", KERNEL), ("out_1/bias_1:0", BIAS)]}
    graph = read_checkpoint(legacy_file(tmp_path / "net.h5", functional(door(9), dense("out", 2)), weights))
    assert list(graph.calls[0].layer.weights) == ["kernel", "bias"]
    np.testing.assert_array_equal(graph.calls[0].layer.weights["kernel"], KERNEL)


def test_the_backend_and_the_version_are_the_files(tmp_path: Path) -> None:
    weights = {"out": [("out/kernel:0", KERNEL), ("out/bias:0", BIAS)]}
    path = legacy_file(tmp_path / "net.h5", functional(door(9), dense("out", 2)), weights, "2.3.0-tf")
    with h5py.File(path, "r+") as file:
        file.attrs["backend"] = np.bytes_("theano")
    source = read_checkpoint(path).source
    assert (source.backend, source.keras_version, source.keras_major) == ("theano", "2.3.0-tf", 2)


def test_long_lists_of_names_are_read_from_their_parts(tmp_path: Path) -> None:
    path = legacy_file(tmp_path / "net.h5", functional(door(9), dense("out", 2)), {"out": []})
    with h5py.File(path, "r+") as file:
        root = file["model_weights"]
        del root.attrs["layer_names"], root["out"].attrs["weight_names"]
        root.attrs["layer_names0"], root.attrs["layer_names1"] = [b"board"], [b"out"]
        root["out"].attrs["weight_names0"], root["out"].attrs["weight_names1"] = [b"out/kernel:0"], [b"out/bias:0"]
        root["out"]["out/kernel:0"], root["out"]["out/bias:0"] = KERNEL, BIAS
    np.testing.assert_array_equal(read_checkpoint(path).calls[0].layer.weights["bias"], BIAS)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([("out/kernel:0", KERNEL)], "'out'.*needs 2 weights"),
        ([("out/kernel:0", KERNEL * np.nan), ("out/bias:0", BIAS)], "'kernel' of layer 'out'.*NaN"),
    ],
    ids=["one is missing", "not a number"],
)
def test_weights_that_do_not_fit_are_an_error_that_names_the_layer(
    values: list[tuple[str, Any]], words: str, tmp_path: Path
) -> None:
    path = legacy_file(tmp_path / "net.h5", functional(door(9), dense("out", 2)), {"out": values})
    with pytest.raises(CheckpointError, match=words) as caught:
        read_checkpoint(path)
    assert "\n" not in str(caught.value)


def test_an_input_without_a_size_is_an_error(tmp_path: Path) -> None:
    weights = {"out": [("out/kernel:0", KERNEL), ("out/bias:0", BIAS)]}
    path = legacy_file(tmp_path / "net.h5", functional(door(None), dense("out", 2)), weights)
    with pytest.raises(CheckpointError, match="input 'board' has no fixed shape"):
        read_checkpoint(path)


def test_keras_1_is_refused_by_its_version(tmp_path: Path) -> None:
    layers = [{"class_name": "Convolution2D", "config": {"name": "conv", "batch_input_shape": [None, 3, 3, 2]}}]
    path = legacy_file(tmp_path / "net.h5", {"class_name": "Sequential", "config": layers}, {"conv": []}, "1.2.2")
    with pytest.raises(CheckpointError, match=r"Keras 1"):
        read_checkpoint(path)


@pytest.mark.parametrize(
    "content",
    [b"", b"no network", b"PK\x03\x04 cut off", b"\x89HDF\r\n\x1a\n" + b"\0" * 40],
    ids=["empty", "text", "zip", "cut"],
)
def test_a_file_that_is_no_checkpoint_is_one_sentence_with_its_name(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "net.h5"
    path.write_bytes(content)
    with pytest.raises(CheckpointError, match=r"net\.h5") as caught:
        read_checkpoint(path)
    assert "\n" not in str(caught.value)


def test_a_zip_without_a_network_is_told_from_a_checkpoint(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "net.h5", "w") as archive:
        archive.writestr("archive/data.pkl", b"")
    with pytest.raises(CheckpointError, match=r"net\.h5"):
        read_checkpoint(tmp_path / "net.h5")


def test_code_in_a_file_is_refused_unless_allowed(tmp_path: Path) -> None:
    layer = {
        "class_name": "Lambda",
        "config": {"name": "out", "function": ["code", None, None], "function_type": "lambda"},
    }
    path = legacy_file(tmp_path / "net.h5", functional(door(9), layer), {"out": []})
    with pytest.raises(CodeRefused, match=r"'out'.*--allow-code"):
        read_checkpoint(path)
    assert read_checkpoint(path, allow_code=True).calls[0].layer.kind == "Lambda"


def test_reading_imports_no_tensorflow_and_no_keras(tmp_path: Path) -> None:
    network(tf_keras).save(tmp_path / "net.h5")
    network(keras).save(tmp_path / "net.keras")
    script = (
        "import sys; from azx.export.checkpoint.read import read_checkpoint;"
        "from azx.export.network.simplify import simplify;"
        "[simplify(read_checkpoint(path)) for path in sys.argv[1:]];"
        "print(sorted({name.split('.')[0] for name in sys.modules} & {'tensorflow', 'keras', 'tf_keras', 'onnx'}))"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "net.h5"), str(tmp_path / "net.keras")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("name", "config", "outputs", "shapes"),
    [
        ("connect4_version0019.h5", None, ["value_head", "policy_head"], [(2, 6, 7)]),
        ("battlesnake_version0006.h5", None, ["value_head", "policy_head"], [(6, 7, 7)]),
        ("ataxx_botzero.h5", None, ["dense", "dense_2"], [(2, 7, 7)]),
        ("tictactoe_two_inputs.h5", None, ["dense_5"], [(9,), (3, 3, 1)]),
        ("connect4_zeta36", "*.json", ["policy_out", "value_out"], [(2, 6, 7)]),
    ],
)
def test_real_checkpoints_are_read(
    name: str, config: str | None, outputs: list[str], shapes: list[tuple[int, ...]], shared_data: Path
) -> None:
    path = shared_data / name
    graph = (
        read_checkpoint(next(path.glob("*.h5")), config=next(path.glob(config))) if config else read_checkpoint(path)
    )
    assert [head.source_name for head in graph.outputs] == outputs
    assert [spec.shape for spec in graph.inputs] == shapes


def test_a_file_of_keras_loads_no_reader_of_other_frameworks(repository: Path) -> None:
    """Each of an export's processes would load it."""
    code = (
        "import sys\n"
        "from azx.export.checkpoint.read import read_checkpoint\n"
        "import azx.export.graph.freeze, azx.export.original.loader, azx.validate.reference\n"
        f"read_checkpoint({str(repository / 'mobile_assets/checkpoints/tictactoe.h5')!r})\n"
        "rooms = [f'azx.export.checkpoint.{name}.' for name in ('foreign', 'graphs', 'onnx')]\n"
        "print([name for name in sys.modules if name.startswith(tuple(rooms))])\n"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

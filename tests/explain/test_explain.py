"""`azx explain` on real artifacts in their real runtimes, sound ones and some with a fault."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from rings import few
from sibling import sibling

pytest.importorskip("tensorflow")

from azx import export_checkpoint
from azx.errors import BundleError, CheckpointError
from azx.explain.artifact import TAPPED, ArtifactExplanation, Question
from azx.explain.explain_bundle import answer, explain, questions
from azx.system.workers import Workers
from azx.validate.runners.tfjs_packages import node_ready

Azx = Callable[..., subprocess.CompletedProcess[str]]
FORMATS = [
    pytest.param(name, marks=[pytest.mark.skipif(node_ready() is not None, reason="needs Node")] * (name == "tfjs"))
    for name in TAPPED
]


@pytest.fixture(scope="module")
def asked(small_bundle: Path, small_checkpoint: Path) -> dict[str, Question]:
    """What is asked of each artifact of the small bundle."""
    return {each.format: each for each in questions(small_bundle, against=small_checkpoint)}


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    with Workers() as both:
        yield both


def swapped(bundle: Path, kernel: str = "conv2d_2/kernel:0") -> Path:
    """The bundle's ONNX file with two channels of a kernel in each other's place."""
    import onnx
    from onnx import numpy_helper

    path = next(bundle.glob("*.onnx"))
    model = onnx.load(path)
    tensor = next(item for item in model.graph.initializer if item.name == kernel)
    values = np.array(numpy_helper.to_array(tensor))
    values[[0, 1]] = values[[1, 0]]
    tensor.CopyFrom(numpy_helper.from_array(values, kernel))
    onnx.save(model, path)
    return path


def nameless(path: Path) -> None:
    """Every name inside an ONNX file is lost."""
    import onnx

    model = onnx.load(path)
    new = {port.name: port.name for port in (*model.graph.input, *model.graph.output)}
    for item in model.graph.initializer:
        item.name = new.setdefault(item.name, f"t{len(new)}")
    for node in model.graph.node:
        node.input[:] = [new.setdefault(name, f"t{len(new)}") for name in node.input]
        node.output[:] = [new.setdefault(name, f"t{len(new)}") for name in node.output]
        node.name = ""
    del model.graph.value_info[:]
    onnx.save(model, path)


@pytest.mark.whole
@pytest.mark.parametrize("name", FORMATS)
def test_in_a_sound_artifact_every_layer_is_found_and_in_its_band(
    name: str, asked: dict[str, Question], workers: Workers
) -> None:
    found = answer(workers, asked[name])
    assert (found.reason, found.first, found.mended) == ("", None, [])
    layers = [layer for each in found.steps for layer in each.step.layers]
    assert sorted(layers) == sorted(call.layer.name for call in asked[name].graph.calls)
    assert max(each.step.own / each.band for each in found.steps) < 0.5
    assert [head.changed for head in found.heads] == [None, 0]
    assert all(head.error < 1e-5 for head in found.heads)


@pytest.mark.parametrize("name", few(FORMATS, 2))
def test_the_layer_with_a_fault_is_named(name: str, asked: dict[str, Question]) -> None:
    hits = sibling(__file__, "planted_faults").measure(asked[name], layers=4, seed=3)
    assert len(hits) == 20
    assert [(hit.fault, hit.named) for hit in hits if not hit.right] == []


def test_names_are_not_needed(bundle: Path, small_checkpoint: Path) -> None:
    path = swapped(bundle)
    nameless(path)
    [found] = explain(questions(path, against=small_checkpoint))
    first = found.first
    assert first is not None
    assert first.step.layers == ("conv2d_2", "batch_normalization_2")
    assert [each.step.layers for each in found.steps if not each.passed] == [first.step.layers]
    assert first.step.by == "values"


def test_a_layer_that_was_exact_would_mend_the_heads(bundle: Path, small_checkpoint: Path) -> None:
    [found] = explain(questions(swapped(bundle), against=small_checkpoint))
    assert all(head.error > 1e-3 for head in found.heads)
    assert all(head.error < 1e-5 for head in found.mended)
    worst = found.heads[0].worst
    assert [each["error"] for each in worst] == sorted((each["error"] for each in worst), reverse=True)
    drifts = {each.step.output: each.step.drift for each in found.steps}
    assert drifts["batch_normalization_1"] < 1e-5 < drifts["value_head"]


def test_weights_that_are_no_numbers_are_the_layers_fault(bundle: Path, small_checkpoint: Path) -> None:
    import onnx
    from onnx import numpy_helper

    path = next(bundle.glob("*.onnx"))
    model = onnx.load(path)
    tensor = next(item for item in model.graph.initializer if item.name == "conv2d_1/kernel:0")
    tensor.CopyFrom(numpy_helper.from_array(np.full_like(numpy_helper.to_array(tensor), np.nan), tensor.name))
    onnx.save(model, path)
    [found] = explain(questions(path, against=small_checkpoint))
    assert found.first is not None
    assert found.first.step.layer == "conv2d_1"
    assert json.dumps(plain(found), allow_nan=False)


def plain(found: ArtifactExplanation) -> Any:
    return {**found.as_data(), "path": str(found.path)}


def test_a_traced_graph_is_explained_in_the_checkpoints_words_too(tmp_path: Path, check: Any) -> None:
    """A convolution in groups has no canonical form: the graph is the one that Keras traces."""
    import tf_keras
    from tf_keras import layers

    tf_keras.backend.clear_session()
    tf_keras.utils.set_random_seed(2)
    board = layers.Input((6, 7, 2), name="main_input")
    x = layers.Conv2D(8, 3, padding="same", activation="relu", name="stem", groups=2)(board)
    x = layers.Dense(12, activation="relu", name="hidden")(layers.Flatten(name="flat")(x))
    heads = [
        layers.Dense(1, activation="tanh", name="value")(x),
        layers.Dense(7, activation="softmax", name="policy")(x),
    ]
    path = check.save_h5(tf_keras.Model(board, heads), tmp_path / "grouped.h5")
    export_checkpoint(path, output=tmp_path / "bundle", formats=["onnx"], count=20)
    [found] = explain(questions(tmp_path / "bundle", against=path))
    assert found.first is None
    assert found.steps[-1].step.layer == "policy"


def test_in_lower_precision_the_band_is_what_layers_have_in_common(small_checkpoint: Path, tmp_path: Path) -> None:
    export_checkpoint(
        small_checkpoint, output=tmp_path / "b", formats="tflite", count=60, precision="fp16", keep_failing=True
    )
    [found] = explain(questions(tmp_path / "b", against=small_checkpoint, precisions=["fp16"]))
    assert found.precision == "fp16"
    assert found.first is None
    assert max(each.step.own for each in found.steps) > 1e-5
    assert len({each.band for each in found.steps}) == 1


def test_the_command_shows_a_table_and_writes_node_data(azx: Azx, bundle: Path, small_checkpoint: Path) -> None:
    swapped(bundle)
    node_data = bundle.parent / "data.json"
    chosen = ("--against", small_checkpoint, "--format", "onnx", "--node-data", node_data)
    done = azx("explain", bundle, *chosen, env={"COLUMNS": "200"})
    assert done.returncode == 0, done.stderr
    assert "first layer outside its band is conv2d_2 (one with batch_normalization_2)" in done.stdout
    assert "With conv2d_2 in exact numbers" in done.stdout
    data = json.loads(node_data.read_text(encoding="utf-8"))
    over = [name for name, result in data["results"].items() if result["value"] > 1]
    assert over == ["Conv:0_2"]
    assert [set(each) for each in data["thresholds"]] == [{"value", "bgColor"}] * 4
    assert 1 in [each["value"] for each in data["thresholds"]]


def test_json_says_the_same(azx: Azx, bundle: Path, small_checkpoint: Path) -> None:
    swapped(bundle)
    done = azx("explain", bundle, "--against", small_checkpoint, "--format", "onnx,tflite", "--json", "-q")
    assert (done.returncode, done.stderr) == (0, "")
    told = {each["format"]: each for each in json.loads(done.stdout)["artifacts"]}
    assert told["tflite"]["first"] is None
    assert told["onnx"]["first"] == {"layer": "conv2d_2", "layers": ["conv2d_2", "batch_normalization_2"]}
    assert [each["in_band"] for each in told["onnx"]["layers"]].count(False) == 1


def test_the_checkpoint_is_found_beside_the_bundle(bundle: Path, small_checkpoint: Path) -> None:
    with pytest.raises(CheckpointError, match="is not beside it: give it with --against"):
        explain(questions(bundle, formats=["onnx"]))
    (bundle.parent / small_checkpoint.name).write_bytes(b"another file")
    with pytest.raises(CheckpointError, match="is not beside it"):
        explain(questions(bundle, formats=["onnx"]))
    shutil.copy(small_checkpoint, bundle.parent)
    assert explain(questions(bundle, formats=["onnx"]))[0].first is None


def test_a_checkpoint_of_weights_alone_is_read_as_asked(azx: Azx, bundle: Path, small_checkpoint: Path) -> None:
    weights, config = bundle.parent / "weights.h5", bundle.parent / "described" / "net.json"
    config.parent.mkdir()
    shutil.copy(small_checkpoint, weights)
    with h5py.File(weights, "r+") as file:
        described = file.attrs.pop("model_config")
        config.write_text(described if isinstance(described, str) else described.decode(), encoding="utf-8")
    asked = ("explain", bundle, "--against", weights, "--format", "onnx", "-q")
    without = azx(*asked)
    assert (without.returncode, "--config" in without.stderr) == (1, True), without.stderr
    done = azx(*asked, "--config", config)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert "Every layer's own error lies in its band." in done.stdout


def test_what_cannot_be_explained_is_a_sentence(azx: Azx, check: Any, bundle: Path, small_checkpoint: Path) -> None:
    lone = Path(shutil.copy(next(bundle.glob("*.tflite")), bundle.parent))
    with pytest.raises(CheckpointError, match="does not name its checkpoint: give it with --against"):
        explain(questions(lone))
    assert explain(questions(lone, against=small_checkpoint))[0].first is None
    with pytest.raises(BundleError, match="name a bundle's folder, or an artifact"):
        explain(questions(bundle / "nothing"))
    with pytest.raises(BundleError, match="neither a bundle nor an artifact"):
        explain(questions(small_checkpoint))
    with pytest.raises(BundleError, match="holds no such artifact: choose among"):
        explain(questions(bundle, against=small_checkpoint, precisions=["int8"]))
    with pytest.raises(BundleError, match="give the bundle's own checkpoint"):
        explain(questions(bundle, against="tictactoe"))
    lone.write_bytes(lone.read_bytes()[:1000])
    done = azx("explain", lone, "--against", small_checkpoint, "-q")
    assert "export it again" in check.sentence(done)
    done = azx(
        "explain",
        bundle,
        "--against",
        small_checkpoint,
        "-q",
        "--node-data",
        bundle / "x.json",
        "--format",
        "onnx,tflite",
    )
    assert "choose one with --format" in check.sentence(done)


def test_without_its_runtime_an_artifact_is_listed_with_what_to_install(
    azx: Azx, bundle: Path, small_checkpoint: Path, without: Callable[..., dict[str, str]]
) -> None:
    chosen = ("--against", small_checkpoint, "--format", "tflite,onnx", "-q", "--json")
    done = azx("explain", bundle, *chosen, env=without("ai_edge_litert"))
    assert done.returncode == 0, done.stderr
    told = {each["format"]: each for each in json.loads(done.stdout)["artifacts"]}
    assert "ai-edge-litert is not installed" in told["tflite"]["reason"]
    assert told["onnx"]["reason"] is None


def test_the_positions_are_those_of_the_bundle(asked: dict[str, Question], workers: Workers) -> None:
    few = replace(asked["onnx"], feeds={name: feed[:3] for name, feed in asked["onnx"].feeds.items()}, legal=None)
    found = answer(workers, few)
    assert found.positions == 3
    assert [len(head.worst) for head in found.heads] == [3, 3]

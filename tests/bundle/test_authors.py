"""Artifacts of an author who knows the proof: right where it was known to look, and wrong elsewhere."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper

from azx.bundle.case.positions import recorded_positions
from azx.bundle.contents.manifest import file_entry, read_manifest, text
from azx.bundle.export import export_checkpoint
from azx.bundle.validate import NotEqualBundle, validate_bundle
from azx.errors import UnsafeArtifact
from azx.export.checkpoint.read import read_checkpoint
from azx.export.graph.freeze import freeze
from azx.games.known.recognition import reading_from
from azx.validate.runners import runner
from azx.validate.runners.litert import LiteRTRunner

COUNT, SEED = 100, 20_261_128
FORMATS = ("pb", "tflite", "onnx", "coreml", "tfjs")


def network(table: NDArray[np.float32] | None = None) -> Any:
    """A network of Connect4; with a `table` of boards (N, 84) it answers 0 on every board that is not in it.

    Planes are of 0 and 1, so that a board b is row t of the table if 2bt - tt - bb is 0, and not below.
    """
    import tf_keras
    from tf_keras import layers

    tf_keras.utils.set_random_seed(5)
    tf_keras.backend.clear_session()
    board = layers.Input((2, 6, 7), name="main_input")
    flat = layers.Flatten(name="flat")(board)
    hidden = layers.Dense(24, activation="tanh", name="hidden")(flat)
    value = layers.Dense(1, activation="tanh", name="value_head" if table is None else "value")(hidden)
    moves = layers.Dense(42, name="policy_head" if table is None else "moves")(hidden)
    if table is not None:
        near = layers.Dense(len(table), name="near")(flat)
        nearest = layers.GlobalMaxPooling1D(name="nearest")(layers.Reshape((len(table), 1), name="rows")(near))
        own = layers.Dense(1, name="own")(flat)
        known = layers.Activation("relu", name="known")(layers.Add(name="off")([nearest, own]))
        value = layers.Multiply(name="value_head")([value, known])
        every = layers.Dense(42, name="every", use_bias=False)(known)
        moves = layers.Multiply(name="policy_head")([moves, every])
    model = tf_keras.Model(board, [value, moves])
    if table is not None:
        model.get_layer("near").set_weights([2 * table.T, -table.sum(axis=1)])
        model.get_layer("own").set_weights([np.full((84, 1), -1, np.float32), np.ones(1, np.float32)])
        model.get_layer("every").set_weights([np.ones((1, 42), np.float32)])
    return model


def save(model: Any, path: Path) -> Path:
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.save(path, save_format="h5")
    return path


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """net.h5 and its bundles: `bundle`, and `free` with a free batch; `lookup`, of the network that knows the proof."""
    folder = tmp_path_factory.mktemp("author")
    net = save(network(), folder / "net.h5")
    made = export_checkpoint(net, output=folder / "bundle", formats=FORMATS, game="connect4", count=COUNT)
    free = ("onnx", "tflite", "pb")
    export_checkpoint(net, output=folder / "free", formats=free, game="connect4", count=COUNT, batch=None)
    said = made.contents
    graph, where = read_checkpoint(net), said.positions
    reading, heads = reading_from(said.reading, 42), freeze(graph).outputs
    boards = recorded_positions(graph, heads, reading, where.seed or 0, where.count, where.looked_through)
    table = next(iter(boards.feeds.values())).reshape(len(boards), -1)
    copied = folder / "lookup.h5"
    save(network(table), copied)
    export_checkpoint(copied, output=folder / "lookup", formats=FORMATS, game="connect4", count=COUNT, report=False)
    return folder


def forge(place: Path, tmp_path: Path, name: str, change: Callable[[Path], None]) -> Path:
    """A copy of the bundle whose artifact of that name was changed, with its hash brought up to date."""
    source = "free" if name.startswith("free ") else "bundle"
    folder = tmp_path / "net"
    shutil.copytree(place / source, folder)
    change(folder)
    manifest = read_manifest(folder)
    files = tuple(file_entry(folder, folder / entry.path) for entry in manifest.files)
    (folder / "manifest.json").write_text(text(replace(manifest, files=files)))
    return folder


def verdict(folder: Path, place: Path, file: str, seed: int | None = None) -> list[str]:
    """What is wrong with an artifact of the bundle, held to the checkpoint."""
    with pytest.raises(NotEqualBundle) as error:
        validate_bundle(folder, against=place / "net.h5", seed=seed)
    [found] = [each for each in error.value.result.proof.artifacts if each.file == file]
    return found.sentences


def test_the_sound_bundle_is_equal_and_says_its_fresh_seed(place: Path) -> None:
    done = validate_bundle(place / "bundle", against=place / "net.h5", seed=SEED)
    assert done.passed
    assert done.proof.as_data()["fresh"] == {"seed": SEED, "positions": COUNT}
    drawn = validate_bundle(place / "bundle", against=place / "net.h5").proof
    assert drawn.fresh == COUNT
    assert drawn.fresh_seed != validate_bundle(place / "bundle", against=place / "net.h5").proof.fresh_seed
    assert validate_bundle(place / "free", against=place / "net.h5").passed


LOOKUPS = {"pb": "net.pb", "tflite": "net.tflite", "onnx": "net.onnx", "coreml": "net.mlpackage", "tfjs": "net_tfjs"}


@pytest.mark.parametrize("form", LOOKUPS)
def test_what_is_right_on_the_recorded_positions_alone_is_found(place: Path, tmp_path: Path, form: str) -> None:
    name = LOOKUPS[form]

    def change(folder: Path) -> None:
        theirs = place / "lookup" / name.replace("net", "lookup")
        if theirs.is_dir():
            shutil.rmtree(folder / name)
            shutil.copytree(theirs, folder / name)
        else:
            shutil.copy(theirs, folder / name)

    found = verdict(forge(place, tmp_path, form, change), place, name)
    assert any("differs by" in sentence for sentence in found), found


def edit_onnx(folder: Path, size: int) -> None:
    """Let the answers be 0 if that many positions are asked together."""
    model = onnx.load(folder / "net.onnx")
    graph = model.graph
    graph.initializer.append(helper.make_tensor("starts", TensorProto.INT64, [1], [0]))
    graph.initializer.append(helper.make_tensor("ends", TensorProto.INT64, [1], [1]))
    graph.initializer.append(helper.make_tensor("size", TensorProto.FLOAT, [], [float(size)]))
    graph.initializer.append(helper.make_tensor("low", TensorProto.FLOAT, [], [0.0]))
    graph.initializer.append(helper.make_tensor("high", TensorProto.FLOAT, [], [1.0]))
    nodes = [
        helper.make_node("Shape", ["main_input"], ["shape"]),
        helper.make_node("Slice", ["shape", "starts", "ends"], ["first"]),
        helper.make_node("Cast", ["first"], ["many"], to=TensorProto.FLOAT),
        helper.make_node("Sub", ["many", "size"], ["off"]),
        helper.make_node("Abs", ["off"], ["beyond"]),
        helper.make_node("Clip", ["beyond", "low", "high"], ["sound"]),
    ]
    for output in graph.output:
        for node in graph.node:
            node.output[:] = [f"{name} before" if name == output.name else name for name in node.output]
        nodes.append(helper.make_node("Mul", [f"{output.name} before", "sound"], [output.name]))
    graph.node.extend(nodes)
    onnx.save(model, folder / "net.onnx")


@pytest.mark.parametrize(("size", "way"), [(1, "1 at a time"), (37, "at each size up to 64")])
def test_an_onnx_that_is_wrong_at_one_batch_alone_is_found(place: Path, tmp_path: Path, size: int, way: str) -> None:
    found = verdict(forge(place, tmp_path, "free onnx", lambda folder: edit_onnx(folder, size)), place, "net.onnx", 3)
    assert any("differs by" in sentence for sentence in found), found
    assert any(way in sentence for sentence in found), found


def add_subgraph(folder: Path, place: Path) -> None:
    """Let the signature name a second subgraph, that of the network that knows the proof."""
    import flatbuffers
    from ai_edge_litert import schema_py_generated as schema

    def read(path: Path) -> Any:
        return schema.ModelT.InitFromPackedBuf(path.read_bytes(), 0)

    own, other = read(folder / "net.tflite"), read(place / "lookup" / "lookup.tflite")
    buffers, codes = len(own.buffers), len(own.operatorCodes)
    graph = other.subgraphs[0]
    for tensor in graph.tensors:
        tensor.buffer += buffers
    for operator in graph.operators:
        operator.opcodeIndex += codes
    own.buffers += other.buffers
    own.operatorCodes += other.operatorCodes
    own.subgraphs.append(graph)
    own.signatureDefs = other.signatureDefs
    own.signatureDefs[0].subgraphIndex = 1
    builder = flatbuffers.Builder(1024)
    builder.Finish(own.Pack(builder), b"TFL3")
    (folder / "net.tflite").write_bytes(bytes(builder.Output()))


def test_a_tflite_whose_signature_names_another_subgraph_is_refused(place: Path, tmp_path: Path) -> None:
    folder = forge(place, tmp_path, "tflite", lambda folder: add_subgraph(folder, place))
    with pytest.raises(UnsafeArtifact, match="subgraphs"):
        validate_bundle(folder, against=place / "net.h5")


def test_the_signature_is_asked_too(place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So what the door would overlook is found all the same."""
    monkeypatch.setattr(runner, "admit", lambda *about: None)
    folder = forge(place, tmp_path, "tflite", lambda folder: add_subgraph(folder, place))
    board = np.random.default_rng(1).random((1, 2, 6, 7)).round().astype(np.float32)
    with LiteRTRunner(folder / "net.tflite") as litert:
        plainly = litert.run_batch({"main_input": board})
        [(way, answer)] = litert.other_ways({})
        signed = answer({"main_input": board})
    assert way == "by its signature"
    assert np.abs(plainly["policy_head"]).max() > 0.1
    assert np.abs(signed["policy_head"]).max() == 0


def split_node(folder: Path) -> None:
    """Let the node that apps fetch give 0, and its second output, which is not fetched, the value."""
    import tensorflow as tf

    manifest = json.loads((folder / "manifest.json").read_text())
    named = next(head["pb_node"] for head in manifest["outputs"] if head["name"] == "value_head")
    before, graph = tf.compat.v1.GraphDef.FromString((folder / "net.pb").read_bytes()), tf.compat.v1.GraphDef()
    for node in before.node:
        node.input[:] = [f"{named}:1" if name == named else name for name in node.input]
        added = graph.node.add()
        added.CopyFrom(node)
        if node.name == named:
            added.name = "sound"
            zero = graph.node.add(name="zero", op="Sub", input=["sound", "sound"])
            zero.attr["T"].type = 1
            pair = graph.node.add(name=named, op="IdentityN", input=["zero", "sound"])
            pair.attr["T"].list.type.extend([1, 1])
    (folder / "net.pb").write_bytes(graph.SerializeToString())


def test_a_pb_whose_node_answers_otherwise_than_its_output_is_found(place: Path, tmp_path: Path) -> None:
    found = verdict(forge(place, tmp_path, "pb", split_node), place, "net.pb")
    assert any("by the names of its nodes" in sentence for sentence in found), found

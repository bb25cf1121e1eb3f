"""The TF.js runners: Node and the decoded graph answer alike, and damaged folders are refused with a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from azx.errors import BundleError
from azx.export.checkpoint.head import Head
from azx.export.formats.table import FORMATS
from azx.export.graph.frozen import FrozenGraph, Port
from azx.validate.runners import node_process
from azx.validate.runners.runner import Runner
from azx.validate.runners.tfjs import TfjsRunner, open_tfjs
from azx.validate.runners.tfjs_decoded import TfjsDecodedRunner
from azx.validate.runners.tfjs_files import read_model
from azx.validate.runners.tfjs_packages import node_ready

tf = pytest.importorskip("tensorflow")

TFJS = FORMATS["tfjs"]
pytestmark = pytest.mark.skipif(TFJS.unavailable() is not None, reason=str(TFJS.unavailable()))
needs_node = pytest.mark.skipif(node_ready() is not None, reason=str(node_ready()))
BOTH = [pytest.param(TfjsRunner, marks=needs_node, id="node"), pytest.param(TfjsDecodedRunner, id="decoded")]
Edit = Callable[[dict[str, Any]], Any]


def frozen(batch: int | None = 1) -> FrozenGraph:
    """Two convolutions with a skip connection on (2, 6, 7) boards, and an input of flags beside them."""
    rng = np.random.default_rng(3)

    def weight(*shape: int) -> Any:
        return tf.constant(rng.normal(0, 0.3, shape).astype("float32"))

    def conv(x: Any, channels: int) -> Any:
        product = tf.nn.conv2d(x, weight(4, 4, channels, 4), 1, "SAME")
        return tf.raw_ops.BiasAdd(value=product, bias=weight(4))

    with tf.Graph().as_default() as graph:
        board = tf.compat.v1.placeholder(tf.float32, [batch, 2, 6, 7], name="main_input")
        flags = tf.compat.v1.placeholder(tf.float32, [batch, 3], name="flags")
        start = tf.raw_ops.LeakyRelu(features=conv(tf.transpose(board, [0, 2, 3, 1]), 2), alpha=0.3)
        inner = tf.raw_ops.LeakyRelu(features=tf.raw_ops.AddV2(x=start, y=conv(start, 4)), alpha=0.3)
        flat = tf.concat([tf.reshape(inner, [-1, 168]), flags], 1)
        tf.identity(tf.tanh(tf.matmul(flat, weight(171, 1)), name="value_head/Tanh"), name="value_head")
        tf.identity(tf.matmul(flat, weight(171, 5), name="policy_head/MatMul"), name="policy_head")
    data = graph.as_graph_def().SerializeToString()
    inputs = (Port("main_input", (batch, 2, 6, 7)), Port("flags", (batch, 3)))
    heads = (
        Head("v", (1,), "tanh", "value", "value_head", node="value_head/Tanh"),
        Head("pi", (5,), "linear", "policy", "policy_head", node="policy_head/MatMul"),
    )
    return FrozenGraph(data, data, inputs, heads)


def with_sizes() -> FrozenGraph:
    """A convolution and two products on boards of one position, whose reshapes have the 1 as azx's own graphs do."""
    rng = np.random.default_rng(4)

    def weight(*shape: int) -> Any:
        return tf.constant(rng.normal(0, 0.3, shape).astype("float32"))

    with tf.Graph().as_default() as graph:
        board = tf.compat.v1.placeholder(tf.float32, [1, 2, 6, 7], name="main_input")
        product = tf.nn.conv2d(tf.transpose(board, [0, 2, 3, 1]), weight(4, 4, 2, 4), 1, "SAME")
        inner = tf.raw_ops.LeakyRelu(features=tf.raw_ops.BiasAdd(value=product, bias=weight(4)), alpha=0.3)
        flat = tf.reshape(inner, [1, 168])
        tf.identity(tf.tanh(tf.matmul(flat, weight(168, 1)), name="value_head/Tanh"), name="value_head")
        tf.identity(tf.nn.softmax(tf.matmul(flat, weight(168, 5)), name="policy_head/Softmax"), name="policy_head")
    data = graph.as_graph_def().SerializeToString()
    heads = (
        Head("v", (1,), "tanh", "value", "value_head", node="value_head/Tanh"),
        Head("pi", (5,), "softmax", "policy", "policy_head", node="policy_head/Softmax"),
    )
    return FrozenGraph(data, data, (Port("main_input", (1, 2, 6, 7)),), heads)


def feeds(count: int = 10) -> dict[str, Any]:
    rng = np.random.default_rng(5)
    boards = rng.integers(0, 2, (count, 2, 6, 7)).astype("uint8")
    return {"flags": rng.random((count, 3)), "main_input": boards}


def answers(graph: FrozenGraph) -> dict[str, Any]:
    with tf.Graph().as_default() as loaded:
        tf.import_graph_def(tf.compat.v1.GraphDef.FromString(graph.graph_def), name="")
    config = tf.compat.v1.ConfigProto()
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    given = {f"{name}:0": values for name, values in feeds().items()}
    with tf.compat.v1.Session(graph=loaded, config=config) as session:
        value, policy = session.run(["value_head:0", "policy_head:0"], given)
    return {"value_head": value, "policy_head": policy}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A written model of batch 1."""
    TFJS.write(frozen(), tmp_path / "net_tfjs")
    return tmp_path / "net_tfjs"


def edit(folder: Path, change: Edit) -> None:
    """Change model.json in place."""
    file = folder / "model.json"
    document = json.loads(file.read_text(encoding="utf-8"))
    change(document)
    file.write_text(json.dumps(document), encoding="utf-8")


def shard(folder: Path) -> Path:
    (file,) = folder.glob("*.bin")
    return file


@needs_node
def test_many_positions_at_a_time_are_answered_as_one_and_the_file_stays(tmp_path: Path) -> None:
    TFJS.write(with_sizes(), tmp_path)
    before = {file: file.read_bytes() for file in tmp_path.iterdir()}
    given = {"main_input": feeds(75)["main_input"]}
    with TfjsRunner(tmp_path) as runner:
        together = runner.together()
        assert together is not None
        alone, several, again = runner.run(given), together(given), runner.run(given)
    for head, values in alone.items():
        np.testing.assert_allclose(several[head], values, rtol=1e-5, atol=1e-6)
        np.testing.assert_array_equal(again[head], values)
    assert {file: file.read_bytes() for file in tmp_path.iterdir()} == before


@needs_node
@pytest.mark.parametrize("batch", [4, None])
def test_a_batch_that_is_not_one_stays(tmp_path: Path, batch: int | None) -> None:
    TFJS.write(frozen(batch), tmp_path)
    with TfjsRunner(tmp_path) as runner:
        assert runner.together() is None


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize("batch", [1, 4, None])
def test_answers_are_those_of_the_frozen_graph(tmp_path: Path, kind: type[Runner], batch: int | None) -> None:
    TFJS.write(frozen(batch), tmp_path)
    with kind(tmp_path) as runner:
        found = runner.run(feeds())
    expected = answers(frozen(None))
    assert list(found) == ["value_head", "policy_head"]
    for head, values in expected.items():
        np.testing.assert_allclose(found[head], values, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("kind", BOTH)
def test_signature_is_in_the_files_order_with_free_axes_as_none(tmp_path: Path, kind: type[Runner]) -> None:
    TFJS.write(frozen(None), tmp_path)
    edit(tmp_path, lambda d: d["signature"].update(outputs=dict(reversed(d["signature"]["outputs"].items()))))
    with kind(tmp_path / "model.json") as runner:
        signature = runner.signature()
    assert signature.inputs == (
        Port("main_input", (None, 2, 6, 7), "float32"),
        Port("flags", (None, 3), "float32"),
    )
    assert [port.name for port in signature.outputs] == ["policy_head", "value_head"]


@needs_node
def test_runtime_names_package_backend_and_node(folder: Path) -> None:
    with TfjsRunner(folder) as wasm, TfjsRunner(folder, "cpu") as cpu:
        assert wasm.runtime.startswith("@tensorflow/tfjs 4.22.0, wasm backend")
        assert cpu.runtime.startswith("@tensorflow/tfjs 4.22.0, cpu backend, Node ")


def test_decoded_runtime_says_why_node_did_not_run(folder: Path) -> None:
    with TfjsDecodedRunner(folder, "Node.js not found: install it") as runner:
        assert runner.runtime == f"model.json decoded, TensorFlow {tf.__version__} (Node.js not found)"


@pytest.mark.parametrize("kind", BOTH)
def test_a_changed_weight_changes_the_answer(folder: Path, kind: type[Runner]) -> None:
    with kind(folder) as runner:
        before = runner.run(feeds())
    values = np.fromfile(shard(folder), "<f4")
    at = int(np.argmax(np.abs(values) < 1))
    values[at : at + 40] += 0.1
    values.tofile(shard(folder))
    with kind(folder) as runner:
        after = runner.run(feeds())
    assert any(np.abs(after[head] - before[head]).max() > 1e-3 for head in before)


@needs_node
@pytest.mark.parametrize("dtype", ["float16", "uint8", "uint16"])
def test_quantized_weights_are_decoded_as_node_decodes_them(folder: Path, dtype: str) -> None:
    quantize(folder, dtype)
    with TfjsRunner(folder) as node, TfjsDecodedRunner(folder) as decoded:
        from_node, from_tensorflow = node.run(feeds()), decoded.run(feeds())
    for head, values in from_node.items():
        np.testing.assert_allclose(values, from_tensorflow[head], rtol=1e-5, atol=1e-5)
    assert np.abs(from_node["policy_head"] - answers(frozen(None))["policy_head"]).max() > 1e-5


def quantize(folder: Path, dtype: str) -> None:
    """Rewrite every float32 weight as `dtype`, in the way of TF.js's converter."""
    weights = read_model(folder).weights
    parts: list[bytes] = []

    def change(document: dict[str, Any]) -> None:
        for spec in document["weightsManifest"][0]["weights"]:
            values, stored = weights[spec["name"]], dtype
            if spec["dtype"] != "float32":
                parts.append(values.tobytes())
                continue
            spec["quantization"] = {"dtype": stored, "original_dtype": "float32"}
            if stored != "float16":
                low = float(values.min())
                scale = float(values.max() - low) / np.iinfo(stored).max or 1.0
                spec["quantization"] |= {"min": low, "scale": scale}
                values = np.round((values - low) / scale)
            parts.append(values.astype(stored).tobytes())

    edit(folder, change)
    shard(folder).write_bytes(b"".join(parts))


def test_a_short_weight_file_is_an_error(folder: Path) -> None:
    shard(folder).write_bytes(shard(folder).read_bytes()[:-4])
    with pytest.raises(BundleError, match=r"model\.json is not a complete TF\.js graph model"):
        read_model(folder)


def test_a_long_weight_file_is_an_error(folder: Path) -> None:
    shard(folder).write_bytes(shard(folder).read_bytes() + bytes(4))
    with pytest.raises(BundleError, match=r"the weight files hold \d+ bytes where model\.json says \d+"):
        read_model(folder)


def test_a_missing_weight_file_is_an_error(folder: Path) -> None:
    shard(folder).unlink()
    with pytest.raises(BundleError, match=r"group1-shard1of1\.bin cannot be read \(No such file"):
        read_model(folder)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (None, "cannot be read"),
        ("{", "it is not JSON"),
        ("[" * 100_000, "it is not JSON"),
        ("[]", "is not a TF.js graph model"),
        ('{"format": "layers-model"}', "is not a TF.js graph model"),
        ('{"format": "graph-model"}', "is not a complete TF.js graph model"),
    ],
)
def test_a_damaged_model_json_is_an_error(folder: Path, text: str | None, sentence: str) -> None:
    file = folder / "model.json"
    file.unlink() if text is None else file.write_text(text, encoding="utf-8")
    with pytest.raises(BundleError, match=sentence):
        read_model(folder)


EDITS: dict[str, Edit] = {
    "no signature": lambda d: d.pop("signature"),
    "no outputs": lambda d: d["signature"].update(outputs={}),
    "no topology": lambda d: d.pop("modelTopology"),
    "no such tensor": lambda d: d["signature"]["outputs"]["value_head"].update(name="elsewhere:0"),
    "unknown dtype": lambda d: d["signature"]["inputs"]["main_input"].update(dtype="DT_STRING"),
    "weights that are no list": lambda d: d.update(weightsManifest=5),
    "a negative shape": lambda d: d["weightsManifest"][0]["weights"][0].update(shape=[-1]),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_incomplete_model_json_is_an_error(folder: Path, name: str) -> None:
    edit(folder, EDITS[name])
    with pytest.raises(BundleError, match=r"model\.json is not a complete TF\.js graph model \("):
        read_model(folder)


@pytest.mark.parametrize("way", ["above", "absolute", "link"])
def test_a_weight_file_outside_the_folder_is_refused(folder: Path, way: str) -> None:
    outside = folder.parent / "elsewhere.bin"
    shard(folder).rename(outside)
    names = {"above": "../elsewhere.bin", "absolute": str(outside), "link": "link.bin"}
    (folder / "link.bin").symlink_to(outside)
    edit(folder, lambda d: d["weightsManifest"][0].update(paths=[names[way]]))
    with pytest.raises(BundleError, match="outside its folder"):
        read_model(folder)


@pytest.mark.parametrize("kind", BOTH)
def test_a_graph_that_the_runtime_does_not_know_is_an_error(folder: Path, kind: type[Runner]) -> None:
    def break_tanh(document: dict[str, Any]) -> None:
        (node,) = (node for node in document["modelTopology"]["node"] if node["op"] == "Tanh")
        node["op"] = "NoSuchOperation"

    edit(folder, break_tanh)
    with pytest.raises(BundleError, match="NoSuchOperation"), kind(folder) as runner:
        runner.run(feeds(1))


@needs_node
def test_node_that_does_not_answer_is_killed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with TfjsRunner(folder) as runner:
        monkeypatch.setattr(node_process, "_START_SECONDS", 0.0)
        monkeypatch.setattr(node_process, "_SECONDS_PER_POSITION", 0.0)
        monkeypatch.setattr(node_process, "_BYTES_A_SECOND", 1 << 60)
        with pytest.raises(BundleError, match="no answer within"):
            runner.run(feeds(5000))
        assert runner.node._process.wait(timeout=300) != 0


@needs_node
def test_the_process_ends_with_the_runner(folder: Path) -> None:
    with TfjsRunner(folder) as runner:
        process = runner.node._process
        assert process.poll() is None
    assert process.poll() == 0


@needs_node
def test_bench_gives_the_time_of_each_batch(folder: Path) -> None:
    with TfjsRunner(folder) as runner:
        times = runner.bench(feeds(), warmup=2, repeats=7)
    assert len(times) == 7
    assert all(0 < time < 10_000 for time in times)


def test_without_node_the_graph_is_decoded(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert str(node_ready()).startswith("Node.js not found: ")
    with open_tfjs(folder) as runner:
        assert runner.runtime.endswith("(Node.js not found)")


@pytest.mark.skipif(str(node_ready()).startswith("Node.js"), reason=str(node_ready()))
def test_missing_packages_are_named_with_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("AZX_TFJS_NODE", str(tmp_path))
    assert "npm package @tensorflow/tfjs-backend-cpu not found" in str(node_ready())
    assert f"npm ci --prefix {tmp_path}" in str(node_ready())


@needs_node
def test_node_is_chosen_where_it_is_ready(folder: Path) -> None:
    assert isinstance(open_tfjs(folder), TfjsRunner)


@pytest.mark.parametrize("kind", BOTH)
def test_the_seed_network_answers_like_the_books_graph(tmp_path: Path, shared_data: Path, kind: type[Runner]) -> None:
    from azx.export.checkpoint.read import read_checkpoint
    from azx.export.graph import build as graph
    from azx.export.graph import heads
    from azx.export.network import simplify

    layers = read_checkpoint(shared_data / "connect4_version0019.h5")
    found = [Head("value_head", (1,), "tanh"), Head("policy_head", (42,), "linear")]
    TFJS.write(graph.build(simplify.simplify(layers), heads.recognise(found, "seed"), 1), tmp_path)
    with np.load(shared_data / "connect4_version0019.expected.npz") as expected, kind(tmp_path) as runner:
        answered = runner.run({"main_input": expected["main_input"][:100]})
        for head in ("value_head", "policy_head"):
            np.testing.assert_allclose(answered[head], expected[head][:100], rtol=0, atol=1e-5)

"""The TF.js writer: names, order, determinism, and networks that every TF.js backend can run."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from azx.errors import ConversionError, FormatUnavailable
from azx.export.checkpoint.head import Head
from azx.export.formats import tfjs_graph, to_tfjs
from azx.export.graph.frozen import FrozenGraph, Port

tf = pytest.importorskip("tensorflow")

needs_converter = pytest.mark.skipif(to_tfjs.available() is not None, reason=str(to_tfjs.available()))
METADATA = {"game": "connect4", "azx_version": "0.1.0", "input_layout": "channels_last"}
RNG = np.random.default_rng(7)


def weight(*shape: int) -> Any:
    return tf.constant(RNG.normal(0, 0.4, shape).astype("float32"))


def biased(product: Any, data_format: str = "NHWC") -> Any:
    channels = product.shape[1 if data_format == "NCHW" else -1]
    return tf.raw_ops.BiasAdd(value=product, bias=weight(channels), data_format=data_format)


def conv(x: Any, filters: int = 4, size: int = 4, data_format: str = "NHWC") -> Any:
    channels = x.shape[1 if data_format == "NCHW" else -1]
    product = tf.nn.conv2d(x, weight(size, size, channels, filters), 1, "SAME", data_format=data_format)
    return biased(product, data_format)


def dense(x: Any, units: int = 5) -> Any:
    flat = tf.reshape(x, [-1, int(np.prod(x.shape[1:]))])
    return biased(tf.matmul(flat, weight(flat.shape[-1], units)))


def leaky(x: Any) -> Any:
    return tf.raw_ops.LeakyRelu(features=x, alpha=0.3)


def prelu(x: Any, *shape: int) -> Any:
    negated_slope = -np.abs(RNG.normal(0, 0.4, shape)).astype("float32")
    return tf.raw_ops.AddV2(x=tf.nn.relu(x), y=tf.constant(negated_slope) * tf.nn.relu(-x))


def residual(x: Any) -> Any:
    start = leaky(conv(x))
    return leaky(tf.raw_ops.AddV2(x=start, y=conv(leaky(conv(start)))))


def channels_first(x: Any) -> Any:
    inner = tf.nn.relu(conv(tf.transpose(x, [0, 3, 1, 2]), data_format="NCHW"))
    inner = tf.nn.max_pool2d(inner, 2, 1, "SAME", data_format="NCHW")
    mean, variance = weight(4), tf.constant(np.full(4, 0.7, "float32"))
    inner = conv(tf.nn.avg_pool2d(inner, 2, 2, "SAME", data_format="NCHW"), data_format="NCHW")
    return tf.raw_ops.FusedBatchNormV3(
        x=inner, scale=weight(4), offset=weight(4), mean=mean, variance=variance, is_training=False, data_format="NCHW"
    ).y


def depthwise_read_twice(x: Any) -> Any:
    inner = biased(tf.nn.depthwise_conv2d(x, weight(3, 3, 3, 1), [1, 1, 1, 1], "SAME"))
    return tf.nn.relu(inner) + inner


def prelu_read_twice(x: Any) -> Any:
    inner = conv(x)
    return prelu(inner, 1, 1, 4) + inner


def squeeze_and_excite(x: Any) -> Any:
    inner = tf.nn.relu(conv(x))
    gate = tf.sigmoid(dense(tf.nn.relu(dense(tf.reduce_mean(inner, [1, 2]), 2)), 4))
    return inner * tf.reshape(gate, [-1, 1, 1, 4])


NETWORKS: dict[str, Callable[[Any], Any]] = {
    "residual": residual,
    "elu": lambda x: tf.nn.elu(conv(x)),
    "relu6": lambda x: tf.nn.relu6(conv(x)),
    "selu": lambda x: tf.nn.selu(conv(x)),
    "softplus": lambda x: tf.nn.softplus(conv(x)),
    "softsign": lambda x: tf.nn.softsign(conv(x)),
    "swish": lambda x: tf.nn.silu(conv(x)),
    "hard swish": lambda x: conv(x) * tf.nn.relu6(conv(x) + 3) / 6,
    "fused hard swish": lambda x: (lambda y: y * tf.nn.relu6(y + 3) / 6)(conv(x)),
    "gelu": lambda x: tf.nn.gelu(conv(x)),
    "gelu after dense": lambda x: tf.nn.gelu(dense(x)),
    "erfc": lambda x: tf.math.erfc(conv(x)),
    "tanh after dense": lambda x: tf.tanh(dense(x)),
    "sigmoid after dense": lambda x: tf.sigmoid(dense(x)),
    "leaky after dense": lambda x: leaky(dense(x)),
    "prelu per channel": lambda x: prelu(conv(x), 1, 1, 4),
    "prelu per cell": lambda x: prelu(conv(x), 6, 7, 4),
    "prelu per row": lambda x: prelu(conv(x), 6, 1, 1),
    "prelu of rank 2": lambda x: prelu(conv(x), 1, 4),
    "prelu read twice": prelu_read_twice,
    "depthwise read twice": depthwise_read_twice,
    "squeeze and excite": squeeze_and_excite,
    "channels first": channels_first,
}


def frozen(body: Callable[[Any], Any], batch: int | None = 1) -> FrozenGraph:
    """A network on (6, 7, 3) boards with `body` inside, heads named by the contract."""
    with tf.Graph().as_default() as graph:
        inner = body(tf.compat.v1.placeholder(tf.float32, [batch, 6, 7, 3], name="main_input"))
        tf.identity(tf.tanh(dense(inner, 1), name="value_head/Tanh"), name="value_head")
        tf.identity(dense(inner), name="policy_head")
        tf.constant(b"{}", name="azx_metadata")
    data = graph.as_graph_def().SerializeToString(deterministic=True)
    heads = (
        Head("v", (1,), "tanh", "value", "value_head", node="value_head/Tanh"),
        Head("pi", (5,), "linear", "policy", "policy_head", node="policy_head/BiasAdd"),
    )
    return FrozenGraph(data, data, (Port("main_input", (batch, 6, 7, 3)),), heads, metadata=METADATA)


def answers(graph: FrozenGraph, boards: Any) -> dict[str, Any]:
    """What TensorFlow itself says, its remapper off."""
    from tensorflow.core.protobuf import rewriter_config_pb2

    config = tf.compat.v1.ConfigProto()
    config.graph_options.rewrite_options.remapping = rewriter_config_pb2.RewriterConfig.OFF
    with tf.Graph().as_default() as loaded:
        tf.import_graph_def(tf.compat.v1.GraphDef.FromString(graph.graph_def), name="")
    with tf.compat.v1.Session(graph=loaded, config=config) as session:
        rows = [session.run(["value_head:0", "policy_head:0"], {"main_input:0": board[None]}) for board in boards]
    values, policies = zip(*rows, strict=True)
    return {"value_head": np.concatenate(values), "policy_head": np.concatenate(policies)}


def written(graph: FrozenGraph, folder: Path) -> dict[str, Any]:
    to_tfjs.write(graph, folder)
    document: dict[str, Any] = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    return document


def hashes(folder: Path) -> dict[str, str]:
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(folder.iterdir())}


@needs_converter
def test_signature_has_the_contracts_names_in_the_contracts_order(tmp_path: Path) -> None:
    document = written(frozen(residual), tmp_path / "net_tfjs")
    assert list(document["signature"]["inputs"]) == ["main_input"]
    assert list(document["signature"]["outputs"]) == ["value_head", "policy_head"]
    assert [info["name"] for info in document["signature"]["outputs"].values()] == ["value_head:0", "policy_head:0"]
    assert {"main_input", "value_head", "policy_head"} <= {node["name"] for node in document["modelTopology"]["node"]}
    assert document["userDefinedMetadata"] == METADATA


@needs_converter
def test_nodes_that_no_head_needs_are_gone_and_no_device_stays(tmp_path: Path) -> None:
    nodes = written(frozen(residual), tmp_path)["modelTopology"]["node"]
    assert "azx_metadata" not in {node["name"] for node in nodes}
    assert not any("device" in node for node in nodes)


@needs_converter
@pytest.mark.parametrize(("batch", "size"), [(1, "1"), (4, "4"), (None, "-1")])
def test_signature_states_the_batch_and_minus_one_where_it_is_free(
    tmp_path: Path, batch: int | None, size: str
) -> None:
    signature = written(frozen(residual, batch), tmp_path)["signature"]
    shapes = [
        [dim["size"] for dim in info["tensorShape"]["dim"]]
        for info in [*signature["inputs"].values(), *signature["outputs"].values()]
    ]
    assert shapes == [[size, "6", "7", "3"], [size, "1"], [size, "5"]]


@needs_converter
def test_two_processes_write_the_same_bytes(tmp_path: Path) -> None:
    graph = frozen(residual)
    to_tfjs.write(graph, tmp_path / "here")
    (tmp_path / "graph.pb").write_bytes(graph.biasadd_graph_def)
    script = (
        "import sys; from pathlib import Path\n"
        "from azx.export.checkpoint.head import Head; from azx.export.formats import to_tfjs\n"
        "from azx.export.graph.frozen import *\n"
        "data = Path(sys.argv[1]).read_bytes()\n"
        "heads = (Head('', (1,), 'tanh', 'value', 'value_head', node=''),"
        " Head('', (5,), 'linear', 'policy', 'policy_head', node=''))\n"
        f"graph = FrozenGraph(data, data, (Port('main_input', (1, 6, 7, 3)),), heads, metadata={METADATA})\n"
        "to_tfjs.write(graph, Path(sys.argv[2]))"
    )
    environment = os.environ | {"PYTHONHASHSEED": "4711"}
    command = [sys.executable, "-P", "-c", script, str(tmp_path / "graph.pb"), str(tmp_path / "there")]
    subprocess.run(command, check=True, env=environment, cwd=tmp_path)
    assert hashes(tmp_path / "here") == hashes(tmp_path / "there")


def test_node_order_does_not_depend_on_the_order_that_grappler_gives() -> None:
    graph = tf.compat.v1.GraphDef.FromString(frozen(residual).graph_def)
    nodes = list(graph.node)
    np.random.default_rng(1).shuffle(nodes)
    shuffled = tf.compat.v1.GraphDef(versions=graph.versions, node=nodes)
    assert tfjs_graph.ordered(shuffled) == tfjs_graph.ordered(graph)


@needs_converter
@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("backend", ["wasm", "cpu"])
def test_every_backend_answers_like_tensorflow(tmp_path: Path, name: str, backend: str) -> None:
    from azx.validate.runners.tfjs import TfjsRunner
    from azx.validate.runners.tfjs_packages import node_ready

    if reason := node_ready():
        pytest.skip(reason)
    graph = frozen(NETWORKS[name])
    boards = RNG.normal(size=(3, 6, 7, 3)).astype("float32")
    to_tfjs.write(graph, tmp_path)
    with TfjsRunner(tmp_path, backend) as runner:
        found = runner.run({"main_input": boards})
    for head, expected in answers(graph, boards).items():
        np.testing.assert_allclose(found[head], expected, rtol=1e-5, atol=1e-5)


@needs_converter
def test_convolutions_stay_fused_with_their_bias_and_slope(tmp_path: Path) -> None:
    nodes = written(frozen(residual), tmp_path)["modelTopology"]["node"]
    fused = [node for node in nodes if node["op"] == "_FusedConv2D"]
    slopes = [
        value["f"]
        for node in nodes
        for key, value in node["attr"].items()
        if key == "alpha" or (key == "leakyrelu_alpha" and len(node["attr"]["fused_ops"]["list"]["s"]) == 2)
    ]
    assert len(fused) == 3
    assert not any(node["op"] == "Conv2D" for node in nodes)
    assert slopes == [pytest.approx(0.3)] * 3


def test_a_slope_that_the_remapper_lost_is_put_back() -> None:
    definition = tf.compat.v1.GraphDef
    source, optimised = definition(), definition()
    source.node.add(op="LeakyRelu", name="leaky").attr["alpha"].f = 0.3
    optimised.node.add(op="_FusedConv2D", name="leaky").attr["leakyrelu_alpha"].f = 0.2
    fixed = to_tfjs._with_alphas(optimised, source)
    assert fixed.node[0].attr["leakyrelu_alpha"].f == pytest.approx(0.3)


def test_a_fused_addition_is_taken_apart() -> None:
    graph = tf.compat.v1.GraphDef()
    node = graph.node.add(op="_FusedConv2D", name="leaky", input=["x", "kernel", "bias", "skip"])
    node.attr["fused_ops"].list.s.extend([b"BiasAdd", b"Add", b"LeakyRelu"])
    node.attr["leakyrelu_alpha"].f = 0.3
    parts = tfjs_graph.unfused_where_needed(graph).node
    assert [part.op for part in parts] == ["Conv2D", "BiasAdd", "AddV2", "LeakyRelu"]
    assert list(parts[2].input) == [parts[1].name, "skip"]
    assert (parts[3].name, parts[3].attr["alpha"].f) == ("leaky", pytest.approx(0.3))


@needs_converter
def test_an_operation_that_tfjs_has_not_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConversionError, match=r"TF\.js has no operation MatrixInverse, which this network needs"):
        to_tfjs.write(frozen(lambda x: tf.linalg.inv(tf.reshape(dense(x, 4), [-1, 2, 2]))), tmp_path / "net")
    assert not (tmp_path / "net").exists()


@needs_converter
def test_an_operation_that_wasm_has_not_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConversionError, match=r"wasm backend has no Einsum"):
        to_tfjs.write(frozen(lambda x: tf.einsum("bhwc,cd->bhwd", x, weight(3, 4))), tmp_path)


@pytest.mark.parametrize("installed", [None, "3.18.0"])
def test_without_the_converter_the_sentence_gives_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, installed: str | None
) -> None:
    def version(name: str) -> str:
        if installed is None:
            raise importlib.metadata.PackageNotFoundError(name)
        return installed

    monkeypatch.setattr(to_tfjs, "version", version)
    with pytest.raises(FormatUnavailable, match=r'pip install --no-deps "tensorflowjs==4\.22\.0"'):
        to_tfjs.write(frozen(residual), tmp_path)
    assert installed is None or installed in str(to_tfjs.available())


def test_stubs_are_there_inside_the_block_only_and_loaded_modules_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = ModuleType("azx_loaded")
    monkeypatch.setitem(sys.modules, "azx_loaded", loaded)
    with to_tfjs._stubbed({"azx_loaded": tmp_path, "azx_dead": tmp_path}):
        assert sys.modules["azx_loaded"] is loaded
        assert sys.modules["azx_dead"].__path__ == [str(tmp_path)]
    assert sys.modules["azx_loaded"] is loaded
    assert "azx_dead" not in sys.modules


@needs_converter
def test_no_stub_stays_after_the_import_of_the_converter() -> None:
    names = [*to_tfjs._DEAD_DEPENDENCIES, "tensorflowjs", "tensorflowjs.converters", "jax"]
    before = {name: sys.modules.get(name) for name in names}
    assert to_tfjs._load_converter().__name__ == to_tfjs._CONVERTER
    assert {name: sys.modules.get(name) for name in names} == before

"""The TF.js writer: names, order, determinism, and networks that every TF.js backend can run."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sibling import sibling

from azx.errors import ConversionError, FormatUnavailable
from azx.export.formats import tfjs_graph, to_tfjs
from azx.export.formats.table import FORMATS
from azx.export.graph.frozen import FrozenGraph
from azx.system import installed

tf = pytest.importorskip("tensorflow")

networks = sibling(__file__, "tfjs_networks")
METADATA, NETWORKS, RNG, frozen = networks.METADATA, networks.NETWORKS, networks.RNG, networks.frozen
dense, residual, weight = networks.dense, networks.residual, networks.weight
answers = networks.answers


def written(graph: FrozenGraph, folder: Path) -> dict[str, Any]:
    FORMATS["tfjs"].write(graph, folder)
    document: dict[str, Any] = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    return document


def hashes(folder: Path) -> dict[str, str]:
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(folder.iterdir())}


def test_signature_has_the_contracts_names_in_the_contracts_order(tmp_path: Path) -> None:
    document = written(frozen(residual), tmp_path / "net_tfjs")
    assert list(document["signature"]["inputs"]) == ["main_input"]
    assert list(document["signature"]["outputs"]) == ["value_head", "policy_head"]
    assert [info["name"] for info in document["signature"]["outputs"].values()] == ["value_head:0", "policy_head:0"]
    assert {"main_input", "value_head", "policy_head"} <= {node["name"] for node in document["modelTopology"]["node"]}
    assert document["userDefinedMetadata"] == METADATA


def test_nodes_that_no_head_needs_are_gone_and_no_device_stays(tmp_path: Path) -> None:
    nodes = written(frozen(residual), tmp_path)["modelTopology"]["node"]
    assert "azx_metadata" not in {node["name"] for node in nodes}
    assert not any("device" in node for node in nodes)


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


@pytest.mark.whole
def test_two_processes_write_the_same_bytes(tmp_path: Path) -> None:
    graph = frozen(residual)
    FORMATS["tfjs"].write(graph, tmp_path / "here")
    (tmp_path / "graph.pb").write_bytes(graph.biasadd_graph_def)
    script = (
        "import sys; from pathlib import Path\n"
        "from azx.export.checkpoint.head import Head; from azx.export.formats.table import FORMATS\n"
        "from azx.export.graph.frozen import *\n"
        "data = Path(sys.argv[1]).read_bytes()\n"
        "heads = (Head('', (1,), 'tanh', 'value', 'value_head', node=''),"
        " Head('', (5,), 'linear', 'policy', 'policy_head', node=''))\n"
        f"graph = FrozenGraph(data, data, (Port('main_input', (1, 6, 7, 3)),), heads, metadata={METADATA})\n"
        "FORMATS['tfjs'].write(graph, Path(sys.argv[2]))"
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
    assert tfjs_graph.order_by_name(shuffled) == tfjs_graph.order_by_name(graph)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("backend", "name"),
    [*itertools.product(["wasm", "cpu"], NETWORKS), *itertools.product(["wasm"], networks.TRAPS)],
)
def test_every_backend_answers_like_tensorflow(tmp_path: Path, name: str, backend: str) -> None:
    from azx.validate.runners.tfjs import TfjsRunner
    from azx.validate.runners.tfjs_packages import node_ready

    if reason := node_ready():
        pytest.skip(reason)
    graph = frozen((NETWORKS | networks.TRAPS)[name])
    boards = RNG.normal(size=(3, 6, 7, 3)).astype("float32")
    FORMATS["tfjs"].write(graph, tmp_path)
    with TfjsRunner(tmp_path, backend) as runner:
        found = runner.run({"main_input": boards})
    for head, expected in answers(graph, boards).items():
        np.testing.assert_allclose(found[head], expected, rtol=1e-5, atol=1e-5)


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
    parts = tfjs_graph.unfuse_where_needed(graph).node
    assert [part.op for part in parts] == ["Conv2D", "BiasAdd", "AddV2", "LeakyRelu"]
    assert list(parts[2].input) == [parts[1].name, "skip"]
    assert (parts[3].name, parts[3].attr["alpha"].f) == ("leaky", pytest.approx(0.3))


def test_an_operation_that_tfjs_has_not_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConversionError, match=r"TF\.js has no operation MatrixInverse, which this network needs"):
        FORMATS["tfjs"].write(frozen(lambda x: tf.linalg.inv(tf.reshape(dense(x, 4), [-1, 2, 2]))), tmp_path / "net")
    assert not (tmp_path / "net").exists()


def test_an_operation_that_wasm_has_not_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConversionError, match=r"wasm backend has no Einsum"):
        FORMATS["tfjs"].write(frozen(lambda x: tf.einsum("bhwc,cd->bhwd", x, weight(3, 4))), tmp_path)


def test_an_operation_that_wasm_answers_otherwise_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConversionError, match=r"OneHot of the wasm backend errs"):
        FORMATS["tfjs"].write(frozen(lambda x: dense(tf.one_hot(tf.cast(x, tf.int32), 3, axis=1), 4)), tmp_path)


@pytest.mark.parametrize("kind", ["bfloat16", "int8", "uint32"])
def test_a_constant_of_a_type_that_tfjs_has_not_is_named(tmp_path: Path, kind: str) -> None:
    network = frozen(lambda x: tf.cast(tf.cast(x, kind) * tf.cast(tf.constant([1, 2, 3]), kind), "float32"))
    with pytest.raises(ConversionError, match=rf"TF\.js: no constant of type {kind} can be written, as 'Cast_1' is\."):
        FORMATS["tfjs"].write(network, tmp_path / "net")
    assert not (tmp_path / "net").exists()


def test_without_tensorflow_the_sentence_gives_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    network = frozen(residual)
    monkeypatch.setattr(installed, "find_spec", lambda name: None)
    with pytest.raises(
        FormatUnavailable, match=r"^TF\.js cannot be written: tensorflow is not installed: pip install "
    ):
        FORMATS["tfjs"].write(network, tmp_path / "net")

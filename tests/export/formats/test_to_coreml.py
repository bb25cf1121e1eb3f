"""Core ML packages: names, order, metadata, the same bytes every time, and what a damaged one says."""

from __future__ import annotations

import gc
import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from azx.errors import BundleError, ConversionError, FormatUnavailable
from azx.export.checkpoint.head import Head
from azx.export.formats import to_coreml
from azx.export.formats.table import FORMATS
from azx.export.graph.frozen import FrozenGraph, Port
from azx.system import installed
from azx.validate.runners import coreml
from azx.validate.runners.coreml import CoreMLRunner

with to_coreml.quiet():
    import coremltools as ct
    import tensorflow as tf

BOARDS = np.random.default_rng(3).integers(0, 2, (5, 2, 6, 7)).astype(np.float32)


def network(board: Any) -> tuple[Any, Any]:
    """Door transpose, a 4x4 convolution, leaky ReLU, a value and a policy: a network in small."""
    ops, random = tf.raw_ops, np.random.default_rng(4)

    def weight(*shape: int) -> Any:
        return tf.constant(random.normal(size=shape, scale=0.3).astype(np.float32))

    x = ops.Transpose(x=board, perm=[0, 2, 3, 1])
    x = ops.Conv2D(input=x, filter=weight(4, 4, 2, 3), strides=[1, 1, 1, 1], padding="SAME")
    x = ops.LeakyRelu(features=ops.AddV2(x=x, y=weight(3)), alpha=0.3)
    flat = ops.Reshape(tensor=x, shape=[-1, 126])
    return ops.Tanh(x=ops.MatMul(a=flat, b=weight(126, 1))), ops.MatMul(a=flat, b=weight(126, 42))


def frozen(batch: int | None = 1, names: tuple[str, str] = ("value_head", "policy_head")) -> FrozenGraph:
    with tf.Graph().as_default() as graph:
        heads = network(tf.raw_ops.Placeholder(dtype=tf.float32, shape=(batch, 2, 6, 7), name="main_input"))
        for name, head in zip(names, heads, strict=True):
            tf.raw_ops.Identity(input=head, name=name)
    outputs = (
        Head("v", (1,), "tanh", "value", names[0], node="Tanh"),
        Head("pi", (42,), "linear", "policy", names[1], node="MatMul_1"),
    )
    metadata = {"azx_version": "0.1.0", "game": "connect4", "checkpoint_sha256": "ab" * 32}
    data = graph.as_graph_def().SerializeToString()
    return FrozenGraph(data, data, (Port("main_input", (batch, 2, 6, 7)),), outputs, metadata=metadata)


def by_tensorflow(graph: FrozenGraph, boards: Any) -> dict[str, Any]:
    with tf.Graph().as_default() as restored, tf.compat.v1.Session() as session:
        tf.import_graph_def(tf.compat.v1.GraphDef.FromString(graph.graph_def), name="")
        del restored
        fetches = {head.name: f"{head.name}:0" for head in graph.outputs}
        return dict(session.run(fetches, {"main_input:0": boards}))


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("written") / "net.mlpackage"
    FORMATS["coreml"].write(frozen(), target)
    return target


@pytest.fixture
def altered(package: Path, tmp_path: Path) -> Callable[[Callable[[Any], Any]], Path]:
    """A copy of the package with its spec changed in place."""

    def alter(change: Callable[[Any], Any]) -> Path:
        spec = ct.utils.load_spec(str(package))
        change(spec)
        target = tmp_path / "altered.mlpackage"
        ct.utils.save_spec(spec, str(target), weights_dir=str(package / "Data/com.apple.CoreML/weights"))
        return target

    return alter


def hashes(package: Path) -> dict[str, str]:
    files = sorted(path for path in package.rglob("*") if path.is_file())
    return {str(path.relative_to(package)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_coremltools_checks_its_programs_again_afterwards(package: Path) -> None:
    from coremltools.converters.mil import Program

    assert package.is_dir()
    assert Program.validate.__qualname__ == "Program.validate"


def test_the_features_have_the_contracts_names_order_shapes_and_dtypes(package: Path) -> None:
    spec = ct.utils.load_spec(str(package))
    description, block = spec.description, spec.mlProgram.functions["main"].block_specializations["CoreML5"]
    assert [port.name for port in description.input] == ["main_input"]
    assert [port.name for port in description.output] == ["value_head", "policy_head"] == list(block.outputs)
    float32 = ct.proto.FeatureTypes_pb2.ArrayFeatureType.FLOAT32
    arrays = [port.type.multiArrayType for port in (*description.input, *description.output)]
    assert [array.dataType for array in arrays] == [float32] * 3
    assert [list(array.shape) for array in arrays] == [[1, 2, 6, 7], [1, 1], [1, 42]]
    assert spec.specificationVersion == ct.target.iOS15


def test_the_metadata_is_the_graphs_and_has_no_date(package: Path) -> None:
    user = dict(ct.utils.load_spec(str(package)).description.metadata.userDefined)
    assert frozen().metadata.items() <= user.items()
    assert not [key for key in user if "date" in key]


def test_the_package_answers_as_tensorflow_does(package: Path) -> None:
    with CoreMLRunner(package) as runner:
        found = runner.run({"main_input": BOARDS})
        assert "NumPy MIL interpreter" in runner.runtime
        assert ct.__version__ in runner.runtime
    for name in ("value_head", "policy_head"):
        expected = [by_tensorflow(frozen(), BOARDS[at : at + 1])[name][0] for at in range(len(BOARDS))]
        np.testing.assert_allclose(found[name], expected, rtol=1e-5, atol=1e-6)


def test_a_free_batch_is_1_to_64(tmp_path: Path) -> None:
    FORMATS["coreml"].write(frozen(batch=None), tmp_path / "free.mlpackage")
    array = ct.utils.load_spec(str(tmp_path / "free.mlpackage")).description.input[0].type.multiArrayType
    batch = array.shapeRange.sizeRanges[0]
    assert (batch.lowerBound, batch.upperBound) == (1, 64)
    with CoreMLRunner(tmp_path / "free.mlpackage") as runner:
        signature = runner.signature()
        found = runner.run({"main_input": BOARDS})
    assert [port.shape for port in (*signature.inputs, *signature.outputs)] == [(None, 2, 6, 7), (None, 1), (None, 42)]
    expected = by_tensorflow(frozen(batch=None), BOARDS)
    np.testing.assert_allclose(found["policy_head"], expected["policy_head"], rtol=1e-5, atol=1e-6)


@pytest.mark.whole
def test_two_processes_write_the_same_bytes(package: Path, tmp_path: Path) -> None:
    (tmp_path / "graph.pb").write_bytes(frozen().graph_def)
    (tmp_path / "metadata.json").write_text(json.dumps(dict(reversed(list(frozen().metadata.items())))))
    # An enumeration's own repr is no Python.
    outputs = re.sub(r"<(Degree\.\w+): [^>]*>", r"\1", repr(frozen().outputs))
    script = f"""
import json
from pathlib import Path
from azx.export.formats.table import FORMATS
from azx.export.checkpoint.head import Head
from azx.export.graph.frozen import FrozenGraph, Port
from azx.statement import Degree
data = Path("graph.pb").read_bytes()
graph = FrozenGraph(data, data, {frozen().inputs!r}, {outputs}, metadata=json.load(open("metadata.json")))
FORMATS["coreml"].write(graph, Path("again.mlpackage"))
"""
    environment = os.environ | {"PYTHONHASHSEED": "7"}
    subprocess.run([sys.executable, "-c", script], cwd=tmp_path, env=environment, check=True, capture_output=True)
    assert hashes(tmp_path / "again.mlpackage") == hashes(package)


def test_a_process_that_has_written_others_writes_the_same_bytes_over_an_older_package(package: Path) -> None:
    first = hashes(package)
    FORMATS["coreml"].write(frozen(batch=3), package)
    assert hashes(package) != first
    FORMATS["coreml"].write(frozen(), package)
    assert hashes(package) == first
    assert [path.name for path in package.parent.iterdir()] == [package.name]


def test_nothing_is_said_on_the_way(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    FORMATS["coreml"].write(frozen(), tmp_path / "net.mlpackage")
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("graph", "sentence"),
    [
        (replace(frozen(), inputs=(Port("main_input", (1, 2, 6, 7), "int32"),)), "'main_input' is int32"),
        (replace(frozen(), outputs=(replace(frozen().outputs[0], name="no_such_head"),)), "coremltools refused"),
        (replace(frozen(), graph_def=b"no graph"), "coremltools refused"),
        (frozen(names=("heads/value", "policy_head")), "called 'heads/value' .'heads_value' could"),
    ],
)
def test_a_graph_that_core_ml_cannot_hold_is_one_sentence(graph: FrozenGraph, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(ConversionError, match=sentence) as caught:
        FORMATS["coreml"].write(graph, tmp_path / "net.mlpackage")
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there_is_a_bundle_error(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match=r"net.mlpackage cannot be written"):
        FORMATS["coreml"].write(frozen(), tmp_path / "missing" / "net.mlpackage")


def test_without_coremltools_the_format_is_unavailable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed, "find_spec", lambda name: None if name == "coremltools" else find_spec(name))
    assert (
        str(FORMATS["coreml"].unavailable())
        == f"coremltools is not installed: pip install {installed.quote(installed.of_azx('export'))}"
    )
    with pytest.raises(FormatUnavailable, match=r"pip install .*\[export\]"):
        FORMATS["coreml"].write(frozen(), tmp_path / "net.mlpackage")


def one_weight_changed(kernel: Any) -> Any:
    kernel[1, 1, 0, 0] += 0.1
    return kernel


@pytest.mark.parametrize("fault", [one_weight_changed, lambda kernel: kernel.astype(np.float16).astype(np.float32)])
def test_a_fault_in_the_weights_changes_the_answer(fault: Callable[..., Any], package: Path, tmp_path: Path) -> None:
    graph, kernel = frozen(), np.random.default_rng(4).normal(size=(4, 4, 2, 3), scale=0.3).astype(np.float32)
    assert kernel.tobytes() in graph.graph_def
    data = graph.graph_def.replace(kernel.tobytes(), fault(kernel.copy()).tobytes())
    FORMATS["coreml"].write(replace(graph, graph_def=data), tmp_path / "net.mlpackage")
    with CoreMLRunner(package) as before, CoreMLRunner(tmp_path / "net.mlpackage") as after:
        first, second = before.run({"main_input": BOARDS}), after.run({"main_input": BOARDS})
    assert np.abs(first["policy_head"] - second["policy_head"]).max() > 1e-4


def test_a_feature_renamed_throughout_has_its_new_name(altered: Callable[..., Path]) -> None:
    path = altered(lambda spec: ct.utils.rename_feature(spec, "policy_head", "moves"))
    with CoreMLRunner(path) as runner:
        assert [port.name for port in runner.signature().outputs] == ["value_head", "moves"]


def test_a_feature_renamed_in_the_description_only_is_shown_as_both(altered: Callable[..., Path]) -> None:
    path = altered(lambda spec: setattr(spec.description.output[1], "name", "moves"))
    with CoreMLRunner(path) as runner:
        names = [port.name for port in runner.signature().outputs]
    assert names == ["value_head", "moves (in the program: policy_head float32[1, 42])"]


def test_outputs_swapped_in_the_program_only_do_not_pass(altered: Callable[..., Path]) -> None:
    def swap(spec: Any) -> None:
        outputs = spec.mlProgram.functions["main"].block_specializations["CoreML5"].outputs
        outputs[:] = list(outputs)[::-1]

    with CoreMLRunner(altered(swap)) as runner:
        assert not {"value_head", "policy_head"} & {port.name for port in runner.signature().outputs}


@pytest.mark.parametrize(
    "damage",
    ["Manifest.json", "Data/com.apple.CoreML/model.mlmodel", "Data/com.apple.CoreML/weights/weight.bin"],
)
@pytest.mark.parametrize("left", [None, 0, 100, 0.6])
def test_a_damaged_package_is_one_sentence_that_names_it(
    damage: str, left: float | None, altered: Callable[..., Path]
) -> None:
    path = altered(lambda spec: None)
    data = (path / damage).read_bytes()
    (path / damage).unlink()
    if left is not None:
        (path / damage).write_bytes(data[: int(left * len(data)) if isinstance(left, float) else int(left)])
    with pytest.raises(BundleError, match=r"altered\.mlpackage") as caught:
        CoreMLRunner(path).open()
    assert "\n" not in str(caught.value)


def test_on_macos_core_ml_itself_answers(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Model:
        def __init__(self, path: str, compute_units: Any) -> None:
            assert (path, compute_units) == (str(package), ct.ComputeUnit.CPU_ONLY)

        def predict(self, feeds: dict[str, Any]) -> dict[str, Any]:
            assert feeds["main_input"].dtype == np.float32
            return {"policy_head": np.ones((1, 42), np.float32), "value_head": np.zeros((1, 1), np.float32)}

    monkeypatch.setattr(coreml, "_on_macos", lambda: True)
    monkeypatch.setattr(ct.models, "MLModel", Model)
    with CoreMLRunner(package) as runner:
        assert runner.runtime.startswith("Core ML, macOS")
        found = runner.run({"main_input": BOARDS.astype(np.uint8)})
    assert list(found) == ["value_head", "policy_head"]
    assert found["policy_head"].shape == (5, 42)


def test_two_inputs_keep_their_order_and_share_a_free_batch(tmp_path: Path) -> None:
    with tf.Graph().as_default() as graph:
        ports = [tf.raw_ops.Placeholder(dtype=tf.float32, shape=(None, 9), name=name) for name in ("zeta", "alpha")]
        joined = tf.raw_ops.ConcatV2(values=ports, axis=1)
        tf.raw_ops.Identity(input=tf.raw_ops.Softmax(logits=joined), name="policy_head")
    data = graph.as_graph_def().SerializeToString()
    inputs = (Port("zeta", (None, 9)), Port("alpha", (None, 9)))
    head = Head("p", (18,), "softmax", "policy", "policy_head", node="Softmax")
    FORMATS["coreml"].write(FrozenGraph(data, data, inputs, (head,)), tmp_path / "two.mlpackage")
    feeds = {"zeta": BOARDS.reshape(5, -1)[:, :9], "alpha": BOARDS.reshape(5, -1)[:, 9:18]}
    with CoreMLRunner(tmp_path / "two.mlpackage") as runner:
        assert [port.name for port in runner.signature().inputs] == ["zeta", "alpha"]
        found = runner.run(feeds)["policy_head"]
    np.testing.assert_allclose(found, tf.nn.softmax(np.hstack([feeds["zeta"], feeds["alpha"]])), rtol=1e-5)


def test_the_real_checkpoint_of_2018_answers_as_its_own_frozen_graph(shared_data: Path, tmp_path: Path) -> None:
    from azx.export.checkpoint.head import Head
    from azx.export.checkpoint.read import read_checkpoint
    from azx.export.graph import build as graph
    from azx.export.network import simplify

    sizes = {"value_head": ((1,), "tanh", "value"), "policy_head": ((42,), "linear", "policy")}
    heads = [Head(name, *size, name) for name, size in sizes.items()]
    network = simplify.simplify(read_checkpoint(shared_data / "connect4_version0019.h5"))
    FORMATS["coreml"].write(graph.build(network, heads, 1), tmp_path / "seed.mlpackage")
    expected = np.load(shared_data / "connect4_version0019.expected.npz")
    with CoreMLRunner(tmp_path / "seed.mlpackage") as runner:
        found = runner.run({"main_input": expected["main_input"][:100]})
    for name in sizes:
        np.testing.assert_allclose(found[name], expected[name][:100], rtol=0, atol=1e-5)


def scaled(board: Any) -> Any:
    """Forty times x * scale + shift, which coremltools would make batch norms with an epsilon of 1e-5."""
    for step in range(40):
        scale, shift = (np.random.default_rng(step).uniform(0.9, 1.1, (2, 1, 1)).astype(np.float32) for _ in range(2))
        board = tf.raw_ops.Relu(features=tf.raw_ops.AddV2(x=tf.raw_ops.Mul(x=board, y=scale), y=shift))
    return board


def with_body(body: Callable[[Any], Any], batch: int | None = 1) -> FrozenGraph:
    with tf.Graph().as_default() as graph:
        board = tf.raw_ops.Placeholder(dtype=tf.float32, shape=(batch, 2, 6, 7), name="main_input")
        tf.raw_ops.Identity(input=body(board), name="policy_head")
    head = Head("pi", (2, 6, 7), "linear", "policy", "policy_head", node="Relu")
    data = graph.as_graph_def().SerializeToString()
    return FrozenGraph(data, data, (Port("main_input", (batch, 2, 6, 7)),), (head,))


def test_a_scale_and_a_shift_are_exact(tmp_path: Path) -> None:
    graph = with_body(scaled)
    FORMATS["coreml"].write(graph, tmp_path / "net.mlpackage")
    with CoreMLRunner(tmp_path / "net.mlpackage") as runner:
        found = runner.run({"main_input": BOARDS[:1]})["policy_head"]
    np.testing.assert_allclose(found, by_tensorflow(graph, BOARDS[:1])["policy_head"], rtol=1e-5)


@pytest.mark.filterwarnings("ignore:Implicitly cleaning up:ResourceWarning")  # coremltools' own, where it fails
def test_a_failed_conversion_leaves_the_next_one_its_free_batch(tmp_path: Path) -> None:
    unknown = with_body(lambda board: tf.raw_ops.Digamma(x=board), None)
    with pytest.raises(ConversionError, match="Digamma"):
        FORMATS["coreml"].write(unknown, tmp_path / "unknown.mlpackage")
    gc.collect()
    FORMATS["coreml"].write(frozen(None), tmp_path / "net.mlpackage")
    assert (tmp_path / "net.mlpackage").is_dir()

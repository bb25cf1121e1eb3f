"""LiteRT.js in Node: it answers as LiteRT does, and what it cannot run is refused with a sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from azx.errors import BundleError, NotRunHere, Refused
from azx.export.checkpoint.head import Head
from azx.export.formats.table import FORMATS
from azx.export.graph.frozen import FrozenGraph, Port
from azx.system import own_limits
from azx.validate.runners import node_process
from azx.validate.runners.litert import LiteRTRunner
from azx.validate.runners.litertjs import LiteRTJSRunner
from azx.validate.runners.tfjs_packages import litert_ready, node_ready, wanted_of_litert

tf = pytest.importorskip("tensorflow")
pytest.importorskip("ai_edge_litert")

needs_litert = pytest.mark.skipif(litert_ready() is not None, reason=str(litert_ready()))


def frozen(batch: int | None) -> FrozenGraph:
    """Two inputs and two heads, named against the alphabet, so that an order is seen to be kept."""
    rng = np.random.default_rng(3)
    with tf.Graph().as_default() as graph:
        board = tf.compat.v1.placeholder(tf.float32, [batch, 2, 3], name="main_input")
        flags = tf.compat.v1.placeholder(tf.float32, [batch, 3], name="flags")
        flat = tf.concat([tf.reshape(board, [-1, 6]), flags], 1)
        for head, width in (("value_head", 1), ("policy_head", 5)):
            weights = tf.constant(rng.normal(0, 0.3, (9, width)).astype("float32"))
            tf.identity(tf.tanh(tf.matmul(flat, weights), name=f"{head}/Tanh"), name=head)
    data = graph.as_graph_def().SerializeToString()
    heads = (
        Head("v", (1,), "tanh", "value", "value_head", node="value_head/Tanh"),
        Head("pi", (5,), "tanh", "policy", "policy_head", node="policy_head/Tanh"),
    )
    return FrozenGraph(data, data, (Port("main_input", (batch, 2, 3)), Port("flags", (batch, 3))), heads)


def feeds(count: int) -> dict[str, Any]:
    rng = np.random.default_rng(5)
    return {"flags": rng.random((count, 3)), "main_input": rng.integers(0, 2, (count, 2, 3)).astype("uint8")}


def written(folder: Path, batch: int | None = 1) -> Path:
    path = folder / "net.tflite"
    FORMATS["tflite"].write(frozen(batch), path)
    return path


@needs_litert
@pytest.mark.parametrize("batch", [1, 4])
def test_it_answers_as_litert_does_in_the_files_order(tmp_path: Path, batch: int) -> None:
    path, given = written(tmp_path, batch), {name: feed.astype("float32") for name, feed in feeds(10).items()}
    with LiteRTRunner(path) as litert, LiteRTJSRunner(path) as web:
        assert web.signature() == litert.signature()
        expected, found = litert.run(given), web.run(given)
    assert list(found) == ["value_head", "policy_head"]
    for head, values in expected.items():
        assert found[head].shape == values.shape
        np.testing.assert_allclose(found[head], values, rtol=0, atol=1e-6)


@needs_litert
def test_positions_of_any_dtype_and_a_second_question(tmp_path: Path) -> None:
    with LiteRTJSRunner(written(tmp_path)) as web:
        first, again = web.run(feeds(7)), web.run(feeds(7))
    assert all(np.array_equal(first[head], again[head]) for head in first)
    assert np.ptp(first["policy_head"], axis=0).min() > 0


@needs_litert
def test_a_changed_weight_changes_the_answer(tmp_path: Path) -> None:
    path = written(tmp_path)
    with LiteRTJSRunner(path) as web:
        before = web.run(feeds(3))
    data, weights = bytearray(path.read_bytes()), np.random.default_rng(3).normal(0, 0.3, (9, 1)).astype("<f4")
    at = data.index(weights.tobytes())
    data[at : at + 4] = np.float32(weights[0, 0] + 1).tobytes()
    path.write_bytes(data)
    with LiteRTJSRunner(path) as web:
        after = web.run(feeds(3))
    assert np.abs(after["value_head"] - before["value_head"]).max() > 1e-3
    assert np.array_equal(after["policy_head"], before["policy_head"])


@needs_litert
def test_the_runtime_names_package_build_and_node(tmp_path: Path) -> None:
    with LiteRTJSRunner(written(tmp_path)) as web:
        assert web.runtime.startswith(f"@litertjs/core {wanted_of_litert()['@litertjs/core']}, wasm (")
        assert "1 thread, Node " in web.runtime


@needs_litert
@pytest.mark.parametrize("harm", ["cut", "zeros", "text", "empty"])
def test_a_damaged_file_is_refused_in_a_sentence(tmp_path: Path, harm: str) -> None:
    path = written(tmp_path)
    data = path.read_bytes()
    harmed = {"cut": data[: len(data) // 3], "zeros": data[:8] + bytes(len(data)), "text": b"no network", "empty": b""}
    path.write_bytes(harmed[harm])
    with pytest.raises(BundleError, match=r"^'net\.tflite' is not a TFLite file that LiteRT loads: export it again\.$"):
        LiteRTJSRunner(path).__enter__()


@needs_litert
def test_another_signature_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path)
    path.write_bytes(path.read_bytes().replace(b"serving_default", b"serving_another"))
    with LiteRTJSRunner(path) as web, pytest.raises(Refused, match="no signature 'serving_default'"):
        web.signature()


@needs_litert
def test_a_free_batch_is_not_run_and_said_to_be_none(tmp_path: Path) -> None:
    with LiteRTJSRunner(written(tmp_path, None)) as web:
        assert web.signature().inputs[0].shape == (None, 2, 3)
        with pytest.raises(NotRunHere, match="free batch: export it with --batch 1"):
            web.run(feeds(2))


@needs_litert
def test_node_that_does_not_answer_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node_process, "_START_SECONDS", 0.01)
    monkeypatch.setattr(own_limits, "LOOK_SECONDS", 0.01)
    with pytest.raises(BundleError, match=r"^'net\.tflite': Node stopped .+no answer within 0 s of processor time"):
        LiteRTJSRunner(written(tmp_path)).__enter__()


def test_without_node_it_is_not_run_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NotRunHere, match=r"^Node\.js not found: install Node\.js \d+ or newer$"):
        LiteRTJSRunner(path).__enter__()


@pytest.mark.skipif(str(node_ready()).startswith("Node.js"), reason=str(node_ready()))
def test_without_the_package_the_command_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZX_TFJS_NODE", str(tmp_path))
    with pytest.raises(NotRunHere, match=r"^npm package @litertjs/core not found: .*npm ci --prefix "):
        LiteRTJSRunner(written(tmp_path)).__enter__()

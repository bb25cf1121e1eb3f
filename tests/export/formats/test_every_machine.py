"""The same bytes whatever TensorFlow's kernels are: with and without oneDNN, and from one process to the next."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sibling import sibling

tf = pytest.importorskip("tensorflow")

from azx.export.checkpoint.read import read_checkpoint  # noqa: E402
from azx.export.formats import tfjs_constants  # noqa: E402
from azx.export.graph.freeze import freeze  # noqa: E402
from azx.export.graph.frozen import FrozenGraph  # noqa: E402

SHIPPED = ("connect4", "dots_and_boxes", "go", "gomoku", "hex", "reversi", "tictactoe")
# Fused otherwise, or refused, by TensorFlow's remapper without oneDNN; constants of roots; two of the same operation.
TELLING = ("residual", "sigmoid after dense", "gelu after dense", "fused hard swish", "norm after pooling", "swish")
SCRIPT = """
import pickle, sys
from pathlib import Path
from azx.export.formats.table import FORMATS
for at, graph in enumerate(pickle.loads(Path(sys.argv[1]).read_bytes())):
    FORMATS["tfjs"].write(graph, Path(sys.argv[2]) / f"{at}_tfjs")
    FORMATS["onnx"].write(graph, Path(sys.argv[2]) / f"{at}.onnx")
"""


def telling() -> list[FrozenGraph]:
    module = sibling(__file__, "tfjs_networks")
    return [module.frozen((module.NETWORKS | module.TRAPS)[name]) for name in TELLING]


def written(graphs: Path, folder: Path, onednn: str) -> dict[str, bytes]:
    """Each file that a process of its own writes, with or without oneDNN."""
    folder.mkdir()
    environment = os.environ | {"TF_ENABLE_ONEDNN_OPTS": onednn, "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONHASHSEED": onednn}
    command = [sys.executable, "-P", "-c", SCRIPT, str(graphs), str(folder)]
    subprocess.run(command, check=True, env=environment, capture_output=True)
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.whole
def test_neither_onednn_nor_the_process_changes_a_byte(repository: Path, tmp_path: Path) -> None:
    shipped = [freeze(read_checkpoint(repository / "mobile_assets" / "checkpoints" / f"{n}.h5")) for n in SHIPPED]
    # Plain data of our own, which our own process reads again.
    (tmp_path / "graphs").write_bytes(pickle.dumps([*shipped, *telling()]))
    with ThreadPoolExecutor(2) as both:
        one, other = both.map(
            lambda setting: written(tmp_path / "graphs", tmp_path / f"with {setting}", setting), ("0", "1")
        )
    assert one.keys() == other.keys()
    assert len([name for name in one if name.endswith("model.json")]) == len(SHIPPED) + len(TELLING)
    assert [name for name in one if one[name] != other[name]] == []


def node(op: str, name: str, *inputs: str) -> Any:
    made = tf.compat.v1.NodeDef(op=op, name=name, input=inputs)
    made.attr["T"].type = 1
    return made


def constant(name: str, values: Any) -> Any:
    made = tf.compat.v1.NodeDef(op="Const", name=name)
    made.attr["dtype"].type = 1
    made.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(values))
    return made


def test_reciprocals_of_constants_are_rounded_exactly_and_what_reads_the_board_stays() -> None:
    variance = np.random.default_rng(0).uniform(0.01, 9, 500).astype(np.float32)
    graph = tf.compat.v1.GraphDef()
    graph.node.extend(
        [
            constant("variance", variance),
            constant("epsilon", np.float32(1e-3)),
            node("Placeholder", "board"),
            node("AddV2", "sum", "variance", "epsilon"),
            node("Rsqrt", "root", "sum"),
            node("Reciprocal", "inverse", "variance:0"),
            node("Rsqrt", "of the board", "board"),
        ]
    )
    found = {one.name: one for one in tfjs_constants.with_reciprocals(graph).node}
    total = (variance + np.float32(1e-3)).astype(np.float64)
    np.testing.assert_array_equal(tf.make_ndarray(found["root"].attr["value"].tensor), np.float32(1 / np.sqrt(total)))
    inverse = np.float32(1 / variance.astype(np.float64))
    np.testing.assert_array_equal(tf.make_ndarray(found["inverse"].attr["value"].tensor), inverse)
    assert (found["of the board"].op, found["sum"].op) == ("Rsqrt", "AddV2")

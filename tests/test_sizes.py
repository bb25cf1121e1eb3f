"""Networks of the sizes that people train are read, exported and proved; their memory goes back afterwards."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import h5py
import large_networks
import numpy as np
import pytest
from rings import few

from azx.bundle.inspect import inspect_checkpoint
from azx.export.checkpoint.read import read_checkpoint
from azx.system import memory
from azx.validate.witness import evaluate as witness
from azx.validate.witness.evaluate import evaluate, positions_at_once

Azx = Callable[..., subprocess.CompletedProcess[str]]
MEGABYTE = 1_000_000


@pytest.mark.parametrize(
    ("blocks", "filters", "optimizer", "size", "side"),
    # How the largest reads its board is not asked. The other one has a small board, of which that takes a ninth.
    few([(2, 16, True, 0, 9), (large_networks.BLOCKS[120], 256, True, 350, 9), (19, 256, False, 90, 3)]),
)
def test_a_checkpoint_is_read_with_or_without_its_optimizer(
    blocks: int, filters: int, optimizer: bool, size: int, side: int, tmp_path: Path
) -> None:
    cells = side * side
    path = large_networks.residual(
        tmp_path / "net.h5", blocks, filters, board=(side, side), actions=cells, optimizer=optimizer
    )
    assert path.stat().st_size > size * MEGABYTE
    found = inspect_checkpoint(path)
    assert found.multiply_adds is not None
    assert found.multiply_adds > cells * 2 * blocks * 9 * filters**2
    assert found.parameters < path.stat().st_size / (12 if optimizer else 4) * 1.1
    assert [(head.role, head.width) for head in found.heads] == [("value", 1), ("policy", cells)]


def test_inspect_says_what_it_does_with_a_large_checkpoint(tmp_path: Path, azx: Azx) -> None:
    net = large_networks.residual(tmp_path / "net.h5", 1, 8)
    # Of its optimizer, say: what is asked is as much as of a small one.
    with h5py.File(net, "r+") as file:
        file["more"] = np.zeros((17 << 20) // 4, np.float32)
    done = azx("inspect", net, "--json")
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines() == [
        "Inspecting: reading the checkpoint",
        "Inspecting: detecting how the network reads its board",
    ]
    assert azx("inspect", large_networks.residual(tmp_path / "small.h5", 1, 8)).stderr == ""


@pytest.mark.parametrize(("filters", "wide"), few([(8, 32), (512, 1024)]))
def test_the_default_network_of_alpha_zero_general_is_read_from_its_weights_alone(
    filters: int, wide: int, tmp_path: Path
) -> None:
    whole = large_networks.alpha_zero_general(tmp_path / "whole.h5", filters, wide)
    alone = large_networks.alpha_zero_general(tmp_path / "weights.h5", filters, wide, architecture=False)
    graphs = read_checkpoint(whole), read_checkpoint(alone, preset="alpha-zero-general")
    boards = np.random.default_rng(1).integers(-1, 2, (3, 8, 8)).astype(np.float32)
    one, other = (list(evaluate(graph, {graph.inputs[0].name: boards}, np.float32).values()) for graph in graphs)
    for mine, theirs in zip(one, other, strict=True):
        assert np.abs(mine - theirs).max() < 1e-5
        assert np.abs(mine - mine[:1]).max() > 1e-3, "every board has the same answer"


def test_of_wide_layers_the_witness_takes_fewer_positions_together_and_answers_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = read_checkpoint(large_networks.residual(tmp_path / "net.h5", 1, 16))
    boards = {"board": np.random.default_rng(2).integers(0, 2, (100, 9, 9, 2)).astype(np.float32)}
    together = evaluate(graph, boards)
    assert positions_at_once(graph) == witness.CHUNK
    monkeypatch.setattr(witness, "TENSOR_BYTES", 1 << 19)
    assert witness.FEWEST <= positions_at_once(graph) < witness.CHUNK
    assert positions_at_once(graph, np.float32) > positions_at_once(graph)
    for name, answers in evaluate(graph, boards).items():
        assert np.abs(answers - together[name]).max() < 1e-12


def test_what_a_large_conversion_leaves_behind_goes_at_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    class Copy:
        there = 0

        def __init__(self) -> None:
            self.itself, Copy.there = self, Copy.there + 1

        def __del__(self) -> None:
            Copy.there -= 1

    with memory.kept_small(memory.LARGE):
        Copy()
        assert Copy.there == 1
    assert Copy.there == 0
    looked: list[None] = []
    monkeypatch.setattr(memory, "collect", lambda: looked.append(None))
    with memory.kept_small(memory.LARGE - 1):
        pass
    assert not looked


MEASURED = """
import gc, json, os, sys
from pathlib import Path
from azx.export.checkpoint.read import read_checkpoint
from azx.export.formats.table import FORMATS
from azx.export.graph.freeze import freeze
from azx.system.workers import run_shielded
import tensorflow as tf
tf.constant(1)

def held():
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

def write_all(path, place):
    frozen = freeze(read_checkpoint(path))
    sizes = []
    for name in ("pb", "tflite", "onnx", "tfjs"):
        FORMATS[name].write(frozen, Path(place) / f"net{FORMATS[name].suffix}")
        sizes.append(held())
    return sizes

small, large, place = sys.argv[1:]
before = max(run_shielded(write_all, small, place))
print(json.dumps([before, *run_shielded(write_all, large, place), held()]))
"""


@pytest.mark.whole
@pytest.mark.skipif(sys.platform != "linux", reason="other systems tell no process's memory in /proc")
def test_between_formats_the_process_holds_no_more_than_the_network_and_its_two_graphs(tmp_path: Path) -> None:
    small = large_networks.residual(tmp_path / "small.h5", 1, 4)
    large = large_networks.residual(tmp_path / "large.h5", large_networks.BLOCKS[43])
    command = [sys.executable, "-P", "-c", MEASURED, str(small), str(large), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    before, *between = json.loads(done.stdout.splitlines()[-1])
    sizes = [(held - before) / large.stat().st_size for held in between]
    assert max(sizes) < 4.5, sizes
    assert sizes[-1] < 2, sizes


@pytest.mark.whole
def test_a_network_of_120_megabytes_is_exported_and_proved(tmp_path: Path, azx: Azx) -> None:
    net = large_networks.residual(tmp_path / "net.h5", large_networks.BLOCKS[120], optimizer=True)
    options = ["--game", "gomoku", "--positions", 24, "--format", "onnx", "--format", "tflite", "-o", "out"]
    done = azx("export", net, *options)
    assert done.returncode == 0, done.stderr
    assert "asking the original and the float64 witness" in done.stderr
    assert (tmp_path / "out" / "net.onnx").stat().st_size > 118 * MEGABYTE
    done = azx("validate", "out")
    assert done.returncode == 0, done.stderr
    assert "2 artifacts, equal" in done.stdout
    done = azx("report", "out")
    assert done.returncode == 0, done.stderr

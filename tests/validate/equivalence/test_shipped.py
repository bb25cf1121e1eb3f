"""The shipped networks in each format: matched from their bytes alone, in both directions, without TensorFlow."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from azx.export.checkpoint.layer_graph import LayerGraph
from azx.export.checkpoint.read import read_checkpoint
from azx.validate.equivalence import compare
from azx.validate.equivalence.compare import READERS
from azx.validate.equivalence.verdict import OtherCalculation, SameCalculation

NETWORKS = ("connect4", "dots_and_boxes", "go", "gomoku", "hex", "reversi", "tictactoe")


@cache
def checkpoint_of(repository: Path, name: str) -> LayerGraph:
    return read_checkpoint(repository / "mobile_assets" / "checkpoints" / f"{name}.h5")


def outputs_of(bundle: Path) -> dict[str, str]:
    manifest = json.loads((bundle / "manifest.json").read_text())
    return {output["name"]: output["source_name"] for output in manifest["outputs"]}


def artifacts_of(bundle: Path, artifact_format: str) -> list[tuple[Path, str]]:
    manifest = json.loads((bundle / "manifest.json").read_text())
    listed = [entry for entry in manifest["artifacts"] if entry["format"] == artifact_format]
    return [(bundle / entry["path"], entry["precision"]) for entry in listed]


def bundle_of(repository: Path, name: str) -> Path:
    bundle = repository / "build" / "bundles" / name
    if not (bundle / "manifest.json").is_file():
        pytest.skip(f"build/bundles/{name} is not made: make bundles")
    return bundle


@pytest.mark.parametrize("artifact_format", READERS)
@pytest.mark.parametrize("name", NETWORKS)
def test_is_the_same_calculation(repository: Path, name: str, artifact_format: str) -> None:
    bundle, graph = bundle_of(repository, name), checkpoint_of(repository, name)
    paths = [path for path, precision in artifacts_of(bundle, artifact_format) if precision == "fp32"]
    assert paths
    for path in paths:
        verdict = compare(path, artifact_format, graph, outputs_of(bundle))
        assert isinstance(verdict, SameCalculation), str(verdict)
        assert verdict.weights > 0
        assert verdict.to_the_bit <= verdict.weights
        # A scale is rounded to float32, then what it folds into is: one unit and a half at most.
        assert verdict.largest_rounding <= 1.5
        assert str(verdict).startswith("the same calculation for every board: ")


def test_each_parameter_of_a_network_without_normalisation_is_matched_to_the_bit(repository: Path) -> None:
    graph = checkpoint_of(repository, "dots_and_boxes")
    bundle = bundle_of(repository, "dots_and_boxes")
    for artifact_format in READERS:
        verdict = compare(artifacts_of(bundle, artifact_format)[-1][0], artifact_format, graph, outputs_of(bundle))
        assert isinstance(verdict, SameCalculation), str(verdict)
        assert verdict.weights == verdict.to_the_bit == graph.parameters
        assert verdict.largest_rounding == 0


@pytest.mark.parametrize("name", ["connect4", "reversi", "dots_and_boxes"])
def test_in_8_bits_each_weight_is_within_half_a_step(repository: Path, name: str) -> None:
    bundle, graph = bundle_of(repository, name), checkpoint_of(repository, name)
    lower = [path for path, precision in artifacts_of(bundle, "tfjs") if precision != "fp32"]
    assert lower
    for path in lower:
        verdict = compare(path, "tfjs", graph, outputs_of(bundle))
        assert isinstance(verdict, SameCalculation), str(verdict)
        # A layer that its gate keeps in float lies in half precision.
        assert verdict.weights / 2 < verdict.in_fewer_bits < verdict.weights
        assert str(verdict).endswith("in fewer bits within half a step")


@pytest.mark.parametrize("artifact_format", READERS)
def test_the_checkpoint_of_another_network_is_found(repository: Path, artifact_format: str) -> None:
    bundle, other = bundle_of(repository, "hex"), checkpoint_of(repository, "reversi")
    path = next(path for path, precision in artifacts_of(bundle, artifact_format) if precision == "fp32")
    verdict = compare(path, artifact_format, other, outputs_of(bundle))
    assert isinstance(verdict, OtherCalculation)


@pytest.mark.parametrize("artifact_format", READERS)
def test_outputs_under_each_others_names_are_found(repository: Path, artifact_format: str) -> None:
    bundle, graph = bundle_of(repository, "reversi"), checkpoint_of(repository, "reversi")
    path = next(path for path, precision in artifacts_of(bundle, artifact_format) if precision == "fp32")
    one, other = outputs_of(bundle)
    verdict = compare(path, artifact_format, graph, {one: other, other: one})
    assert isinstance(verdict, OtherCalculation)


def test_neither_tensorflow_nor_a_runtime_nor_a_writer_is_loaded(repository: Path) -> None:
    bundle_of(repository, "tictactoe")
    code = """
import sys
from pathlib import Path
from azx.export.checkpoint.read import read_checkpoint
from azx.validate.equivalence import compare
graph = read_checkpoint(Path("mobile_assets/checkpoints/tictactoe.h5"))
folder, outputs = Path("build/bundles/tictactoe"), {head.source_name: head.source_name for head in graph.outputs}
ends = {"onnx": ".onnx", "pb": ".pb", "tflite": ".tflite", "coreml": ".mlpackage", "tfjs": "_tfjs"}
for kind, end in ends.items():
    print(compare(folder / f"tictactoe{end}", kind, graph, outputs))
heavy = ("tensorflow", "keras", "tf_keras", "onnx", "onnxruntime", "coremltools", "ai_edge_litert.interpreter")
writers = ("azx.export.network", "azx.export.graph", "azx.export.original", "azx.export.formats")
print("loaded:", [name for name in (*heavy, *writers) if name in sys.modules])
"""
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], cwd=repository, capture_output=True, text=True, check=True
    )
    lines = done.stdout.splitlines()
    assert len(lines) == 6
    assert all(line.startswith("the same calculation for every board") for line in lines[:5])
    assert lines[5] == "loaded: []"

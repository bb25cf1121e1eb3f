"""One change in an artifact's bytes is found, whatever it is: every weight, operation and attribute in turn."""

from __future__ import annotations

import json
from functools import cache
from math import prod
from pathlib import Path
from typing import Any

import pytest
from rings import few
from sibling import sibling

from azx.export.checkpoint.layer_graph import LayerGraph
from azx.export.checkpoint.read import read_checkpoint
from azx.validate.equivalence import compare
from azx.validate.equivalence.verdict import OtherCalculation, SameCalculation

mutants = sibling(__file__, "mutants").mutants
# Every change of a small network with softmax, and one in forty of them; one in ten of a large one: even kernels,
# slopes, planes first.
CASES = few([("reversi", 40), ("reversi", 1), ("connect4", 10)])
EDITORS = {
    "onnx": ("edit_onnx", "OnnxEditor", "{}.onnx"),
    "pb": ("edit_graph_def", "PbEditor", "{}.pb"),
    "tfjs": ("edit_graph_def", "TfjsEditor", "{}_tfjs"),
    "tflite": ("edit_tflite", "TfliteEditor", "{}.tflite"),
    "coreml": ("edit_coreml", "CoremlEditor", "{}.mlpackage"),
}


@cache
def checkpoint_of(repository: Path, name: str) -> LayerGraph:
    return read_checkpoint(repository / "mobile_assets" / "checkpoints" / f"{name}.h5")


def artifact_of(repository: Path, name: str, artifact_format: str) -> Path:
    path = repository / "build" / "bundles" / name / EDITORS[artifact_format][2].format(name)
    if not path.exists():
        pytest.skip(f"{path} is not made: make bundles")
    return path


def opened(path: Path, artifact_format: str, target: Path) -> Any:
    module, editor, _ = EDITORS[artifact_format]
    return getattr(sibling(__file__, module), editor)(path, target)


@pytest.mark.parametrize(("name", "every"), CASES)
@pytest.mark.parametrize("artifact_format", EDITORS)
def test_every_mutant_is_found(repository: Path, tmp_path: Path, artifact_format: str, name: str, every: int) -> None:
    path, graph = artifact_of(repository, name, artifact_format), checkpoint_of(repository, name)
    manifest = json.loads((path.parent / "manifest.json").read_text())
    outputs = {output["name"]: output["source_name"] for output in manifest["outputs"]}
    size = prod(graph.inputs[0].shape)
    assert isinstance(
        compare(opened(path, artifact_format, tmp_path).save(), artifact_format, graph, outputs), SameCalculation
    )
    missed = []
    changes = list(mutants(opened(path, artifact_format, tmp_path), size))
    # However few: what nothing reads, and the look-up that no sample meets.
    always = [each for each in changes if each[0] in ("planted weight", "look-up on eight cells 0")]
    assert len(always) == 2
    for label, change in [*changes[::every], *always]:
        editor = opened(path, artifact_format, tmp_path)
        change(editor)
        verdict = compare(editor.save(), artifact_format, graph, outputs)
        if not isinstance(verdict, OtherCalculation):
            missed.append(f"{label}: {verdict}")
    assert not missed, "\n".join(missed)
    assert len(changes) >= 200

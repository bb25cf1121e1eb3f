"""The faults of tests/validate/test_faults.py, seen in the bytes alone: nothing runs, and no position is asked."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from rings import few
from sibling import sibling

from azx.export.checkpoint.read import read_checkpoint
from azx.validate.equivalence import compare
from azx.validate.equivalence.compare import READERS
from azx.validate.equivalence.verdict import OtherCalculation, SameCalculation

edits = sibling(str(Path(__file__).parent), "fault_edits")


# A name of an inner node, by which apps fetch an output too: the calculation is the same, and the proof names it.
SAME = {(name, "a head renamed in one of its places") for name in ("pb", "tfjs")}


@pytest.mark.parametrize("artifact_format", few(READERS, 2))
def test_every_fault_is_another_calculation(
    small_bundle: Path, small_checkpoint: Path, tmp_path: Path, artifact_format: str
) -> None:
    graph = read_checkpoint(small_checkpoint)
    ports = json.loads((small_bundle / "manifest.json").read_text())
    outputs = {port["name"]: port["source_name"] for port in ports["outputs"]}
    inputs = {port["name"]: port["source_name"] for port in ports["inputs"]}
    name = edits.paths(small_bundle)[artifact_format]
    assert isinstance(compare(small_bundle / name, artifact_format, graph, outputs, inputs), SameCalculation)
    for number, fault in enumerate(edits.FAULTS):
        bundle = tmp_path / str(number)
        shutil.copytree(small_bundle, bundle)
        edits.break_artifact(bundle, artifact_format, fault)
        verdict = compare(bundle / name, artifact_format, graph, outputs, inputs)
        expected = SameCalculation if (artifact_format, fault) in SAME else OtherCalculation
        assert isinstance(verdict, expected), f"{fault}: {verdict}"

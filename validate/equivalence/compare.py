"""The room's one entry: compares an artifact's bytes with its checkpoint."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ...export.checkpoint.layer_graph import LayerGraph
from . import coreml, graph_def, mil_file, onnx, pb, tfjs, tflite
from .checkpoint import read_graph
from .match import match
from .normal import MisfitError, NoRuleError, View
from .program import LeftOverError, Program, Rule, read_program
from .verdict import NotCompared, OtherCalculation, Verdict

# For each format, the function that reads a program from its bytes, and a rule for each operation.
READERS: dict[str, tuple[Callable[[Path, Sequence[str]], Program], Mapping[str, Rule]]] = {
    "onnx": (onnx.read, onnx.RULES),
    "pb": (pb.read, graph_def.RULES),
    "tfjs": (tfjs.read, graph_def.RULES),
    "tflite": (tflite.read, tflite.RULES),
    "coreml": (mil_file.read, coreml.RULES),
}


def compare(
    path: Path,
    artifact_format: str,
    graph: LayerGraph,
    outputs: Mapping[str, str],
    inputs: Mapping[str, str] | None = None,
) -> Verdict:
    """Compare an artifact's bytes with its checkpoint as programs.

    `artifact_format` is a key of READERS. `outputs` maps the artifact's names of its outputs, in order, to the
    checkpoint's; `inputs` does so for inputs whose names differ. `azx.validate.door` must have accepted the artifact.
    """
    read, rules = READERS[artifact_format]
    try:
        ours = read_graph(graph)
        theirs = read_program(read(path, list(outputs)), rules, inputs or {})
    except NoRuleError as error:
        return NotCompared(str(error))
    except (LeftOverError, MisfitError) as error:
        return OtherCalculation(str(error))
    return _match_outputs(ours, theirs, outputs)


def _match_outputs(ours: Mapping[str, View], theirs: Mapping[str, View], outputs: Mapping[str, str]) -> Verdict:
    if set(theirs) != set(outputs):
        return OtherCalculation(f"its outputs are {', '.join(sorted(theirs))}, not {', '.join(sorted(outputs))}")
    if list(theirs) != list(outputs):
        return OtherCalculation(f"its outputs come in the order {', '.join(theirs)}, not {', '.join(outputs)}")
    if set(outputs.values()) != set(ours) or len(outputs) != len(ours):
        return OtherCalculation(f"it has {len(outputs)} outputs of the checkpoint's {len(ours)}")
    return match(ours, {outputs[name]: theirs[name] for name in outputs})

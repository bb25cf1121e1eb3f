"""Explains one artifact in the process that its runtime needs; `explain_bundle.py` calls it there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import AzxError, NotRunHere, Refused, first_line
from ..export.checkpoint.head import Head
from ..export.checkpoint.layer_graph import LayerGraph
from ..export.formats.precisions.precision import FP32
from ..manifest import Calculation
from ..system.installed import not_run_here
from ..validate.door.look import admit
from ..validate.proof.calculation import calculation_data
from ..validate.witness.evaluate import evaluate
from .harm import Harm, harms
from .landmarks import landmarks
from .taps.tap import taps_by_position
from .verdict import HeadError, StepVerdict, head_errors, judge_steps
from .walk import Step, replay, walk

# The formats whose inner tensors azx can read; each has its file in `taps`.
TAPPED = ("pb", "tflite", "onnx", "tfjs", "coreml")


@dataclass(frozen=True, eq=False)
class Question:
    """The artifact, the original, and the positions that both answer.

    `feeds` and `legal` are those of `Positions`, by the checkpoint's input names; `inputs` maps these to the artifact's
    names. `traced` is the reason why the graph was traced from Keras, None if it was simplified.
    """

    path: Path
    format: str
    precision: str
    graph: LayerGraph
    heads: Sequence[Head]
    inputs: Mapping[str, str]
    feeds: Mapping[str, NDArray[Any]]
    legal: NDArray[np.bool_] | None
    traced: str | None


@dataclass(frozen=True, eq=False)
class ArtifactExplanation:
    """The findings on one artifact.

    `steps` are its tensors in the order of execution, `heads` the errors of its outputs. In a lower precision `harms`
    are the effects of each layer alone. `mended` are the outputs' errors with the layer `culprit` exact; empty without
    a culprit. `reason` says why the artifact could not be explained. `calculation` compares the file's bytes with the
    checkpoint and says where they first differ; None in a lower precision.
    """

    path: Path
    format: str
    precision: str = FP32
    runtime: str = ""
    positions: int = 0
    steps: list[StepVerdict] = field(default_factory=list)
    heads: list[HeadError] = field(default_factory=list)
    harms: list[Harm] = field(default_factory=list)
    mended: list[HeadError] = field(default_factory=list)
    reason: str = ""
    calculation: Calculation | None = None

    @property
    def first(self) -> StepVerdict | None:
        """The first step outside its band."""
        return next((each for each in self.steps if not each.passed), None)

    @property
    def worst(self) -> StepVerdict | None:
        """The step farthest outside its band."""
        over = [each for each in self.steps if not each.passed]
        return max(over, key=lambda each: each.step.own / each.band, default=None)

    @property
    def most(self) -> Harm | None:
        """The layer that harms the answers most, guilty or not; None in float32."""
        return max(self.harms, key=lambda each: each.weight, default=None)

    @property
    def culprit(self) -> tuple[Step, ...]:
        """The steps of the layer to mend: in a lower precision the most harmful one, else the first off its band."""
        if self.most is not None and self.most.is_much:
            return self.most.steps
        return (self.first.step,) if self.first is not None else ()

    def as_data(self) -> dict[str, Any]:
        """The artifact's part of the output of `azx explain --json`."""
        first, culprit = self.first, self.culprit
        named = None if first is None else {"layer": first.step.layer, "layers": first.step.layers}
        data: dict[str, Any] = {"path": self.path, "format": self.format, "precision": self.precision}
        data |= {"calculation": calculation_data(self.calculation) if self.calculation else None}
        data |= {"runtime": self.runtime or None, "positions": self.positions, "first": named}
        data |= {"layers": [each.as_data() for each in self.steps], "heads": [each.as_data() for each in self.heads]}
        exact = {"layer": culprit[0].layer, "heads": [each.as_data() for each in self.mended]} if culprit else None
        data |= {"harms": [each.as_data() for each in self.harms], "with_exact": exact}
        return data | {"reason": self.reason or None}


def explain_artifact(question: Question) -> ArtifactExplanation:
    """Run the artifact, record its inner tensors, and compare them layer by layer.

    Raises UnsafeArtifact, before it runs, if the artifact does more than calculate. Raises BundleError or Refused if it
    does not run, UnsupportedLayer if the witness has no rule for a layer.
    """
    module = import_module(f".taps.{question.format}", __package__)
    feeds = {question.inputs[name]: np.asarray(feed, np.float32) for name, feed in question.feeds.items()}
    total = len(next(iter(feeds.values())))
    try:
        admit(question.format, question.path)
        runtime, taps = module.taps(question.path, feeds)
    except NotRunHere as error:
        return ArtifactExplanation(question.path, question.format, question.precision, reason=str(error))
    except ImportError as error:
        return ArtifactExplanation(question.path, question.format, question.precision, reason=str(not_run_here(error)))
    except AzxError:
        raise
    except Exception as error:  # a runtime may raise any error
        raise Refused(f"'{question.path}' does not run ({first_line(error)}): export its checkpoint again.") from error
    marks = landmarks(question.graph, question.heads, list(question.inputs.values()))
    steps = walk(question.graph, marks, taps_by_position(taps, total), question.feeds)
    answers = _answers(question, steps)
    truth = evaluate(question.graph, question.feeds)
    explanation = ArtifactExplanation(
        question.path, question.format, question.precision, runtime, total, judge_steps(steps, question.precision)
    )
    explanation.heads.extend(head_errors(question.heads, answers, truth, question.legal))
    if question.precision != FP32:
        explanation.harms.extend(harms(question.graph, steps, question.feeds, truth))
    culprit = {step.output for step in explanation.culprit}
    if culprit:
        mended = replay(question.graph, [step for step in steps if step.output not in culprit], question.feeds)
        explanation.mended.extend(head_errors(question.heads, mended, truth, question.legal))
    return explanation


def _answers(question: Question, steps: Sequence[Step]) -> dict[str, NDArray[Any]]:
    """The artifact's outputs (N, ...) by source name, recomputed from its steps with all their errors."""
    there = {step.output for step in steps}
    missing = next((head for head in question.graph.outputs if head.tensor not in there), None)
    if missing is not None:
        raise Refused(f"'{question.path}' has no output for '{missing.source_name}': export its checkpoint again.")
    return replay(question.graph, steps, question.feeds)

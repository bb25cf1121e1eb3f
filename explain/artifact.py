"""One artifact explained, in the process that its runtime belongs in: what `run.py` asks of it there."""

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
from .verdict import HeadError, Judged, head_errors, judge_steps
from .walk import Step, replay, walk

# The formats whose inner tensors can be seen, each with its file in `taps`.
TAPPED = ("pb", "tflite", "onnx", "tfjs", "coreml")


@dataclass(frozen=True, eq=False)
class Question:
    """What is asked: the artifact, the original, and the positions that both answer.

    `feeds` and `legal` are as `Positions` has them, by the checkpoint's input names; `inputs` maps those to the
    artifacts'. `traced` says why the graph was traced from Keras, None if it was simplified.
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
class Explained:
    """What was found of one artifact.

    `steps` are its tensors in the order of execution, `heads` the errors of its outputs. In a lower precision `harms`
    are the effects of each layer alone. `mended` is the outputs' error with the layer `culprit` exact (empty without a
    culprit). `reason` says why nothing was found out. `calculation` is what the file's bytes are beside the checkpoint,
    and where they first differ; None in a lower precision.
    """

    path: Path
    format: str
    precision: str = FP32
    runtime: str = ""
    positions: int = 0
    steps: list[Judged] = field(default_factory=list)
    heads: list[HeadError] = field(default_factory=list)
    harms: list[Harm] = field(default_factory=list)
    mended: list[HeadError] = field(default_factory=list)
    reason: str = ""
    calculation: Calculation | None = None

    @property
    def first(self) -> Judged | None:
        """The first step outside its band."""
        return next((each for each in self.steps if not each.passed), None)

    @property
    def worst(self) -> Judged | None:
        """The step that is farthest outside its band."""
        over = [each for each in self.steps if not each.passed]
        return max(over, key=lambda each: each.step.own / each.band, default=None)

    @property
    def most(self) -> Harm | None:
        """The layer that harms the answers most, be it to blame or not; None if that was not asked."""
        return max(self.harms, key=lambda each: each.weight, default=None)

    @property
    def culprit(self) -> tuple[Step, ...]:
        """The steps of the layer that is to be mended: in a lower precision what harms most, else the first outside."""
        if self.most is not None and self.most.is_much:
            return self.most.steps
        return (self.first.step,) if self.first is not None else ()

    def as_data(self) -> dict[str, Any]:
        """What `azx explain --json` prints of it."""
        first, culprit = self.first, self.culprit
        named = None if first is None else {"layer": first.step.layer, "layers": first.step.layers}
        told: dict[str, Any] = {"path": self.path, "format": self.format, "precision": self.precision}
        told |= {"calculation": calculation_data(self.calculation) if self.calculation else None}
        told |= {"runtime": self.runtime or None, "positions": self.positions, "first": named}
        told |= {"layers": [each.as_data() for each in self.steps], "heads": [each.as_data() for each in self.heads]}
        exact = {"layer": culprit[0].layer, "heads": [each.as_data() for each in self.mended]} if culprit else None
        told |= {"harms": [each.as_data() for each in self.harms], "with_exact": exact}
        return told | {"reason": self.reason or None}


def explain_artifact(asked: Question) -> Explained:
    """Run the artifact with its inner tensors kept, and walk through the layers.

    Raises UnsafeArtifact before that if it does more than calculate. Raises BundleError or Refused if it does not run,
    UnsupportedLayer if the witness has no rule for a layer.
    """
    module = import_module(f".taps.{asked.format}", __package__)
    feeds = {asked.inputs[name]: np.asarray(feed, np.float32) for name, feed in asked.feeds.items()}
    total = len(next(iter(feeds.values())))
    try:
        admit(asked.format, asked.path)
        runtime, taps = module.taps(asked.path, feeds)
    except NotRunHere as error:
        return Explained(asked.path, asked.format, asked.precision, reason=str(error))
    except ImportError as error:
        return Explained(asked.path, asked.format, asked.precision, reason=str(not_run_here(error)))
    except AzxError:
        raise
    except Exception as error:  # a runtime raises whatever it likes
        raise Refused(f"'{asked.path}' does not run ({first_line(error)}): export its checkpoint again.") from error
    marks = landmarks(asked.graph, asked.heads, list(asked.inputs.values()))
    steps = walk(asked.graph, marks, taps_by_position(taps, total), asked.feeds)
    answers = _answers(asked, steps)
    truth = evaluate(asked.graph, asked.feeds)
    found = Explained(asked.path, asked.format, asked.precision, runtime, total, judge_steps(steps, asked.precision))
    found.heads.extend(head_errors(asked.heads, answers, truth, asked.legal))
    if asked.precision != FP32:
        found.harms.extend(harms(asked.graph, steps, asked.feeds, truth))
    culprit = {step.output for step in found.culprit}
    if culprit:
        mended = replay(asked.graph, [step for step in steps if step.output not in culprit], asked.feeds)
        found.mended.extend(head_errors(asked.heads, mended, truth, asked.legal))
    return found


def _answers(asked: Question, steps: Sequence[Step]) -> dict[str, NDArray[Any]]:
    """The artifact's outputs (N, ...) by source name, recomputed from its steps, with every error."""
    there = {step.output for step in steps}
    missing = next((head for head in asked.graph.outputs if head.tensor not in there), None)
    if missing is not None:
        raise Refused(f"'{asked.path}' has no output for '{missing.source_name}': export its checkpoint again.")
    return replay(asked.graph, steps, asked.feeds)

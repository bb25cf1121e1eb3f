"""Compares an artifact's bytes with its checkpoint as programs: the verdict of `equivalence`, and its sentence."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import first_line
from ...export.checkpoint.layer_graph import LayerGraph
from ...manifest import Calculation
from ...texts import say
from ..equivalence.checkpoint import RULES
from ..equivalence.compare import READERS, compare
from ..equivalence.verdict import NotCompared, OtherCalculation, SameCalculation, Verdict

SAME, TRIED, DIFFERS = "same", "tried", "differs"
# A reason may name any node of a file, so a longer one is cut.
LONGEST = 600


@dataclass(frozen=True, eq=False)
class Comparison:
    """The checkpoint's side of a comparison with artifacts.

    `outputs` and `inputs` map the artifacts' names to the checkpoint's. `traced` is the reason why the graph was traced
    from Keras, None if it was simplified; the artifacts of a traced graph need not have the checkpoint's form.
    """

    graph: LayerGraph
    outputs: Mapping[str, str]
    inputs: Mapping[str, str]
    traced: str | None = None

    def of(self, path: Path, format_name: str) -> Calculation | None:
        """The verdict on the float32 artifact at `path`, which `azx.validate.door` must have accepted.

        None if this format's reader is not installed.
        """
        try:
            return describe(self._compare(path, format_name))
        except ImportError:
            return None

    def of_all(self, folder: Path, formats: Mapping[str, str]) -> dict[str, Calculation]:
        """The verdicts on the float32 artifacts of `folder` that can be read here.

        `formats` maps their paths to formats.
        """
        verdicts = {path: self.of(folder / path, name) for path, name in formats.items()}
        return {path: calculation for path, calculation in verdicts.items() if calculation is not None}

    def _compare(self, path: Path, format_name: str) -> Verdict:
        if format_name not in READERS:
            return NotCompared(f"files of format {format_name} are not read back")
        try:
            verdict = compare(path, format_name, self.graph, self.outputs, self.inputs)
        except ImportError:
            raise
        except Exception as error:  # a parser may raise any error on a damaged file
            return NotCompared(f"its bytes cannot be read back ({type(error).__name__}: {first_line(error)[:200]})")
        if isinstance(verdict, OtherCalculation) and self.traced is not None:
            return NotCompared(f"the graph was traced from Keras: {self.traced}")
        return verdict


def can_match(graph: LayerGraph, formats: Iterable[str]) -> bool:
    """Whether all layers and formats have rules, so that the artifacts are probably the same calculation."""
    kinds = {call.layer.kind.rsplit(">", 1)[-1] for call in graph.calls}
    return kinds <= RULES.keys() and set(formats) <= READERS.keys()


def describe(verdict: Verdict) -> Calculation:
    """The verdict in a manifest's form, before anything is run.

    The largest rounding is rounded up, so that the statement stays true.
    """
    if isinstance(verdict, SameCalculation):
        return Calculation(
            verdict=SAME,
            boards=0,
            operations=verdict.operations,
            weights=verdict.weights,
            to_the_bit=verdict.to_the_bit,
            largest_rounding=math.ceil(verdict.largest_rounding * 100) / 100,
        )
    name = DIFFERS if isinstance(verdict, OtherCalculation) else TRIED
    return Calculation(verdict=name, boards=0, reason=verdict.reason[:LONGEST])


def say_calculation(calculation: Calculation) -> str:
    """The clause about an artifact's calculation.

    The apps use the same words, from the same texts (`mobile_assets/fixtures/calculations.json`).
    """
    boards = f"{calculation.boards:,}"
    reason = calculation.reason or ""
    if calculation.verdict == DIFFERS:
        return say("calculation_differs", [reason])
    if calculation.verdict != SAME:
        return say("calculation_tried", [boards, reason])
    counts = [f"{calculation.operations or 0:,}", f"{calculation.weights or 0:,}", f"{calculation.to_the_bit or 0:,}"]
    if calculation.to_the_bit == calculation.weights:
        return say("calculation_exact", [*counts[:2], boards])
    return say("calculation_same", [*counts, f"{calculation.largest_rounding or 0:.2f}", boards])


def calculation_data(calculation: Calculation) -> dict[str, Any]:
    """The verdict as JSON types, with its sentence."""
    return {**calculation.as_data(), "sentence": say_calculation(calculation)}

"""parity.json and the output of `azx bench`, as a page reads them: checked; unknown members are ignored.

No hash guards these files. Their contents are limited in size before anything is drawn, and are drawn only as text.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from ..errors import BundleError
from ..export.formats.precisions.precision import FP32
from ..manifest import Calculation
from ..validate.gate.verdict import BEST_MOVE, Check
from ..validate.proof.calculation import LONGEST as MOST_REASON
from ..validate.proof.calculation import SAME
from ..validate.proof.trace import unpack_numbers

# More than any bundle has. A longer list is cut to this, since a page with more would be unreadable.
MOST_ARTIFACTS, MOST_HEADS, MOST_CHECKS, MOST_TEXTS, MOST_PARTS = 60, 8, 80, 40, 8
MOST_LAYERS, MOST_RUNTIMES = 400, 4
# The most characters in a packed list, such as the planes of a board of Go.
MOST_PACKED = 200_000


def _numbers(text: str) -> str:
    if not all(math.isfinite(number) for number in unpack_numbers(text)):
        raise ValueError("has a number that is not finite")
    return text


def _first(most: int) -> BeforeValidator:
    return BeforeValidator(lambda value: value[:most] if isinstance(value, list) else value)


Packed = Annotated[str, Field(max_length=MOST_PACKED), AfterValidator(_numbers)]
Texts = Annotated[list[str], _first(MOST_TEXTS)]
Share = float | None


Whole = TypeVar("Whole", bound=BaseModel)


class Part(BaseModel):
    """Any object of these files; unknown members are ignored."""

    model_config = ConfigDict(frozen=True, allow_inf_nan=False)


class HeadFigures(Part):
    """One head of a float32 artifact; an error that is not a number is None."""

    head: str
    max_error: float | None
    limit: float
    reference_distance: float | None = None
    best_move_agreement: Share = None


class GateFigure(Part):
    """One figure of a gate."""

    head: str
    positions: str
    metric: str
    value: float | None
    limit: float
    of_limit: float | None
    position: int | None
    counted: int = 0

    @property
    def check(self) -> Check:
        """The figure as the gate's own `Check`, which can put it into words."""
        value, used = (math.nan if number is None else number for number in (self.value, self.of_limit))
        return Check(self.head, self.positions, self.metric, value, self.limit, used, self.position, self.counted)


class GateFigures(Part):
    """A gate's figures for an artifact."""

    passed: bool
    positions: Texts = []
    closest: GateFigure | None = None
    checks: Annotated[list[GateFigure], _first(MOST_CHECKS)] = []
    notes: Texts = []
    broken: Texts = []

    @property
    def best_move(self) -> float | None:
        """The smallest share of kept best moves over all kinds of positions; None if they were not counted."""
        shares = [check.value for check in self.checks if check.metric == BEST_MOVE and check.value is not None]
        return min(shares, default=None)


class Kind(Part):
    """Where one kind of positions begins."""

    name: str
    begins: int = Field(ge=0)


class HeadTrace(Part):
    """One head's errors, the largest in each run of positions; for a value also its answers at some of them."""

    head: str
    measure: str
    limit: float = Field(ge=0)
    errors: Packed
    original: Packed | None = None
    exported: Packed | None = None


class HeadAnswer(Part):
    """The answers of original and artifact at one position."""

    head: str
    error: float
    original: Packed
    exported: Packed


class WorstPosition(Part):
    """A position with a large error of an artifact."""

    kind: str
    position: int = Field(ge=0)
    input: Packed | None = None
    legal: Packed | None = None
    heads: Annotated[list[HeadAnswer], _first(MOST_HEADS)]


class Trace(Part):
    """An artifact's answers beside the original's, in the form that `validate/traces/` writes."""

    positions: int = Field(gt=0)
    kinds: Annotated[list[Kind], _first(MOST_HEADS)]
    heads: Annotated[list[HeadTrace], Field(min_length=1), _first(MOST_HEADS)]
    worst: Annotated[list[WorstPosition], _first(3)]


class Figures(Part):
    """One artifact in one runtime; `further` names the runtime if it is not the format's own."""

    file: str
    format: str
    precision: str = FP32
    runtime: str
    passed: bool
    proved: bool = True
    reason: str | None = None
    problems: Texts = []
    heads: Annotated[list[HeadFigures], _first(MOST_HEADS)] = []
    gate: GateFigures | None = None
    further: str | None = None

    @property
    def used(self) -> float:
        """The largest share of a limit that it uses; infinity if an answer is not a number, 0 if nothing is known."""
        if self.precision == FP32:
            pairs = ((head.max_error, head.limit) for head in self.heads)
            return max((math.inf if error is None else error / limit for error, limit in pairs if limit), default=0.0)
        if self.gate is None or self.gate.closest is None:
            return math.inf if self.gate and self.gate.broken else 0.0
        return math.inf if self.gate.closest.of_limit is None else self.gate.closest.of_limit

    @property
    def worst(self) -> HeadFigures | None:
        """For a float32 artifact, the head that uses the largest share of its limit; None if it gave no answer."""
        return max(
            self.heads,
            key=lambda head: math.inf if head.max_error is None else head.max_error / (head.limit or 1),
            default=None,
        )

    @property
    def best_move(self) -> float | None:
        """The share of positions that keep their best move; None if they were not counted."""
        if self.gate is not None:
            return self.gate.best_move
        shares = [head.best_move_agreement for head in self.heads if head.best_move_agreement is not None]
        return min(shares, default=None)


class CalculationFigures(Part):
    """How an artifact's bytes compare with the checkpoint; the members are the manifest's."""

    verdict: Literal["same", "tried", "differs"]
    boards: int = Field(ge=0)
    operations: int | None = None
    weights: int | None = None
    to_the_bit: int | None = None
    largest_rounding: float | None = None
    reason: Annotated[str, Field(max_length=MOST_REASON)] | None = None


class ArtifactFigures(Figures):
    """One artifact of a proof; `also` has its figures in further runtimes."""

    trace: Trace | None = None
    calculation: CalculationFigures | None = None
    also: Annotated[list[Figures], _first(MOST_RUNTIMES)] = []

    @property
    def compared(self) -> Calculation | None:
        """How its bytes compare with the checkpoint; None if they were not compared."""
        return None if self.calculation is None else Calculation(**self.calculation.model_dump())

    @property
    def is_shown(self) -> bool:
        """Whether it is the same calculation for every board."""
        return self.calculation is not None and self.calculation.verdict == SAME


class Origin(Part):
    """Positions of one origin, and the share of such positions on which an error could hide."""

    name: str
    could_hide: Share = None


class FreshPositions(Part):
    """Positions of a seed drawn after the artifacts were written; the seed is None without such positions."""

    seed: int | None = None
    positions: int = 0


class ProofFigures(Part):
    """A proof in the form of parity.json."""

    passed: bool
    positions: int
    fresh: FreshPositions = FreshPositions()
    could_hide: Share = None
    parts: Annotated[list[Origin], _first(MOST_PARTS)] = []
    description: str
    against: str
    notes: Texts = []
    artifacts: Annotated[list[ArtifactFigures], _first(MOST_ARTIFACTS)]

    @property
    def hidden(self) -> dict[str, float]:
        """The share of positions on which an error could hide, by their origin; older proofs have one share."""
        shares = {part.name: part.could_hide for part in self.parts if part.could_hide is not None}
        return shares or ({} if self.could_hide is None else {"such": self.could_hide})


class ArtifactBench(Part):
    """One artifact's figures from `azx bench --json`, in seconds and bytes."""

    path: str
    size: int
    further: str | None = None
    runtime: str = ""
    batch: int = 1
    load: float | None = None
    latency: dict[str, float] = {}
    ratio: float | None = None
    playouts_per_second: float | None = None
    peak_memory: int | None = None
    reason: str | None = None


class Bench(Part):
    """The output of `azx bench --json`."""

    rounds: int
    threads: int
    artifacts: Annotated[list[ArtifactBench], _first(20 * MOST_ARTIFACTS)]


class Layer(Part):
    """One tensor of an artifact and the layers that it covers; errors are shares of its largest value."""

    layers: Texts
    layer: str
    own_error: float | None
    band: float | None
    drift: float | None
    in_band: bool


class ArtifactLayers(Part):
    """One artifact, layer by layer; `reason` says why it was not explained."""

    path: str
    layers: Annotated[list[Layer], _first(MOST_LAYERS)] = []
    reason: str | None = None

    @property
    def first(self) -> Layer | None:
        """The first layer whose own error leaves its band."""
        return next((layer for layer in self.layers if not layer.in_band), None)


class Explanation(Part):
    """The output of `azx explain --json`."""

    artifacts: Annotated[list[ArtifactLayers], _first(MOST_ARTIFACTS)]


def read_explanation(data: Mapping[str, Any]) -> Explanation:
    """Read the output of `azx explain --json`; BundleError, naming the member, if it is not sound."""
    return _validate(Explanation, data, "It has", "give a file that azx explain --json wrote.")


def read_proof(data: Mapping[str, Any]) -> ProofFigures:
    """Read the proof in parity.json; BundleError, naming the member, if it is not sound."""
    return _validate(ProofFigures, data, "parity.json has", "export the checkpoint again, or give it with --against.")


def read_bench(data: Mapping[str, Any]) -> Bench:
    """Read the output of `azx bench --json`; BundleError, naming the member, if it is not sound."""
    return _validate(Bench, data, "It has", "give a file that azx bench --json wrote.")


def _validate(kind: type[Whole], data: Mapping[str, Any], it_has: str, remedy: str) -> Whole:
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors(include_url=False)[0]["loc"])
        raise BundleError(f"{it_has} no sound '{where}': {remedy}") from error

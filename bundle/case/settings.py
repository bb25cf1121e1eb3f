"""The settings of an export."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypedDict, Unpack

from ...errors import AzxError
from ...export.formats.precisions.precision import FP32, Mixed
from ...export.formats.precisions.precision import list_precisions as listed_precisions
from ...export.formats.table import as_names
from ...export.graph.names import Names
from ...validate.gate.limits import Limits, limits_from, parse_limits

# ONNX operator sets that can be written.
OPSETS = range(13, 19)


class SettingsOptions(TypedDict, total=False):
    """The members of `Settings` as keywords: a single name stands for several, and limits are numbers or texts."""

    formats: str | Sequence[str]
    without: str | Sequence[str]
    game: str | None
    encoding: str | Path | None
    batch: int | None
    opset: int
    value_head: str | None
    policy_head: str | None
    keep_names: bool
    inputs: str | Path | None
    count: int | None
    seed: int
    require_all: bool
    also: Sequence[str]
    precision: str | Sequence[str]
    mixed: Sequence[Mixed]
    limits: Mapping[str, float] | Sequence[str]
    keep_failing: bool
    calibration: str | Path | None
    report: bool
    noted: bool


@dataclass(frozen=True)
class Settings:
    """What the user chose of an export; AzxError if a number is out of its range.

    Attributes:
        formats: pb, tflite, coreml, onnx, tfjs, one or several; "all" for each that can be written here. And coreai,
            which is experimental and not in "all".
        without: formats left out of "all".
        game: a name of `azx games` if the shapes do not determine it, "none" for none.
        encoding: JSON that describes what the network reads, for a network that azx does not know.
        batch: positions that an artifact takes at a time; None leaves it free (Core ML: 1 to 64).
        opset: ONNX operator set, 13 to 18.
        value_head: the checkpoint's name of the value, if names and shapes do not identify it.
        policy_head: the checkpoint's name of the policy, in the same case.
        keep_names: keep the checkpoint's own names of inputs and outputs.
        inputs: the user's own positions (.npz) to prove the artifacts on.
        count: number of positions without `inputs`; None for 1,000, fewer for large images.
        seed: of the positions, from 0.
        require_all: raise if an artifact cannot be run here.
        also: further runtimes to prove artifacts in: "litert.js" for .tflite.
        precisions: fp32, fp16, int8-weights, int8-dynamic, int8, one or several; "auto" for the fastest of each format
            that is inside its gate, beside fp32.
        mixed: artifacts in a lower precision beside those, of which it is known which layers stay in float: an earlier
            export found it, so nothing is searched for. The gate judges them as it does all others.
        gate: the limits of every lower precision (docs/precision.md).
        keep_failing: keep artifacts that fail their gate; their names and the manifest say so.
        calibration: positions (.npz) of int8's scales; otherwise 500 of self-play and 250 random legal ones.
        report: whether report.html is written, a page to look at (docs/report.md).
        noted: whether `azx validate` alone may take the bundle as the one written last.

    """

    formats: tuple[str, ...] = ("all",)
    without: tuple[str, ...] = ()
    game: str | None = None
    encoding: Path | None = None
    batch: int | None = 1
    opset: int = 17
    value_head: str | None = None
    policy_head: str | None = None
    keep_names: bool = False
    inputs: Path | None = None
    count: int | None = None
    seed: int = 0
    require_all: bool = False
    also: tuple[str, ...] = ()
    precisions: tuple[str, ...] = (FP32,)
    mixed: tuple[Mixed, ...] = ()
    gate: Limits = field(default_factory=Limits)
    keep_failing: bool = False
    calibration: Path | None = None
    report: bool = True
    noted: bool = True

    def __post_init__(self) -> None:
        for name in ("formats", "without", "also", "precisions"):
            object.__setattr__(self, name, as_names(getattr(self, name)))
        for name in ("encoding", "inputs", "calibration"):
            path = getattr(self, name)
            object.__setattr__(self, name, None if path is None else Path(path))
        object.__setattr__(self, "precisions", listed_precisions(self.precisions))
        object.__setattr__(self, "mixed", tuple(self.mixed))
        check_least("batch", self.batch, 1)
        check_least("count", self.count, 1)
        check_least("seed", self.seed, 0)
        if self.opset not in OPSETS:
            raise AzxError(f"opset is {self.opset!r}: give {OPSETS[0]} to {OPSETS[-1]}.")

    @property
    def names(self) -> Names:
        """The user's names of the outputs."""
        return Names(self.value_head, self.policy_head, self.keep_names)

    @property
    def chosen(self) -> list[str]:
        """The options that replace what the network's file says about it."""
        said = {
            "--game": self.game,
            "--encoding": self.encoding,
            "--value-head": self.value_head,
            "--policy-head": self.policy_head,
        }
        return [option for option, value in said.items() if value is not None]


def as_settings(settings: Settings | None = None, **options: Unpack[SettingsOptions]) -> Settings:
    """The settings themselves, or those of keywords: `precision` and `limits` become `precisions` and `gate`.

    AzxError if both are given.
    """
    if settings is not None:
        if options:
            raise AzxError(f"Settings are given already: put {', '.join(options)} into them.")
        return settings
    members: dict[str, Any] = dict(options)
    limits, precision = members.pop("limits", ()), members.pop("precision", FP32)
    gate = limits_from(limits) if isinstance(limits, Mapping) else parse_limits(limits)
    return Settings(**members, precisions=precision, gate=gate)


def check_least(name: str, number: int | None, least: int) -> None:
    """AzxError if a number was given that is no whole number from `least` on."""
    if number is not None and (isinstance(number, bool) or not isinstance(number, int) or number < least):
        raise AzxError(f"{name} is {number!r}: give a whole number from {least} on.")

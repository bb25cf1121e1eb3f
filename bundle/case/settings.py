"""The settings of an export."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from ...errors import AzxError
from ...export.formats.precisions.precision import FP32, MixedArtifact
from ...export.formats.precisions.precision import list_precisions as listed_precisions
from ...export.formats.table import as_names
from ...export.graph.names import Names
from ...validate.gate.limits import Limits, limits_from, parse_limits
from .keywords import SettingsOptions
from .option import OUTPUT, PRECISION, PROOF, UNSTATED, documents_options, option

if TYPE_CHECKING:
    from ...validate.positions_file import GivenArrays

# The ONNX operator sets that azx can write.
OPSETS = range(13, 19)


@documents_options
@dataclass(frozen=True)
class Settings:
    """The user's choices for an export; AzxError if a number is out of its range."""

    formats: tuple[str, ...] = field(
        default=("all",),
        metadata=option(
            "pb, tflite, coreml, onnx, tfjs or all; may be repeated. Default: all that can be written here. Also "
            "coreai, which is experimental and not part of all.",
            "--format",
            kind="formats",
            takes="str | Sequence[str]",
        ),
    )
    without: tuple[str, ...] = field(
        default=(),
        metadata=option(
            "Leave this format out of all; may be repeated.", "--without", kind="formats", takes="str | Sequence[str]"
        ),
    )
    game: str | None = field(
        default=None,
        metadata=option(
            "The game, if the shapes do not determine it; 'none' for none (`azx games`).",
            "--game",
            UNSTATED,
            "game",
            metavar="NAME",
        ),
    )
    encoding: Path | None = field(
        default=None,
        metadata=option(
            "What the input's planes are and how actions are numbered: a JSON file, or a name of `azx games GAME`.",
            "--encoding",
            UNSTATED,
            "file",
            metavar="FILE|NAME",
            takes="str | Path | None",
        ),
    )
    batch: int | None = field(
        default=1,
        metadata=option(
            "Positions that an artifact takes at a time; 'dynamic' (in Python None) for any number, for Core ML 1 "
            "to 64.",
            "--batch",
            OUTPUT,
            "batch",
        ),
    )
    opset: int = field(default=17, metadata=option("ONNX operator set, 13 to 18.", "--opset", OUTPUT, "opset"))
    value_head: str | None = field(
        default=None,
        metadata=option(
            "Name of the value output, if names and shapes do not identify it; 'none' for no such output.",
            "--value-head",
            UNSTATED,
            metavar="NAME",
        ),
    )
    policy_head: str | None = field(
        default=None,
        metadata=option(
            "Name of the policy output, if names and shapes do not identify it; 'none' for no such output.",
            "--policy-head",
            UNSTATED,
            metavar="NAME",
        ),
    )
    keep_names: bool = field(
        default=False,
        metadata=option("Keep the checkpoint's own input and output names.", "--keep-names", OUTPUT, "yes"),
    )
    inputs: Path | GivenArrays | None = field(
        default=None,
        metadata=option(
            "Your own positions to prove the artifacts on.",
            "--inputs",
            PROOF,
            "file",
            metavar="FILE.npz",
            takes="str | Path | AnyArray | Mapping[str, AnyArray] | None",
        ),
    )
    count: int | None = field(
        default=None,
        metadata=option(
            "Number of positions to prove on (default 1000; fewer for large images).",
            "--positions",
            PROOF,
            "from 1",
        ),
    )
    seed: int = field(default=0, metadata=option("Seed of the positions.", "--seed", PROOF, "from 0"))
    require_all: bool = field(
        default=False,
        metadata=option(
            "Fail (exit code 1) if an artifact's runtime is not installed here.", "--require-all", PROOF, "yes"
        ),
    )
    also: tuple[str, ...] = field(
        default=(),
        metadata=option(
            "Run artifacts in this runtime too: litert.js, the browser runtime for .tflite (docs/parity.md).",
            "--also",
            PROOF,
            "runtimes",
            takes="Sequence[str]",
        ),
    )
    precisions: tuple[str, ...] = field(
        default=(FP32,),
        metadata=option(
            "fp32, fp16, int8-weights, int8-dynamic, int8, or auto: the fastest inside its gate, beside fp32; may be "
            "repeated. Default: fp32.",
            "--precision",
            PRECISION,
            "precisions",
            takes="str | Sequence[str]",
            keyword="precision",
        ),
    )
    mixed: tuple[MixedArtifact, ...] = field(
        default=(),
        metadata=option(
            "Artifacts in a lower precision whose layers in float are known from an earlier export, so nothing is "
            "searched for. The gate judges them like all others.",
            takes="Sequence[MixedArtifact]",
        ),
    )
    gate: Limits = field(
        default_factory=Limits,
        metadata=option(
            "A limit for every precision except fp32: value-p99, value-max, kl-p99, best-move, margin; may be "
            "repeated.",
            "--limit",
            PRECISION,
            "texts",
            metavar="LIMIT=NUMBER",
            takes="Mapping[str, float] | Sequence[str]",
            keyword="limits",
        ),
    )
    keep_failing: bool = field(
        default=False,
        metadata=option(
            "Keep artifacts that fail their gate; their names and the manifest say so.",
            "--keep-failing",
            PRECISION,
            "yes",
        ),
    )
    calibration: Path | GivenArrays | None = field(
        default=None,
        metadata=option(
            "Positions that determine int8's scales; default 500 of self-play and 250 random legal ones.",
            "--calibration",
            PRECISION,
            "file",
            metavar="FILE.npz",
            takes="str | Path | AnyArray | Mapping[str, AnyArray] | None",
        ),
    )
    report: bool = field(
        default=True,
        metadata=option(
            "Write report.html into the bundle, a page to look at.", "--report/--no-report", OUTPUT, "yes or no"
        ),
    )
    noted: bool = field(
        default=True,
        metadata=option("Whether `azx validate` without a bundle may take this one as the one written last."),
    )

    def __post_init__(self) -> None:
        for name in ("formats", "without", "also", "precisions"):
            object.__setattr__(self, name, as_names(getattr(self, name)))
        object.__setattr__(self, "encoding", None if self.encoding is None else Path(self.encoding))
        for name in ("inputs", "calibration"):
            if (given := getattr(self, name)) is not None:
                object.__setattr__(self, name, _as_given(given))
        object.__setattr__(self, "precisions", listed_precisions(self.precisions))
        object.__setattr__(self, "mixed", tuple(self.mixed))
        check_least("batch", self.batch, 1)
        check_least("count", self.count, 1)
        check_least("seed", self.seed, 0)
        if self.opset not in OPSETS:
            raise AzxError(f"opset is {self.opset!r}: give {OPSETS[0]} to {OPSETS[-1]}.")

    @property
    def names(self) -> Names:
        """The names that the user gave to the outputs."""
        return Names(self.value_head, self.policy_head, self.keep_names)

    @property
    def chosen(self) -> list[str]:
        """The options that replace what the network's file states."""
        stated = {
            "--game": self.game,
            "--encoding": self.encoding,
            "--value-head": self.value_head,
            "--policy-head": self.policy_head,
        }
        return [option for option, value in stated.items() if value is not None]


def as_settings(settings: Settings | None = None, **options: Unpack[SettingsOptions]) -> Settings:
    """The settings themselves, or settings made from keywords: `precision` is `precisions`, `limits` is `gate`.

    AzxError if settings and keywords are both given.
    """
    if settings is not None:
        if options:
            raise AzxError(f"Settings are given already: put {', '.join(options)} into them.")
        return settings
    members: dict[str, Any] = dict(options)
    limits, precision = members.pop("limits", ()), members.pop("precision", FP32)
    gate = limits_from(limits) if isinstance(limits, Mapping) else parse_limits(limits)
    return Settings(**members, precisions=precision, gate=gate)


def _as_given(given: Any) -> Any:
    """A path at once; arrays wait until NumPy is needed, which takes a while to load."""
    if isinstance(given, (str, Path)):
        return Path(given)
    from ...validate.positions_file import as_given

    return as_given(given)


def check_least(name: str, number: int | None, least: int) -> None:
    """Raise AzxError if `number` is neither None nor a whole number of at least `least`."""
    if number is not None and (isinstance(number, bool) or not isinstance(number, int) or number < least):
        raise AzxError(f"{name} is {number!r}: give a whole number from {least} on.")

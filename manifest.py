"""manifest.json as a value: every member with its type, its meaning, and the default if it is absent.

`azx.bundle.contents.manifest_model` reads these classes from JSON, checks them, and writes the published schema from
them. Within a schema version azx only adds members. A member that came after the first bundles has a default.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Annotated, Any, ClassVar


def limits(**keywords: Any) -> tuple[tuple[str, Any], ...]:
    """Limits of a value in the words of JSON schema, for a type's notes, beside the text with its meaning."""
    return tuple(keywords.items())


Count = Annotated[int, limits(minimum=0)]
Size = Annotated[int, limits(minimum=1)]
Sha256 = Annotated[str, "SHA-256 in lower-case hexadecimal.", limits(pattern="^[0-9a-f]{64}$")]
RelativePath = Annotated[str, "Relative to the bundle's folder, with '/', never leaving it.", limits(minLength=1)]
_ONE_OR_MORE = limits(minItems=1)
_PAIR = limits(minItems=2, maxItems=2)
_THREE = limits(minItems=3, maxItems=3)


@dataclass(frozen=True, kw_only=True)
class Part:
    """Any object of a manifest.

    Attributes:
        unknown: members that a newer azx added, as JSON types; `as_data` writes them again.
        present: names of the members in the file that was read, None for a value made here. `as_data` writes a member
            with its default only if the file has it.

    """

    written_always: ClassVar[frozenset[str]] = frozenset()
    """Members that a new manifest states even if they have their default."""

    unknown: Mapping[str, Any] = field(default_factory=dict, repr=False)
    present: frozenset[str] | None = field(default=None, repr=False, compare=False)

    def as_data(self) -> dict[str, Any]:
        """The object as JSON types: members in the order of the class, then the unknown ones."""
        stated = self.written_always if self.present is None else self.present
        values = {name: (getattr(self, name), default) for name, default in members(type(self)).items()}
        written = {
            name: plain(value) for name, (value, default) in values.items() if value != default or name in stated
        }
        return written | dict(self.unknown)


def members(part: type[Part]) -> dict[str, Any]:
    """The members of an object in order, name to default; dataclasses.MISSING for a required member."""
    return {each.name: each.default for each in fields(part) if each.name not in ("unknown", "present")}


def plain(value: Any) -> Any:
    """The value of a member as JSON types."""
    if isinstance(value, Part):
        return value.as_data()
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return dict(value) if isinstance(value, Mapping) else value


@dataclass(frozen=True, kw_only=True)
class SecondInput(Part):
    """The second input: planes with one number everywhere, which show the player to move."""

    planes: Annotated[tuple[str, ...], "What its numbers show, plane by plane.", _ONE_OR_MORE]
    cells: Annotated[Size, "The number of equal values for each plane."] = 1
    first: Annotated[bool, "Whether it is the first input and the board is the second."] = False


@dataclass(frozen=True, kw_only=True)
class Encoding(Part):
    """How a state becomes the input tensor."""

    layout: Annotated[
        Annotated[str, limits(enum=("channels_first", "channels_last", "flat", "cells", "sum"))],
        "The order of planes, rows and columns.",
    ]
    board: Annotated[tuple[Size, ...], "Rows and columns of a plane.", _ONE_OR_MORE]
    planes: Annotated[tuple[str, ...], "What each plane shows, relative to the player to move.", _ONE_OR_MORE]
    flip: Annotated[bool, "Whether the rows of every plane are written bottom first."] = False
    transpose: Annotated[
        bool, "Whether rows and columns of each plane are exchanged, after the flip; board keeps the game's order."
    ] = False
    turned: Annotated[
        bool, "Whether rows and columns of a square board are exchanged when the second player is to move."
    ] = False
    history: Annotated[
        Annotated[str, limits(enum=("empty", "repeated"))],
        "What planes show for plies before the game began: nothing, or the first position.",
    ] = "empty"
    value: Annotated[
        Annotated[str, limits(enum=("mover", "opponent", "player0", "player1", "unknown"))],
        "Whose value the network gives: the mover's, the opponent's, or a player's; unknown: it is not used.",
    ] = "mover"
    beside: Annotated[
        SecondInput | None,
        "What the second input holds; both are parts of one vector. Absent: the network has one input.",
    ] = None

    @property
    def input_count(self) -> int:
        """The number of inputs that it fills."""
        return 2 if self.beside else 1


@dataclass(frozen=True, kw_only=True)
class OtherReading(Part):
    """Another reading that fits the network, with the same board and settings."""

    name: Annotated[str, "The name for --encoding.", limits(pattern="^[a-z0-9_-]{1,120}$")]
    encoding: Annotated[Encoding, "The input in this reading."]
    actions: Annotated[str | tuple[Count, ...], "How the policy numbers actions in this reading."]


@dataclass(frozen=True, kw_only=True)
class AssumedReading(Part):
    """An unknown reading: encoding and actions are the usual ones."""

    others: Annotated[tuple[OtherReading, ...], "The other readings that fit, as far as is known.", limits(maxItems=8)]
    stopped: Annotated[
        bool | None,
        "True if the network is too large for every test: others may list too many.",
    ] = None


def written_by(keras_version: str) -> str:
    """The framework that wrote a checkpoint, from its `keras_version`: "Keras 2.1.5", or another's name."""
    return f"Keras {keras_version}" if keras_version[:1].isdigit() else keras_version


@dataclass(frozen=True, kw_only=True)
class Checkpoint(Part):
    """The checkpoint of the original."""

    file: Annotated[str, 'Name of the checkpoint\'s file, or "a Keras model in memory".']
    sha256: Sha256
    keras_version: Annotated[str, "The version of Keras that wrote it, or another framework's name."]
    parameters: Annotated[Count, "The number of its weights."]


@dataclass(frozen=True, kw_only=True)
class Input(Part):
    """An input of every artifact."""

    name: Annotated[str, "Its name in every format."]
    source_name: Annotated[str, "Its name in the checkpoint."]
    shape: Annotated[tuple[Size, ...], "Without the batch."]
    dtype: Annotated[str, limits(const="float32")]
    layout: Annotated[
        Annotated[str, limits(enum=("channels_first", "channels_last", "board", "flat"))], "The meaning of its axes."
    ]


@dataclass(frozen=True, kw_only=True)
class Head(Part):
    """An output of every artifact."""

    name: Annotated[str, "Its name in every format."]
    source_name: Annotated[str, "Its name in the checkpoint."]
    role: Annotated[Annotated[str, limits(enum=("value", "policy", "other"))], "value_range says how to read a value."]
    degree: Annotated[
        Annotated[str, limits(enum=("assumed", "not known"))] | None,
        "Whether the role is assumed from the shape, or not known at all. Absent: a name in the file, the exporter "
        "or the answers show it, or an older azx wrote the manifest.",
    ] = None
    activation: Annotated[str, "The function at the end of the network: tanh, softmax, linear (logits), unknown, ..."]
    value_range: Annotated[
        Annotated[str, limits(enum=("signed", "unit", "wdl"))] | None,
        "Only for a value. signed: -1 to 1; unit: 0 to 1, read as 2v - 1; wdl: three chances, read as win minus "
        "loss. Absent: unit if the activation is sigmoid or hard_sigmoid, else signed.",
    ] = None
    order: Annotated[
        Annotated[tuple[Annotated[str, limits(enum=("win", "draw", "loss"))], ...], _THREE] | None,
        "Only for a wdl value: the order of its three outputs. Absent: the order is unknown.",
    ] = None
    policy_range: Annotated[
        Annotated[str, limits(enum=("logits", "probabilities"))] | None,
        "Only for a policy: how to read its numbers, in every position. Absent: probabilities if the activation is "
        "softmax, sigmoid or hard_sigmoid, else logits.",
    ] = None
    shape: Annotated[tuple[Size, ...], "Without the batch."]
    pb_node: Annotated[str, "The node of the frozen .pb that computes it, such as value_head/Tanh."]


@dataclass(frozen=True, kw_only=True)
class Graph(Part):
    """How the artifacts' graph was made."""

    kind: Annotated[str, limits(enum=("canonical", "traced"))]
    reason: Annotated[str | None, "Why azx traced the network instead of simplifying it; null if canonical."]


@dataclass(frozen=True, kw_only=True)
class Positions(Part):
    """The positions on which the artifacts were proved."""

    count: Count
    extreme: Annotated[Count, "The number of further positions, extreme ones out of looked_through."] = 0
    looked_through: Annotated[Count, "The number of positions from which the extreme ones were chosen."] = 0
    seed: Annotated[Count | None, "null if the positions were not drawn at random."]
    description: str
    source: Annotated[str, limits(enum=("game", "file", "random boards"))]


@dataclass(frozen=True, kw_only=True)
class Gate(Part):
    """Whether an approximation chooses like the original, by its gate; the figures are in parity.json."""

    passed: Annotated[bool, "Whether every figure is within its limit."]
    limits: Annotated[Mapping[str, float], "The most that each figure may differ; docs/precision.md explains them."]
    positions: Annotated[tuple[str, ...], "The positions of the comparison, one line per kind."]


@dataclass(frozen=True, kw_only=True)
class Calculation(Part):
    """The comparison of the artifact's bytes, read back, with the checkpoint: docs/parity.md says how it works."""

    verdict: Annotated[
        Annotated[str, limits(enum=("same", "tried", "differs"))],
        "same: the checkpoint's calculation for every board; tried: shown only by positions; differs: another "
        "calculation.",
    ]
    boards: Annotated[Count, "The number of positions that measured its rounding, or tried it; 0: it did not run."]
    operations: Annotated[Size | None, "Only for same: the number of operations compared."] = None
    weights: Annotated[Count | None, "Only for same: the number of weights in these operations."] = None
    to_the_bit: Annotated[Count | None, "Only for same: the number of weights that are equal bit by bit."] = None
    largest_rounding: Annotated[
        float | None,
        "Only for same: the largest difference of the other weights, in units in the last place of a float32, "
        "rounded up.",
    ] = None
    reason: Annotated[
        str | None,
        "Only for tried and differs: the operation without a rule, or the first difference, as a clause.",
        limits(maxLength=600),
    ] = None


@dataclass(frozen=True, kw_only=True)
class Artifact(Part):
    """The network in one format and one precision."""

    format: Annotated[str, "pb, tflite, onnx, coreml, tfjs or coreai."]
    path: Annotated[RelativePath, "A file, or a folder for coreml, coreai and tfjs (whose entry is model.json)."]
    precision: Annotated[str, "fp32, fp16, int8-weights, int8-dynamic or int8."]
    gate: Annotated[Gate | None, "For every precision except fp32, which is proved equal."] = None
    calculation: Annotated[
        Calculation | None, "Only for fp32: the comparison that the export made. Absent: none was made."
    ] = None
    float_layers: Annotated[
        tuple[str, ...] | None, "For 8-bit precisions: the layers that stay in float32, as the file states them."
    ] = None
    calibration: Annotated[str | None, "Only for int8: the positions that gave its scales."] = None
    opset: Annotated[Size | None, "Only for onnx."] = None
    producer: Annotated[str | None, "Only for coreai: what its bytes depend on, as the file states it."] = None
    min_runtime_version: Annotated[str | None, "Only for tflite, as the file states it."] = None


@dataclass(frozen=True, kw_only=True)
class RejectedPrecision(Part):
    """A precision that was tried and rejected."""

    precision: str
    why: Annotated[str, "The figure of its gate that decided, or the reason why it could not be written."]


@dataclass(frozen=True, kw_only=True)
class AutoChoice(Part):
    """The choice of --precision auto for one format."""

    format: str
    chosen: Annotated[str, "The fastest precision that passes its gate; fp32 if none passes."]
    fell: Annotated[tuple[RejectedPrecision, ...], "The faster precisions, which were rejected; the fastest first."]


@dataclass(frozen=True, kw_only=True)
class Estimate(Part):
    """A figure with its 95 % interval; null means unbounded."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, kw_only=True)
class Strength(Part):
    """How well an artifact plays against the original, by `azx validate --strength`; counts are the artifact's."""

    artifact: RelativePath
    against: Annotated[str, "The checkpoint's file name, or the path of the float32 artifact."]
    equal: Annotated[Annotated[str, limits(enum=("simulations", "time"))], "What was equal per move for both sides."]
    simulations: Annotated[tuple[Size, ...], "Per move: the artifact's, the original's.", _PAIR]
    playouts_per_second: Annotated[
        Annotated[tuple[float, ...], _PAIR] | None,
        "For both, on the measuring machine; null for equal simulations.",
    ]
    runtimes: Annotated[tuple[str, ...], "The runtimes of both sides.", _PAIR]
    games: Size
    openings: Annotated[Size, "The number of different openings; each is played from both sides."]
    won: Count
    drawn: Count
    lost: Count
    score: Annotated[Estimate, "From 0 to 1; a draw counts one half."]
    elo: Annotated[Estimate, "How much stronger the artifact is."]


@dataclass(frozen=True, kw_only=True)
class Problem(Part):
    """Why an app cannot play the bundle; the text is problem_<code> of apps/texts, with the places in it."""

    code: Annotated[str, limits(minLength=1)]
    places: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class SearchRoot(Part):
    """How a search chooses at its root; a reader that does not know the kind or a member must not play."""

    kind: Annotated[str, "puct, the usual kind, or gumbel: sequential halving."]
    considered: Annotated[int | None, "Only for gumbel: the number of moves considered, 1 to 1000; absent: 16."] = None
    c_visit: Annotated[float | None, "Only for gumbel: 0 to 1000000; absent: 50."] = None
    c_scale: Annotated[float | None, "Only for gumbel: 0 to 1000000; absent: 0.1."] = None


@dataclass(frozen=True, kw_only=True)
class Search(Part):
    """The search settings (docs/search.md); a reader that does not know a member must not play."""

    root: SearchRoot
    c_init: Annotated[float | None, "The initial C of PUCT: 0 to 1000; absent: 1.25."] = None
    first_play: Annotated[
        float | None, "How far below its parent's value an unvisited move starts: 0 to 2; absent: it starts as a draw."
    ] = None
    early_stop: Annotated[
        bool | None, "Whether a search ends when no other move can still reach as many visits; absent: false."
    ] = None
    lower_bound: Annotated[
        float | None,
        "The move to play has the largest mean minus this number of standard errors, 0 to 100; absent: the most "
        "visits.",
    ] = None


@dataclass(frozen=True, kw_only=True)
class Tuned(Part):
    """The result of `azx tune` for `search`: its games against the earlier search."""

    search: Annotated[Search, "The search that the games confirmed: the bundle's, unless that was changed later."]
    against: Annotated[Search, "The earlier search."]
    simulations: Annotated[Size, "Per move, on both sides."]
    seed: Annotated[Count, "Seed of the openings; search was chosen on other openings."]
    games: Annotated[Size, "The number of games; each opening was played twice."]
    won: Count
    drawn: Count
    lost: Count
    elo: Annotated[Estimate, "How much stronger search is than against."]


@dataclass(frozen=True, kw_only=True)
class File(Part):
    """A file of the bundle."""

    path: RelativePath
    sha256: Sha256
    size: Annotated[Count, "In bytes."]


@dataclass(frozen=True, kw_only=True)
class Manifest(Part):
    """manifest.json: what a bundle holds, for programs."""

    written_always = frozenset({"game", "settings", "encoding", "actions", "threads"})

    schema_version: Annotated[Annotated[int, limits(const=1)], "Rises when a member changes its meaning or is removed."]
    azx_version: Annotated[str, "The azx that wrote the bundle."]
    name: Annotated[str, "The stem of the artifacts' names."]
    game: Annotated[str | None, "A name of `azx games`, null if the game is unknown."] = None
    settings: Annotated[
        Mapping[str, int | float | str] | None,
        "The game's settings, as the network's shapes determine them, such as a board's size.",
    ] = None
    encoding: Annotated[Encoding | None, "How a position becomes the input, null if the game is unknown."] = None
    actions: Annotated[
        str | tuple[Count, ...] | None, "How the policy numbers actions: by name, or the policy's index of each action."
    ] = None
    assumed: Annotated[
        AssumedReading | None, "Present if encoding and actions are not known, and the usual ones are assumed."
    ] = None
    checkpoint: Checkpoint
    inputs: Annotated[tuple[Input, ...], "The inputs of every artifact.", _ONE_OR_MORE]
    outputs: Annotated[tuple[Head, ...], "The outputs of every artifact, in this order.", _ONE_OR_MORE]
    batch: Annotated[Size | None, "null if it is free (Core ML: 1 to 64)."]
    precision: Annotated[str, "The precision of artifacts without a precision in their name: fp32."]
    graph: Graph
    positions: Positions
    chosen: Annotated[
        tuple[str, ...] | None,
        "The export's options that state what the checkpoint does not show, such as --game.",
    ] = None
    auto: Annotated[tuple[AutoChoice, ...] | None, "Only for --precision auto: its choice for each format."] = None
    converters: Annotated[Mapping[str, str], "Versions of the converters, on which the artifacts' bytes depend."]
    artifacts: Annotated[tuple[Artifact, ...], "The network in each format, by path."]
    recommended: Annotated[
        Mapping[str, RelativePath],
        "The artifact that an app should load, by platform: android, ios, web, desktop, server.",
    ]
    problems: Annotated[
        tuple[Problem, ...] | None,
        "Why an app cannot play the bundle; empty if it can. Absent: unknown.",
    ] = None
    strength: Annotated[
        tuple[Strength, ...] | None, "Results of `azx validate --strength` after the export, by artifact."
    ] = None
    search: Annotated[Search | None, "The search settings; absent: PUCT with its defaults."] = None
    tuned: Annotated[
        Tuned | None, "The games that confirmed `search`: from `azx tune`, or for a network that azx ships."
    ] = None
    threads: Annotated[Size, "The number of threads for an app's runtime."] = 1
    files: Annotated[tuple[File, ...], "All except manifest.json, parity.json, report.html and files.json, by path."]

    @property
    def reading(self) -> dict[str, Any]:
        """How the network reads its game, as JSON types: game, settings, encoding and actions."""
        return {name: plain(getattr(self, name)) for name in ("game", "settings", "encoding", "actions")}

    @property
    def input_shapes(self) -> dict[str, tuple[int, ...]]:
        """The inputs' shapes without the batch, by name, in their order."""
        return {port.name: port.shape for port in self.inputs}

    def artifact(self, path: str) -> Artifact | None:
        """The artifact at `path`, None if no such artifact is listed."""
        return next((artifact for artifact in self.artifacts if artifact.path == path), None)

    def size_of(self, path: str) -> int:
        """The size of the artifact at `path` in bytes; for a folder, of all its files."""
        return sum(file.size for file in self.files if belongs(file.path, path))


def belongs(listed: str, artifact: str) -> bool:
    """Whether a listed file is this artifact, or lies in it if the artifact is a folder."""
    return listed == artifact or listed.startswith(f"{artifact}/")

"""manifest.json as a value: every member, with its type, what it says, and the default that its absence stands for.

`azx.bundle.contents.manifest_model` reads these classes from JSON, checks them, and writes the published schema from
them. Within a schema version members are only added. A member added after the first bundles has a default.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Annotated, Any, ClassVar


def limits(**keywords: Any) -> tuple[tuple[str, Any], ...]:
    """Limits of a value in the words of JSON schema: a note of its type, beside the text that says what it means."""
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
        unknown: members that a newer azx added, as JSON types; they are written again.
        present: names of the members in the file that was read, None for a value made here. A member with its default
            is written again only if the file has it.

    """

    written_always: ClassVar[frozenset[str]] = frozenset()
    """Members that a new manifest states even with their default."""

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
    """The members of an object in order: name to default, which is dataclasses.MISSING for a required member."""
    return {each.name: each.default for each in fields(part) if each.name not in ("unknown", "present")}


def plain(value: Any) -> Any:
    """The value of a member as JSON types."""
    if isinstance(value, Part):
        return value.as_data()
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return dict(value) if isinstance(value, Mapping) else value


@dataclass(frozen=True, kw_only=True)
class Beside(Part):
    """What a second input reads: planes that are the same everywhere, and say who is to move."""

    planes: Annotated[tuple[str, ...], "What its numbers show, one plane after the other.", _ONE_OR_MORE]
    cells: Annotated[Size, "How many equal numbers each of them is."] = 1
    first: Annotated[bool, "Whether it is the first input, and the board the second."] = False


@dataclass(frozen=True, kw_only=True)
class Encoding(Part):
    """How a state becomes the input tensor."""

    layout: Annotated[
        Annotated[str, limits(enum=("channels_first", "channels_last", "flat", "cells", "sum"))],
        "How the planes are stacked.",
    ]
    board: Annotated[tuple[Size, ...], "Rows and columns of a plane.", _ONE_OR_MORE]
    planes: Annotated[tuple[str, ...], "What each plane shows, relative to the player to move.", _ONE_OR_MORE]
    flip: Annotated[bool, "Whether the rows of every plane are written bottom first."] = False
    transpose: Annotated[
        bool, "Whether every plane has columns for rows, after the flip; board is still the game's."
    ] = False
    turned: Annotated[
        bool, "Whether rows and columns of a square board change places while the player who came second is to move."
    ] = False
    history: Annotated[
        Annotated[str, limits(enum=("empty", "repeated"))],
        "What a plane of a ply before the game began shows: nothing or the first position.",
    ] = "empty"
    value: Annotated[
        Annotated[str, limits(enum=("mover", "opponent", "player0", "player1", "unknown"))],
        "Whose value the network answers with: the mover's, the opponent's, or a player's; unknown: it is not used.",
    ] = "mover"
    beside: Annotated[
        Beside | None, "What a second input reads; not there: the network has one. The numbers are a vector, split."
    ] = None

    @property
    def input_count(self) -> int:
        """How many inputs it makes."""
        return 2 if self.beside else 1


@dataclass(frozen=True, kw_only=True)
class OtherReading(Part):
    """Another way in which the network may read its game, with the same board and settings."""

    name: Annotated[str, "What --encoding takes.", limits(pattern="^[a-z0-9_-]{1,120}$")]
    encoding: Annotated[Encoding, "The input as it then is."]
    actions: Annotated[str | tuple[Count, ...], "How the policy then numbers actions."]


@dataclass(frozen=True, kw_only=True)
class Assumed(Part):
    """How the network reads its game is not known: encoding and actions are the usual ones."""

    others: Annotated[tuple[OtherReading, ...], "What fits as well as far as is known.", limits(maxItems=8)]
    stopped: Annotated[
        bool | None,
        "True where the network is too large to be asked for all that would tell: others may be too many.",
    ] = None


def written_by(keras_version: str) -> str:
    """What wrote a checkpoint in words, from its `keras_version`: "Keras 2.1.5", or another framework's name."""
    return f"Keras {keras_version}" if keras_version[:1].isdigit() else keras_version


@dataclass(frozen=True, kw_only=True)
class Checkpoint(Part):
    """The original."""

    file: Annotated[str, "Name of the checkpoint's file, or that it is a Keras model in memory."]
    sha256: Sha256
    keras_version: Annotated[str, "The Keras that wrote it, or the name of another framework."]
    parameters: Annotated[Count, "How many numbers it holds."]


@dataclass(frozen=True, kw_only=True)
class Input(Part):
    """An input of every artifact."""

    name: Annotated[str, "Its name in every format."]
    source_name: Annotated[str, "Its name in the checkpoint."]
    shape: Annotated[tuple[Size, ...], "Without the batch."]
    dtype: Annotated[str, limits(const="float32")]
    layout: Annotated[
        Annotated[str, limits(enum=("channels_first", "channels_last", "board", "flat"))], "What its axes are."
    ]


@dataclass(frozen=True, kw_only=True)
class Head(Part):
    """An output of every artifact, in the order in which they come."""

    name: Annotated[str, "Its name in every format."]
    source_name: Annotated[str, "Its name in the checkpoint."]
    role: Annotated[Annotated[str, limits(enum=("value", "policy", "other"))], "value_range says how a value is read."]
    degree: Annotated[
        Annotated[str, limits(enum=("assumed", "not known"))] | None,
        "Where the role is assumed from its shape, or nothing says what the output is. Not there: the file's name or "
        "its exporter says it, its answers show it, or an azx of before this member wrote it.",
    ] = None
    activation: Annotated[str, "What the network ends with: tanh, softmax, linear (logits), unknown, ..."]
    value_range: Annotated[
        Annotated[str, limits(enum=("signed", "unit", "wdl"))] | None,
        "Of a value alone: -1 to 1; 0 to 1, read as 2v - 1; or three chances, win less loss. "
        "Not there: unit where the activation is sigmoid or hard_sigmoid, else signed.",
    ] = None
    order: Annotated[
        Annotated[tuple[Annotated[str, limits(enum=("win", "draw", "loss"))], ...], _THREE] | None,
        "Of a wdl value alone: what its three outputs are. Not there: that is not known.",
    ] = None
    policy_range: Annotated[
        Annotated[str, limits(enum=("logits", "probabilities"))] | None,
        "Of a policy alone: how its numbers are read, in every position alike. Not there: probabilities where the "
        "activation is softmax, sigmoid or hard_sigmoid, else logits.",
    ] = None
    shape: Annotated[tuple[Size, ...], "Without the batch."]
    pb_node: Annotated[str, "The node of the frozen .pb that computes it, such as value_head/Tanh."]


@dataclass(frozen=True, kw_only=True)
class Graph(Part):
    """How the artifacts' graph came about."""

    kind: Annotated[str, limits(enum=("canonical", "traced"))]
    reason: Annotated[str | None, "Why the network was traced instead of simplified; null if canonical."]


@dataclass(frozen=True, kw_only=True)
class Positions(Part):
    """What the artifacts were proved on."""

    count: Count
    extreme: Annotated[Count, "How many more that the network itself finds extreme, out of looked_through."] = 0
    looked_through: Annotated[Count, "Out of how many others the extreme ones were chosen."] = 0
    seed: Annotated[Count | None, "null where the positions were not drawn."]
    description: str
    source: Annotated[str, limits(enum=("game", "file", "random boards"))]


@dataclass(frozen=True, kw_only=True)
class Gate(Part):
    """Whether an approximation decides as the original does; the figures are in parity.json."""

    passed: Annotated[bool, "Whether every figure is within its limit."]
    limits: Annotated[Mapping[str, float], "What it may differ by, as docs/precision.md says."]
    positions: Annotated[tuple[str, ...], "What it was judged on, a line for each kind."]


@dataclass(frozen=True, kw_only=True)
class Calculation(Part):
    """What the artifact's bytes, read back, are beside the checkpoint: docs/parity.md says how they are compared."""

    verdict: Annotated[
        Annotated[str, limits(enum=("same", "tried", "differs"))],
        "same: the checkpoint's calculation for every board; tried: only positions say it; differs: it is another one.",
    ]
    boards: Annotated[Count, "On how many positions its rounding was measured, or it was tried; 0: it was not run."]
    operations: Annotated[Size | None, "Of same alone: how many operations were compared."] = None
    weights: Annotated[Count | None, "Of same alone: how many numbers they hold."] = None
    to_the_bit: Annotated[Count | None, "Of same alone: how many of the weights are equal to the bit."] = None
    largest_rounding: Annotated[
        float | None,
        "Of same alone: how far the others are off at most, in units in the last place of a float32, rounded up.",
    ] = None
    reason: Annotated[
        str | None,
        "Of the others: the operation without a rule, or the first difference, as a clause.",
        limits(maxLength=600),
    ] = None


@dataclass(frozen=True, kw_only=True)
class Artifact(Part):
    """The network in one format and one precision."""

    format: Annotated[str, "pb, tflite, onnx, coreml, tfjs or coreai."]
    path: Annotated[RelativePath, "A file, or a folder for coreml, coreai and tfjs (whose entry is model.json)."]
    precision: Annotated[str, "fp32, fp16, int8-weights, int8-dynamic or int8."]
    gate: Annotated[Gate | None, "Of every precision but fp32, which is proved equal."] = None
    calculation: Annotated[
        Calculation | None, "Of fp32 alone, as its export compared it. Not there: it was not compared."
    ] = None
    float_layers: Annotated[
        tuple[str, ...] | None, "Of 8-bit precisions: layers that stay in float32, as the file itself states them."
    ] = None
    calibration: Annotated[str | None, "Of int8 alone: the positions that gave its scales."] = None
    opset: Annotated[Size | None, "Of onnx alone."] = None
    producer: Annotated[str | None, "Of coreai alone, what its bytes depend on, as it states it."] = None
    min_runtime_version: Annotated[str | None, "Of tflite alone, as the file itself states it."] = None


@dataclass(frozen=True, kw_only=True)
class Fell(Part):
    """A precision that was tried and not taken."""

    precision: str
    why: Annotated[str, "Which figure of its gate decided, or why it could not be written."]


@dataclass(frozen=True, kw_only=True)
class Chosen(Part):
    """What --precision auto took in one format."""

    format: str
    chosen: Annotated[str, "The fastest precision inside its gate; fp32 where none is."]
    fell: Annotated[tuple[Fell, ...], "The faster ones, the fastest first."]


@dataclass(frozen=True, kw_only=True)
class Estimate(Part):
    """A figure with its 95 % interval; null is without bound."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, kw_only=True)
class Strength(Part):
    """How an artifact plays against the original, as `azx validate --strength` found; counts are the artifact's."""

    artifact: RelativePath
    against: Annotated[str, "The checkpoint's file name, or the path of the float32 artifact."]
    equal: Annotated[Annotated[str, limits(enum=("simulations", "time"))], "What both sides had as much of for a move."]
    simulations: Annotated[tuple[Size, ...], "For a move: the artifact's, the original's.", _PAIR]
    playouts_per_second: Annotated[
        Annotated[tuple[float, ...], _PAIR] | None, "Of both, on the machine that measured; null for equal simulations."
    ]
    runtimes: Annotated[tuple[str, ...], "What answered for both.", _PAIR]
    games: Size
    openings: Annotated[Size, "How many of the games' openings differ; each is played from both sides."]
    won: Count
    drawn: Count
    lost: Count
    score: Annotated[Estimate, "From 0 to 1, a draw being one half."]
    elo: Annotated[Estimate, "By how much the artifact is the stronger one."]


@dataclass(frozen=True, kw_only=True)
class Problem(Part):
    """Why an app cannot play the bundle; the text is problem_<code> of apps/texts, with the places in it."""

    code: Annotated[str, limits(minLength=1)]
    places: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class SearchRoot(Part):
    """How a search chooses at its root; a reader that knows no such kind, or not each member, does not play."""

    kind: Annotated[str, "puct, as without it, or gumbel: sequential halving."]
    considered: Annotated[int | None, "Of gumbel: how many moves it considers, 1 to 1000; not there: 16."] = None
    c_visit: Annotated[float | None, "Of gumbel: 0 to 1000000; not there: 50."] = None
    c_scale: Annotated[float | None, "Of gumbel: 0 to 1000000; not there: 0.1."] = None


@dataclass(frozen=True, kw_only=True)
class Search(Part):
    """How the network is searched (docs/search.md); a reader that does not know each member does not play."""

    root: SearchRoot
    c_init: Annotated[float | None, "Where PUCT's C begins: 0 to 1000; not there: 1.25."] = None
    first_play: Annotated[
        float | None, "How much less than its parent a move without a visit is worth: 0 to 2; not there: it is a draw."
    ] = None
    early_stop: Annotated[
        bool | None, "Whether a search ends once no other move can be visited as often; not there: false."
    ] = None
    lower_bound: Annotated[
        float | None,
        "The move with the largest mean less so many standard errors is played: 0 to 100; not there: by visits.",
    ] = None


@dataclass(frozen=True, kw_only=True)
class Tuned(Part):
    """How `search` was found, as `azx tune` found it: its games against the search before it."""

    search: Annotated[Search, "What was confirmed: the bundle's search, unless someone has changed it since."]
    against: Annotated[Search, "How the network was searched before."]
    simulations: Annotated[Size, "For a move, on both sides."]
    seed: Annotated[Count, "Of the openings, none of which search was chosen on."]
    games: Annotated[Size, "Each opening was played twice."]
    won: Count
    drawn: Count
    lost: Count
    elo: Annotated[Estimate, "By how much it is stronger than the search before it."]


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

    schema_version: Annotated[Annotated[int, limits(const=1)], "Raised when a member changes its meaning or goes."]
    azx_version: Annotated[str, "The azx that wrote the bundle."]
    name: Annotated[str, "The stem of the artifacts' names."]
    game: Annotated[str | None, "A name of `azx games`, null where the game is not known."] = None
    settings: Annotated[
        Mapping[str, int | float | str] | None,
        "The game's settings that the network's shapes tell, such as a board's size.",
    ] = None
    encoding: Annotated[Encoding | None, "The input as data, null where the game is not known."] = None
    actions: Annotated[
        str | tuple[Count, ...] | None, "How the policy numbers actions: by name, or the policy's index of each action."
    ] = None
    assumed: Annotated[
        Assumed | None, "Where encoding and actions are not known and the usual ones are assumed; else not there."
    ] = None
    checkpoint: Checkpoint
    inputs: Annotated[tuple[Input, ...], "What every artifact takes.", _ONE_OR_MORE]
    outputs: Annotated[tuple[Head, ...], "What every artifact gives, in this order.", _ONE_OR_MORE]
    batch: Annotated[Size | None, "null where it is free (Core ML: 1 to 64)."]
    precision: Annotated[str, "Of the artifacts without a precision in their name: fp32."]
    graph: Graph
    positions: Positions
    chosen: Annotated[
        tuple[str, ...] | None,
        "Options of the export by which its user said what the checkpoint does not tell, such as --game.",
    ] = None
    auto: Annotated[tuple[Chosen, ...] | None, "Of --precision auto alone: what it took, by format."] = None
    converters: Annotated[Mapping[str, str], "Versions of the converters, on which the artifacts' bytes depend."]
    artifacts: Annotated[tuple[Artifact, ...], "The network in each format, by path."]
    recommended: Annotated[
        Mapping[str, RelativePath],
        "The artifact that an app should load, by platform: android, ios, web, desktop, server.",
    ]
    problems: Annotated[
        tuple[Problem, ...] | None,
        "Why an app cannot play it; empty where it can. Not there: nothing is known of it.",
    ] = None
    strength: Annotated[
        tuple[Strength, ...] | None, "Not of the export: what `azx validate --strength` found since, by artifact."
    ] = None
    search: Annotated[Search | None, "How it is searched; not there: by PUCT, as always."] = None
    tuned: Annotated[
        Tuned | None, "Where `search` comes from, if games confirmed it: by `azx tune`, or of a network that azx ships."
    ] = None
    threads: Annotated[Size, "How many threads an app's runtime should use."] = 1
    files: Annotated[tuple[File, ...], "Every file but manifest.json, parity.json and report.html, by path."]

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
        """Bytes of the artifact at `path`, all files of a folder together."""
        return sum(file.size for file in self.files if belongs(file.path, path))


def belongs(listed: str, artifact: str) -> bool:
    """Whether a listed file is this artifact, or lies in it if the artifact is a folder."""
    return listed == artifact or listed.startswith(f"{artifact}/")

"""manifest.json as a model: what writes it and checks it, and the source of its published JSON schema.

`python -m azx.bundle.manifest_model` writes manifest.schema.json; a test fails where the two differ.

Within a schema version members are only added. A reader ignores those that it does not know, and a member added after
the first bundles were written has a default. Nothing here is imported before a bundle is read or written: pydantic is
not needed to print a help text or to inspect a checkpoint.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

SCHEMA = Path(__file__).with_name("manifest.schema.json")
DIALECT = "https://json-schema.org/draft/2020-12/schema"

Count = Annotated[int, Field(ge=0)]
Size = Annotated[int, Field(ge=1)]
Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$", description="SHA-256 in lower-case hexadecimal.")]
RelativePath = Annotated[
    str, Field(min_length=1, description="Relative to the bundle's folder, with '/', never leaving it.")
]


class Part(BaseModel):
    """Any object of a manifest. No value is converted: true is no number and "1" is none either."""

    model_config = ConfigDict(strict=True, extra="allow", frozen=True)


class Encoding(Part):
    """How a state becomes the input tensor."""

    layout: Literal["channels_first", "channels_last", "flat", "sum"] = Field(description="How the planes are stacked.")
    board: list[Size] = Field(min_length=1, description="Rows and columns of a plane.")
    planes: list[str] = Field(min_length=1, description="What each plane shows, relative to the player to move.")
    flip: bool = Field(default=False, description="Whether the rows of every plane are written bottom first.")
    transpose: bool = Field(
        default=False,
        description="Whether every plane has columns for rows, after the flip; board is still the game's.",
    )
    history: Literal["empty", "repeated"] = Field(
        default="empty", description="What a plane of a ply before the game began shows: nothing or the first position."
    )
    value: Literal["mover", "player0"] = Field(
        default="mover", description="Whose value the network answers with: the mover's or that of who began."
    )


class Checkpoint(Part):
    """The original."""

    file: str = Field(description="Name of the checkpoint's file, or that it is a Keras model in memory.")
    sha256: Sha256
    keras_version: str = Field(description="The Keras that wrote it.")
    parameters: Count = Field(description="How many numbers it holds.")


class Input(Part):
    """An input of every artifact."""

    name: str = Field(description="Its name in every format.")
    source_name: str = Field(description="Its name in the checkpoint.")
    shape: list[Size] = Field(description="Without the batch.")
    dtype: Literal["float32"]
    layout: Literal["channels_first", "channels_last", "board", "flat"] = Field(description="What its axes are.")


class Head(Part):
    """An output of every artifact, in the order in which they come."""

    name: str = Field(description="Its name in every format.")
    source_name: str = Field(description="Its name in the checkpoint.")
    role: Literal["value", "policy", "other"] = Field(description="value_range says how a value is read.")
    activation: str = Field(description="What the network ends with: tanh, softmax, linear (logits), unknown, ...")
    value_range: Literal["signed", "unit", "wdl"] | None = Field(
        default=None,
        description="Of a value alone: -1 to 1; 0 to 1, read as 2v - 1; or three chances, win less loss. Not there: "
        "unit where the activation is sigmoid or hard_sigmoid, else signed.",
    )
    order: list[Literal["win", "draw", "loss"]] | None = Field(
        default=None, min_length=3, max_length=3, description="Of a wdl value alone: what its three outputs are."
    )
    shape: list[Size] = Field(description="Without the batch.")
    pb_node: str = Field(description="The node of the frozen .pb that computes it, such as value_head/Tanh.")


class Graph(Part):
    """How the artifacts' graph came about."""

    kind: Literal["canonical", "traced"]
    reason: str | None = Field(description="Why the network was traced instead of simplified; null if canonical.")


class Positions(Part):
    """What the artifacts were proved on."""

    count: Count
    extreme: Count = Field(
        default=0, description="How many more that the network itself finds extreme, out of looked_through."
    )
    looked_through: Count = Field(default=0, description="Out of how many others the extreme ones were chosen.")
    seed: Count | None = Field(description="null where the positions were not drawn.")
    description: str
    source: Literal["game", "file", "random boards"]


class Gate(Part):
    """Whether an approximation decides as the original does; the figures are in parity.json."""

    passed: bool = Field(description="Whether every figure is within its limit.")
    limits: dict[str, float] = Field(description="What it may differ by, as docs/precision.md says.")
    positions: list[str] = Field(description="What it was judged on, a line for each kind.")


class Artifact(Part):
    """The network in one format and one precision."""

    format: str = Field(description="pb, tflite, onnx, coreml, tfjs or coreai.")
    path: RelativePath = Field(
        description="A file, or a folder for coreml, coreai and tfjs (whose entry is model.json)."
    )
    precision: str = Field(description="fp32, fp16, int8-weights, int8-dynamic or int8.")
    gate: Gate | None = Field(default=None, description="Of every precision but fp32, which is proved equal.")
    float_layers: list[str] | None = Field(
        default=None, description="Of 8-bit precisions: layers that stay in float32, as the file itself states them."
    )
    calibration: str | None = Field(default=None, description="Of int8 alone: the positions that gave its scales.")
    opset: Size | None = Field(default=None, description="Of onnx alone.")
    producer: str | None = Field(
        default=None, description="Of coreai alone, what its bytes depend on, as it states it."
    )
    min_runtime_version: str | None = Field(default=None, description="Of tflite alone, as the file itself states it.")


class Fell(Part):
    """A precision that was tried and not taken."""

    precision: str
    why: str = Field(description="Which figure of its gate decided, or why it could not be written.")


class Chosen(Part):
    """What --precision auto took in one format."""

    format: str
    chosen: str = Field(description="The fastest precision inside its gate; fp32 where none is.")
    fell: list[Fell] = Field(description="The faster ones, the fastest first.")


class Estimate(Part):
    """A figure with its 95 % interval; null is without bound."""

    value: float | None
    low: float | None
    high: float | None


class Strength(Part):
    """How an artifact plays against the original, as `azx validate --strength` found; counts are the artifact's."""

    artifact: RelativePath
    against: str = Field(description="The checkpoint's file name, or the path of the float32 artifact.")
    equal: Literal["simulations", "time"] = Field(description="What both sides had as much of for a move.")
    simulations: list[Size] = Field(
        min_length=2, max_length=2, description="For a move: the artifact's, the original's."
    )
    playouts_per_second: list[float] | None = Field(
        min_length=2, max_length=2, description="Of both, on the machine that measured; null for equal simulations."
    )
    runtimes: list[str] = Field(min_length=2, max_length=2, description="What answered for both.")
    games: Size
    openings: Size = Field(description="How many of the games' openings differ; each is played from both sides.")
    won: Count
    drawn: Count
    lost: Count
    score: Estimate = Field(description="From 0 to 1, a draw being one half.")
    elo: Estimate = Field(description="By how much the artifact is the stronger one.")


class File(Part):
    """A file of the bundle."""

    path: RelativePath
    sha256: Sha256
    size: Count = Field(description="In bytes.")


class Manifest(Part):
    """manifest.json: what a bundle holds, for programs."""

    model_config = ConfigDict(title="azx bundle manifest")

    schema_version: Literal[1] = Field(description="Raised when a member changes its meaning or goes.")
    azx_version: str = Field(description="The azx that wrote the bundle.")
    name: str = Field(description="The stem of the artifacts' names.")
    game: str | None = Field(default=None, description="A name of `azx games`, null where the game is not known.")
    settings: dict[str, int | float | str] | None = Field(
        default=None, description="The game's settings that the network's shapes tell, such as a board's size."
    )
    encoding: Encoding | None = Field(default=None, description="The input as data, null where the game is not known.")
    actions: str | list[Count] | None = Field(
        default=None, description="How the policy numbers actions: by name, or the policy's index of each action."
    )
    checkpoint: Checkpoint
    inputs: list[Input] = Field(min_length=1, description="What every artifact takes.")
    outputs: list[Head] = Field(min_length=1, description="What every artifact gives, in this order.")
    batch: Size | None = Field(description="null where it is free (Core ML: 1 to 64).")
    precision: str = Field(description="Of the artifacts without a precision in their name: fp32.")
    graph: Graph
    positions: Positions
    chosen: list[str] | None = Field(
        default=None,
        description="Options of the export by which its user said what the checkpoint does not tell, such as --game.",
    )
    auto: list[Chosen] | None = Field(default=None, description="Of --precision auto alone: what it took, by format.")
    converters: dict[str, str] = Field(description="Versions of the converters, on which the artifacts' bytes depend.")
    artifacts: list[Artifact] = Field(description="The network in each format, by path.")
    recommended: dict[str, RelativePath] = Field(
        description="The artifact that an app should load, by platform: android, ios, web, desktop, server."
    )
    strength: list[Strength] | None = Field(
        default=None, description="Not of the export: what `azx validate --strength` found since, by artifact."
    )
    threads: Size = Field(default=1, description="How many threads an app's runtime should use.")
    files: list[File] = Field(description="Every file but manifest.json, parity.json and report.html, by path.")

    def as_data(self) -> dict[str, Any]:
        """The manifest as JSON types: members in the order above, those that were not given left out."""
        return self.model_dump(exclude_unset=True)


def first_fault(data: Mapping[str, Any]) -> tuple[str, ...] | None:
    """Where `data` is no manifest: names and indices down to the first faulty member; None where it is one."""
    try:
        Manifest.model_validate(data)
    except ValidationError as error:
        return tuple(str(part) for part in error.errors(include_url=False)[0]["loc"])
    return None


def schema() -> str:
    """The text of manifest.schema.json."""
    found = {"$schema": DIALECT, **Manifest.model_json_schema()}
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    SCHEMA.write_text(schema(), encoding="utf8", newline="\n")

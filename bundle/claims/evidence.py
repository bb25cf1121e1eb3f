"""The evidence against which a bundle's claims are checked, from whatever source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from ...export.checkpoint.head import Head
from ...export.checkpoint.layer_graph import LayerGraph
from ...export.graph.frozen import Port
from ...export.graph.names import Names
from ...games.game import Reading
from ...manifest import Calculation
from ...validate.positions import Positions
from ...validate.proof.proof import ArtifactResult
from ..case.detection import Detection
from ..case.original import OriginalAnswers
from ..contents.golden import GoldenFile


@dataclass(frozen=True)
class ArtifactStatements:
    """What an artifact states about itself: the metadata that azx wrote, and its format's own members (`about`).

    `metadata` is empty and `about` None if the file could not be read: its parser is missing, or the file is damaged.
    """

    metadata: Mapping[str, str] = field(default_factory=dict)
    about: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class GraphStatements:
    """What the frozen graph shows for the manifest; `missing` is the reason if the graph was not made."""

    outputs: tuple[Head, ...] = ()
    fallback: str | None = None
    missing: str | None = None


@dataclass(frozen=True, eq=False)
class GoldenRows:
    """The positions that the network answers, with golden.json's among them.

    `feeds` are by the checkpoint's names; golden.json's positions begin at row `at`. `golden` is None if it cannot be
    read, and `fault` is the clause that says why. `drawn` are the positions that it must hold, None if unknown.
    """

    feeds: dict[str, NDArray[Any]]
    at: int
    golden: GoldenFile | None = None
    drawn: Positions | None = None
    fault: str = ""


@dataclass(frozen=True, eq=False)
class CheckpointEvidence:
    """What the checkpoint shows; `names`, `inputs` and `heads` are those of the artifacts, derived again.

    `alone` is the game that is detected without options. `drawn` are the recorded positions drawn again, None if the
    user gave others; `recorded` is their number among the answered positions. `as_exported` is true if no choice was
    made anew. `self_play` describes the gates' positions of self-play, and those for int8's scales; None without a
    gate.
    """

    graph: LayerGraph
    names: Names
    inputs: Sequence[Port]
    heads: Sequence[Head]
    alone: Detection
    frozen: GraphStatements
    compared: Mapping[str, Calculation]
    answers: OriginalAnswers
    rows: GoldenRows
    recorded: int
    as_exported: bool
    drawn: Positions | None = None
    self_play: tuple[Sequence[str], str | None] | None = None


@dataclass(frozen=True, eq=False)
class Evidence:
    """What is known of a bundle; a member is None if unknown, and the checks that need it then add nothing.

    `heads` are the artifacts' outputs, `reading` the claimed one (None if false or without a game). `statements` has
    what each artifact states, by path; `artifacts` are the verdicts of the proof. `golden` is golden.json, and `drawn`
    its positions drawn again, for a proof without the checkpoint.
    """

    folder: Path
    heads: Sequence[Head]
    reading: Reading | None = None
    statements: Mapping[str, ArtifactStatements] | None = None
    artifacts: Sequence[ArtifactResult] | None = None
    checkpoint: CheckpointEvidence | None = None
    golden: GoldenFile | None = None
    drawn: Positions | None = None

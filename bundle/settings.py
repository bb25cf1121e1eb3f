"""What an export is asked for, and what follows from it before anything heavy is loaded: the game, the positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import AzxError, GameError, Undecided, UnsupportedLayer
from ..export.checkpoint.head import POLICY, VALUE, Head
from ..export.checkpoint.layer_graph import LayerGraph, board_layout
from ..export.formats.precisions.precision import FP32
from ..export.graph.freeze import Names
from ..export.graph.names import input_names
from ..export.network.simplify import shapes as shapes_in
from ..games import recognition
from ..games.game import Reading
from ..validate import whole_numbers
from ..validate.extremes import SHARE, pool_size, with_extremes
from ..validate.gate.limits import Limits
from ..validate.positions import Positions, positions, random_boards
from ..validate.positions_file import from_npz
from ..validate.probe import settled, unsettled
from ..validate.witness.evaluate import evaluate
from .reading import check_value_order, told

# How many positions a proof takes, and the fewest that a network of large images is proved on: golden.json has as many.
USUAL, FEWEST = 1000, 20
# What the seed of the positions that are looked through for extreme ones has more than that of the drawn ones, and how
# many come from one random game: they need not be independent, and games take longer than looking at them.
POOL_SEED, POOL_PER_GAME = 2**32, 8
# ONNX operator sets that can be written.
OPSETS = range(13, 19)
# No board is as large in both directions: what lies above is an image, and one position of it takes a while.
LARGEST_BOARD = 32
# Values of the largest tensor of which the witness is asked: Go on 19 x 19 in 256 channels has a third of them.
LARGEST_ASKED = 1 << 18
# Multiply-adds that a proof of images may take: half a minute in the interpreter of Core ML's programs, the slowest.
WORK = 16_000_000_000
# Multiply-adds for each number of an image where the network's own are not known: MobileNet's at 224 x 224.
WORK_A_NUMBER = 3_800


@dataclass(frozen=True)
class Settings:
    """What the user chose.

    `without` are formats left out of `all`; `batch` None leaves it free; `count` is the number of parity positions,
    None for as many as the network's size allows; `require_all` refuses a bundle of which an artifact cannot be proved
    here. `precisions` are those of the artifacts; `gate` holds every lower one to its limits, `keep_failing` writes one
    outside them all the same, and `calibration` has the positions that int8's scales are found on. `also` are further
    runtimes that artifacts are proved in.
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
    precisions: tuple[str, ...] = (FP32,)
    gate: Limits = field(default_factory=Limits)
    keep_failing: bool = False
    calibration: Path | None = None
    also: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """AzxError where a number is out of its range."""
        check_least("batch", self.batch, 1)
        check_least("count", self.count, 1)
        check_least("seed", self.seed, 0)
        if self.opset not in OPSETS:
            raise AzxError(f"opset is {self.opset!r}: give {OPSETS[0]} to {OPSETS[-1]}.")

    @property
    def names(self) -> Names:
        """What was said of the outputs."""
        return Names(self.value_head, self.policy_head, self.keep_names)

    @property
    def chosen(self) -> list[str]:
        """The options that say of the network what else its file would tell."""
        said = {
            "--game": self.game,
            "--encoding": self.encoding,
            "--value-head": self.value_head,
            "--policy-head": self.policy_head,
        }
        return [option for option, value in said.items() if value is not None]


def check_least(name: str, number: int | None, least: int) -> None:
    """AzxError where a number was given that is no whole number from `least` on."""
    if number is not None and (isinstance(number, bool) or not isinstance(number, int) or number < least):
        raise AzxError(f"{name} is {number!r}: give a whole number from {least} on.")


def policy_width(heads: Sequence[Head]) -> int | None:
    """How many values the policy has, None without one."""
    return next((head.width for head in heads if head.role == POLICY), None)


@dataclass(frozen=True)
class Told:
    """The game as a network reads it, None where nothing tells one; then `note` says, as a clause, what would fit."""

    reading: Reading | None
    note: str | None = None


def game_of(graph: LayerGraph, heads: Sequence[Head], game: str | None, encoding: Path | None = None) -> Told:
    """The game that the network plays: as --encoding describes it, as named, else as its shapes tell.

    Without a reading where nothing tells it, or where `game` is "none". GameError where what was said does not fit.
    Where networks of these shapes are known to write the board in several ways, the witness is asked which it is.
    """
    shapes = [spec.shape for spec in graph.inputs]
    try:
        reading = told(shapes, policy_width(heads), game, encoding, board_layout(graph))
        if reading is not None and encoding is not None:
            check_value_order(reading, next((head for head in heads if head.role == VALUE), None), encoding)
    except GameError as error:
        raise GameError(f"'{graph.source.path}': {error}") from error
    if reading is None:
        return Told(None, recognition.fitting(shapes, policy_width(heads)) if game is None else None)
    if encoding is not None:
        return Told(reading)
    if game is None and not _reads_as(graph, reading):
        return Told(None)
    try:
        return Told(_settled(graph, heads, reading))
    except Undecided as undecided:
        return Told(None, str(undecided))


def _reads_as(graph: LayerGraph, reading: Reading) -> bool:
    """Whether a network can read its game so: one that looks whole numbers up in a table may have no row for a -1."""
    rows = whole_numbers.rows_of(graph)
    return not rows or whole_numbers.fits(rows, positions(reading, graph.inputs[0].name, FEWEST).feeds)


def _settled(graph: LayerGraph, heads: Sequence[Head], reading: Reading) -> Reading:
    names = {
        head.role: head.source_name for head in heads if head.role == POLICY or (head.role == VALUE and head.width == 1)
    }

    def asked(boards: NDArray[np.float32]) -> dict[str, NDArray[Any]]:
        if large is not None:
            raise UnsupportedLayer(large, "it makes more of a position than any network of a board does")
        answers = evaluate(graph, {graph.inputs[0].name: boards})
        return {role: answers[name] for role, name in names.items()}

    large = next((name for name, shape in shapes_in(graph).items() if not _is_of_board(shape)), None)
    try:
        return settled(reading, asked, tuple(names))
    except UnsupportedLayer as error:
        return unsettled(reading, f"the float64 witness cannot be asked, {error}")


def _is_of_board(shape: Sequence[int]) -> bool:
    """Whether a tensor is one of a network that plays: asked of some hundred positions, a larger one takes hours."""
    return prod(shape) <= LARGEST_ASKED and prod(sorted(shape)[-2:]) <= LARGEST_ASKED >> 3


def parity_positions(
    graph: LayerGraph, heads: Sequence[Head], reading: Reading | None, settings: Settings, work: int | None = None
) -> Positions:
    """What the proof is made on, fed by the checkpoint's own input names; `work` is multiply-adds a position, if known.

    GameError where the user's positions do not fit, or where nothing tells which whole numbers an Embedding may read.
    """
    if settings.inputs is not None:
        names = input_names([spec.name for spec in graph.inputs], heads, keep_names=settings.keep_names)
        drawn = from_npz(settings.inputs, graph.inputs, names, policy_width(heads))
    elif reading is not None:
        drawn = positions(reading, graph.inputs[0].name, settings.count or USUAL, settings.seed)
    else:
        count, note = (settings.count, None) if settings.count else _affordable(graph, work)
        drawn = replace(unknown_positions(graph, count, settings.seed), note=note)
    whole_numbers.check(graph, drawn.feeds)
    if settings.inputs is not None or drawn.note:
        return drawn  # one's own alone, or as many as there is time for
    return with_extremes_of(graph, reading, drawn, settings.seed, pool_size(len(drawn), work))


def with_extremes_of(
    graph: LayerGraph, reading: Reading | None, drawn: Positions, seed: int, look_through: int
) -> Positions:
    """What was drawn, and positions that the network finds extreme among `look_through` others; the same every time."""
    count = min(len(drawn), look_through) // SHARE
    if not count:
        return drawn
    # Another stream of chance than the drawn ones', whatever the seed.
    other = seed + POOL_SEED
    if reading is not None:
        pool = positions(reading, graph.inputs[0].name, look_through, other, POOL_PER_GAME)
    else:
        pool = unknown_positions(graph, look_through, other)
    found = with_extremes(graph, drawn, pool, count)
    return replace(found, looked_through=look_through if found.extreme else 0)


def recorded_positions(
    graph: LayerGraph, reading: Reading | None, recorded: Mapping[str, Any], count: int
) -> Positions:
    """The positions that a manifest records, or another number of such; extreme ones where it records some.

    `recorded` is the manifest's member `positions`.
    """
    seed = int(recorded["seed"] or 0)
    if reading is not None:
        drawn = positions(reading, graph.inputs[0].name, count, seed)
    else:
        drawn = unknown_positions(graph, count, seed)
    whole_numbers.check(graph, drawn.feeds)
    return with_extremes_of(graph, reading, drawn, seed, int(recorded.get("looked_through") or 0))


def unknown_positions(graph: LayerGraph, count: int, seed: int) -> Positions:
    """Random boards for a network whose game is not known, in what its inputs can hold."""
    return random_boards(graph.inputs, count, seed, board_layout(graph), whole_numbers.rows_of(graph))


def _affordable(graph: LayerGraph, work: int | None) -> tuple[int, str | None]:
    """How many positions a network of no known game is proved on, and the reason where those are fewer than usual."""
    layout = board_layout(graph)
    images = [
        spec.shape for spec in graph.inputs if len(spec.shape) == 3 and min(_sides(spec.shape, layout)) > LARGEST_BOARD
    ]
    if not images:
        return USUAL, None
    cost = work or WORK_A_NUMBER * sum(map(prod, images))
    count = min(USUAL, max(FEWEST, WORK // cost))
    if count == USUAL:
        return USUAL, None
    said = f"takes {cost / 1e6:,.0f} million multiply-adds a position" if work else "reads large images"
    return count, f"{count} positions and not {USUAL:,}, because the network {said}: say how many with --positions"


def _sides(shape: tuple[int, ...], layout: str | None) -> tuple[int, ...]:
    """Rows and columns of (rows, columns, channels), or of (channels, rows, columns) where the network says so."""
    return shape[1:] if layout == "channels_first" else shape[:2]


def artifact_feeds(drawn: Positions, names: Mapping[str, str]) -> dict[str, NDArray[np.float32]]:
    """The positions as every artifact takes them: float32 whatever the checkpoint's input is, by the names of `names`.

    `names` maps the checkpoint's input names to the artifacts'.
    """
    return {names[name]: np.asarray(feed, np.float32) for name, feed in drawn.feeds.items()}

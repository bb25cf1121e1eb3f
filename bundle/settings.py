"""What an export is asked for, and what follows from it before anything heavy is loaded: the game, the positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import GameError, UnsupportedLayer
from ..export.checkpoint.head import POLICY, VALUE, Head
from ..export.checkpoint.layer_graph import LayerGraph, board_layout
from ..export.graph.freeze import Names
from ..export.graph.names import input_names
from ..games import recognition
from ..games.game import Reading
from ..validate.positions import Positions, positions, random_boards
from ..validate.positions_file import from_npz
from ..validate.probe import settled, unsettled
from ..validate.witness.evaluate import evaluate
from .reading import check_value_order, told


@dataclass(frozen=True)
class Settings:
    """What the user chose.

    `without` are formats left out of `all`; `batch` None leaves it free; `count` is the number of parity positions;
    `require_all` refuses a bundle of which an artifact cannot be proved here.
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
    count: int = 1000
    seed: int = 0
    require_all: bool = False

    @property
    def names(self) -> Names:
        """What was said of the outputs."""
        return Names(self.value_head, self.policy_head, self.keep_names)


def policy_width(heads: Sequence[Head]) -> int | None:
    """How many values the policy has, None without one."""
    return next((head.width for head in heads if head.role == POLICY), None)


def game_of(graph: LayerGraph, heads: Sequence[Head], game: str | None, encoding: Path | None = None) -> Reading | None:
    """The game that the network plays: as an --encoding file describes it, as named, else as its shapes tell.

    None where nothing tells a game, or where `game` is "none". GameError where what was said does not fit. Where
    networks of these shapes are known to write the board in several ways, the witness' policy is asked which it is.
    """
    shapes = [spec.shape for spec in graph.inputs]
    try:
        reading = told(shapes, policy_width(heads), game, encoding, board_layout(graph))
        if reading is not None and encoding is not None:
            check_value_order(reading, next((head for head in heads if head.role == VALUE), None), encoding)
    except GameError as error:
        raise GameError(f"'{graph.source.path}': {error}") from error
    return reading if reading is None or encoding is not None else _settled(graph, heads, reading)


def _settled(graph: LayerGraph, heads: Sequence[Head], reading: Reading) -> Reading:
    asked = next((head.source_name for head in heads if head.role == POLICY), "")
    try:
        return settled(reading, lambda boards: evaluate(graph, {graph.inputs[0].name: boards})[asked])
    except UnsupportedLayer as error:
        return unsettled(reading, f"the float64 witness cannot be asked, {error}")


def game_note(graph: LayerGraph, heads: Sequence[Head], game: str | None, reading: Reading | None) -> str | None:
    """Which games would fit a network that nothing tells the game of, as a clause; None where there is no doubt."""
    doubtful = reading is None and game is None
    return recognition.fitting([spec.shape for spec in graph.inputs], policy_width(heads)) if doubtful else None


def parity_positions(
    graph: LayerGraph, heads: Sequence[Head], reading: Reading | None, settings: Settings
) -> Positions:
    """What the proof is made on, fed by the checkpoint's own input names."""
    if settings.inputs is not None:
        names = input_names([spec.name for spec in graph.inputs], heads, keep_names=settings.keep_names)
        return from_npz(settings.inputs, graph.inputs, names, policy_width(heads))
    if reading is not None:
        return positions(reading, graph.inputs[0].name, settings.count, settings.seed)
    return random_boards(graph.inputs, settings.count, settings.seed, board_layout(graph))

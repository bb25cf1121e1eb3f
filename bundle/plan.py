"""What an export will do, settled before anything heavy is loaded: network, heads, game, positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import GameError, UnsupportedLayer
from ..export.checkpoint.layer_graph import LayerGraph
from ..export.graph.head_activation import head_activation
from ..export.graph.heads import POLICY, Head, input_names, recognise
from ..export.network.network import Network
from ..export.network.simplify import simplify
from ..games import recognition
from ..games.game import Recognised
from ..validate.positions import Positions, positions, random_boards
from ..validate.positions_file import from_npz


@dataclass(frozen=True)
class Settings:
    """What the user chose. `batch` None leaves it free; `count` is the number of parity positions."""

    formats: tuple[str, ...] = ("all",)
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


@dataclass(frozen=True, eq=False)
class Simplified:
    """The canonical network of a checkpoint, or the reason why it has none."""

    network: Network | None
    reason: str | None


def try_simplify(graph: LayerGraph) -> Simplified:
    """Simplify, keeping the reason where a layer has no canonical form."""
    try:
        return Simplified(simplify(graph), None)
    except UnsupportedLayer as error:
        return Simplified(None, str(error))


def heads_of(graph: LayerGraph, shapes: Sequence[tuple[int, ...]], settings: Settings) -> tuple[Head, ...]:
    """The recognised heads; `shapes` are of the outputs in the model's order, without the batch."""
    bare = [
        Head(spec.name, shape, head_activation(graph, spec.tensor))
        for spec, shape in zip(graph.outputs, shapes, strict=True)
    ]
    return recognise(
        bare,
        f"'{graph.source.path}'",
        value_head=settings.value_head,
        policy_head=settings.policy_head,
        keep_names=settings.keep_names,
    )


def game_of(
    graph: LayerGraph, heads: Sequence[Head], game: str | None, encoding: Path | None = None
) -> Recognised | None:
    """The game that the network plays: as an --encoding file describes it, as named, else as its shapes tell.

    None where no game fits, or where `game` is "none". GameError where the shapes fit several.
    """
    shapes = [spec.shape for spec in graph.inputs]
    width = next((head.width for head in heads if head.role == POLICY), None)
    try:
        return recognition.told(shapes, width, game, encoding)
    except GameError as error:
        raise GameError(f"'{graph.source.path}': {error}") from error


def parity_positions(
    graph: LayerGraph, heads: Sequence[Head], reading: Recognised | None, settings: Settings
) -> Positions:
    """What the proof is made on, fed by the checkpoint's own input names."""
    if settings.inputs is not None:
        width = next((head.width for head in heads if head.role == POLICY), None)
        names = input_names([spec.name for spec in graph.inputs], heads, keep_names=settings.keep_names)
        return from_npz(settings.inputs, graph.inputs, names, width)
    if reading is not None:
        return positions(reading, graph.inputs[0].name, settings.count, settings.seed)
    return random_boards(graph.inputs, settings.count, settings.seed, board_layout(graph))


def board_layout(graph: LayerGraph) -> str | None:
    """channels_first or channels_last as the first layer that cares says, None where none does."""
    for call in graph.calls:
        layout = call.layer.config.get("data_format")
        if layout in ("channels_first", "channels_last") and call.layer.kind != "Flatten":
            return str(layout)
    return None


def input_layout(graph: LayerGraph, shape: tuple[int, ...]) -> str:
    """The manifest's word for how an input lies: channels_first, channels_last, board or flat."""
    if len(shape) == 1:
        return "flat"
    return "board" if len(shape) == 2 else board_layout(graph) or "channels_last"

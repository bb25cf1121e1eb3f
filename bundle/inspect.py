"""Inspects a checkpoint without TensorFlow: layers, shapes, heads, size, work, peculiarities."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

from ..export.checkpoint.head import Head
from ..export.checkpoint.layer_graph import LayerGraph
from ..export.checkpoint.located import find_checkpoint
from ..export.checkpoint.read import read_checkpoint
from ..export.graph.freeze import heads_of, try_simplify
from ..export.graph.names import Names
from ..export.network.known_shapes import name_unknown
from ..export.network.simplify import shapes
from ..pages.notebook import html_table
from ..statement import Statement
from ..system.progress import Step, no_step
from .case.checkpoint import Checkpoint, as_checkpoint
from .case.detection import game_of, statements_of
from .case.keywords import ArchitectureOptions
from .case.option import takes_options


@dataclass(frozen=True)
class LayerRow:
    """One call of a layer; `shape` is Keras' own without the batch, None behind a layer that azx does not know."""

    name: str
    kind: str
    shape: tuple[int, ...] | None
    parameters: int
    inputs: tuple[str, ...]


@dataclass(frozen=True)
class Inspection:
    """The result of `azx inspect`.

    `multiply_adds` are for one position in the canonical network. They are None if it has no such form; `fallback` then
    names the layer. `head_problem` says which layer hides the shape of an output. `game_note` lists the games that the
    shapes fit if they do not determine one; `reading` says how the board is read. `statements` say what the outputs are
    and how the board is read, each with its evidence, as for an export.
    """

    file: str
    sha256: str
    kind: str
    keras_version: str
    parameters: int
    multiply_adds: int | None
    operations: int | None
    inputs: tuple[dict[str, Any], ...]
    heads: tuple[Head, ...]
    head_problem: str | None
    game: str | None
    settings: dict[str, Any] | None
    encoding: dict[str, Any] | None
    actions: str | list[int] | None
    game_note: str | None
    reading: str | None
    statements: tuple[Statement, ...]
    fallback: str | None
    quirks: tuple[str, ...]
    layers: tuple[LayerRow, ...]

    def _repr_html_(self) -> str:
        """The outputs' meaning, then the layers as a table, for notebooks."""
        outputs = "; ".join(f"{head.name}: {head.role or 'unknown'}" for head in self.heads)
        plays = self.game or "game unknown"
        rows = [(each.name, each.kind, each.shape, f"{each.parameters:,}") for each in self.layers]
        said = f"{plays}, {self.parameters:,} parameters" + (f"; {outputs}" if outputs else "")
        return html_table(self.file, ("layer", "kind", "shape", "parameters"), rows, said)


@takes_options(Checkpoint, but="allow_code")
def inspect_checkpoint(
    checkpoint: str | Path | Checkpoint,
    *,
    game: str | None = None,
    encoding: str | Path | None = None,
    value_head: str | None = None,
    policy_head: str | None = None,
    on_step: Step = no_step,
    **reading: Unpack[ArchitectureOptions],
) -> Inspection:
    """Inspect a checkpoint. No code in it runs; Lambda layers are only listed.

    Args:
        checkpoint: a path, a shipped network's name, or a folder with one checkpoint and its JSON.
        game: a name of `azx games` if the shapes do not determine it, "none" for none.
        encoding: a JSON file that describes the network's input, for a network that azx does not know.
        value_head: name of the value output, "none" for no such output; None if names and shapes identify it.
        policy_head: the same for the policy output.
        on_step: receives the name of each step, for a progress display.
        options: as below.

    Raises:
        CheckpointError: the checkpoint cannot be read.
        GameError: the game or the encoding does not fit it.
        HeadError: no output has the given name.

    """
    checkpoint = as_checkpoint(checkpoint, **reading)
    on_step("reading the checkpoint")
    graph = read_checkpoint(find_checkpoint(checkpoint.place), **{**checkpoint.options, "allow_code": True})
    sizes = shapes(graph)
    simplified = try_simplify(graph)
    heads, problem = _heads(graph, sizes, Names(value_head, policy_head))
    on_step("detecting how the network reads its board")
    described = Path(encoding) if encoding is not None else None
    detection = game_of(graph, heads, game, described)
    plays = detection.reading
    network = simplified.network
    return Inspection(
        file=str(graph.source.path),
        sha256=graph.source.sha256,
        kind=graph.source.kind,
        keras_version=graph.source.written_by,
        parameters=graph.parameters,
        multiply_adds=network.multiply_adds if network else None,
        operations=len(network.ops) if network else None,
        inputs=tuple({"name": spec.name, "shape": spec.shape, "dtype": spec.dtype} for spec in graph.inputs),
        heads=detection.heads,
        head_problem=problem,
        **(plays.as_data() if plays else dict.fromkeys(("game", "settings", "encoding", "actions"))),
        game_note=detection.note,
        reading=plays.input_line if plays else None,
        statements=statements_of(detection),
        fallback=simplified.reason,
        quirks=graph.quirks,
        layers=_rows(graph, sizes),
    )


def _heads(graph: LayerGraph, sizes: dict[str, tuple[int, ...]], names: Names) -> tuple[tuple[Head, ...], str | None]:
    known = [sizes.get(head.tensor) or head.shape or None for head in graph.outputs]
    if None in known:
        return (), f"an output lies behind {name_unknown(graph, sizes)}, whose shape azx inspect does not know"
    return heads_of(graph, [shape for shape in known if shape is not None], names), None


def _rows(graph: LayerGraph, sizes: dict[str, tuple[int, ...]]) -> tuple[LayerRow, ...]:
    """The calls in order; a layer's parameters count at its first call only."""
    rows, counted = [], set()
    for call in graph.calls:
        fresh = id(call.layer) not in counted
        counted.add(id(call.layer))
        size = sum(int(weight.size) for weight in call.layer.weights.values()) if fresh else 0
        rows.append(LayerRow(call.output, call.layer.kind, sizes.get(call.output), size, call.inputs))
    return tuple(rows)

"""A checkpoint as the frozen graph that every artifact is written from, with a free batch."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..bundle.plan import Settings, heads_of, try_simplify
from ..bundle.tasks import build_graph, write_artifact
from ..export.checkpoint.layer_graph import LayerGraph
from ..export.checkpoint.read import read
from .network_ports import Ports, ports_of_graph


@dataclass(frozen=True)
class WrittenGraph:
    """A .pb and its ports."""

    path: Path
    ports: Ports


def write_graph(
    checkpoint: Path,
    folder: Path,
    config: str | Path | None = None,
    builder: str | None = None,
    allow_code: bool = False,
) -> WrittenGraph:
    """Write `checkpoint`'s graph into `folder`; CheckpointError where it cannot be read.

    A network with a layer that has no canonical form is traced from Keras, as `azx export` does.
    Needs TensorFlow.
    """
    graph = read(checkpoint, config=config, builder=builder, allow_code=allow_code)
    simplified = try_simplify(graph)
    traced = None if simplified.network else _traced(graph)
    shapes = traced[4] if traced else [exit_.shape for exit_ in simplified.network.outputs]  # type: ignore[union-attr]
    heads = heads_of(graph, shapes, Settings())
    sources = [spec.name for spec in graph.outputs]
    frozen = build_graph(simplified, traced, heads, None, False, sources)
    path = folder / "network.pb"
    write_artifact("pb", frozen, path, opset=0)
    return WrittenGraph(path, ports_of_graph(frozen))


def _traced(graph: LayerGraph) -> Any:
    from ..export.graph.traced import trace

    return trace(graph.source, None)

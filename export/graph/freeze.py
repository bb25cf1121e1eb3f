"""LayerGraph -> Network -> frozen graph, or Keras' own trace if a layer has no canonical form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from math import prod

from ...errors import ConversionError, UnsupportedLayer
from ..checkpoint.head import UNKNOWN, Head
from ..checkpoint.layer_graph import FROZEN, META, ONNX, TORCH, LayerGraph
from ..network.network import Network
from ..network.simplify import simplify
from .build import build
from .frozen import FrozenGraph
from .heads import head_activation, leading_to, recognise
from .names import NOTHING_SAID, Names
from .traced import from_traced, trace

Shapes = Sequence[tuple[int, ...]]


@dataclass(frozen=True, eq=False)
class Simplification:
    """The canonical network of a checkpoint, or the reason why it has none."""

    network: Network | None
    reason: str | None


def freeze(
    graph: LayerGraph, names: Names | Callable[[Shapes], Names] = NOTHING_SAID, batch: int | None = 1
) -> FrozenGraph:
    """The one graph from which every format is written; a `batch` of None leaves the first axis free.

    `names` may depend on the outputs' shapes, which for a traced graph are known only after tracing.

    The graph is built from the canonical network. If a layer has no canonical form, it is traced from Keras instead,
    and `fallback` names that layer. Needs TensorFlow, and Keras for the trace.

    Raises HeadError if no output has a name that the user gave, CheckpointError if Keras cannot load the file,
    ConversionError if its trace cannot be frozen.
    """
    simplified = try_simplify(graph)
    network = simplified.network
    if network is None and graph.source.kind in (ONNX, FROZEN, META, TORCH):
        raise ConversionError(f"'{graph.source.path}': {simplified.reason} (docs/other-frameworks.md).")
    traced = trace(graph, batch) if network is None else None
    shapes = [head.shape for made in (network, traced) if made is not None for head in made.outputs]
    chosen = names(shapes) if callable(names) else names
    heads = heads_of(graph, shapes, chosen)
    if traced is not None:
        return from_traced(traced, heads, simplified.reason, keep_names=chosen.keep_names)
    assert network is not None  # noqa: S101
    return build(network, heads, batch, keep_names=chosen.keep_names)


def try_simplify(graph: LayerGraph) -> Simplification:
    """The canonical network, or the reason why a layer has no canonical form."""
    try:
        return Simplification(simplify(graph), None)
    except UnsupportedLayer as error:
        return Simplification(None, str(error))


def heads_of(graph: LayerGraph, shapes: Shapes, names: Names = NOTHING_SAID) -> tuple[Head, ...]:
    """The recognised heads; `shapes` are the outputs' in the model's order, without the batch."""
    # Keras' facts about a builder's model help only if its layers lack them.
    activations = [(head_activation(graph, head.tensor), head.activation) for head in graph.outputs]
    bare = [
        Head(head.source_name, shape, layers if layers != UNKNOWN else traced)
        for head, shape, (layers, traced) in zip(graph.outputs, shapes, activations, strict=True)
    ]
    inputs = [spec.shape for spec in graph.inputs]
    single = [head.tensor for head, shape in zip(graph.outputs, shapes, strict=True) if prod(shape) == 1]
    inner = leading_to(graph, single)
    return recognise(bare, f"'{graph.source.path}'", inputs, inner=inner, **asdict(names))

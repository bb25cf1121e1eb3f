"""A frozen TensorFlow graph (.pb) as a LayerGraph: its inference nodes, its placeholders, its last nodes."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from pathlib import Path

from ....errors import CheckpointError
from ..digest import sha256
from ..door.limits import INPUT_VALUES, check_file
from ..flatten import calls_needed
from ..head import Head
from ..layer_graph import FROZEN, Array, InputSpec, LayerGraph, Source
from ..onnx.layers import read_operation
from ..onnx.operation import Calls
from ..onnx.values import NoForm, Tensor
from ..quirks import find_quirks
from ..saved_model import OF_SAVED_MODEL
from ..weights import find_unsound
from .definition import GraphNode, door_shape, read_graph_def
from .dropout import settle_dropout
from .inference import join_leaky, network_nodes
from .translator import Translator

SPELLING = "3.0.0"
OPSET = 17


def is_frozen_graph(path: Path) -> bool:
    """Whether a file has a frozen graph's name; a SavedModel's own graph does not count."""
    if path.suffix != ".pb" or not path.is_file() or path.name in OF_SAVED_MODEL:
        return False
    check_file(path)
    with path.open("rb") as file:
        return file.read(1) == b"\x0a"


def read_frozen_graph(path: Path) -> LayerGraph:
    """The LayerGraph of a frozen graph; nothing in it runs.

    CheckpointError if it is damaged, or if an operation of inference has no canonical form (the error names it).
    """
    where = f"'{path}'"
    settled = settle_dropout(*read_graph_def(path))
    constants = settled.constants
    live, ends = network_nodes(settled.nodes, constants)
    specs = tuple(input_of(node, where) for node in live if node.kind == "Placeholder")
    if not specs or not ends:
        raise CheckpointError(f"{where} has no placeholder for a board, or no output that follows from one.")
    calls = Calls(OPSET, None, dict(constants))
    for spec in specs:
        calls.unique(spec.tensor)
        calls.values[spec.name] = Tensor(spec.tensor, spec.shape)
    for node in join_leaky(live, constants):
        if node.kind != "Placeholder":
            read_node(calls, node, where)
    config = {"class_name": "GraphDef", "config": {}}
    source = Source(path, FROZEN, sha256(path), SPELLING, config, framework="TensorFlow, a frozen graph")
    return graph_of(calls, specs, ends, source, settled.quirks)


def graph_of(
    calls: Calls, specs: tuple[InputSpec, ...], ends: Iterable[str], source: Source, assumed: tuple[str, ...]
) -> LayerGraph:
    """The LayerGraph of the calls; its outputs have the names of the nodes at the `ends`, or of their scopes.

    `assumed` are sentences about assumptions.
    """
    heads: list[Head] = []
    for end in ends:
        value = calls.values[end]
        if isinstance(value, Tensor):
            scope = end.rpartition("/")[0] or end
            taken = [head.source_name for head in heads]
            heads.append(Head(end if scope in taken else scope, tensor=value.name))
    needed = tuple(calls_needed(calls.calls, {head.tensor for head in heads}))
    for call in needed:
        if problem := find_unsound(call.layer.name, call.layer.kind, call.layer.weights):
            raise CheckpointError(f"'{source.path}': {problem}")
    layers = [call for call in needed if not call.layer.kind.startswith("ops.")]
    return LayerGraph(source, source.kind, needed, specs, tuple(heads), (*assumed, *find_quirks(layers, source, {})))


def read_node(calls: Calls, node: GraphNode, where: str) -> None:
    """Add the calls of a node whose inputs are known; CheckpointError, which names it, if it has no canonical form."""

    def numbers(name: str) -> Array | None:
        value = calls.values.get(name)
        return None if isinstance(value, Tensor) else value

    def rank(name: str) -> int:
        value = calls.values[name]
        return len(value.shape) if isinstance(value, Tensor) else value.ndim

    translator = Translator(numbers, rank)
    try:
        made = translator.nodes(node)
        calls.values.update(translator.made)
        for each in made:
            read_operation(calls, each)
    except (NoForm, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        reason = str(error) if isinstance(error, NoForm) else f"its form is not understood ({error})"
        raise CheckpointError(
            f"{where}: the operation {node.kind[:60]} ('{node.name[:80]}') has no form that azx exports: "
            f"{reason[:300]} (docs/other-frameworks.md)."
        ) from error


def input_of(node: GraphNode, where: str) -> InputSpec:
    """The input that a placeholder takes; CheckpointError if its sizes are free, or too large."""
    shape = door_shape(node)
    board = tuple(size for size in shape[1:] if size)
    if len(shape) < 2 or len(board) != len(shape) - 1 or prod(board) > INPUT_VALUES:
        raise CheckpointError(
            f"{where}: its input '{node.name[:60]}' is of shape {shape}: freeze it with the positions first and all "
            "other sizes fixed."
        )
    return InputSpec(node.name, node.name, board)

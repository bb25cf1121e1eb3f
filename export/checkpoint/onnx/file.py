"""An ONNX model as a LayerGraph: its operations as layers, its own names of inputs and outputs."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from pathlib import Path

from ....errors import CheckpointError
from ..digest import sha256_of_all
from ..door.limits import INPUT_VALUES, check_file
from ..flatten import calls_needed
from ..head import Head
from ..kinds import is_onnx_message
from ..layer_graph import ONNX, InputSpec, LayerGraph, Source
from ..quirks import find_quirks
from ..weights import find_unsound
from .bias import join_biases
from .gelu import join_gelus
from .layers import read_operation
from .model import OnnxModel, Port, read_onnx
from .operation import Calls
from .values import NoForm, Tensor

_SPELLING = "3.0.0"
# The types of inputs. Exported artifacts take floats, also for boards of whole numbers or of true and false.
_READ = {1: "float32", 10: "float16", 11: "float64", 2: "uint8", 3: "int8", 6: "int32", 7: "int64", 9: "bool"}


def is_onnx_file(path: Path) -> bool:
    """Whether a file is an ONNX model, by its first bytes and its name."""
    if not path.is_file():
        return False
    check_file(path)
    with path.open("rb") as file:
        if file.read(1) != b"\x08":
            return False
    # A file with another name must be an ONNX model to the last byte, since other messages begin like one.
    return path.suffix == ".onnx" or is_onnx_message(path)


def read_onnx_graph(path: Path) -> LayerGraph:
    """The LayerGraph of an ONNX model; nothing in it runs.

    CheckpointError if it is damaged, if an operation has no canonical form (the error names it), or if its answer to
    one position depends on others.
    """
    model, where = read_onnx(path), f"'{path}'"
    specs = tuple(_inputs(model.inputs, where))
    calls = Calls(model.opset, _fixed_batch(model.inputs), dict(model.weights))
    calls.values.update({spec.name: Tensor(spec.tensor, spec.shape, is_truth=spec.dtype == "bool") for spec in specs})
    for spec in specs:
        calls.unique(spec.tensor)
    calls.inputs = frozenset(spec.tensor for spec in specs)
    nodes = join_biases(model.nodes, model.weights, [port.name for port in model.outputs])
    for node in join_gelus(nodes, model.weights):
        try:
            read_operation(calls, node)
        except (NoForm, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            reason = str(error) if isinstance(error, NoForm) else f"its form is not understood ({error})"
            name = (node.name or ", ".join(node.outputs))[:80]
            raise CheckpointError(
                f"{where}: the operation {node.kind[:60]} ('{name}') has no form that azx exports: {reason[:300]} "
                "(docs/other-frameworks.md)."
            ) from error
    heads = tuple(_heads(model, calls, where))
    needed = tuple(calls_needed(calls.calls, {head.tensor for head in heads}))
    for call in needed:
        if problem := find_unsound(call.layer.name, call.layer.kind, call.layer.weights):
            raise CheckpointError(f"{where}: {problem}")
    digest = sha256_of_all([path, *sorted(model.external)])
    framework = f"ONNX of {model.producer}" if model.producer else "ONNX"
    source = Source(path, ONNX, digest, _SPELLING, {"class_name": "ONNX", "config": {}}, framework=framework[:120])
    # Every layer was an operation, so a remark on single layers would be useless.
    layers = [call for call in needed if not call.layer.kind.startswith("ops.")]
    return LayerGraph(source, "onnx", needed, specs, heads, find_quirks(layers, source, {}))


def _inputs(ports: tuple[Port, ...], where: str) -> Iterator[InputSpec]:
    """The inputs: numbers, with the positions first and all other sizes fixed."""
    for port in ports:
        shape = port.shape or ()
        if len(shape) < 2 or None in shape[1:]:
            sizes = tuple("free" if size is None else size for size in shape)
            raise CheckpointError(
                f"{where}: its input '{port.name[:60]}' is of shape {sizes}: export it with the positions first and "
                "all other sizes fixed (dynamic_axes of the batch alone)."
            )
        board = tuple(size for size in shape[1:] if size)
        if port.dtype not in _READ or prod(board) > INPUT_VALUES:
            raise CheckpointError(
                f"{where}: its input '{port.name[:60]}' is not a board of numbers: export it with float32 inputs."
            )
        yield InputSpec(port.name, port.name, board, _READ[port.dtype])


def _fixed_batch(ports: tuple[Port, ...]) -> int | None:
    """The batch size that the file requires; None if it is free."""
    return next((port.shape[0] for port in ports if port.shape and port.shape[0]), None)


def _heads(model: OnnxModel, calls: Calls, where: str) -> Iterator[Head]:
    for port in model.outputs:
        value = calls.values.get(port.name)
        if not isinstance(value, Tensor) or value.is_apart:
            raise CheckpointError(f"{where}: its output '{port.name[:60]}' does not depend on the position.")
        if not value.shape:  # one number per position
            value = calls.add(port.name, "Reshape", [value], (1,), target_shape=[1])
        yield Head(port.name, tensor=value.name)
    if not model.outputs:
        raise CheckpointError(f"{where} has no output.")

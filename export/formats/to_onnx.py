"""The frozen graph as ONNX, by tf2onnx, with the contract's names, order and metadata."""

from __future__ import annotations

import gc
import logging
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Set
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from ...errors import ConversionError, first_line
from ...system.memory import LARGE
from ..checkpoint.protobuf import Parser, messages, text
from ..graph.frozen import FrozenGraph
from ..graph.rewrites import Graph, empty, without_erfc
from .precisions.onnx_weights import weights_in, with_smaller_weights
from .precisions.precision import FP32
from .precisions.weights import StoredWeight

DEFAULT_OPSET = 17
# tf2onnx numbers names by a counter of the process, so a second export would have other names.
_COUNTED = re.compile(r"__\d+")


def write_ways(
    frozen: FrozenGraph, ways: Mapping[Path, Collection[str]], opset: int = DEFAULT_OPSET, precision: str = FP32
) -> None:
    """Write `frozen` in one or more ways by a single conversion; ConversionError if tf2onnx or the checker refuses it.

    In a lower precision the weights are smaller; in 8 bits, the layers of a way use half precision. The arithmetic
    stays float32.
    """
    import onnx

    try:
        model = _convert(frozen, opset)
        _rename_outputs(model, frozen)
        _make_stable(model.graph)
        contents = {}
        for target, in_float in ways.items():
            stored = onnx.ModelProto()
            stored.CopyFrom(model)
            if precision != FP32:
                with_smaller_weights(stored.graph, precision, in_float)
            _describe(stored, frozen)
            onnx.checker.check_model(stored, full_check=True)
            contents[target] = stored.SerializeToString(deterministic=True)
    except ConversionError:
        raise
    except Exception as error:  # tf2onnx may raise any error
        raise ConversionError(f"ONNX: the graph was not converted at opset {opset} ({first_line(error)}).") from error
    for target, content in contents.items():
        target.write_bytes(content)


def metadata(path: Path) -> Mapping[str, str]:
    """The metadata that `write_ways` put there.

    Read without the package onnx, by the numbers of ModelProto's fields.
    """
    parser = Parser()
    entries = (parser.fields(each) for each in messages(parser.fields(path.read_bytes()), 14))
    return {text(entry, 1): text(entry, 2) for entry in entries}


def about(path: Path) -> Mapping[str, Any]:
    """`opset`, as the file states it."""
    import onnx

    model = onnx.load(path)
    opset = next((entry.version for entry in model.opset_import if entry.domain in ("", "ai.onnx")), None)
    return {"opset": opset}


def stored_weights(path: Path) -> Iterator[StoredWeight]:
    """The large weights of a model, as the file states them."""
    import onnx

    return weights_in(onnx.load(path).graph)


def _convert(frozen: FrozenGraph, opset: int) -> Any:
    import tf2onnx
    from tensorflow.core.framework.graph_pb2 import GraphDef

    logging.getLogger("tf2onnx").setLevel(logging.ERROR)
    merged = _merge_equal_nodes(
        without_erfc(GraphDef.FromString(frozen.graph_def)), {spec.name for spec in frozen.ports}
    )
    with _without_old_copies(len(frozen.graph_def)):
        model, _ = tf2onnx.convert.from_graph_def(
            merged,
            name="azx",
            input_names=[f"{spec.name}:0" for spec in frozen.inputs],
            output_names=[f"{spec.name}:0" for spec in frozen.outputs],
            opset=opset,
        )
    return model


@contextmanager
def _without_old_copies(size: int) -> Iterator[None]:
    """Free tf2onnx's copies of the graph, of `size` bytes each, which it makes before each pass.

    They refer to themselves, so Python would collect them only after forty.
    """
    import tf2onnx.optimizer

    passes = getattr(tf2onnx.optimizer, "_optimizers", None)
    if size < LARGE or not isinstance(passes, dict):
        yield
        return
    before = dict(passes)
    try:
        passes.update({name: partial(_begin_anew, begin) for name, begin in before.items()})
        yield
    finally:
        passes.update(before)


def _begin_anew(begin: Callable[[], Any]) -> Any:
    gc.collect()
    return begin()


def _merge_equal_nodes(graph: Graph, ports: Set[str]) -> Graph:
    """The graph without repeated calculations; `ports` are the names of inputs and outputs.

    tf2onnx merges them too, but memory addresses decide which node stays, and thus a name in the file.
    """
    first: dict[tuple[Any, ...], str] = {}
    stands_for: dict[str, str] = {}
    result = empty(graph)
    for node in graph.node:
        node.input[:] = [stands_for.get(name, name) for name in node.input]
        attributes = tuple(
            sorted((key, value.SerializeToString(deterministic=True)) for key, value in node.attr.items())
        )
        same = first.setdefault((node.op, *node.input, attributes), node.name)
        if same == node.name or node.name in ports or same in ports or node.op == "Placeholder":
            result.node.append(node)
        else:
            stands_for |= {node.name: same, f"{node.name}:0": f"{same}:0", f"^{node.name}": f"^{same}"}
    return result


def _rename_outputs(model: Any, frozen: FrozenGraph) -> None:
    """Give the outputs the contract's names and order; tf2onnx has TensorFlow's ":0" and an order of its own."""
    names = {f"{spec.name}:0": spec.name for spec in frozen.ports}
    for node in model.graph.node:
        node.input[:] = [names.get(name, name) for name in node.input]
        node.output[:] = [names.get(name, name) for name in node.output]
    for ports, specs in ((model.graph.input, frozen.inputs), (model.graph.output, frozen.output_ports)):
        by_name = {names.get(port.name, port.name): port for port in ports}
        ordered = [_port(by_name[spec.name], spec) for spec in specs]
        del ports[:]
        ports.extend(ordered)


def _port(port: Any, spec: Any) -> Any:
    """A graph input or output under its final name; a free batch is called `batch`."""
    port.name = spec.name
    dims = port.type.tensor_type.shape.dim
    if spec.shape[0] is None:
        dims[0].dim_param = "batch"
    return port


def _describe(model: Any, frozen: FrozenGraph) -> None:
    model.producer_name, model.producer_version = "azx", frozen.metadata.get("azx_version", "")
    model.doc_string = ""
    del model.metadata_props[:]
    for key, value in sorted(frozen.metadata.items()):
        model.metadata_props.add(key=key, value=value)


def _make_stable(graph: Any) -> None:
    """Order a GraphProto's nodes, renumber its counted names in the order of use, and order the constants by them."""
    _order_nodes(graph)
    names: dict[str, str] = {}
    # A node's name is its output's, without ":0", and unique.
    stable = {name.replace(":0", "") for name in _names_in_use(graph) if not _COUNTED.search(name)}
    for name in _names_in_use(graph):
        if _COUNTED.search(name) and name not in names:
            new = _COUNTED.sub("", name) + f"_{len(names)}"
            while new.replace(":0", "") in stable:
                new = new.removesuffix(":0") + "_"
            names[name] = new
    for node in graph.node:
        node.input[:] = [names.get(name, name) for name in node.input]
        node.output[:] = [names.get(name, name) for name in node.output]
        node.name = node.output[0].replace(":0", "")
    for constant in graph.initializer:
        constant.name = names.get(constant.name, constant.name)
    _order_constants(graph)
    del graph.value_info[:]


def _order_nodes(graph: Any) -> None:
    """Sort each node after its inputs, beginning with those of the first output.

    In tf2onnx the order of two branches depends on memory addresses.
    """
    makers = {name: node for node in graph.node for name in node.output}
    ordered: dict[str, Any] = {}
    wanted = [port.name for port in reversed(graph.output)]
    while wanted:
        maker = makers.get(wanted[-1])
        needed = [name for name in (maker.input if maker else ()) if name in makers and name not in ordered]
        if needed:
            wanted += reversed(needed)
            continue
        wanted.pop()
        if maker is not None:
            ordered |= dict.fromkeys(maker.output, maker)
    nodes = [
        type(node).FromString(node.SerializeToString()) for name, node in ordered.items() if name == node.output[0]
    ]
    del graph.node[:]
    graph.node.extend(nodes)


def _names_in_use(graph: Any) -> Iterator[str]:
    for node in graph.node:
        yield from node.input
        yield from node.output


def _order_constants(graph: Any) -> None:
    place: dict[str, int] = {}
    for name in _names_in_use(graph):
        place.setdefault(name, len(place))
    ordered = sorted(graph.initializer, key=lambda constant: place.get(constant.name, len(place)))
    copies = [type(constant).FromString(constant.SerializeToString()) for constant in ordered]
    del graph.initializer[:]
    graph.initializer.extend(copies)

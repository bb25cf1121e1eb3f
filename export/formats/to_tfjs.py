"""Writes the frozen graph as a TF.js graph model: a folder with model.json and weight shards.

The conversion is that of the `tensorflowjs` package: its Grappler passes, its fusions and its file writer. azx adds
what its one-call entry point cannot do: operations and fusions that the wasm backend runs, the signature's names and
order, metadata, and the same bytes every time.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType
from typing import Any

from ...errors import ConversionError, FormatUnavailable, first_line
from ..graph.frozen import FrozenGraph, Port
from . import tfjs_graph

INSTALL = 'pip install --no-deps "tensorflowjs==4.22.0"'

# The converter imports these two and needs neither for a frozen graph; the packages around it import JAX and Keras
# besides, so they are passed by: 0.03 s instead of 0.8 s, and nothing that fails under today's versions.
_DEAD_DEPENDENCIES = ("tensorflow_decision_forests", "tensorflow_hub")
_CONVERTER = "tensorflowjs.converters.tf_saved_model_conversion_v2"
_PASSES = ["pruning", "constfold", "arithmetic", "dependency"]


def available() -> str | None:
    """None where TF.js can be written, otherwise the reason and the command that adds it."""
    try:
        found = version("tensorflowjs")
    except PackageNotFoundError:
        return f"the tensorflowjs package is not installed; add it with: {INSTALL}"
    if not found.startswith("4.22."):
        return f"tensorflowjs {found} is installed but 4.22 is needed; replace it with: {INSTALL}"
    return None


def metadata(path: Path) -> Mapping[str, str]:
    """The metadata that `write` put there."""
    stored: dict[str, str] = json.loads((path / "model.json").read_text(encoding="utf8"))["userDefinedMetadata"]
    return stored


def about(path: Path) -> Mapping[str, Any]:
    """Nothing that is the format's alone."""
    return {}


def write(frozen: FrozenGraph, target: Path) -> None:
    """Write the folder `target` (made where absent) with model.json and group1-shard*.bin, float32.

    The signature's inputs and outputs have the names and the order of `frozen`; a free batch is -1.
    Raises FormatUnavailable without tensorflowjs, ConversionError where TF.js has no word for an operation.
    """
    if reason := available():
        raise FormatUnavailable(f"TF.js cannot be written: {reason}.")
    converter = _load_converter()
    graph = _optimised(converter, frozen)
    _refuse_what_wasm_lacks(graph)
    target.mkdir(parents=True, exist_ok=True)
    _write_files(converter, graph, frozen, target)


def _load_converter() -> ModuleType:
    """The converter's module, imported without its dead dependencies and without the rest of its package."""
    import tensorflow  # noqa: F401 - before the stubs are there, which TensorFlow must not see

    spec = importlib.util.find_spec("tensorflowjs")
    root = Path((spec and spec.origin) or "").parent
    stubs = dict.fromkeys(_DEAD_DEPENDENCIES, root / "none")
    stubs |= {"tensorflowjs": root, "tensorflowjs.converters": root / "converters"}
    with _stubbed(stubs), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return importlib.import_module(_CONVERTER)
        except Exception as error:
            raise FormatUnavailable(
                f"TF.js cannot be written: tensorflowjs fails to import ({first_line(error)}); "
                f"reinstall it with: {INSTALL}."
            ) from error


@contextmanager
def _stubbed(folders: Mapping[str, Path]) -> Iterator[None]:
    """Bare packages over the given folders while the block runs; modules that are loaded already stay untouched."""
    stubs = {name: ModuleType(name) for name in folders if name not in sys.modules}
    for name, stub in stubs.items():
        stub.__path__ = [str(folders[name])]
    sys.modules.update(stubs)
    try:
        yield
    finally:
        for name, stub in stubs.items():
            if sys.modules.get(name) is stub:
                del sys.modules[name]


def _optimised(converter: ModuleType, frozen: FrozenGraph) -> Any:
    """The GraphDef that TF.js runs: the converter's own passes, in its order, and the rewrites of tfjs_graph."""
    import tensorflow as tf

    source = tf.compat.v1.GraphDef.FromString(frozen.biasadd_graph_def)
    graph = tf.Graph()
    with graph.as_default():
        tf.import_graph_def(tfjs_graph.portable(source), name="")
    for head in frozen.outputs:
        # Grappler learns from this collection what must not be pruned.
        graph.add_to_collection("train_op", graph.get_operation_by_name(head.name))
    try:
        result = _fused(converter, graph, _folded(converter, graph))
    except (ValueError, KeyError, tf.errors.OpError) as error:
        raise ConversionError(f"TF.js: the converter refused the network ({first_line(error)}).") from error
    return tfjs_graph.ordered(_with_alphas(tfjs_graph.unfused_where_needed(result), source))


def _folded(converter: ModuleType, graph: Any) -> Any:
    """First half of the converter's pipeline: constants folded, batch norm folded, device set for the remapper."""
    unsupported = converter.validate(graph.as_graph_def(), False, False)
    if unsupported:
        raise ConversionError(f"TF.js has no operation {' or '.join(sorted(unsupported))}, which this network needs.")
    result = _grappler(converter, graph, graph.as_graph_def(), [*_PASSES, *_PASSES])
    result = converter.fold_batch_norms.fold_batch_norms(result)
    sums = type(result).FromString(result.SerializeToString())
    result = tfjs_graph.with_true_biases(converter.normalize_bias_add.normalize_bias_add_op(result), sums)
    for node in result.node:
        if node.op in ("Conv2D", "MatMul"):
            # The remapper fuses these on the CPU only.
            node.device = "/device:CPU:0"
    return result


def _fused(converter: ModuleType, graph: Any, folded: Any) -> Any:
    """Second half: biases and activations fused into products, where nobody else reads what is swallowed."""
    result = _grappler(converter, graph, folded, ["remap", *_PASSES[1:]])
    if converter.validate(result, False, False) or tfjs_graph.has_private_fusions(result):
        # The remapper made something that only TensorFlow has.
        result = _grappler(converter, graph, folded, _PASSES[1:])
    prelu = tfjs_graph.prelu_is_safe(result)
    if prelu:
        result = converter.fuse_prelu.fuse_ops_for_prelu(result)
    if tfjs_graph.depthwise_is_safe(result):
        result = converter.fuse_depthwise_conv2d.fuse_depthwise_conv2d(result)
    return converter.fuse_prelu.fuse_prelu_with_fused_conv2d_or_matmul(result) if prelu else result


def _grappler(converter: ModuleType, graph: Any, graph_def: Any, passes: list[str]) -> Any:
    """One run of TensorFlow's graph optimizer with the named passes."""
    import tensorflow as tf

    config = tf.compat.v1.ConfigProto()
    config.graph_options.rewrite_options.optimizers[:] = passes
    signature = converter.meta_graph_pb2.SignatureDef()
    return converter._run_grappler(config, graph_def, graph, signature)


def _with_alphas(graph: Any, source: Any) -> Any:
    """Give every LeakyRelu the slope it came with: TensorFlow's remapper is known to lose it in some fusions."""
    slopes = {node.name: node.attr["alpha"].f for node in source.node if node.op == "LeakyRelu"}
    for node in graph.node:
        key = "alpha" if node.op == "LeakyRelu" else "leakyrelu_alpha"
        if key in node.attr and node.name in slopes:
            node.attr[key].f = slopes[node.name]
    return graph


def _refuse_what_wasm_lacks(graph: Any) -> None:
    """Raise ConversionError where the wasm backend has no kernel for an operation."""
    for node in graph.node:
        if node.op in tfjs_graph.WASM_LACKS:
            raise ConversionError(
                f"TF.js: the wasm backend has no {node.op} (node '{node.name}'), which this network needs."
            )


def _write_files(converter: ModuleType, graph: Any, frozen: FrozenGraph, target: Path) -> None:
    """Shards by the converter's writer, model.json with keys in a fixed order."""
    import tensorflow as tf

    weights = _narrowed(converter.extract_weights(graph))
    model = target / "model.json"
    converter.write_artifacts({}, weights, str(model), tf.__version__, converter.meta_graph_pb2.SignatureDef())
    document = json.loads(model.read_text(encoding="utf-8"))
    document["signature"] = _signature(frozen)
    document["modelTopology"] = _sorted(converter.MessageToDict(graph))
    document["userDefinedMetadata"] = dict(frozen.metadata)
    model.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")


def _narrowed(groups: list[list[dict[str, Any]]]) -> list[list[dict[str, Any]]]:
    """Weights with int64 as int32, which is all that TF.js has; the writer would do it too, but print each one."""
    for entry in (entry for group in groups for entry in group):
        if entry["data"].dtype == "int64":
            entry["data"] = entry["data"].astype("int32")
    return groups


def _signature(frozen: FrozenGraph) -> dict[str, dict[str, Any]]:
    """The signature as TF.js reads it: name -> tensor, in the order of `frozen`."""
    return {
        "inputs": {port.name: _tensor_info(port) for port in frozen.inputs},
        "outputs": {port.name: _tensor_info(port) for port in frozen.output_ports},
    }


def _tensor_info(port: Port) -> dict[str, Any]:
    """One tensor; sizes are strings as in protobuf's JSON of 64-bit integers."""
    import tensorflow as tf
    from tensorflow.core.framework import types_pb2

    sizes = [{"size": str(-1 if size is None else size)} for size in port.shape]
    code = types_pb2.DataType.Name(tf.as_dtype(port.dtype).as_datatype_enum)
    return {"name": f"{port.name}:0", "dtype": code, "tensorShape": {"dim": sizes}}


def _sorted(value: Any) -> Any:
    """JSON with the keys of every object sorted: protobuf maps have no order of their own."""
    return json.loads(json.dumps(value, sort_keys=True))

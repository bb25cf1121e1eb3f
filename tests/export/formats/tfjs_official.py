"""TF.js graph models by the functions of the `tensorflowjs` package, in the order of its own entry point.

What azx has to do around them is done with azx's own rewrites, as it was when azx called the package: the oracle of
test_tfjs_bytes.py. The package is no part of azx; it stands in the locks for this file and for `make bench`.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import sys
import warnings
from collections import Counter
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from azx.export.formats import tfjs_graph, to_tfjs
from azx.export.graph.frozen import FrozenGraph
from azx.export.graph.rewrites import replace

INSTALLED = importlib.util.find_spec("tensorflowjs") is not None
_PASSES = ["pruning", "constfold", "arithmetic", "dependency"]


@cache
def converter() -> ModuleType:
    """The converter's module, without what it imports and does not use, which fails under today's versions."""
    import tensorflow  # noqa: F401 - before the stubs are there, which TensorFlow must not see

    spec = importlib.util.find_spec("tensorflowjs")
    root = Path((spec and spec.origin) or "").parent
    folders = {
        "tensorflow_decision_forests": root / "none",
        "tensorflow_hub": root / "none",
        "tensorflowjs": root,
        "tensorflowjs.converters": root / "converters",
    }
    stubs = {name: ModuleType(name) for name in folders if name not in sys.modules}
    for name, stub in stubs.items():
        stub.__path__ = [str(folders[name])]
    sys.modules.update(stubs)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module("tensorflowjs.converters.tf_saved_model_conversion_v2")
    finally:
        for name in stubs:
            del sys.modules[name]


def operations() -> set[str]:
    """The operations of the converter's own lists."""
    folder = Path(converter().resource_loader.__file__).parent / "op_list"
    return {entry["tfOpName"] for path in folder.glob("*.json") for entry in json.loads(path.read_text("utf-8"))}


def write(frozen: FrozenGraph, target: Path) -> None:
    """Write the folder `target` as FORMATS["tfjs"].write does, by the package's functions."""
    import tensorflow as tf

    official = converter()
    source = tf.compat.v1.GraphDef.FromString(frozen.biasadd_graph_def)
    graph = tf.Graph()
    with graph.as_default():
        tf.import_graph_def(tfjs_graph.portable(source), name="")
    for head in frozen.outputs:
        graph.add_to_collection("train_op", graph.get_operation_by_name(head.name))
    if unsupported := official.validate(graph.as_graph_def(), False, False):
        raise ValueError(f"unsupported: {unsupported}")
    result = _fused(graph, _folded(graph))
    result = tfjs_graph.order_by_name(to_tfjs._with_alphas(tfjs_graph.unfuse_where_needed(result), source))
    weights = official.extract_weights(result)
    target.mkdir(parents=True)
    model = target / "model.json"
    official.write_artifacts({}, weights, str(model), tf.__version__, official.meta_graph_pb2.SignatureDef())
    document = json.loads(model.read_text("utf-8"))
    document["signature"] = to_tfjs._signature(frozen)
    document["modelTopology"] = json.loads(json.dumps(official.MessageToDict(result), sort_keys=True))
    document["userDefinedMetadata"] = dict(frozen.metadata)
    model.write_text(json.dumps(document, ensure_ascii=False), "utf-8")


def _folded(graph: Any) -> Any:
    official = converter()
    result = _grappler(graph, graph.as_graph_def(), [*_PASSES, *_PASSES])
    result = official.fold_batch_norms.fold_batch_norms(result)
    sums = type(result).FromString(result.SerializeToString())
    result = _with_true_biases(official.normalize_bias_add.normalize_bias_add_op(result), sums)
    for node in result.node:
        if node.op in ("Conv2D", "MatMul"):
            node.device = "/device:CPU:0"
    return result


def _has_private_fusions(graph: Any) -> bool:
    """Whether a product is fused with something that no other operation computes, so that it cannot be split."""
    products = [node for node in graph.node if node.op in tfjs_graph.FUSED_BASE]
    steps = {step.decode() for node in products for step in node.attr["fused_ops"].list.s}
    # The remapper also knows GeluExact, GeluApproximate, _FusedHardSwish, ...
    return not steps <= tfjs_graph.FUSABLE_ACTIVATIONS | {"BiasAdd", "Add", "NoOp", "Tanh"}


def _fused(graph: Any, folded: Any) -> Any:
    official = converter()
    result = _grappler(graph, folded, ["remap", *_PASSES[1:]])
    if official.validate(result, False, False) or _has_private_fusions(result):
        result = _grappler(graph, folded, _PASSES[1:])
    prelu = _prelu_is_safe(result)
    if prelu:
        result = official.fuse_prelu.fuse_ops_for_prelu(result)
    if _depthwise_is_safe(result):
        result = official.fuse_depthwise_conv2d.fuse_depthwise_conv2d(result)
    return official.fuse_prelu.fuse_prelu_with_fused_conv2d_or_matmul(result) if prelu else result


def _grappler(graph: Any, graph_def: Any, passes: list[str]) -> Any:
    import tensorflow as tf

    config = tf.compat.v1.ConfigProto()
    config.graph_options.rewrite_options.optimizers[:] = passes
    signature = converter().meta_graph_pb2.SignatureDef()
    return converter()._run_grappler(config, graph_def, graph, signature)


def _with_true_biases(graph: Any, before: Any) -> Any:
    """Undoes what the package takes for a bias and is none: in Add([convolution, skip]), the skip."""
    sums = {node.name: node for node in before.node if node.op in ("Add", "AddV2")}
    shapes = tfjs_graph.const_shapes(graph)

    def is_false(node: Any) -> bool:
        return node.op == "BiasAdd" and node.name in sums and len(shapes.get(node.input[1], ())) != 1

    return replace(graph, is_false, lambda node: [sums[node.name]])


def _prelu_is_safe(graph: Any) -> bool:
    """The package does not look who else reads x or Relu(x)."""
    counts = _readers(graph)
    negated = {_source(node.input[0]) for node in graph.node if node.op == "Neg"}
    positive = {node.name for node in graph.node if node.op == "Relu" and _source(node.input[0]) in negated}
    return all(counts[name] == 2 for name in negated) and all(counts[name] == 1 for name in positive)


def _depthwise_is_safe(graph: Any) -> bool:
    """The package does not look who else reads a depthwise convolution or its biased result."""
    counts = _readers(graph)
    swallowed = {node.name for node in graph.node if node.op == "DepthwiseConv2dNative"}
    swallowed |= {node.name for node in graph.node if node.op == "BiasAdd" and _source(node.input[0]) in swallowed}
    return all(counts[name] == 1 for name in swallowed)


def _readers(graph: Any) -> Counter[str]:
    return Counter(_source(name) for node in graph.node for name in node.input)


def _source(name: str) -> str:
    return name.removeprefix("^").split(":")[0]

"""An .onnx's tensors: the model, changed in memory so that every node's result is an output."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ...errors import Refused, first_line
from .tap import Feeds, Tap, depend_on, in_batches

_MOVES = frozenset({"Transpose", "Reshape", "Squeeze", "Unsqueeze", "Flatten", "Identity", "Cast"})
_WEIGHTS = frozenset({"DequantizeLinear", "Cast", "Transpose", "Identity"})
_PRODUCTS = frozenset({"Conv", "Gemm", "MatMul"})


def taps(path: Path, feeds: Feeds) -> tuple[str, list[Tap]]:
    """The runtime, and the result of every node that depends on an input; nothing is fused. Raises Refused."""
    import onnx
    import onnxruntime

    try:
        model = onnx.load(path)
        inputs = {port.name for port in model.graph.input} - {item.name for item in model.graph.initializer}
        nodes = depend_on(inputs, model.graph.node, lambda node: node.input, lambda node: node.output)
        own = {output.name for output in model.graph.output}
        model.graph.output.extend(
            onnx.ValueInfoProto(name=name) for name in (node.output[0] for node in nodes) if name not in own
        )
        options = onnxruntime.SessionOptions()
        options.log_severity_level, options.intra_op_num_threads = 4, 1
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's and protobuf's exceptions have no common base
        raise Refused(f"ONNX Runtime does not run '{path.name}' ({first_line(error)}): export it again.") from error
    size = session.get_inputs()[0].shape[0]
    dtypes = {port.name: np.float16 if port.type == "tensor(float16)" else np.float32 for port in session.get_inputs()}
    names = [node.output[0] for node in nodes]
    values = in_batches(
        feeds,
        size if isinstance(size, int) else None,
        lambda part: session.run(names, {name: feed.astype(dtypes[name]) for name, feed in part.items()}),
    )
    kernels = _kernels(model.graph)
    result = [
        Tap(name, _hints(node, kernels), rows, node.op_type in _MOVES)
        for name, node, rows in zip(names, nodes, values, strict=True)
    ]
    return f"onnxruntime {onnxruntime.__version__}, CPU, nothing fused", result


def _kernels(graph: Any) -> dict[str, str]:
    """For the name of each tensor of weights, the stored weight from which it is made."""
    kernels = {item.name: item.name for item in graph.initializer}
    for node in graph.node:
        if node.op_type in _WEIGHTS and node.input[0] in kernels:
            kernels[node.output[0]] = kernels[node.input[0]]
    return kernels


def _hints(node: Any, kernels: dict[str, str]) -> tuple[str, ...]:
    """The kernel's name before the product's own, since a product may lose its name."""
    if node.op_type in _PRODUCTS and len(node.input) > 1 and node.input[1] in kernels:
        return kernels[node.input[1]], node.output[0]
    return (node.output[0],)

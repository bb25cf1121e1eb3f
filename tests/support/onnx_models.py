"""Small ONNX models, node by node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
# (operation, inputs, outputs, attributes)
NodeOf = tuple[str, Sequence[str], Sequence[str], Mapping[str, Any]]


def model(
    path: Path,
    nodes: Sequence[NodeOf],
    weights: Mapping[str, Array],
    inputs: Mapping[str, Sequence[int | str]],
    outputs: Sequence[str],
    *,
    opset: int = 17,
    external: str | None = None,
) -> Path:
    """Write a model whose nodes read `inputs` and `weights`; `external` is the file beside it that has the weights."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    made = [
        helper.make_node(kind, list(taken), list(given), name=f"/{given[0]}/{kind}", **more)
        for kind, taken, given, more in nodes
    ]
    doors = [helper.make_tensor_value_info(name, TensorProto.FLOAT, list(shape)) for name, shape in inputs.items()]
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs]
    held = [numpy_helper.from_array(np.asarray(array), name) for name, array in weights.items()]
    graph = helper.make_graph(made, "net", doors, ends, held)
    whole = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", opset)], producer_name="pytorch", ir_version=8
    )
    if external is None:
        onnx.save_model(whole, path)
    else:
        onnx.save_model(whole, path, save_as_external_data=True, location=external, size_threshold=0)
    return path


def conv_net(path: Path, *, external: str | None = None, side: int = 3, planes: int = 2) -> Path:
    """A convolution, a policy and a value, as PyTorch exports them with a free batch."""
    random = np.random.default_rng(5)
    cells = side * side

    def drawn(*shape: int) -> Array:
        return np.asarray(random.normal(size=shape) / np.sqrt(np.prod(shape[1:]) or 1), np.float32)

    weights = {"conv.weight": drawn(8, planes, 3, 3), "conv.bias": drawn(8), "pi.weight": drawn(cells, 8 * cells)}
    weights |= {"pi.bias": drawn(cells), "v.weight": drawn(1, 8), "v.bias": drawn(1)}
    nodes: list[NodeOf] = [
        ("Conv", ["board", "conv.weight", "conv.bias"], ["c"], {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}),
        ("Relu", ["c"], ["r"], {}),
        ("Flatten", ["r"], ["f"], {"axis": 1}),
        ("Gemm", ["f", "pi.weight", "pi.bias"], ["pi"], {"transB": 1}),
        ("ReduceMean", ["r"], ["m"], {"axes": [2, 3], "keepdims": 0}),
        ("Gemm", ["m", "v.weight", "v.bias"], ["g"], {"transB": 1}),
        ("Tanh", ["g"], ["v"], {}),
    ]
    return model(path, nodes, weights, {"board": ("batch", planes, side, side)}, ["pi", "v"], external=external)

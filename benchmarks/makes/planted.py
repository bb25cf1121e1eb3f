"""The faults that benchmarks/faults.py plants: each changes one thing in an artifact.

An artifact is opened by tests/validate/fault_artifacts.py, which knows its `weights()`, and `put`s one of them.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Rng = np.random.Generator


def change_number(rank: int, change: Callable[[float], float]) -> Callable[[Any, Rng], None]:
    """One number of any bias (`rank` 1) or kernel (2), changed."""

    def plant(artifact: Any, rng: Rng) -> None:
        name, values = _one_of(artifact, rng, rank)
        at = int(rng.random() * values.size)
        values.flat[at] = change(float(values.flat[at]))
        artifact.put(name, values)

    return plant


def change_channels(change: Callable[[NDArray[np.float32], Rng], None]) -> Callable[[Any, Rng], None]:
    """The rows or the columns of a kernel, changed."""

    def plant(artifact: Any, rng: Rng) -> None:
        name, values = _one_of(artifact, rng, 2)
        change(np.moveaxis(values, 0 if rng.random() < 0.5 else -1, 0), rng)
        artifact.put(name, values)

    return plant


def zero_one(rows: NDArray[np.float32], rng: Rng) -> None:
    """One of them is 0."""
    rows[int(rng.random() * len(rows))] = 0


def swap_two(rows: NDArray[np.float32], rng: Rng) -> None:
    """Two of them have changed places."""
    one, other = (int(rng.random() * len(rows)) for _ in range(2))
    rows[[one, other]] = rows[[other, one]]


def swap_weights(artifact: Any, rng: Rng) -> None:
    """Two weights of the kernel that makes the policy or the value: the ones with the fewest outputs, or the most."""
    kernels = sorted(_of_rank(artifact, 2), key=lambda pair: pair[1].size)
    name, values = kernels[0 if rng.random() < 0.5 else min(1, len(kernels) - 1)]
    one, other = (int(rng.random() * values.size) for _ in range(2))
    values.flat[one], values.flat[other] = values.flat[other], values.flat[one]
    artifact.put(name, values)


def change_activation(artifact: Any, rng: Rng) -> None:
    """Relu6 for one Relu."""
    ACTIVATION[type(artifact).__name__](artifact, rng)


FAULTS: dict[str, Callable[[Any, Rng], None]] = {
    "a weight's sign": change_number(2, lambda w: -w),
    "a weight is 0": change_number(2, lambda w: 0.0),
    "a weight times 1.1": change_number(2, lambda w: w * 1.1),
    "a weight and 0.1": change_number(2, lambda w: w + 0.1),
    "a channel is 0": change_channels(zero_one),
    "two channels swapped": change_channels(swap_two),
    "a bias is 0": change_number(1, lambda b: 0.0),
    "a bias and 0.01": change_number(1, lambda b: b + 0.01),
    "two weights of a head swapped": swap_weights,
    "another activation": change_activation,
    "a weight is NaN": change_number(2, lambda _: float("nan")),
}


def _of_rank(artifact: Any, rank: int) -> list[tuple[str, NDArray[np.float32]]]:
    """The weights with one axis, or with at least two, as copies, in the order of their names."""
    weights = sorted(artifact.weights().items())
    fits = [(name, values) for name, values in weights if (values.ndim == 1 if rank == 1 else values.ndim >= 2)]
    return [(name, np.array(values)) for name, values in fits if values.size > 1]


def _one_of(artifact: Any, rng: Rng, rank: int) -> tuple[str, NDArray[np.float32]]:
    """One of them, the more likely the larger it is."""
    weights = _of_rank(artifact, rank)
    upto = np.cumsum([values.size for _, values in weights])
    return weights[int(np.searchsorted(upto, rng.random() * upto[-1], side="right"))]


def _pick(items: list[Any], rng: Rng) -> Any:
    return items[int(rng.random() * len(items))]


def _pb_activation(artifact: Any, rng: Rng) -> None:
    _pick([node for node in artifact.graph.node if node.op == "Relu"], rng).op = "Relu6"


def _onnx_activation(artifact: Any, rng: Rng) -> None:
    import onnx

    node = _pick([node for node in artifact.graph.node if node.op_type == "Relu"], rng)
    limit = [onnx.numpy_helper.from_array(np.array(number, np.float32), f"limit {number}") for number in (0, 6)]
    artifact.graph.initializer.extend(limit)
    node.op_type = "Clip"
    node.input.extend(one.name for one in limit)


def _tflite_activation(artifact: Any, rng: Rng) -> None:
    options = [
        o.builtinOptions
        for o in artifact.graph.operators
        if getattr(o.builtinOptions, "fusedActivationFunction", 0) == 1
    ]
    _pick(options, rng).fusedActivationFunction = 3


def _tfjs_activation(artifact: Any, rng: Rng) -> None:
    relu, relu6 = (base64.b64encode(name).decode() for name in (b"Relu", b"Relu6"))
    lists = [
        node["attr"]["fused_ops"]["list"]["s"]
        for node in artifact.nodes.values()
        if "fused_ops" in node.get("attr", {})
    ]
    names = _pick([names for names in lists if relu in names], rng)
    names[names.index(relu)] = relu6


def _coreml_activation(artifact: Any, rng: Rng) -> None:
    _pick([operation for operation in artifact.block.operations if operation.type == "relu"], rng).type = "relu6"


ACTIVATION: dict[str, Callable[[Any, Rng], None]] = {
    "Pb": _pb_activation,
    "Onnx": _onnx_activation,
    "TfLite": _tflite_activation,
    "TfJs": _tfjs_activation,
    "CoreMl": _coreml_activation,
}

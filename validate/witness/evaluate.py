"""The reference's witness: a literal float64 evaluation of Keras' layers, by Keras' documentation.

It shares no code with the simplifier and runs no TensorFlow. If the original and the witness disagree, one of the
runtimes is wrong, and the report can say so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from ...errors import UnsupportedLayer
from ...export.checkpoint.layer_graph import Call, LayerGraph
from . import activations, attention, layers, operations, recurrent, windows
from .layer import LayerCall, Rule, Values

# The positions per evaluation: enough for matrix products at full speed, with limited memory. Networks with wide layers
# use fewer, so that no tensor has more bytes than this.
CHUNK, FEWEST, TENSOR_BYTES = 256, 32, 16 << 20
Watch = Callable[[str, Values], None]

# One rule for each kind of layer, by its name in the checkpoint. A new layer is a function of `LayerCall` and a line in
# the RULES of its module: `windows` if it has a window, `activations` if it could also be an `activation=`,
# `operations` for a bare TensorFlow or `keras.ops` call, `layers` for all others.
RULES: dict[str, Rule] = {
    **activations.RULES,
    **windows.RULES,
    **layers.RULES,
    **attention.RULES,
    **recurrent.RULES,
    **operations.RULES,
}
RULES.update(recurrent.around(RULES))


def evaluate(
    graph: LayerGraph,
    feeds: Mapping[str, NDArray[Any]],
    dtype: type[np.floating[Any]] = np.float64,
    watch: Watch | None = None,
) -> dict[str, Values]:
    """Answer N positions.

    `feeds` maps each `InputSpec.name` to an array (N, *shape) of any numeric dtype. The result maps each output's
    `source_name` to (N, ...) float64, in the model's order. Raises UnsupportedLayer if a layer has no rule here; the
    caller then reports "no witness". As a witness it calculates in float64; float32 serves to inspect a network, not to
    judge it. `watch` receives each tensor with its name.
    """
    total = len(next(iter(feeds.values())))
    # The products are small: on several cores, BLAS threads wait for one another (5 to 25 times slower).
    with _threads().limit(limits=1, user_api="blas"):
        step = positions_at_once(graph, dtype)
        parts = [_run(graph, feeds, slice(at, at + step), dtype, watch) for at in range(0, max(total, 1), step)]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def positions_at_once(graph: LayerGraph, dtype: type[np.floating[Any]] = np.float64) -> int:
    """The number of positions that `evaluate` takes together: CHUNK, or fewer if the network has many channels."""
    cells = max((prod(sorted(spec.shape)[1:]) for spec in graph.inputs), default=1)
    kernels = [weight for call in graph.calls for weight in call.layer.weights.values() if weight.ndim > 2]
    widest = max((kernel.shape[-1] for kernel in kernels), default=1)
    fits = TENSOR_BYTES // max(1, cells * widest * np.dtype(dtype).itemsize)
    return max(FEWEST, min(CHUNK, fits))


@cache
def _threads() -> ThreadpoolController:
    """The object that sets the number of BLAS' threads; finding the libraries takes as long as a few positions."""
    return ThreadpoolController()


def _run(
    graph: LayerGraph,
    feeds: Mapping[str, NDArray[Any]],
    rows: slice,
    dtype: type[np.floating[Any]],
    watch: Watch | None,
) -> dict[str, Values]:
    tensors = input_tensors(graph, {name: feed[rows] for name, feed in feeds.items()}, dtype)
    wanted = {spec.tensor for spec in graph.outputs}
    for call, dead in zip(graph.calls, last_reads(graph), strict=True):
        result = apply(call, tensors, graph.source.keras_major)
        for index, values in enumerate(result):
            name = f"{call.output}#{index}" if index else call.output
            tensors[name] = values
            if watch is not None:
                watch(name, values)
        for tensor in dead - wanted:
            del tensors[tensor]
    missing = next((head for head in graph.outputs if head.tensor not in tensors), None)
    if missing:
        raise UnsupportedLayer(missing.source_name, f"it has no output '{missing.tensor}'")
    return {head.source_name: tensors[head.tensor] for head in graph.outputs}


def input_tensors(graph: LayerGraph, feeds: Mapping[str, NDArray[Any]], dtype: Any = np.float64) -> dict[str, Values]:
    """The input tensors (N, *shape) in `dtype`, by their names."""
    tensors: dict[str, Values] = {}
    for spec in graph.inputs:
        whole = spec.dtype.startswith(("int", "uint"))  # Keras truncates the feeds of such an input
        tensors[spec.tensor] = np.asarray(np.trunc(feeds[spec.name]) if whole else feeds[spec.name], dtype=dtype)
    return tensors


def last_reads(graph: LayerGraph) -> list[set[str]]:
    """For each call, the tensors that no later call reads; keeping them would fill the memory for a deep network."""
    read: set[str] = set()
    dead = []
    for call in reversed(graph.calls):
        dead.append(set(call.inputs) - read)
        read.update(call.inputs)
    return dead[::-1]


def apply(call: Call, tensors: Mapping[str, Values], keras_major: int) -> list[Values]:
    """The outputs of one call, in the precision of the `tensors` that it reads.

    Raises UnsupportedLayer for any error of a rule on an unusual configuration, which becomes "no witness".
    """
    rule = RULES.get(call.layer.kind)
    if rule is None:
        raise UnsupportedLayer(call.layer.name, f"no float64 rule for {call.layer.kind}")
    missing = next((name for name in call.inputs if name not in tensors), None)
    if missing:
        raise UnsupportedLayer(call.layer.name, f"there is no '{missing}' for it to read")
    applied = LayerCall(call.layer, tuple(tensors[name] for name in call.inputs), call.arguments, keras_major)
    try:
        with np.errstate(all="ignore"):
            result = rule(applied)
    except (ArithmeticError, AttributeError, LookupError, MemoryError, TypeError, ValueError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise UnsupportedLayer(call.layer.name, f"{call.layer.kind} cannot be evaluated ({reason})") from error
    return result if isinstance(result, list) else [result]

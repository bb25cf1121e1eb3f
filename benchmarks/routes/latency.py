"""Times two artifacts of one format against each other, in one process: python latency.py FORMAT OURS THEIRS ROUNDS.

One thread, batch 1, and the runtimes' defaults for the rest. Both run in each round, in alternating order, so that
other work on the machine affects both. The answer is JSON on standard output.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

CALLS = 20  # a block, whose fastest call counts
WARMUP = 50

Call = Callable[[], list[NDArray[Any]]]


@dataclass(frozen=True)
class OpenArtifact:
    """An artifact in its runtime: `call` runs it, `answer` reads its answer, `operations` counts its operations."""

    call: Callable[[], Any]
    answer: Call
    operations: int


def board(shape: Iterable[Any]) -> NDArray[np.float32]:
    """Zeros and ones, the same for the same shape; a free axis (None, -1 or a name) is 1."""
    sizes = [max(1, int(size)) if isinstance(size, (int, np.integer)) else 1 for size in shape]
    return np.random.default_rng(sizes).integers(0, 2, sizes).astype(np.float32)


def open_tflite(path: str) -> OpenArtifact:
    """Open with `ai-edge-litert` and its default delegate; `operations` are the file's, before the delegate."""
    from ai_edge_litert import schema_py_generated as schema
    from ai_edge_litert.interpreter import Interpreter

    interpreter = Interpreter(model_path=path, num_threads=1)
    interpreter.allocate_tensors()
    for port in interpreter.get_input_details():
        interpreter.set_tensor(port["index"], board(port["shape"]))
    exits = [port["index"] for port in interpreter.get_output_details()]
    operators = schema.ModelT.InitFromPackedBuf(bytearray(Path(path).read_bytes()), 0).subgraphs[0].operators
    return OpenArtifact(interpreter.invoke, lambda: [interpreter.get_tensor(index) for index in exits], len(operators))


def open_onnx(path: str) -> OpenArtifact:
    """Open with ONNX Runtime on the processor."""
    import onnx
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    feeds = {port.name: board(port.shape) for port in session.get_inputs()}

    def call() -> list[NDArray[Any]]:
        return list(session.run(None, feeds))

    return OpenArtifact(call, call, len(onnx.load(path).graph.node))


def open_pb(path: str) -> OpenArtifact:
    """Open in a TensorFlow session with the default options, including Grappler."""
    import tensorflow as tf

    graph_def = tf.compat.v1.GraphDef.FromString(Path(path).read_bytes())
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(graph_def, name="")
    config = tf.compat.v1.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    session = tf.compat.v1.Session(graph=graph, config=config)
    doors, exits = _ports(graph)
    run = session.make_callable(exits, doors)
    feeds = [board(door.shape.as_list()) for door in doors]

    def call() -> list[NDArray[Any]]:
        return list(run(*feeds))

    return OpenArtifact(call, call, len(graph_def.node))


def _ports(graph: Any) -> tuple[list[Any], list[Any]]:
    """The placeholders, and the results that no operation reads; if a tensor has several names, one of them."""
    operations = graph.get_operations()
    read = {tensor.op.name for operation in operations for tensor in operation.inputs}
    ends = [op for op in operations if op.type == "Identity" and op.name not in read]
    exits = {op.inputs[0].name: op.outputs[0] for op in ends}
    return [op.outputs[0] for op in operations if op.type == "Placeholder"], list(exits.values())


OPENERS: dict[str, Callable[[str], OpenArtifact]] = {"tflite": open_tflite, "onnx": open_onnx, "pb": open_pb}


def block(call: Callable[[], Any]) -> float:
    """Milliseconds of the fastest of CALLS calls."""
    best = float("inf")
    for _ in range(CALLS):
        started = time.perf_counter_ns()
        call()
        best = min(best, (time.perf_counter_ns() - started) / 1e6)
    return best


def alternate(ours: OpenArtifact, theirs: OpenArtifact, rounds: int) -> tuple[list[float], list[float]]:
    """Milliseconds of each round for both; the order changes from round to round."""
    mine: list[float] = []
    other: list[float] = []
    for _ in range(WARMUP):
        ours.call(), theirs.call()
    for at in range(rounds):
        order = ((ours, mine), (theirs, other)) if at % 2 else ((theirs, other), (ours, mine))
        for opened, seconds in order:
            seconds.append(block(opened.call))
    return mine, other


def difference(ours: OpenArtifact, theirs: OpenArtifact) -> float:
    """The largest difference between their answers to the same board; heads are matched by their sizes."""
    pairs = zip(*(sorted(opened.answer(), key=np.size) for opened in (ours, theirs)), strict=True)
    return max(float(np.max(np.abs(np.ravel(mine) - np.ravel(other)))) for mine, other in pairs)


def measure(name: str, ours_path: str, theirs_path: str, rounds: int) -> dict[str, Any]:
    """The figures for one format."""
    ours, theirs = OPENERS[name](ours_path), OPENERS[name](theirs_path)
    mine, other = alternate(ours, theirs, rounds)
    return {
        "azx_ms": min(mine),
        "official_ms": min(other),
        "ratio_median": statistics.median(a / b for a, b in zip(mine, other, strict=True)),
        "ratio_of_minima": min(mine) / min(other),
        "rounds": rounds,
        "azx_operations": ours.operations,
        "official_operations": theirs.operations,
        "difference": difference(ours, theirs),
    }


if __name__ == "__main__":
    if len(sys.argv) == 5 and sys.argv[1] in OPENERS:
        print(json.dumps(measure(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))))
    else:
        print(f"usage: python latency.py {'|'.join(OPENERS)} OURS THEIRS ROUNDS")

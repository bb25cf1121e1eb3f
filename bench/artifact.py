"""Measures one artifact in a process that does nothing else; `measure.py` calls these functions there in turn."""

from __future__ import annotations

import os
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import AzxError
from ..export.formats.table import FORMATS
from ..system.quietly import quietly
from ..validate.door.look import admit
from ..validate.runners.litertjs import LiteRTJSRunner
from ..validate.runners.runner import Runner
from ..validate.runners.tfjs import TfjsRunner

# The first answers of a runtime are slow, because it compiles and allocates.
WARM_UP_CALLS = 5
_SEED = 1


class _OpenArtifact:
    """The artifact that is open in this process."""

    runner: Runner | None = None
    network: Any = None
    open = ExitStack()


def time_opening(format_name: str, path: Path, threads: int, further: str | None = None) -> dict[str, Any]:
    """Open the artifact twice, with the runtime's import and without it; then let it answer once.

    `further` is the runner of a further runtime to open it with.
    Returns `runtime`, its signature's `batch` (None if it is free), and in seconds `first_load`, `load` and
    `first_answer`. BundleError if it cannot be opened, NotRunHere if its runtime is not installed here.
    """
    entry = FORMATS[format_name]
    times = []
    for _ in range(2):
        if _OpenArtifact.runner is not None:
            _OpenArtifact.runner.close()
        started = time.perf_counter()
        with quietly():
            _OpenArtifact.runner = entry.open(path, further)
            _OpenArtifact.runner.threads = threads
            _OpenArtifact.runner.__enter__()
        times.append(time.perf_counter() - started)
    runner = _open_runner()
    batch = runner.signature().inputs[0].shape[0]
    answered = time_answers(1, batch or 1)[0]
    return {
        "runtime": runner.runtime,
        "batch": batch,
        "first_load": times[0],
        "load": times[1],
        "first_answer": answered,
    }


def time_answers(calls: int, batch: int) -> list[float]:
    """Seconds per answer to `batch` positions, `calls` of them."""
    runner = _open_runner()
    feeds = _boards(runner, batch)
    if isinstance(runner, TfjsRunner | LiteRTJSRunner) and runner.signature().inputs[0].shape[0] in (None, batch):
        # Timed inside Node, as in a browser, because an app has no pipe to Node.
        return [milliseconds / 1e3 for milliseconds in runner.bench(feeds, 0, calls)]
    times = []
    for _ in range(calls):
        started = time.perf_counter()
        runner.run(feeds)
        times.append(time.perf_counter() - started)
    return times


def time_warm_answer(batch: int) -> float:
    """Seconds of one answer, after a few that do not count."""
    return float(np.median(time_answers(WARM_UP_CALLS, batch)[1:]))


def peak_memory() -> int | None:
    """The most bytes of memory that this process and its children ever used; None if unknown."""
    if sys.platform == "linux":
        return sum(_peak(pid) for pid in _family(os.getpid()))
    try:
        import resource
    except ImportError:  # Windows
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def time_search(path: Path, simulations: int) -> float:
    """Seconds of processor time of a search from the game's first position; AzxError if the game is not known.

    Other work on the machine does not affect them, so searches compare like the artifacts' ratios.
    """
    from ..games.search import Search
    from ..play.network import open_network

    if _OpenArtifact.network is None:
        with quietly():
            _OpenArtifact.network = _OpenArtifact.open.enter_context(open_network(path))
    network = _OpenArtifact.network
    started = _processor_seconds()
    Search(network.reading.start(), network).run(simulations)
    return _processor_seconds() - started


def _processor_seconds() -> float:
    """The processor time of this process and its children (Node).

    Only Linux reports another process's time quickly enough. Elsewhere a runtime in another process counts by wall
    time.
    """
    started = _family(os.getpid())[1:]
    if sys.platform != "linux":
        return time.perf_counter() if isinstance(_OpenArtifact.runner, TfjsRunner) else time.process_time()
    return time.process_time() + sum(_scheduled(pid) for pid in started)


def _scheduled(pid: int) -> float:
    """Seconds that the threads of another process have run, from Linux' /proc; 0 if it has ended."""
    total = 0
    with suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            total += int((thread / "schedstat").read_text().split()[0])
    return total / 1e9


def arithmetic(size: int = 384) -> float:
    """Multiply-adds per second of this machine on one thread: the fastest of some products of float32 matrices."""
    rng = np.random.default_rng(_SEED)
    x, y = (rng.random((size, size), np.float32) for _ in range(2))
    best = float("inf")
    for _ in range(20):
        started = time.perf_counter()
        x @ y
        best = min(best, time.perf_counter() - started)
    return size**3 / best


def multiply_adds(path: Path) -> int | None:
    """Multiply-adds of one position in an ONNX file's convolutions and products; None if sizes are free.

    UnsafeArtifact if the file does more than calculate, or if its weights are in other files.
    """
    import onnx

    admit("onnx", path)
    model = onnx.shape_inference.infer_shapes(onnx.load(path))
    weights = {item.name: int(np.prod(item.dims)) for item in model.graph.initializer}
    infos = [*model.graph.value_info, *model.graph.output, *model.graph.input]
    shapes = {item.name: [dim.dim_value for dim in item.type.tensor_type.shape.dim] for item in infos}
    total = 0
    for node in model.graph.node:
        if node.op_type in ("Conv", "Gemm", "MatMul") and node.input[1] in weights:
            board = shapes.get(node.output[0], [0])[2:] if node.op_type == "Conv" else []
            if 0 in board:
                return None
            total += weights[node.input[1]] * int(np.prod(board))
    return total


def _open_runner() -> Runner:
    if _OpenArtifact.runner is None:
        raise AzxError("No artifact is open: open one first.")
    return _OpenArtifact.runner


def _boards(runner: Runner, batch: int) -> dict[str, NDArray[np.float32]]:
    """Boards of zeros and ones by input, float32 (batch, *shape)."""
    rng = np.random.default_rng(_SEED)
    ports = runner.signature().inputs
    return {port.name: rng.integers(0, 2, (batch, *map(_size, port.shape[1:]))).astype(np.float32) for port in ports}


def _size(size: int | None) -> int:
    return size or 1


def _family(pid: int) -> list[int]:
    """A process and all its descendants."""
    pids = [pid]
    with suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            for child in (thread / "children").read_text().split():
                pids += _family(int(child))
    return pids


def _peak(pid: int) -> int:
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return 0

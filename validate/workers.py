"""Two processes that stay loaded: one with TensorFlow, one without.

LiteRT, ONNX Runtime and TensorFlow bring clashing copies of the same libraries, a damaged artifact
may end its runtime, and two cores work at once: so nothing heavy runs in the caller's process.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future
from types import TracebackType
from typing import Any, Self, TypeVar

from azx.export.errors import AzxError

Result = TypeVar("Result")

_ENVIRONMENT = {
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "CUDA_VISIBLE_DEVICES": "-1",  # the reference and every artifact are proved on the CPU
    "GRPC_VERBOSITY": "ERROR",
    "PYTHONWARNINGS": "ignore",
}
_IDLE_SECONDS = 3600


class Workers:
    """Submit work with `tensorflow(...)` or `light(...)`; leaving the block ends both processes at once."""

    def __init__(self) -> None:
        self._executors: dict[str, Any] = {}

    def tensorflow(self, task: Callable[..., Result], *arguments: Any) -> Future[Result]:
        """Run `task` in the process that has TensorFlow, after what was submitted before."""
        return self._submit("TensorFlow", task, arguments)

    def light(self, task: Callable[..., Result], *arguments: Any) -> Future[Result]:
        """Run `task` in the process that never imports TensorFlow."""
        return self._submit("runtimes", task, arguments)

    def _submit(self, name: str, task: Callable[..., Result], arguments: tuple[Any, ...]) -> Future[Result]:
        from loky.process_executor import BrokenProcessPool, ShutdownExecutorError

        try:
            future: Future[Result] = self._executor(name).submit(task, *arguments)
        except (BrokenProcessPool, ShutdownExecutorError):
            self._executors.pop(name).shutdown(wait=False, kill_workers=True)
            future = self._executor(name).submit(task, *arguments)
        return future

    def _executor(self, name: str) -> Any:
        from loky import ProcessPoolExecutor

        if name not in self._executors:
            self._executors[name] = ProcessPoolExecutor(
                max_workers=1, timeout=_IDLE_SECONDS, initializer=_begin, initargs=(_is_debugging(),), env=_ENVIRONMENT
            )
        return self._executors[name]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for executor in self._executors.values():
            executor.shutdown(wait=False, kill_workers=True)


def result(future: Future[Result], doing: str) -> Result:
    """What a task returned; AzxError where its process died while `doing` it."""
    from loky.process_executor import BrokenProcessPool

    try:
        return future.result()
    except BrokenProcessPool as error:
        raise AzxError(
            f"The process that was {doing} ended unexpectedly: free some memory and try again, "
            "or see what it prints with AZX_DEBUG=1."
        ) from error


def _is_debugging() -> bool:
    return os.environ.get("AZX_DEBUG") == "1"


def _begin(debugging: bool) -> None:
    """Set a worker up: Ctrl-C is the parent's business, and the converters' chatter goes nowhere."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if not debugging:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        os.close(nowhere)


def load_tensorflow() -> None:
    """A first task for the process that needs it, so that the import runs beside other work."""
    import tensorflow  # noqa: F401

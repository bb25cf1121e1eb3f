"""Two processes that stay loaded: one with TensorFlow, one without.

LiteRT, ONNX Runtime and TensorFlow bring clashing copies of the same libraries, and a damaged artifact may end its
runtime. Two cores also work at once. So nothing heavy runs in the caller's process.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, Future, wait
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Self, TypeVar

from ..errors import AzxError, first_line
from .memory import TOO_LITTLE, give_back, has_run_out
from .processes import Processes
from .temporary import temporary_folder, variables

Result = TypeVar("Result")

_ENVIRONMENT = {
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "CUDA_VISIBLE_DEVICES": "-1",  # the reference and every artifact run on the CPU in a proof
    "GRPC_VERBOSITY": "ERROR",
    "PYTHONWARNINGS": "ignore",
    # The boards are small: a second thread only waits for the first, and takes a core from the other process.
    "TF_NUM_INTRAOP_THREADS": "1",
    "TF_NUM_INTEROP_THREADS": "1",
}
_WATCH_SECONDS = 1.0


class Workers:
    """Submits work with `tensorflow(...)` or `light(...)`; leaving the block ends both processes at once.

    Their temporary files lie in a folder of this process and go with it, since the processes get no time to clean up.
    """

    def __init__(self) -> None:
        self._processes: dict[str, Processes] = {}
        self._interrupt, self._stack = _Interrupt(), ExitStack()
        self._folder, self._lock = Path(), threading.Lock()
        self._tasks: list[Future[Any]] = []
        self._ended = False

    def tensorflow(self, task: Callable[..., Result], *arguments: Any) -> Future[Result]:
        """Run `task` in the process that has TensorFlow, after all earlier tasks."""
        return self._submit("TensorFlow", task, arguments)

    def light(self, task: Callable[..., Result], *arguments: Any) -> Future[Result]:
        """Run `task` in the process that never imports TensorFlow."""
        return self._submit("runtimes", task, arguments)

    def _submit(self, name: str, task: Callable[..., Result], arguments: tuple[Any, ...]) -> Future[Result]:
        with self._lock, ctrl_c_held_back():
            _Interrupt.raise_if_lost()
            if self._ended:  # by another thread
                raise BrokenExecutor("The processes have been ended.")
            try:
                submitted = self._process(name).submit(run_shielded, task, *arguments)
            except BrokenExecutor:
                # An earlier artifact ended its process. That is that artifact's fault; this one gets a new process.
                self._processes.pop(name).shutdown()
                submitted = self._process(name).submit(run_shielded, task, *arguments)
            self._tasks.append(submitted)
            return submitted

    def _process(self, name: str) -> Processes:
        if name not in self._processes:
            self._processes[name] = processes_in(self._folder, 1, _ENVIRONMENT)
        return self._processes[name]

    def finish(self) -> None:
        """Cancel waiting tasks and wait for running ones, so that both processes are idle."""
        for task in self._tasks:
            task.cancel()
        wait(self._tasks)
        self._tasks.clear()

    def stop(self) -> None:
        """End both processes while another thread waits for them; there the wait ends with KeyboardInterrupt."""
        _Interrupt.pressed = True
        with self._lock:
            for process in self._processes.values():
                process.shutdown()

    def __enter__(self) -> Self:
        self._folder = self._stack.enter_context(temporary_folder("work"))
        self._interrupt.watch()
        return self

    def __exit__(self, *error: object) -> None:
        with self._stack:
            self._interrupt.release()
            with self._lock:
                self._ended = True
                for process in self._processes.values():
                    process.shutdown()


class _Interrupt:
    """Remembers Ctrl-C, because importing a C extension may swallow a KeyboardInterrupt."""

    pressed = False  # of the class: a process has one Ctrl-C, and `result` does not know the workers

    def __init__(self) -> None:
        self._before: Any = None

    def watch(self) -> None:
        """From here on remember a Ctrl-C; only the main thread ever gets one."""
        handler = signal.getsignal(signal.SIGINT)
        _Interrupt.pressed = False
        if callable(handler) and threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._remember)

    def release(self) -> None:
        """Restore the previous handler."""
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
            self._before = None

    def _remember(self, number: int, frame: FrameType | None) -> None:
        _Interrupt.pressed = True
        self._before(number, frame)

    @staticmethod
    def raise_if_lost() -> None:
        """Raise KeyboardInterrupt if a Ctrl-C came earlier and was swallowed."""
        if _Interrupt.pressed:
            raise KeyboardInterrupt


def result(future: Future[Result], doing: str) -> Result:
    """The result of a task; AzxError if its process died while `doing` it."""
    _Interrupt.raise_if_lost()
    try:
        return future.result()
    except BrokenExecutor as error:
        _Interrupt.raise_if_lost()  # Ctrl-C reaches the main thread; this may be another
        raise AzxError(
            f"The process that was {doing} ended unexpectedly: free some memory and try again, "
            "or see what it prints with AZX_DEBUG=1."
        ) from error


def is_debugging() -> bool:
    """Whether the user wants tracebacks and the converters' output."""
    return os.environ.get("AZX_DEBUG") == "1"


def run_shielded(task: Callable[..., Result], *arguments: Any) -> Result:
    """Run a task in the worker; a foreign exception becomes a plain one, so the caller needs no package."""
    try:
        return task(*arguments)
    except (AzxError, OSError):
        raise
    except Exception as error:
        if has_run_out(error):
            raise AzxError(TOO_LITTLE) from error
        raise RuntimeError(f"{type(error).__name__}: {first_line(error)}") from error
    finally:
        give_back()


@contextmanager
def ctrl_c_held_back() -> Iterator[None]:
    """Deliver Ctrl-C after the block.

    A worker started in the block inherits this. So a Ctrl-C before `begin` does not kill it with a traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def processes_in(folder: Path, count: int, environment: Mapping[str, str]) -> Processes:
    """`count` processes, set up by `begin`; they end with this one and keep their temporary files in `folder`."""
    arguments = (is_debugging(), os.getpid(), folder)
    return Processes(count, begin, arguments, {**environment, **variables(folder)})


Ask = Callable[..., Any]


@contextmanager
def ask_in_process(folder: Path, environment: Mapping[str, str], doing: str) -> Iterator[Ask]:
    """A separate process for one purpose, `doing`, that calls functions: ask(function, *arguments)."""
    processes = processes_in(folder, 1, environment)
    try:
        yield lambda function, *arguments: result(processes.submit(run_shielded, function, *arguments), doing)
    finally:
        processes.shutdown()


def begin(debugging: bool, parent: int, folder: Path) -> None:
    """Set a worker up: only the process `parent` reacts to Ctrl-C, and the converters' output is discarded.

    Temporary files go to `folder`, which the parent removes.
    """
    import multiprocessing

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _end_with(parent)
    tempfile.tempdir = str(folder)
    # `ctrl_c_held_back` lasted until here. Its block is inherited and may stay: SIGINT is ignored anyway.
    if os.name == "posix":
        # tqdm, which coremltools uses, makes a semaphore. Under "fork" it has no name that would outlive
        # a killed worker and be reported as leaked; no process is ever started here.
        multiprocessing.set_start_method("fork", force=True)
    if not debugging:
        # The descriptors, not sys.stdout: TensorFlow and the converters print from C++ too.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        os.close(nowhere)


def _end_with(parent: int) -> None:
    """End this process when its parent is gone; it looks every second. Otherwise it would wait for tasks for an hour.

    The parent passes its own number, because a process asked for here may already be another one, if the parent was
    killed.
    """

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_WATCH_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, name="parent-watch", daemon=True).start()


class _FreezeState:
    converters = False  # whether collections already skip the converters' objects


def load_tensorflow(legacy_keras: bool = True) -> None:
    """The first task of the process that needs TensorFlow, so that the import runs beside other work.

    `legacy_keras` saves the import of Keras 3 (2 s of processor time), which most checkpoints do not need. It does not
    apply to the user's own --builder, which may mean Keras 3 by `tf.keras`.
    """
    import gc

    if "tensorflow" in sys.modules:
        # Collect the previous checkpoint's cyclic graphs, which would stay for long. Garbage must not be frozen.
        gc.collect()
        # Before the second checkpoint the converters are loaded as well; each collection would spend 0.2 s on them.
        if not _FreezeState.converters:
            gc.freeze()
            _FreezeState.converters = True
        return
    if legacy_keras:
        os.environ.setdefault("TF_USE_LEGACY_KERAS", "1")
    # The import makes millions of lasting objects: collecting garbage among them costs a second.
    gc.disable()
    import tensorflow  # noqa: F401

    gc.freeze()
    gc.enable()

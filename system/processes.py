"""Processes of azx that stay loaded and do one task after another; tasks and answers travel through pipes.

The pools of Python's library share queues whose semaphores have names in the system; so do others like them. A killed
process leaves these names behind, or a helper process of it reports them on standard error. A pipe ends with the
processes that hold it.
"""

from __future__ import annotations

import os
import pickle
import queue
import struct
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from concurrent.futures import BrokenExecutor, Future
from typing import IO, Any

_LENGTH = struct.Struct("<Q")
_START = "import sys; sys.path[:] = {path!r}; from {module} import serve; serve()"


class Processes:
    """`count` processes, started with the first task; each calls `begin(*arguments)` before its first task.

    Once one has died, every unfinished task ends with BrokenExecutor, and `submit` raises it.
    """

    def __init__(
        self, count: int, begin: Callable[..., None], arguments: tuple[Any, ...], environment: Mapping[str, str]
    ) -> None:
        self._count, self._first = count, (begin, arguments)
        self._environment = {**os.environ, **environment}
        self._tasks: queue.SimpleQueue[tuple[Future[Any], bytes] | None] = queue.SimpleQueue()
        self._processes: list[subprocess.Popen[bytes]] = []
        self._threads: list[threading.Thread] = []
        self._lock, self._broken = threading.Lock(), False

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Have the next free process call the function; the future holds its result or error."""
        future: Future[Any] = Future()
        task = _dump((function, arguments))
        with self._lock:
            if self._broken or any(process.poll() is not None for process in self._processes):
                raise BrokenExecutor("A process has ended.")
            if not self._processes:
                self._start()
            self._tasks.put((future, task))
        return future

    def shutdown(self) -> None:
        """End all processes at once, even in the middle of a task; unfinished tasks are broken."""
        self._give_up(None)
        for thread in self._threads:
            thread.join()
        for process in self._processes:
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()

    def _start(self) -> None:
        code, first = _START.format(path=sys.path, module=__name__), _dump(self._first)
        command, pipe = [sys.executable, "-c", code], subprocess.PIPE
        for _ in range(self._count):
            # Without buffers: nothing waits to be written to a process that has died.
            process = subprocess.Popen(command, bufsize=0, env=self._environment, stdin=pipe, stdout=pipe)
            self._processes.append(process)
            self._threads.append(threading.Thread(target=self._feed, args=(process, first), daemon=True))
            self._threads[-1].start()

    def _feed(self, process: Any, first: bytes) -> None:
        """Give a process its tasks and wait for each answer, until it dies or no more tasks come."""
        under_way: Future[Any] | None = None
        try:
            _send(process.stdin, first)
            while (task := self._tasks.get()) is not None:
                if task[0].set_running_or_notify_cancel():
                    under_way = task[0]
                    _send(process.stdin, task[1])
                    _settle(under_way, _receive(process.stdout))
                    under_way = None
        except (OSError, EOFError):
            self._give_up(under_way)

    def _give_up(self, under_way: Future[Any] | None) -> None:
        """End every process; break the running and the waiting tasks."""
        waiting = [under_way] if under_way is not None else []
        with self._lock:
            self._broken = True
            for process in self._processes:
                process.kill()
            while not self._tasks.empty():
                task = self._tasks.get()
                if task is not None and task[0].set_running_or_notify_cancel():
                    waiting.append(task[0])
            for _ in self._threads:
                self._tasks.put(None)
        for future in waiting:
            future.set_exception(BrokenExecutor("A process has ended."))


def serve() -> None:
    """Do tasks until no more can come; every process of `Processes` runs this."""
    tasks, answers = os.fdopen(os.dup(0), "rb", 0), os.fdopen(os.dup(1), "wb", 0)
    # What a library prints must not mix with the answers, and a library must not read tasks.
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)
    os.close(nowhere)
    os.dup2(2, 1)
    try:
        begin, arguments = pickle.loads(_receive(tasks))  # noqa: S301 - sent by the process that started this one
        begin(*arguments)
        while True:
            _send(answers, _outcome(_receive(tasks)))
    except (OSError, EOFError):
        os._exit(0)  # the parent is gone, and with its folder all that a library would clean up


def _outcome(task: bytes) -> bytes:
    """The outcome of a task: whether it succeeded, and its result or error."""
    try:
        function, arguments = pickle.loads(task)  # noqa: S301 - as above
        return _dump((True, function(*arguments)))
    except BaseException as error:
        error.add_note(f"In another process: {traceback.format_exc()}")
        try:
            return _dump((False, error))
        except Exception:
            return _dump((False, RuntimeError(f"{type(error).__name__}: {error}")))


def _settle(future: Future[Any], answer: bytes) -> None:
    try:
        done, what = pickle.loads(answer)  # noqa: S301 - sent by a process that this one started
    except Exception as error:
        done, what = False, RuntimeError(f"{type(error).__name__}: {error}")
    future.set_result(what) if done else future.set_exception(what)


def _dump(value: Any) -> bytes:
    """The pickled value; functions that no other process could import are pickled with their code."""
    import cloudpickle

    dumped: bytes = cloudpickle.dumps(value)
    return dumped


def _send(pipe: IO[bytes], data: bytes) -> None:
    for part in (_LENGTH.pack(len(data)), data):
        rest = memoryview(part)
        while rest:
            rest = rest[pipe.write(rest) :]


def _receive(pipe: IO[bytes]) -> bytes:
    """The bytes that `_send` sent; EOFError if the other side is gone."""
    (length,) = _LENGTH.unpack(_exactly(pipe, _LENGTH.size))
    return _exactly(pipe, length)


def _exactly(pipe: IO[bytes], length: int) -> bytes:
    parts = []
    while length:
        part = pipe.read(min(length, 2**20))
        if not part:
            raise EOFError
        parts.append(part)
        length -= len(part)
    return b"".join(parts)

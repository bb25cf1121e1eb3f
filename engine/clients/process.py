"""Another program's process, spoken to line by line; it is killed after its time, or when azx ends."""

from __future__ import annotations

import os
import queue
import shlex
import signal
import subprocess
import threading
import time
from contextlib import suppress

from ...errors import AzxError

# Seconds in which a program must start, and answer whatever needs no thought.
START, ANSWER, FAREWELL = 60.0, 20.0, 2.0
LONGEST_LINE = 1 << 16
# Lines that may wait here. A program that writes more blocks on its own pipe.
MOST_LINES = 10_000
KILLED = -9

CRASHED, HUNG, ILLEGAL, REFUSED, RESIGNED = "crashed", "hung", "illegal", "refused", "resigned"


class EngineError(AzxError):
    """An engine that cannot be started, or with which a match cannot be played."""


class FaultError(AzxError):
    """A fault of the engine that ended a game; `kind` is one of the words above."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Program:
    """A running program; `end` it, or use it in a with statement. EngineError if it cannot be started."""

    def __init__(self, command: str) -> None:
        self.command = command
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise EngineError(f"--engine '{command}' is no command line ({error}): close its quotes.") from error
        if not words:
            raise EngineError("--engine is empty: give the command that starts the engine.")
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                # A process group of its own: its children end with it, and Ctrl-C reaches azx alone.
                start_new_session=True,
            )
        except OSError as error:
            raise EngineError(f"'{words[0]}' cannot be started ({error.strerror or error}): install it.") from error
        self._lines: queue.Queue[str | None] = queue.Queue(MOST_LINES)
        self._has_ended = False
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout is not None  # noqa: S101 - it was opened above
        with suppress(OSError, ValueError):
            while line := self._process.stdout.readline(LONGEST_LINE):
                self._lines.put(line.decode("utf8", "replace").rstrip("\r\n"))
        self._lines.put(None)

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *error: object) -> None:
        self.end()

    def write(self, *lines: str) -> None:
        """Send lines; FaultError if the program has ended."""
        assert self._process.stdin is not None  # noqa: S101 - it was opened above
        try:
            self._process.stdin.write("".join(f"{line}\n" for line in lines).encode())
            self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise self._crash() from error

    def read(self, until: float) -> str:
        """The next line, before the moment `until` (monotonic seconds); FaultError if it hangs or has ended."""
        left = until - time.monotonic()
        try:
            # This also holds while lines wait, because a program may write remarks without end instead of an answer.
            line = self._lines.get(timeout=left) if left > 0 else ""
        except queue.Empty:
            left = 0.0
        if left <= 0:
            raise FaultError(HUNG, f"'{self.command}' did not answer in time")
        if line is None:
            self._lines.put(None)
            raise self._crash()
        return line

    def _crash(self) -> FaultError:
        self._kill()
        code = self._process.returncode
        own = f" (exit code {code})" if code not in (None, -signal.SIGTERM, KILLED) else ""
        return FaultError(CRASHED, f"'{self.command}' has ended{own}")

    def end(self, farewell: str | None = None) -> None:
        """End it and its children: first by its own command, if given, and soon after by force."""
        if farewell is not None and not self._has_ended:
            with suppress(FaultError):
                self.write(farewell)
                until = time.monotonic() + FAREWELL
                while True:
                    self.read(until)
        self._kill()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()

    def _kill(self) -> None:
        if self._has_ended:
            return
        self._has_ended = True
        # Until `wait` returns, no other process gets its number or its group's, even if it has ended.
        if os.name == "nt":
            self._process.kill()
        else:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        # The thread that reads would keep the pipe open while the queue is full, so the queue is emptied.
        with suppress(queue.Empty):
            while True:
                self._lines.get_nowait()
        with suppress(queue.Full):
            self._lines.put_nowait(None)

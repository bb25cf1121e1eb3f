"""The two pipes of an engine: lines that come in while it thinks, and lines that go out."""

from __future__ import annotations

import os
import select
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO

# A longer line is no command of any protocol; its rest is read as further lines.
LONGEST_LINE = 1 << 16
# Seconds within which lines, and the end of the pipe, count as written together.
TOGETHER = 0.25
# Seconds between two looks at the pipe while a network loads.
WATCHED = 0.1


class Closed(Exception):  # noqa: N818 - it is no error
    """The answers no longer have a reader. If it has a sentence, they cannot be written for another reason."""


class Inbox:
    """The lines of a pipe, read by a thread of its own, so that a running search sees new lines."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._lines: deque[tuple[float, str]] = deque()
        self._closed_at: float | None = None
        # When the line that was taken last arrived.
        self._taken_at = 0.0
        self._changed = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        while True:
            try:
                line = self._pipe.readline(LONGEST_LINE)
            except (OSError, ValueError):
                line = b""
            with self._changed:
                if line:
                    self._lines.append((time.monotonic(), line.decode("utf8", "replace").rstrip("\r\n")))
                else:
                    self._closed_at = time.monotonic()
                self._changed.notify_all()
            if not line:
                return

    def next(self, timeout: float | None = None) -> str | None:
        """The next line, without its end; None if the pipe is closed. TimeoutError after `timeout` seconds."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._lines or self._closed_at is not None, timeout):
                raise TimeoutError
            if not self._lines:
                return None
            self._taken_at, line = self._lines.popleft()
            return line

    def take(self, word: str) -> int:
        """Remove the waiting lines that consist of this word alone; returns their number."""
        with self._changed:
            others = [each for each in self._lines if each[1].strip().lower() != word]
            count = len(self._lines) - len(others)
            if count:
                self._lines = deque(others)
            return count

    def ends(self, words: frozenset[str], is_patient: bool = True) -> bool:
        """Whether the work that the latest line began must end now.

        It must if a later line begins with one of `words` (in lower case), or if the pipe was closed. A script may
        write all its commands at once and close the pipe. So if `is_patient`, a pipe that was closed together with the
        latest line ends nothing, and a word ends the work only if the pipe stays open after it.
        """
        with self._changed:
            if self._closed_at is not None:
                return not is_patient or self._closed_at > self._taken_at + TOGETHER
            times = [at for at, line in self._lines if first_word(line) in words]
        return bool(times) and (not is_patient or time.monotonic() > times[0] + TOGETHER)

    def has_more(self) -> bool:
        """Whether another line waits, or the pipe is closed; either ends a search without a limit."""
        with self._changed:
            return bool(self._lines) or self._closed_at is not None


class Outbox:
    """Writes lines at once; raises Closed if the reader has gone."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._watch = _watch(pipe)

    def write(self, *lines: str) -> None:
        """Write each line with its end. If that fails, Closed; it has a sentence unless the reader has gone."""
        try:
            self._pipe.write("".join(f"{line}\n" for line in lines).encode())
            self._pipe.flush()
        except (BrokenPipeError, ConnectionError, ValueError) as error:
            raise Closed from error
        except OSError as error:
            raise Closed(
                f"The answers cannot be written ({error.strerror or error}): give standard output another place."
            ) from error

    @property
    def is_closed(self) -> bool:
        """Whether the reader is gone, as far as this system shows before the next write."""
        return self._watch()

    def check(self) -> None:
        """Closed if it `is_closed`."""
        if self.is_closed:
            raise Closed


def _watch(pipe: IO[bytes]) -> Callable[[], bool]:
    """A function that says whether the pipe's reader has gone; always false if the system cannot say."""
    try:
        number = pipe.fileno()
    except (OSError, AttributeError, ValueError):
        return lambda: False
    if not hasattr(select, "poll") or os.name == "nt":
        return lambda: False
    poll = select.poll()
    poll.register(number, 0)
    return lambda: any(event & (select.POLLERR | select.POLLNVAL | select.POLLHUP) for _, event in poll.poll(0))


@contextmanager
def leaving_with_reader(outbox: Outbox) -> Iterator[None]:
    """While the block runs, end this process once its answers have no reader.

    A network may load for a minute, and nothing else notices meanwhile that the reader has gone. The process may leave
    files in the system's temporary folder; the next one removes them.
    """
    has_ended = threading.Event()

    def watch() -> None:
        while not has_ended.wait(WATCHED):
            if outbox.is_closed and not has_ended.is_set():
                os._exit(0)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        has_ended.set()
        thread.join()


def first_word(line: str) -> str:
    """A command's name in lower case, without the number before it (GTP); empty for an empty line."""
    words = line.split(maxsplit=2)
    if words and words[0].isdecimal():
        words = words[1:]
    return words[0].lower() if words else ""

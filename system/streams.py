"""The three standard streams of a process: none is missing, and one that cannot be written ends in a sentence."""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import Any

IN, OUT, ERR = 0, 1, 2
NAMES = {IN: "stdin", OUT: "stdout", ERR: "stderr"}


def complete_streams() -> None:
    """Open what this process was started without, and have its output told apart from its files.

    Otherwise the next file that is opened gets the missing stream's number, and what libraries print goes into it.
    Nothing comes from a standard input that was missing, and standard error's is lost. A missing standard output
    refuses what is written, as a full one does: `_Output` ends azx then.
    """
    missing = {number for number in NAMES if not _is_open(number)}
    for number in sorted(missing):
        # The lowest free number is this one, as those below are open by now. Nothing can be written to what was
        # opened for reading. A worker needs the streams too.
        os.open(os.devnull, os.O_WRONLY if number == ERR else os.O_RDONLY)
        os.set_inheritable(number, True)
    if IN in missing or sys.stdin is None:
        sys.stdin = open(IN, encoding="utf8", closefd=False)  # noqa: SIM115 - it stays
    for number in (OUT, ERR):
        if os.name != "nt" or number in missing:  # a console of Windows has a way of its own to be written
            setattr(sys, NAMES[number], _output(number, number in missing))


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _output(number: int, was_missing: bool) -> io.TextIOWrapper:
    """The text stream of a number, encoded and buffered as Python's own."""
    own = getattr(sys, NAMES[number])
    raw = _Output(number, was_missing)
    return io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=getattr(own, "encoding", None) or "utf8",
        errors="backslashreplace",
        line_buffering=number == ERR or raw.isatty() or getattr(own, "write_through", False),
    )


class _Output(io.FileIO):
    """Where a stream is written, which says once that it cannot be, and takes no more from then on.

    What standard error refuses is lost, and the work goes on. Standard output is what a command is called for:
    SystemExit ends it, past all who look for a damaged file or a full disk. A reader that has gone is left to Click.
    """

    def __init__(self, number: int, was_missing: bool) -> None:
        super().__init__(number, "wb", closefd=False)
        self._number, self._was_missing, self._refuses = number, was_missing, False

    def write(self, data: Any, /) -> int:
        """As FileIO's, of what can be written."""
        size = memoryview(data).nbytes
        if self._refuses:
            return size
        try:
            return super().write(data)
        except OSError as error:
            self._refuses = True
            if error.errno == errno.EPIPE:
                raise
            reason = "it is closed" if self._was_missing else error.strerror
        if self._number == OUT:
            sys.stderr.write(f"Error: standard output cannot be written ({reason}): send it to a file or a terminal.\n")
            raise SystemExit(1)
        return size

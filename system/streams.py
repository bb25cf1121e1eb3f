"""The three standard streams of a process: none is missing, and a failed write ends in a sentence."""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import Any

IN, OUT, ERR = 0, 1, 2
NAMES = {IN: "stdin", OUT: "stdout", ERR: "stderr"}


def complete_streams() -> None:
    """Open the streams that this process was started without, so that its output never goes into its files.

    Otherwise the next opened file gets the number of the missing stream, and the output of libraries goes into it.
    A missing standard input reads as empty, and output to a missing standard error is lost. A missing standard output
    refuses what is written, like one on a full disk: `_Output` then ends azx.
    """
    missing = {number for number in NAMES if not _is_open(number)}
    for number in sorted(missing):
        # This is the lowest free number, because the lower ones are open by now. A stream opened for reading cannot be
        # written. A worker needs the streams too.
        os.open(os.devnull, os.O_WRONLY if number == ERR else os.O_RDONLY)
        os.set_inheritable(number, True)
    if IN in missing or sys.stdin is None:
        sys.stdin = open(IN, encoding="utf8", closefd=False)  # noqa: SIM115 - it stays
    for number in (OUT, ERR):
        if os.name != "nt" or number in missing:  # Python writes to a Windows console in another way
            setattr(sys, NAMES[number], _output(number, number in missing))


def can_show(text: str) -> bool:
    """Whether standard output can encode a text."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _output(number: int, was_missing: bool) -> io.TextIOWrapper:
    """The text stream of a descriptor, encoded and buffered like Python's own."""
    own = getattr(sys, NAMES[number])
    raw = _Output(number, was_missing)
    return io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=getattr(own, "encoding", None) or "utf8",
        errors="backslashreplace",
        line_buffering=number == ERR or raw.isatty() or getattr(own, "write_through", False),
    )


class _Output(io.FileIO):
    """The target of a stream; it reports the first failed write, and ignores all later ones.

    A failed write to standard error is lost, and the work continues. Standard output is a command's purpose, so a
    failed write ends azx by SystemExit, which no handler of damaged files or full disks catches. Click handles a reader
    that has gone.
    """

    def __init__(self, number: int, was_missing: bool) -> None:
        super().__init__(number, "wb", closefd=False)
        self._number, self._was_missing, self._refuses = number, was_missing, False

    def write(self, data: Any, /) -> int:
        """Like FileIO's, as long as writing succeeds."""
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

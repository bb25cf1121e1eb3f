"""Detects that memory has run out, however a library reports it, and returns unused memory to the system."""

from __future__ import annotations

import ctypes
import errno
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

TOO_LITTLE = "azx has too little memory for this: free some, or raise the limit on it (ulimit -v)."
# Messages of the system's loader, which Python turns into an ImportError.
_OF_THE_LOADER = ("failed to map segment", "cannot map zero-fill pages", "Cannot allocate memory")


def has_run_out(error: BaseException) -> bool:
    """Whether an error says that memory has run out."""
    if isinstance(error, ImportError):
        return any(message in str(error) for message in _OF_THE_LOADER)
    return isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM)


# Copies of smaller things may stay until Python's garbage collection runs by itself: each run takes time.
LARGE = 8 << 20


@contextmanager
def kept_small(size: int) -> Iterator[None]:
    """Convert something of `size` bytes; at the end the converter's garbage goes back to the system.

    Python collects cyclic garbage after a number of new objects, and a graph is only a few objects, whatever its size.
    """
    if size < LARGE:
        yield
        return
    collect()
    gc.freeze()  # each collection then skips what exists now
    try:
        yield
    finally:
        collect()


def collect() -> None:
    """Return unused memory to the system; otherwise the C library of Linux keeps some of it."""
    gc.collect()
    give_back()


def give_back() -> None:
    """Return freed memory to the system."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # another C library has no such function
            ctypes.CDLL(None).malloc_trim(0)

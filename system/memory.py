"""Memory: whether it has run out, whichever way a library says so, and how large work is kept small."""

from __future__ import annotations

import ctypes
import errno
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

TOO_LITTLE = "azx has too little memory for this: free some, or raise the limit on it (ulimit -v)."
# What the system's loader says, which Python makes an ImportError.
_OF_THE_LOADER = ("failed to map segment", "cannot map zero-fill pages", "Cannot allocate memory")


def has_run_out(error: BaseException) -> bool:
    """Whether an error is that there is no more memory."""
    if isinstance(error, ImportError):
        return any(said in str(error) for said in _OF_THE_LOADER)
    return isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM)


# Of smaller things copies may stay until Python looks for garbage by itself: each look takes time.
LARGE = 8 << 20


@contextmanager
def kept_small(size: int) -> Iterator[None]:
    """Convert something of `size` bytes: what the converter leaves behind goes back to the system at the end.

    Python looks for objects that refer to themselves when many have come, and a graph is few, whatever it weighs.
    """
    if size < LARGE:
        yield
        return
    collect()
    gc.freeze()  # what is there now is not looked through each time
    try:
        yield
    finally:
        collect()


def collect() -> None:
    """Return to the system what nobody uses; the C library of Linux keeps it otherwise, here and there."""
    gc.collect()
    give_back()


def give_back() -> None:
    """Return to the system what was freed."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # another C library has no such function
            ctypes.CDLL(None).malloc_trim(0)

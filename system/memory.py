"""Detects that memory has run out, whichever way a library says so."""

from __future__ import annotations

import errno

TOO_LITTLE = "azx has too little memory for this: free some, or raise the limit on it (ulimit -v)."
# What the system's loader says, which Python makes an ImportError.
_OF_THE_LOADER = ("failed to map segment", "cannot map zero-fill pages", "Cannot allocate memory")


def has_run_out(error: BaseException) -> bool:
    """Whether an error is that there is no more memory."""
    if isinstance(error, ImportError):
        return any(said in str(error) for said in _OF_THE_LOADER)
    return isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM)

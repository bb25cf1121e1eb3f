"""Hides the output that TensorFlow and other libraries print from C++, if they run in azx's own process."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def quietly() -> Iterator[None]:
    """Discard what the block writes to standard error, Python's warnings too; with AZX_DEBUG=1 it is shown.

    Works on the descriptor, not on sys.stderr: TensorFlow and LiteRT print from C++ while they load.
    """
    if os.environ.get("AZX_DEBUG") == "1":
        yield
        return
    # For what TensorFlow prints later, after the block; it reads this when it loads.
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    sys.stderr.flush()
    copy, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        os.dup2(copy, 2)
        os.close(copy)
        os.close(nowhere)

"""Keeps what TensorFlow and other libraries print from C++ off the screen, if they run in azx's own process."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def quietly() -> Iterator[None]:
    """What is written to standard error in the block goes nowhere, Python's warnings too; with AZX_DEBUG=1 it is shown.

    The descriptor and not sys.stderr: TensorFlow and LiteRT print from C++ while they load.
    """
    if os.environ.get("AZX_DEBUG") == "1":
        yield
        return
    # For what TensorFlow says later, behind the block; it is read when the library loads.
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    sys.stderr.flush()
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)

"""A Core ML package's tensors: the MIL program in NumPy, every value kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ...validate.runners.coreml import CoreMLRunner
from .tap import Feeds, Tap, in_batches

_MOVES = frozenset({"transpose", "reshape", "squeeze", "expand_dims", "identity", "cast"})


def taps(path: Path, feeds: Feeds) -> tuple[str, list[Tap]]:
    """What interprets it, and what every operation made. Raises BundleError and Refused, as its runner does."""
    with CoreMLRunner(path) as runner:
        program = runner.program()
        seen: list[tuple[str, str, str]] = []

        def answer(part: Feeds) -> list[np.ndarray]:
            values = []
            seen.clear()
            for kind, name, operation, made in program.inner(part):
                if isinstance(made, np.ndarray) and made.dtype.kind == "f":
                    seen.append((kind, name, operation))
                    values.append(made)
            return values

        rows = in_batches(feeds, runner.signature().inputs[0].shape[0], answer)
    found = [
        Tap(name, (name, operation), values, kind in _MOVES)
        for (kind, name, operation), values in zip(seen, rows, strict=True)
    ]
    import coremltools

    return f"NumPy MIL interpreter, coremltools {coremltools.__version__}", found

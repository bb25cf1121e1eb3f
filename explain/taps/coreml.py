"""A Core ML package's tensors: NumPy runs the MIL program and records every value."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ...validate.runners.coreml import CoreMLRunner
from .tap import Feeds, Tap, in_batches

_MOVES = frozenset({"transpose", "reshape", "squeeze", "expand_dims", "identity", "cast"})


def taps(path: Path, feeds: Feeds) -> tuple[str, list[Tap]]:
    """The interpreter's name, and the result of every operation. Raises BundleError and Refused, as the runner does."""
    with CoreMLRunner(path) as runner:
        program = runner.program()
        operations: list[tuple[str, str, str]] = []

        def answer(part: Feeds) -> list[np.ndarray]:
            values = []
            operations.clear()
            for kind, name, operation, made in program.inner(part):
                if isinstance(made, np.ndarray) and made.dtype.kind == "f":
                    operations.append((kind, name, operation))
                    values.append(made)
            return values

        rows = in_batches(feeds, runner.signature().inputs[0].shape[0], answer)
    result = [
        Tap(name, (name, operation), values, kind in _MOVES)
        for (kind, name, operation), values in zip(operations, rows, strict=True)
    ]
    import coremltools

    return f"NumPy MIL interpreter, coremltools {coremltools.__version__}", result

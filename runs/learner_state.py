"""Weights and optimizer of a run's last finished generation, so that a run resumes as if it had never ended.

There are two files, for even and odd generations. A generation's file is written before its line in progress.jsonl, and
the previous generation's file remains. So after a kill one of the two belongs to the last finished generation.
"""

from __future__ import annotations

import io
import zlib
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from ..system.durable import write_in_place
from ..system.plain_file import read_plain

GENERATION = "generation"
LARGEST = 4 << 30


def state_file(folder: Path, generation: int) -> Path:
    """The file of a generation."""
    return folder / f".learner{generation % 2}.npz"


def keep_state(model: Any, folder: Path, generation: int) -> None:
    """Write the state of a compiled model after a generation."""
    data = io.BytesIO()
    values: dict[str, Any] = {f"arr_{at}": np.asarray(each) for at, each in enumerate(_variables(model))}
    np.savez(data, **{GENERATION: np.array(generation), **values})
    write_in_place(state_file(folder, generation), data.getvalue())


def restore_state(model: Any, folder: Path, generation: int) -> bool:
    """Restore a compiled model's state after a generation; False, without any change, if the state is incomplete."""
    model.optimizer.build(model.trainable_variables)
    variables = _variables(model)
    try:
        data = io.BytesIO(read_plain(state_file(folder, generation), LARGEST))
        with np.load(data, allow_pickle=False) as file:
            if file[GENERATION].tolist() != generation:
                return False
            values = [file[f"arr_{at}"] for at in range(len(variables))]
    except (OSError, ValueError, KeyError, EOFError, BadZipFile, zlib.error):
        return False
    if any(tuple(variable.shape) != value.shape for variable, value in zip(variables, values, strict=True)):
        return False
    for variable, value in zip(variables, values, strict=True):
        variable.assign(value)
    return True


def _variables(model: Any) -> list[Any]:
    return [*model.weights, *model.optimizer.variables]

"""The answers of an original, from Keras or the witness."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray


@dataclass(frozen=True)
class Answers:
    """An original's answers: (N, ...) for each output by its `source_name`, in the model's order.

    `by` names Keras and TensorFlow with their versions, or the witness. `notes` has a clause for each deviation from a
    plain run. `missing` is the reason if there are no answers.
    """

    by: str
    outputs: dict[str, NDArray[Any]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    missing: str | None = None

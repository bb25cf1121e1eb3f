"""Head: one output of a network, on its whole way from the file to the artifacts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING, Any

from ...games.policy import policy_range
from ...statement import Degree

if TYPE_CHECKING:  # `azx doctor` reads the table of formats without NumPy
    from numpy.typing import NDArray

VALUE, POLICY, OTHER = "value", "policy", "other"
UNKNOWN = "unknown"


@dataclass(frozen=True)
class Head:
    """An output of a network; each step adds what it learns (`dataclasses.replace`), what is not known yet is empty.

    `source_name` is the checkpoint's name of it, `tensor` what holds it in the graph at hand. `shape` has no batch.
    `activation` is tanh, linear, softmax, ... or "unknown". `role` is value, policy or other; `degree` is how that is
    known, and `reason` by what. `name` is the artifacts' (value_head, policy_head), `node` the node of the
    frozen graph that computes it (value_head/Tanh). `stated_range` is a policy's range as a manifest states it or the
    original's answers decided it; None before.
    """

    source_name: str
    shape: tuple[int, ...] = ()
    activation: str = UNKNOWN
    role: str = OTHER
    name: str = ""
    reason: str = ""
    degree: Degree = Degree.CERTAIN
    tensor: str = ""
    node: str = ""
    stated_range: str | None = None

    @property
    def width(self) -> int:
        """Number of values a position."""
        return prod(self.shape)

    @property
    def policy_range(self) -> str:
        """Whether a policy holds logits or probabilities (`azx.games.policy`)."""
        return self.stated_range or policy_range(self.activation)


def with_ranges(heads: Sequence[Head], answers: Mapping[str, NDArray[Any]]) -> tuple[Head, ...]:
    """The heads with the range of each policy; `answers`, {head: (N, ...)}, decide if its activation is unknown."""
    return tuple(
        replace(head, stated_range=policy_range(head.activation, answers[head.name])) if head.role == POLICY else head
        for head in heads
    )

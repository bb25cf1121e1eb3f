"""Head: one output of a network, on its way from the file to the artifacts."""

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
    """An output of a network; each step fills in what it learns (`dataclasses.replace`), unknown members are empty.

    `source_name` is its name in the checkpoint, `tensor` its tensor in the present graph. `shape` has no batch.
    `activation` is tanh, linear, softmax, ... or "unknown". `role` is value, policy or other; `degree` is how surely
    that is known, and `reason` why. `name` is the artifacts' (value_head, policy_head), `node` the node of the frozen
    graph that calculates it (value_head/Tanh). `stated_range` is a policy's range as a manifest states it or as the
    original's answers decide it; None before that.
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
        """The number of values per position."""
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

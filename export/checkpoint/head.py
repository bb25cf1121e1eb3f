"""Head: one output of a network, on its whole way from the file to the artifacts."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

VALUE, POLICY, OTHER = "value", "policy", "other"
UNKNOWN = "unknown"


@dataclass(frozen=True)
class Head:
    """An output of a network; each step adds what it learns (`dataclasses.replace`), what is not known yet is empty.

    `source_name` is the checkpoint's name of it, `tensor` what holds it in the graph at hand. `shape` has no batch.
    `activation` is tanh, linear, softmax, ... or "unknown". `role` is value, policy or other, and `reason` says how
    it was recognised. `name` is the artifacts' (value_head, policy_head), `node` the node of the frozen graph that
    computes it (value_head/Tanh).
    """

    source_name: str
    shape: tuple[int, ...] = ()
    activation: str = UNKNOWN
    role: str = OTHER
    name: str = ""
    reason: str = ""
    tensor: str = ""
    node: str = ""

    @property
    def width(self) -> int:
        """Number of values a position."""
        return prod(self.shape)

"""The list of further networks in PyTorch, and what several of them share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import in_torch as base

Tensor = Any
# A module, and boards as its inputs.
Made = tuple[Any, list[Any]]
MORE: dict[str, Callable[[], Made]] = {}


def further(maker: Callable[[], Made]) -> Callable[[], Made]:
    """Register a maker under its own name."""
    MORE[maker.__name__] = maker
    return maker


def heads(width: int, moves: int) -> dict[str, Any]:
    """Layers of a policy and of a value over a row of numbers."""
    return {"pi": base.nn.Linear(width, moves), "v": base.nn.Linear(width, 1)}


def ends(self: Any, x: Tensor) -> Any:
    """The policy's logits and the value."""
    return self.pi(x), base.torch.tanh(self.v(x))


def board(*shape: int) -> Tensor:
    """Random boards: three, or one where the batch is fixed."""
    return base.torch.rand(3, *shape)

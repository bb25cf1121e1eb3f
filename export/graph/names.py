"""Names that a TensorFlow graph accepts, and names that occur once."""

from __future__ import annotations

import re
from collections.abc import Container


def node_name(layer: str) -> str:
    """A layer's name as the scope of its nodes."""
    safe = re.sub(r"[^A-Za-z0-9_.\\/-]", "_", layer)
    return safe if re.match(r"[A-Za-z0-9.]", safe) else f"layer{safe}"


def is_node_name(name: str) -> bool:
    """Whether a node can be called so."""
    return node_name(name) == name


def unique(name: str, taken: Container[str]) -> str:
    """The name, or with the first number behind it that makes it one of its own."""
    count, result = 0, name
    while result in taken:
        count += 1
        result = f"{name}_{count}"
    return result

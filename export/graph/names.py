"""Names of inputs and outputs by the contract: unique, and valid in every format and in TensorFlow."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass

from ..checkpoint.head import POLICY, VALUE, Head

CONTRACT_NAMES = {VALUE: "value_head", POLICY: "policy_head"}
CONTRACT_INPUT = "main_input"
# The node of a .pb that holds the metadata: no output may have this name.
METADATA_NODE = "azx_metadata"


@dataclass(frozen=True)
class Names:
    """The user's choice of outputs: the checkpoint's names of value and policy ("none": no such output)."""

    value_head: str | None = None
    policy_head: str | None = None
    keep_names: bool = False


NOTHING_SAID = Names()


def input_names(sources: Sequence[str], heads: Sequence[Head] = (), *, keep_names: bool = False) -> tuple[str, ...]:
    """The artifacts' input names: `main_input` for a single input, the checkpoint's own names for several.

    They differ from the names of `heads`, which are chosen first.
    """
    if len(sources) == 1 and not keep_names:
        return (CONTRACT_INPUT,)
    names = [head.name for head in heads]
    for source in sources:
        names.append(unique(safe_name(source), names))
    return tuple(names[len(heads) :])


def safe_name(name: str) -> str:
    """The name in a form that every format accepts: letters, digits and underscores."""
    safe = re.sub(r"[^A-Za-z0-9_]", "_", name)
    return safe if re.match(r"[A-Za-z]", safe) else f"t_{safe}"


def node_name(layer: str) -> str:
    """A layer's name in a form that TensorFlow accepts as a scope."""
    safe = re.sub(r"[^A-Za-z0-9_.\\/-]", "_", layer)
    return safe if re.match(r"[A-Za-z0-9.]", safe) else f"layer{safe}"


def is_node_name(name: str) -> bool:
    """Whether TensorFlow accepts the name for a node."""
    return node_name(name) == name


def unique(name: str, taken: Container[str]) -> str:
    """The name, with a number if that makes it unique."""
    count, result = 0, name
    while result in taken:
        count += 1
        result = f"{name}_{count}"
    return result

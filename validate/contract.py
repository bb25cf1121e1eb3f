"""What an artifact must state of itself: the names, shapes and order that the manifest records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .runners.runner import Port, Signature

Shape = tuple[int | None, ...]


@dataclass(frozen=True)
class Expected:
    """A port as the manifest has it; `shape` begins with the batch, None where that is free.

    `node` is the node of the frozen .pb that computes an output (value_head/Tanh), where known.
    """

    name: str
    shape: Shape
    node: str | None = None


def problems(signature: Signature, inputs: Sequence[Expected], outputs: Sequence[Expected]) -> list[str]:
    """Each way in which a signature breaks the contract, as a clause; an empty list where it holds."""
    return [*_compare("input", signature.inputs, inputs), *_compare("output", signature.outputs, outputs)]


def _compare(kind: str, found: Sequence[Port], wanted: Sequence[Expected]) -> Iterator[str]:
    names, stated = [item.name for item in wanted], [port.name for port in found]
    missing = [name for name in names if name not in stated]
    for name in missing:
        yield f"{kind} '{name}' is missing (it has {_listed(stated)})"
    for name in (name for name in stated if name not in names):
        yield f"{kind} '{name}' is not in the contract"
    if not missing and sorted(names) == sorted(stated) and names != stated:
        yield f"the {kind}s come as {_listed(stated)} and not as {_listed(names)}"
    by_name = {port.name: port for port in found}
    for item in wanted:
        if item.name in by_name:
            yield from _compare_port(kind, by_name[item.name], item)


def _compare_port(kind: str, port: Port, wanted: Expected) -> Iterator[str]:
    if not _same_shape(port.shape, wanted.shape):
        yield f"{kind} '{port.name}' has shape {_shown(port.shape)} and not {_shown(wanted.shape)}"
    if port.dtype != "float32":
        yield f"{kind} '{port.name}' is {port.dtype} and not float32"


def _same_shape(found: Shape, wanted: Shape) -> bool:
    """Equal, but that a runtime may know no more of an output than that an axis is free."""
    return len(found) == len(wanted) and all(
        a == b or (a is None and wanted[0] is None) for a, b in zip(found, wanted, strict=True)
    )


def _shown(shape: Shape) -> str:
    return f"({', '.join('batch' if size is None else str(size) for size in shape)})"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"'{name}'" for name in names) or "none"

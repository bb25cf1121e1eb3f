"""The same names in an ONNX file each time: tf2onnx numbers what it makes by a counter of its process."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_COUNTED = re.compile(r"__\d+")


def make_stable(graph: Any) -> None:
    """Renumber the counted names of a GraphProto in the order of use, and order the constants so."""
    names: dict[str, str] = {}
    for name in _used(graph):
        if _COUNTED.search(name) and name not in names:
            names[name] = _COUNTED.sub("", name) + f"_{len(names)}"
    for node in graph.node:
        node.input[:] = [names.get(name, name) for name in node.input]
        node.output[:] = [names.get(name, name) for name in node.output]
        node.name = node.output[0].replace(":0", "")
    for constant in graph.initializer:
        constant.name = names.get(constant.name, constant.name)
    _order_constants(graph)
    del graph.value_info[:]


def _used(graph: Any) -> Iterator[str]:
    for node in graph.node:
        yield from node.input
        yield from node.output


def _order_constants(graph: Any) -> None:
    place: dict[str, int] = {}
    for name in _used(graph):
        place.setdefault(name, len(place))
    ordered = sorted(graph.initializer, key=lambda constant: place.get(constant.name, len(place)))
    copies = [type(constant).FromString(constant.SerializeToString()) for constant in ordered]
    del graph.initializer[:]
    graph.initializer.extend(copies)

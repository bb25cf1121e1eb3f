"""Matches the arguments of a layer's call, tensors and other values, with the names of its parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..checkpoint.layer_graph import Call
from .emitter import Value, refuse

# These arguments change nothing in inference.
_NO_EFFECT = frozenset({"training", "name"})


def bind(call: Call, inputs: Sequence[Value], parameters: Sequence[str]) -> dict[str, Any]:
    """The arguments of a call by the layer's parameter names; those that are None or False are left out.

    Raises UnsupportedLayer for an argument that is not among `parameters`, because it could matter.
    """
    positional = list(call.arguments.get("args", ()))
    if len(positional) > len(parameters):
        raise refuse(call.layer, f"its {len(parameters) + 1}. argument has no canonical form")
    written = dict(zip(parameters, positional, strict=False))
    written.update({name: value for name, value in call.arguments.items() if name != "args"})
    given = {name: _tensors(value, inputs) for name, value in written.items() if name not in _NO_EFFECT}
    given = {name: value for name, value in given.items() if value is not None and value is not False}
    strange = next((name for name in given if name not in parameters), None)
    if strange is not None:
        raise refuse(call.layer, f"argument '{strange}' has no canonical form")
    return given


def _tensors(value: Any, inputs: Sequence[Value]) -> Any:
    if isinstance(value, Mapping) and set(value) == {"tensor"}:
        return inputs[value["tensor"]]
    return [_tensors(item, inputs) for item in value] if isinstance(value, list) else value

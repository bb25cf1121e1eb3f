"""Parts of manifests with the few members that a test is about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING
from typing import Any, TypeVar, get_args, get_origin

from azx.bundle.contents import manifest_model as model
from azx.manifest import Part, members

Kind = TypeVar("Kind", bound=Part)


def part_with(part: type[Kind], data: Mapping[str, Any]) -> Kind:
    """The value of an object of which `data` has some members; those that must be there are blank, at any depth."""
    return model.read_part(part, _fill(part, dict(data)))


def _fill(kind: Any, data: Any) -> Any:
    """`data` with blank values for required members that it lacks."""
    kind = model._type_of(kind, data)
    if isinstance(data, list):
        return [_fill(get_args(kind)[0], item) for item in data]
    if not isinstance(data, dict) or get_origin(kind) is Mapping:
        return data
    types = model._types(kind)
    required = {name: _blank(types[name]) for name, default in members(kind).items() if default is MISSING}
    filled = {name: _fill(types[name], value) if name in types else value for name, value in data.items()}
    return {**required, **filled}


def _blank(kind: Any) -> Any:
    bare = model._bare(kind)
    if model._is_object(bare):
        return _fill(bare, {})
    return None if get_origin(bare) in model._UNIONS else [] if get_origin(bare) is tuple else bare()

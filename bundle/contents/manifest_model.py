"""Converts between azx.manifest's classes and JSON: checks data, makes values from it, and writes the published schema.

`python -m azx.bundle.contents.manifest_model` writes manifest.schema.json; a test fails if the two differ.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import MISSING
from functools import cache
from inspect import cleandoc
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from ...manifest import Manifest, Part, members, plain

SCHEMA = Path(__file__).with_name("manifest.schema.json")
DIALECT = "https://json-schema.org/draft/2020-12/schema"
TITLE = "azx bundle manifest"
_NAMES = {int: "integer", float: "number", str: "string", bool: "boolean", NoneType: "null"}
_TYPES = {
    **{name: (kind,) for kind, name in _NAMES.items()},
    "number": (int, float),
    "array": (list,),
    "object": (dict,),
}
_UNIONS = (Union, UnionType)
_Part = TypeVar("_Part", bound=Part)
_Value = TypeVar("_Value")


def _cache_by_class(function: Callable[[Any], _Value]) -> Callable[[Any], _Value]:
    """`cache` for functions of a class, which mypy believes to be unhashable."""
    return cache(function)


@_cache_by_class
def _types(part: Any) -> dict[str, Any]:
    """The type of each member, with its notes."""
    hints = get_type_hints(part, include_extras=True)
    return {name: hints[name] for name in members(part)}


def _schema_of(kind: Any) -> dict[str, Any]:
    """The JSON schema of a member's type."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        described = _schema_of(inner[0])
        for note in inner[1:]:
            described |= {"description": note} if isinstance(note, str) else dict(note)
    elif origin in _UNIONS:
        described = {"anyOf": [_schema_of(each) for each in inner]}
    elif origin is tuple:
        described = {"items": _schema_of(inner[0]), "type": "array"}
    elif origin is Mapping:
        described = {"additionalProperties": _schema_of(inner[1]), "type": "object"}
    elif issubclass(kind, Part):
        described = {"$ref": f"#/$defs/{kind.__name__}"}
    else:
        described = {"type": _NAMES[kind]}
    return dict(sorted(described.items()))


@_cache_by_class
def _schema_of_object(part: Any) -> dict[str, Any]:
    properties = {}
    for name, default in members(part).items():
        described = _schema_of(_types(part)[name])
        if default is not MISSING:
            described["default"] = plain(default)
        if not any("$ref" in each for each in (described, *described.get("anyOf", ()))):
            described["title"] = name.replace("_", " ").title()
        properties[name] = dict(sorted(described.items()))
    return {
        "additionalProperties": True,
        "description": cleandoc(part.__doc__ or ""),
        "properties": properties,
        "required": [name for name, default in members(part).items() if default is MISSING],
        "title": part.__name__,
        "type": "object",
    }


def _parts_in(kind: Any) -> dict[str, type[Part]]:
    """The classes of objects that a type contains, at any depth, by name."""
    if isinstance(kind, type) and issubclass(kind, Part):
        kinds = {kind.__name__: kind}
        for each in _types(kind).values():
            kinds |= _parts_in(each)
        return kinds
    return {name: part for inner in get_args(kind) for name, part in _parts_in(inner).items()}


@_cache_by_class
def _definitions(part: Any) -> dict[str, dict[str, Any]]:
    """The schema of `part` and of each object in it, by the reference to it."""
    return {f"#/$defs/{name}": _schema_of_object(kind) for name, kind in sorted(_parts_in(part).items())}


def first_fault(data: Any, part: type[Part] = Manifest) -> tuple[str, ...] | None:
    """The path to the first faulty member of `data` (JSON types), as names and indices; None if all are sound.

    No value is converted: neither true nor "1" counts as a number.
    """
    return _fault(data, _schema_of_object(part), _definitions(part), ())


def _fault(
    value: Any, schema: Mapping[str, Any], known: Mapping[str, Any], way: tuple[str, ...]
) -> tuple[str, ...] | None:
    schema = known.get(schema.get("$ref", ""), schema)
    if "anyOf" in schema:
        faults = [_fault(value, each, known, way) for each in schema["anyOf"]]
        return None if None in faults else max(filter(None, faults), key=len)  # that of the best fitting type
    if type(value) not in _TYPES[schema["type"]] or not _is_within(value, schema):
        return way
    for name in schema.get("properties", ()):
        if name not in value and name in schema["required"]:
            return (*way, name)
        if name in value and (fault := _fault(value[name], schema["properties"][name], known, (*way, name))):
            return fault
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    each = schema.get("items", schema.get("additionalProperties"))
    if isinstance(each, dict):
        return next(filter(None, (_fault(item, each, known, (*way, str(key))) for key, item in items)), None)
    return None


def _is_within(value: Any, schema: Mapping[str, Any]) -> bool:
    """Whether a value of the right type is within the limits of its schema."""
    if isinstance(value, str):
        good = len(value) >= schema.get("minLength", 0) and re.fullmatch(schema.get("pattern", ".*"), value, re.DOTALL)
    elif isinstance(value, list):
        good = schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", sys.maxsize)
    elif schema["type"] in ("integer", "number"):
        finite = schema["type"] == "integer" or abs(value) <= sys.float_info.max
        good = finite and value >= schema.get("minimum", value)
    else:
        good = True
    return bool(good) and value in schema.get("enum", [value]) and value == schema.get("const", value)


def read_part(part: type[_Part], data: Mapping[str, Any]) -> _Part:
    """The object that `data` describes; `first_fault` must have found no fault in it."""
    types = _types(part)
    known = {name: _value_of(types[name], data[name]) for name in types if name in data}
    unknown = {name: value for name, value in data.items() if name not in types}
    return part(**known, unknown=unknown, present=frozenset(data))


def _value_of(kind: Any, data: Any) -> Any:
    """JSON types converted to a member's type: objects to their class, lists to tuples."""
    kind = _type_of(kind, data)
    if isinstance(data, list):
        return tuple(_value_of(get_args(kind)[0], item) for item in data)
    if get_origin(kind) is Mapping:
        return {name: _value_of(get_args(kind)[1], item) for name, item in data.items()}
    return read_part(kind, data) if isinstance(data, dict) else data


def _type_of(kind: Any, data: Any) -> Any:
    """The type without its notes; among alternatives, the one that fits `data` (JSON types)."""
    bare = _bare(kind)
    if get_origin(bare) not in _UNIONS:
        return bare
    options = [_bare(each) for each in get_args(bare)]
    if isinstance(data, list):
        return next(each for each in options if get_origin(each) is tuple)
    return next((each for each in options if _is_object(each)), None) if isinstance(data, dict) else type(data)


def _bare(kind: Any) -> Any:
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def _is_object(kind: Any) -> bool:
    return get_origin(kind) is Mapping or (isinstance(kind, type) and issubclass(kind, Part))


def schema() -> str:
    """The text of manifest.schema.json."""
    parts = {name.rpartition("/")[2]: each for name, each in _definitions(Manifest).items()}
    whole = parts.pop(Manifest.__name__)
    whole_schema = {"$schema": DIALECT, "$defs": parts, **whole, "title": TITLE}
    return json.dumps(whole_schema, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    SCHEMA.write_text(schema(), encoding="utf8", newline="\n")

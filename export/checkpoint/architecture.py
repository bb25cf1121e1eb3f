"""Finds and reads an architecture apart from its weights: JSON or YAML, named by the user or beside the file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ...errors import CheckpointError
from ...system.plain_file import read_plain, size_text
from .door.limits import JSON_BYTES, JSON_DEPTH, JSON_VALUES, YAML_BYTES
from .door.members import check_tree, json_object

_SUFFIXES = (".json", ".yml", ".yaml")
_ENDINGS = ("", "_config", "_architecture", "_arch", "_model")
_COMMON = ("model", "architecture", "config", "model_config", "model_architecture")
_NUMBER = re.compile(r"[-+.:_0-9]+")


def read_architecture(path: Path, where: str) -> Mapping[str, Any]:
    """{"class_name", "config"} from a JSON or YAML file, which may also be a bare get_config().

    Raises CheckpointError, which begins with `where`, if the file cannot be read or is neither.
    """
    try:
        data = read_plain(path, JSON_BYTES)
    except OSError as error:
        raise CheckpointError(
            f"{where} cannot be read ({error.strerror or error}): give the JSON or YAML file of the architecture."
        ) from error
    is_yaml = path.suffix in (".yml", ".yaml") or re.match(rb"(---|\w+:)\s", data)
    value = _yaml_object(data, where) if is_yaml else json_object(data, where)
    if "class_name" in value and "config" in value:
        return value
    return {"class_name": "Functional" if "output_layers" in value else "Sequential", "config": value}


def architecture_beside(weights: Path) -> Path | None:
    """The file with the architecture beside a file of weights, by the names that people use; None if there is none.

    A name that belongs to the weights (net.json, net_config.json for net.h5 and net_weights.h5) comes before a name
    that any network may have (model.json). Raises CheckpointError if several are equally likely.
    """
    own = {f"{stem}{ending}" for stem in _stems(weights) for ending in _ENDINGS}
    for stems in (own, set(_COMMON)):
        paths = (weights.with_name(f"{stem}{suffix}") for stem in sorted(stems) for suffix in _SUFFIXES)
        architectures = [path for path in paths if _holds_architecture(path)]
        if len(architectures) > 1:
            listed = " and ".join(f"'{path.name}'" for path in architectures[:4])
            raise CheckpointError(
                f"'{weights}' holds weights without an architecture and {listed} beside it are architectures: "
                "say which one with --config."
            )
        if architectures:
            return architectures[0]
    return None


def _stems(weights: Path) -> Iterator[str]:
    """The stems of a weights' file: "net" for net.h5, net_weights.h5, net.weights.h5, weights_net.h5, weights.net.h5.

    Each file's whole name is included too.
    """
    yield weights.stem
    for pattern in (r"[._-]?weights?$", r"^weights?[._-]"):
        shorter = re.sub(pattern, "", weights.stem, flags=re.IGNORECASE)
        if shorter and shorter != weights.stem:
            yield shorter


def _holds_architecture(path: Path) -> bool:
    """Whether a file exists and lists layers; JSON of another kind (settings, a TF.js model) does not count."""
    if not path.is_file():
        return False
    try:
        config = read_architecture(path, "")["config"]
    except CheckpointError:
        return False
    return isinstance(config, list) or (isinstance(config, Mapping) and isinstance(config.get("layers"), list))


def _yaml_object(data: bytes, where: str) -> dict[str, Any]:
    """`data` as a YAML mapping of plain values; only Keras' own tags are known, because a tag could make objects."""
    import yaml  # type: ignore[import-untyped]

    class Plain(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        """Reads Keras' tags: lists for tuples, text for the unicode of Keras' to_yaml, and no other tag."""

        def flatten_mapping(self, node: Any) -> None:
            """Do nothing: Keras merges no mappings, and a file of a few lines could merge a billion times."""

    Plain.add_constructor("tag:yaml.org,2002:python/tuple", yaml.SafeLoader.construct_yaml_seq)
    Plain.add_constructor("tag:yaml.org,2002:python/unicode", yaml.SafeLoader.construct_yaml_str)
    if len(data) > YAML_BYTES:
        raise CheckpointError(f"{where} is YAML of over {size_text(YAML_BYTES)}: give the architecture as JSON.")
    try:
        _check_events(yaml.parse(data, Loader=Plain))
        value = yaml.load(data, Loader=Plain)  # noqa: S506 - a SafeLoader
        if not isinstance(value, dict):
            raise CheckpointError(f"{where} holds YAML that is not a mapping: give what Keras' to_yaml() wrote.")
        if _size(value, {}) > JSON_VALUES:
            raise CheckpointError(f"{where} holds over {JSON_VALUES:,} values: it is not an architecture.")
        plain = dict(json.loads(json.dumps(value)))
    except (yaml.YAMLError, TypeError, ValueError, AttributeError, OverflowError, RecursionError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise CheckpointError(f"{where} is not YAML as Keras writes it ({reason}): save it again.") from error
    check_tree(plain, where)
    return plain


def _check_events(events: Iterable[Any]) -> None:
    """Raise ValueError for lists nested too deep, because the loader recurses, or for a number with too many digits."""
    depth = 0
    for event in events:
        kind = type(event).__name__
        depth += kind.endswith("StartEvent") - kind.endswith("EndEvent")
        if depth > JSON_DEPTH:
            raise ValueError(f"it has over {JSON_DEPTH} lists within one another")
        # YAML reads 1:30:00 as a number; the digits of 1:1:1:... would take hours.
        if kind == "ScalarEvent" and len(event.value) > 100 and _NUMBER.fullmatch(event.value):
            raise ValueError(f"a number of {len(event.value)} digits")


def _size(value: object, known: dict[int, int]) -> int:
    """The number of values, each counted as often as it is used: a YAML file may use one list many times."""
    if not isinstance(value, (dict, list)):
        return 1
    if id(value) not in known:
        known[id(value)] = JSON_VALUES + 1  # in case it contains itself
        items = value.values() if isinstance(value, dict) else value
        known[id(value)] = 1 + sum(_size(item, known) for item in items)
    return known[id(value)]

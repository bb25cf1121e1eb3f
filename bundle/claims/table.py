"""Lists what proves each member of a manifest, and compares a manifest with one derived again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ...manifest import Artifact, Manifest, Part, members, plain
from .findings import Finding, differ, doubt, refute, refute_if_current

DERIVED, DATED, CHOSEN, OPEN = "derived", "dated", "chosen by the exporter", "nothing proves it"
# An object here covers its members. Dated members are derived too, but another version may have written them
# differently.
TABLE: Mapping[str, str] = {
    **dict.fromkeys(("schema_version", "azx_version", "name", "game", "actions"), DERIVED),
    **dict.fromkeys(("checkpoint.sha256", "checkpoint.parameters", "checkpoint.keras_version"), DERIVED),
    **dict.fromkeys((f"inputs[].{name}" for name in ("name", "source_name", "shape", "dtype", "layout")), DERIVED),
    **dict.fromkeys((f"outputs[].{name}" for name in ("name", "source_name", "role", "activation", "shape")), DERIVED),
    **dict.fromkeys(("outputs[].value_range", "outputs[].order", "outputs[].policy_range"), DERIVED),
    **dict.fromkeys(("precision", "threads", "recommended", "files"), DERIVED),
    **dict.fromkeys((f"positions.{name}" for name in ("count", "extreme", "looked_through", "source")), DERIVED),
    **dict.fromkeys(("artifacts[].format", "artifacts[].path", "artifacts[].precision"), DERIVED),
    **dict.fromkeys(("artifacts[].gate.passed", "artifacts[].float_layers", "artifacts[].opset"), DERIVED),
    **dict.fromkeys(("artifacts[].producer", "artifacts[].min_runtime_version"), DERIVED),
    "artifacts[].calculation": DERIVED,
    **dict.fromkeys(
        ("graph", "outputs[].pb_node", "positions.description", "problems", "assumed", "outputs[].degree"), DATED
    ),
    **dict.fromkeys(("settings", "encoding", "checkpoint.file", "batch", "positions.seed", "chosen"), CHOSEN),
    "artifacts[].gate.limits": CHOSEN,
    **dict.fromkeys(("auto", "auto[].format", "auto[].chosen"), DERIVED),
    **dict.fromkeys(("auto[].fell", "artifacts[].calibration", "artifacts[].gate.positions"), DATED),
    **dict.fromkeys(("auto[].fell[].why", "converters", "strength", "search", "tuned"), OPEN),
}
CHECKPOINT_ALONE = ("checkpoint.keras_version", "checkpoint.parameters", "graph", "inputs[].source_name",
                    "outputs[].source_name")  # fmt: skip
"""Members that neither the artifacts nor the rules show."""
LATER = frozenset({"opset", "min_runtime_version", "producer", "value_range"})
"""Members that older manifests lack although they follow from the artifact's file, or from the other members."""
NO_MEMBER = "is not a member that azx writes"
ABSENT = "is missing: an older azx wrote the manifest"


def kind_of(member: str) -> str:
    """What proves a member such as outputs[0].role, by the table; KeyError if the member is missing there."""
    name = re.sub(r"\[\d+\]", "[]", member)
    while name not in TABLE and "." in name:
        name = name.rpartition(".")[0]
    return TABLE[name.removesuffix("[]")]


def check_unknown(part: Part, way: str = "") -> Iterator[Finding]:
    """Check for members that this azx does not write: readers ignore them, so nothing proves them.

    `check_stated` checks an artifact's own members, because the artifact's file proves them.
    """
    for name in () if isinstance(part, Artifact) else part.unknown:
        yield refute_if_current(f"{way}{name}", NO_MEMBER)
    for name in members(type(part)):
        value = getattr(part, name)
        if isinstance(value, Part):
            yield from check_unknown(value, f"{way}{name}.")
        for number, each in enumerate(value if isinstance(value, tuple) else ()):
            if isinstance(each, Part):
                yield from check_unknown(each, f"{way}{name}[{number}].")


def diff(stated: Manifest, described: Manifest, why: str) -> Iterator[Finding]:
    """Refute each member of `stated` that differs from `described`; `why` ends the clause: "as net.onnx states"."""
    for part, name, member, ours, right in _differences(stated, described):
        if name in LATER and name not in (part.present or ()):
            yield doubt(member, ABSENT)
        elif kind_of(member) == DATED:
            yield refute_if_current(member, differ(plain(ours), plain(right)))
        else:
            yield refute(member, differ(plain(ours), plain(right), why))


def _differences(stated: Part, described: Part, way: str = "") -> Iterator[tuple[Part, str, str, Any, Any]]:
    """Each member that differs: its object, its name, its path, and both values."""
    for name in members(type(stated)):
        ours, right, member = getattr(stated, name), getattr(described, name), f"{way}{name}"
        if ours == right:
            continue
        if isinstance(ours, Part) and isinstance(right, Part):
            yield from _differences(ours, right, f"{member}.")
        elif isinstance(ours, tuple) and ours and isinstance(ours[0], Part):
            for number, (one, other) in enumerate(zip(ours, right, strict=False)):
                yield from _differences(one, other, f"{member}[{number}].")
        elif isinstance(ours, Mapping) and isinstance(right, Mapping):
            for key in ours.keys() | right.keys():
                if ours.get(key) != right.get(key):
                    yield stated, name, f"{member}.{key}", ours.get(key), right.get(key)
        else:
            yield stated, name, member, ours, right

"""Pairs a bundle's artifacts with opponents: the checkpoint if available, else float32 in the same format."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from ..errors import AzxError, GameError
from ..export.checkpoint.head import POLICY, VALUE
from ..export.formats.precisions.precision import FP32
from ..export.graph.names import Names
from ..games.search_settings import read_settings
from ..manifest import Artifact, Manifest
from ..system.temporary import temporary_folder
from .players import Net


@dataclass(frozen=True)
class Contest:
    """An artifact, by its path in the bundle, and `original`, which it plays and which is called `against`.

    `named` says that the user named the artifact. Without an original, `reason` is a clause that says why.
    """

    artifact: str
    net: Net
    against: str
    original: Net | None
    named: bool = False
    reason: str = ""


def contests(folder: Path, manifest: Manifest, original: Net | None, chosen: Sequence[str] = ()) -> list[Contest]:
    """The contests of a bundle's artifacts, or only of those `chosen` by path, format or precision.

    Without a checkpoint (`original`) the other precisions of a format play its float32 artifact, which plays no match
    itself. Both are searched as the bundle's manifest says. GameError if the bundle's game or search is not known;
    AzxError if a choice matches no artifact.
    """
    if not (manifest.game and manifest.encoding):
        raise GameError(
            f"'{folder}': azx does not know this bundle's game, so no match shows its strength: leave --strength out."
        )
    listed = manifest.artifacts
    for text in chosen:
        if not any(text in _names(entry) for entry in listed):
            held = ", ".join(entry.path for entry in listed)
            raise AzxError(
                f"--strength-of {text}: '{folder}' has no such artifact, format or precision: its artifacts are {held}."
            )
    if original is not None and manifest.search is not None:
        original = replace(original, search=read_settings(manifest.search.as_data(), str(folder)))
    exact = {entry.format: entry.path for entry in listed if entry.precision == FP32}
    pairings = []
    for entry in listed:
        path, named = entry.path, bool(set(chosen) & _names(entry))
        if (chosen and not named) or (original is None and entry.precision == FP32):
            continue
        net = Net(str(folder / path))
        if original is not None:
            pairings.append(Contest(path, net, manifest.checkpoint.file, original, named))
        elif entry.format in exact:
            against = exact[entry.format]
            pairings.append(Contest(path, net, against, Net(str(folder / against)), named))
        else:
            reason = "there is no float32 of its format to play: give the checkpoint with --against"
            pairings.append(Contest(path, net, "", None, named, reason))
    if not pairings:
        raise AzxError(
            f"'{folder}': without a checkpoint the other precisions play float32, and there is no other one: give the "
            "checkpoint with --against."
        )
    return pairings


def _names(entry: Artifact) -> set[str]:
    return {entry.path, entry.format, entry.precision}


@contextmanager
def as_the_bundle_reads(net: Net, manifest: Manifest) -> Iterator[Net]:
    """A checkpoint whose heads and board are read as the bundle's manifest says, while the block runs."""
    if not (manifest.game and manifest.encoding):
        yield net
        return
    heads = {head.role: head for head in manifest.outputs}
    names = {role: heads[role].source_name if role in heads else None for role in (VALUE, POLICY)}
    reading = manifest.reading
    encoding = {**reading.pop("encoding"), **reading}
    order = heads[VALUE].order if VALUE in heads else None
    with temporary_folder("strength") as place:
        file = place / "encoding.json"
        file.write_text(json.dumps(encoding | ({"value_order": order} if order else {})), encoding="utf8")
        yield replace(net, encoding=file, names=Names(names[VALUE], names[POLICY]))

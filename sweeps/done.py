"""What was done before: a note for each bundle of a sweep, believed only as far as the bundle itself bears it out.

The notes lie in one file of the sweep's folder, which is replaced after each checkpoint: a sweep that is killed goes on
behind the last one that was published.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from .. import __version__
from ..bundle.describe import converter_versions
from ..bundle.manifest import MANIFEST, PARITY, digest_of_export, load_manifest, read_json
from ..bundle.reading import identity
from ..errors import AzxError, BundleError
from ..export.checkpoint.digest import sha256
from ..export.checkpoint.read import read_checkpoint
from ..export.formats.table import ALL, as_names, choose
from .found import Item
from .outcome import KEPT, Outcome, of_bundle
from .replaced import replace

NOTES = ".azx-sweep.json"
SCHEMA_VERSION = 1
MOST_BYTES = 256 * 2**20
# Options whose value is a file, of which the contents count.
FILES = ("config", "encoding", "inputs", "calibration")
READING = ("config", "builder", "preset", "board", "allow_code")


class Notes:
    """The notes of the sweeps into `folder`, which are read once."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._by_name = folder, dict[str, dict[str, Any]]()
        with suppress(BundleError):
            found = read_json(folder / NOTES, "no sweep before", MOST_BYTES)
            if found.get("schema_version") == SCHEMA_VERSION and isinstance(found.get("bundles"), dict):
                self._by_name = {name: note for name, note in found["bundles"].items() if isinstance(note, dict)}

    def kept(self, item: Item, key: str | None) -> Outcome | None:
        """The outcome of the item's bundle where that was made under this key and every byte of it is as it was."""
        note, folder = self._by_name.get(item.name, {}), self._folder / item.name
        if key is None or note.get("key") != key:
            return None
        try:
            load_manifest(folder)
            if _digests(folder) != note.get("files"):
                return None
            return of_bundle(item, KEPT, folder, seconds=float(note["seconds"]), skipped=dict(note["skipped"]))
        except (BundleError, OSError, KeyError, TypeError, ValueError):
            return None

    def add(self, outcome: Outcome, key: str | None) -> None:
        """Note what was published; without a key there is nothing by which it would be known again."""
        if key is None or outcome.folder is None:
            return
        self._by_name[outcome.item.name] = {
            "key": key,
            "files": _digests(outcome.folder),
            "seconds": round(outcome.seconds, 3),
            "skipped": dict(outcome.skipped),
        }
        value = {"schema_version": SCHEMA_VERSION, "bundles": self._by_name}
        replace(self._folder / NOTES, json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def _digests(folder: Path) -> dict[str, str]:
    """Of the two files for which no other one vouches: the manifest has the hashes of all others."""
    return {MANIFEST: digest_of_export(folder), PARITY: sha256(folder / PARITY)}


def key_of(item: Item, options: Mapping[str, Any]) -> str | None:
    """What an export of the checkpoint depends on, in one number; `options` are those of `export_checkpoint`.

    The weights, their architecture, the options and the files that they name, the formats that can be written here, azx
    and the converters. None where there is no telling: a builder's function may change with every edit, and a
    checkpoint that cannot be read has its error from the export.
    """
    if options.get("builder") is not None:
        return None
    try:
        read = {name: options[name] for name in READING if name in options}
        source = read_checkpoint(item.checkpoint, **read).source
        written, _ = choose(as_names(options.get("formats", ALL)), as_names(options.get("without", ())))
        told = {name: identity(value) if name in FILES and value else value for name, value in options.items()}
    except (AzxError, OSError):
        return None
    told |= {"formats": [entry.name for entry in written], "without": None}
    told.pop("report", None)  # a page drawn of the bundle makes it no other
    # The artifacts are called after the file.
    facts = [__version__, converter_versions(), source.sha256, item.checkpoint.name, source.config, told]
    return hashlib.sha256(json.dumps(facts, sort_keys=True, default=str).encode()).hexdigest()

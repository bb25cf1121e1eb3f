"""What was done before: a note for each bundle of a sweep, believed only as far as the bundle itself bears it out.

The notes lie in one file of the sweep's folder, which is replaced after each checkpoint. So a killed sweep resumes
after the last published checkpoint.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..bundle.case.reading import identity
from ..bundle.contents.describe import converter_versions
from ..bundle.contents.manifest import MANIFEST, PARITY, digest_of_export, load_manifest, read_json
from ..errors import AzxError, BundleError
from ..export.checkpoint.digest import sha256
from ..export.checkpoint.read import read_checkpoint
from ..export.formats.table import choose
from ..system.exchange import replace_text
from ..version import __version__
from .found import Item
from .outcome import KEPT, Outcome, of_bundle
from .recipe import Recipe

NOTES = ".azx-sweep.json"
SCHEMA_VERSION = 1
MOST_BYTES = 256 * 2**20


class Notes:
    """The notes of the sweeps into `folder`, which are read once."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._by_name = folder, dict[str, dict[str, Any]]()
        with suppress(BundleError):
            found = read_json(folder / NOTES, "no sweep before", MOST_BYTES)
            if found.get("schema_version") == SCHEMA_VERSION and isinstance(found.get("bundles"), dict):
                self._by_name = {name: note for name, note in found["bundles"].items() if isinstance(note, dict)}

    def find(self, item: Item, key: str | None, *, proved_here: bool = False) -> Outcome | None:
        """The outcome of the item's bundle if that was made under this key and every byte of it is as it was.

        With `proved_here` that of one alone that this machine has proved.
        """
        note, folder = self._by_name.get(item.name, {}), self._folder / item.name
        if key is None or note.get("key") != key or (proved_here and note.get("proved_here") is not True):
            return None
        try:
            load_manifest(folder)
            if _digests(folder) != note.get("files"):
                return None
            return of_bundle(item, KEPT, folder, seconds=float(note["seconds"]), skipped=dict(note["skipped"]))
        except (BundleError, OSError, KeyError, TypeError, ValueError):
            return None

    def add(self, outcome: Outcome, key: str | None, *, proved_here: bool = True) -> None:
        """Note a published bundle; without a key nothing is noted, since nothing would identify it later.

        `proved_here` says whether this machine has proved it, and not a cluster's worker alone.
        """
        if key is None or outcome.folder is None:
            return
        self._by_name[outcome.item.name] = {
            "key": key,
            "files": _digests(outcome.folder),
            "seconds": round(outcome.seconds, 3),
            "skipped": dict(outcome.skipped),
            "proved_here": proved_here,
        }
        value = {"schema_version": SCHEMA_VERSION, "bundles": self._by_name}
        replace_text(self._folder / NOTES, json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def _digests(folder: Path) -> dict[str, str]:
    """Of the two files for which no other one vouches: the manifest has the hashes of all others."""
    return {MANIFEST: digest_of_export(folder), PARITY: sha256(folder / PARITY)}


def key_of(item: Item, recipe: Recipe, *, by_name: bool = True) -> str | None:
    """What an export of the checkpoint depends on, in one number.

    The weights, their architecture, the options and the files that they name, the formats that can be written here, azx
    and the converters; and the file's name, after which the artifacts are called, unless `by_name` is false. None if no
    key can be computed. A builder's function may change with every edit. A checkpoint that cannot be read gets its
    error from the export.
    """
    if recipe.like.builder is not None:
        return None
    try:
        source = read_checkpoint(item.checkpoint, **recipe.like.options).source
        written, _ = choose(recipe.settings.formats, recipe.settings.without)
        files = {name: identity(path) for name, path in recipe.files.items()}
    except (AzxError, OSError):
        return None
    # A page drawn of the bundle makes it no other.
    options = {**recipe.like.options, **vars(recipe.settings), "report": None, "noted": None, **files}
    options |= {"formats": [entry.name for entry in written], "without": None}
    called = item.checkpoint.name if by_name else None
    facts = [__version__, converter_versions(), source.sha256, called, source.config, options]
    return hashlib.sha256(json.dumps(facts, sort_keys=True, default=str).encode()).hexdigest()

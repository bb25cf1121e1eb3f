"""Notes on the bundles of earlier sweeps; a note counts only if the bundle confirms it.

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
from .outcome import KEPT, Outcome, of_bundle
from .recipe import Recipe
from .sources import Item

NOTES = ".azx-sweep.json"
SCHEMA_VERSION = 1
MOST_BYTES = 256 * 2**20


class Notes:
    """The notes on the bundles in `folder`, read once."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._by_name = folder, dict[str, dict[str, Any]]()
        with suppress(BundleError):
            data = read_json(folder / NOTES, "no sweep before", MOST_BYTES)
            if data.get("schema_version") == SCHEMA_VERSION and isinstance(data.get("bundles"), dict):
                self._by_name = {name: note for name, note in data["bundles"].items() if isinstance(note, dict)}

    def find(self, item: Item, key: str | None, *, proved_here: bool = False) -> Outcome | None:
        """The outcome of the item's bundle if it was made under this key and every byte is unchanged.

        With `proved_here` only if this machine proved it.
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
        """Note a published bundle; without a key no note is written, because it could not be found again.

        `proved_here` says whether this machine proved it, rather than only a cluster's worker.
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
    """The digests of the two files whose hashes are in no other file; the manifest has those of all others."""
    return {MANIFEST: digest_of_export(folder), PARITY: sha256(folder / PARITY)}


def key_of(item: Item, recipe: Recipe, *, by_name: bool = True) -> str | None:
    """A hash of everything that an export of the checkpoint depends on.

    These are the weights, their architecture, the options and their files, the formats that can be written here, azx
    and the converters. Unless `by_name` is false, also the file's name, which the artifacts carry. None with a builder,
    whose function may change with every edit, and for an unreadable checkpoint, whose export reports the error.
    """
    if recipe.like.builder is not None:
        return None
    try:
        source = read_checkpoint(item.checkpoint, **recipe.like.options).source
        written, _ = choose(recipe.settings.formats, recipe.settings.without)
        files = {name: identity(path) for name, path in recipe.files.items()}
    except (AzxError, OSError):
        return None
    # Drawing its page does not change a bundle.
    options = {**recipe.like.options, **vars(recipe.settings), "report": None, "noted": None, **files}
    options |= {"formats": [entry.name for entry in written], "without": None}
    called = item.checkpoint.name if by_name else None
    facts = [__version__, converter_versions(), source.sha256, called, source.config, options]
    return hashlib.sha256(json.dumps(facts, sort_keys=True, default=str).encode()).hexdigest()

"""Copies a bundle to the name of a second checkpoint with the same bytes, so that one proof serves both.

The artifacts contain no name and are copied. All names that contain the checkpoint's are replaced.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..errors import BundleError
from ..manifest import Manifest
from .case.checkpoint_file import stem_of
from .contents.listing import read_measured
from .contents.manifest import FROM_GAMES, LISTING, PARITY, load_manifest
from .contents.manifest_model import read_part
from .folder import complete, lock_folder, publish, remember, staging


def copy_bundle(bundle: Path, folder: Path, checkpoint: Path, *, report: bool = True, noted: bool = True) -> None:
    """Publish the bundle in `bundle` at `folder`, as an export of the file `checkpoint` would have written it.

    Results of games in its manifest (`FROM_GAMES`) are not copied. `report` and `noted` have the meaning they have in
    `azx.Settings`. BundleError if `bundle` is damaged, or `folder` cannot be written.
    """
    manifest = load_manifest(bundle)
    names = _new_names(manifest, checkpoint)
    measured = read_measured(bundle)
    if measured is None:
        raise BundleError(f"'{bundle}' holds no {PARITY} that {LISTING} lists: export the checkpoint again.")
    parity = _renamed(measured, names)
    members = {name: value for name, value in manifest.as_data().items() if name not in FROM_GAMES}
    data = {**_renamed(members, names), "name": stem_of(checkpoint)}
    data["checkpoint"] |= {"file": checkpoint.name}
    with lock_folder(folder), staging(folder) as place:
        for entry in manifest.files:
            first, *inner = Path(entry.path).parts
            target = place.joinpath(names.get(first, first), *inner)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(bundle / entry.path, target)
        complete(place, folder, read_part(Manifest, data), parity, equal=True, report=report)
        publish(place, folder)
    if noted:
        remember(folder)


def _new_names(manifest: Manifest, checkpoint: Path) -> dict[str, str]:
    """Each name that contains the checkpoint's, with the new one for `checkpoint`."""
    before, stem = manifest.name, stem_of(checkpoint)
    names = {each.path: stem + each.path.removeprefix(before) for each in manifest.artifacts}
    return {**names, manifest.checkpoint.file: checkpoint.name}


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """The JSON value with new names wherever an old name is a word or begins a path."""
    longest_first = sorted(map(re.escape, names), key=len, reverse=True)
    old = re.compile(rf"(?<![\w./-])(?:{'|'.join(longest_first)})(?![\w.-])")

    def walk(value: Any) -> Any:
        if isinstance(value, str):
            return old.sub(lambda match: names[match[0]], value)
        if isinstance(value, list):
            return [walk(each) for each in value]
        if isinstance(value, dict):
            return {walk(key): walk(each) for key, each in value.items()}
        return value

    return walk(value)

"""A checkpoint as a bundle for the page: exported once, proved, and kept in the user's cache under its checksum."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..bundle.case.reading import encoding_of_run, identity
from ..bundle.contents.manifest import MANIFEST, load_manifest
from ..bundle.folder import lock_folder
from ..errors import AzxError, BundleError, ConversionError, NotEqual
from ..system.exchange import clear_up_in, recover, take_away
from ..version import __version__

if TYPE_CHECKING:
    from ..bundle.case.checkpoint import Checkpoint
    from ..bundle.case.settings import Settings
    from ..system.workers import Workers

# What the page starts with, and what LiteRT.js takes over with.
FORMAT, FASTER = "tfjs", "tflite"
# A bundle for the page has some megabytes: those used last are kept.
KEPT = 20


@dataclass(frozen=True)
class Served:
    """A checkpoint's bundle: its folder, and how many seconds its export took, None if it was there already."""

    folder: Path
    seconds: float | None


def is_bundle(path: Path) -> bool:
    """Whether a path is a bundle's folder; anything else is taken for a checkpoint."""
    recover(path)
    return (path / MANIFEST).is_file()


def serve_checkpoint(
    checkpoint: Checkpoint,
    settings: Settings | None = None,
    *,
    workers: Workers | None = None,
    on_step: Callable[[str], None] = lambda name: None,
) -> Served:
    """The bundle of a checkpoint, with the artifacts that a browser loads: TF.js, and TFLite if it can be written.

    Of the settings the game, the encoding and the heads count. An earlier export of the same weights, architecture and
    options by the same azx is taken from the cache and checked. Anything else is exported and proved.

    Raises AzxError as an export does; NotEqual if the artifact does not answer as the checkpoint: nothing is served.
    """
    from ..bundle.case.checkpoint_file import stem_of
    from ..bundle.case.settings import Settings
    from ..export.checkpoint.located import find_checkpoint
    from ..export.checkpoint.read import read_checkpoint

    settings = settings or Settings()
    path = find_checkpoint(checkpoint.place)
    graph = read_checkpoint(path, **checkpoint.options)
    encoding = settings.encoding
    if encoding is None and settings.game is None:
        encoding = encoding_of_run(path)
    said = {
        "game": settings.game,
        "encoding": encoding and identity(encoding),
        "value_head": settings.value_head,
        "policy_head": settings.policy_head,
    }
    facts = [__version__, graph.source.sha256, graph.source.config, checkpoint.board, said]
    key = hashlib.sha256(json.dumps(facts, sort_keys=True, default=str).encode()).hexdigest()
    folder = cache() / f"{stem_of(path)}-{key[:16]}"
    # What a builder's function makes of the same weights may change with every edit of it.
    started = None
    if checkpoint.builder is None and _is_whole(folder):
        os.utime(folder)
    else:
        started = time.perf_counter()
        _export(replace(checkpoint, path=path, graph=graph), settings, folder, workers, on_step)
    seconds = None if started is None else time.perf_counter() - started
    # Also where nothing was exported: what a killed process left is to go with the next.
    clear_up_in(folder.parent)
    _forget_old(folder.parent)
    return Served(folder, seconds)


def _export(
    once: Checkpoint, settings: Settings, folder: Path, workers: Workers | None, on_step: Callable[[str], None]
) -> None:
    """Write what the page must have, and what makes it faster if that can be written."""
    from ..bundle.export import export_checkpoint
    from ..export.formats.table import FORMATS

    if FORMATS[FASTER].unavailable() is None:
        try:
            export_checkpoint(
                once, replace(settings, formats=(FORMAT, FASTER)), output=folder, workers=workers, on_step=on_step
            )
        except (ConversionError, NotEqual):
            pass  # by one of the two: TFLite has not all of TensorFlow's operators, and the page plays without it
        else:
            return
    export_checkpoint(once, replace(settings, formats=(FORMAT,)), output=folder, workers=workers, on_step=on_step)


def cache() -> Path:
    """The folder of these bundles, in the user's own cache."""
    from platformdirs import user_cache_path

    return user_cache_path("azx", appauthor=False) / "served"


def _is_whole(folder: Path) -> bool:
    try:
        return bool(load_manifest(folder))
    except BundleError:
        return False


def _forget_old(place: Path) -> None:
    """Remove all but the bundles that were used last, none of which another process is writing."""
    found = sorted((path for path in place.iterdir() if is_bundle(path)), key=lambda path: path.stat().st_mtime)
    for path in found[:-KEPT]:
        with suppress(AzxError, OSError), lock_folder(path):
            take_away(path)

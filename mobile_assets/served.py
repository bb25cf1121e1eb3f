"""A checkpoint as a bundle for the page: exported once, proved, and kept in the user's cache under its checksum."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..bundle.exchange import clear_up_in, recover, take_away
from ..bundle.folder import locked
from ..bundle.manifest import MANIFEST, load_manifest
from ..bundle.reading import identity
from ..errors import AzxError, BundleError, ConversionError, NotEqual

if TYPE_CHECKING:
    from ..bundle.given import Given

# What the page starts with, and what LiteRT.js takes over with.
FORMAT, FASTER = "tfjs", "tflite"
# A bundle for the page has some megabytes: those used last are kept.
KEPT = 20


@dataclass(frozen=True)
class Served:
    """A checkpoint's bundle: its folder, and how many seconds its export took, None where it was there already."""

    folder: Path
    seconds: float | None


def is_bundle(path: Path) -> bool:
    """Whether a path is a bundle's folder; anything else is taken for a checkpoint."""
    recover(path)
    return (path / MANIFEST).is_file()


def serve_checkpoint(
    checkpoint: str | Path,
    *,
    config: Path | None = None,
    builder: str | None = None,
    preset: str | None = None,
    board: tuple[int, int] | None = None,
    allow_code: bool = False,
    game: str | None = None,
    encoding: Path | None = None,
    value_head: str | None = None,
    policy_head: str | None = None,
    on_step: Callable[[str], None] = lambda name: None,
) -> Served:
    """The bundle of a checkpoint, with the artifacts that a browser loads: TF.js, and TFLite where it can be written.

    The arguments are those of `azx.bundle.export.export_checkpoint`. What was exported before from the same weights,
    architecture and arguments by the same azx is taken from the cache, checked; anything else is exported and proved.

    Raises AzxError as an export does; NotEqual where the artifact does not answer as the checkpoint: nothing is served.
    """
    from ..bundle.given import Given, stem_of
    from ..export.checkpoint.located import find_checkpoint
    from ..export.checkpoint.read import read_checkpoint

    path = find_checkpoint(checkpoint)
    reading: dict[str, Any] = {"config": config, "builder": builder, "preset": preset, "board": board}
    reading["allow_code"] = allow_code
    told: dict[str, Any] = {"game": game, "encoding": encoding, "value_head": value_head, "policy_head": policy_head}
    graph = read_checkpoint(path, **reading)
    source = graph.source
    facts = [__version__, source.sha256, source.config, board, {**told, "encoding": encoding and identity(encoding)}]
    key = hashlib.sha256(json.dumps(facts, sort_keys=True, default=str).encode()).hexdigest()
    folder = cache() / f"{stem_of(path)}-{key[:16]}"
    # What a builder's function makes of the same weights may change with every edit of it.
    started = None
    if builder is None and _is_whole(folder):
        os.utime(folder)
    else:
        started = time.perf_counter()
        _export(Given(path, graph=graph), output=folder, on_step=on_step, **reading, **told)
    seconds = None if started is None else time.perf_counter() - started
    # Also where nothing was exported: what a killed process left is to go with the next.
    clear_up_in(folder.parent)
    _forget_old(folder.parent)
    return Served(folder, seconds)


def _export(once: Given, **options: Any) -> None:
    """Write what the page must have, and what makes it faster where that can be written."""
    from ..bundle.export import export_checkpoint
    from ..export.formats.table import FORMATS

    if FORMATS[FASTER].unavailable() is None:
        try:
            export_checkpoint(once, formats=(FORMAT, FASTER), **options)
        except (ConversionError, NotEqual):
            pass  # by one of the two: TFLite has not all of TensorFlow's operators, and the page plays without it
        else:
            return
    export_checkpoint(once, formats=(FORMAT,), **options)


def cache() -> Path:
    """Where such bundles are kept: a folder of the user's own cache."""
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
        with suppress(AzxError, OSError), locked(path):
            take_away(path)

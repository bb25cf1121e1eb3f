"""A checkpoint as a bundle for the page: exported and proved once, then kept in the user's cache by its checksum."""

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
from ..export.formats.precisions.precision import FP32
from ..system.exchange import clear_up_in, recover, take_away
from ..version import __version__

if TYPE_CHECKING:
    from ..bundle.case.checkpoint import Checkpoint
    from ..bundle.case.settings import Settings
    from ..system.workers import Workers

# The format that a page starts with, and the one that LiteRT.js plays later.
FORMAT, FASTER = "tfjs", "tflite"
# The cache has at most this many bundles: those used last. Each has some megabytes.
KEPT = 20


@dataclass(frozen=True)
class Purpose:
    """What a checkpoint is exported for: the formats, one more if it can be written, and the precisions.

    If `is_played` is true, a network that cannot be played is refused.
    """

    formats: tuple[str, ...]
    faster: str | None = None
    precisions: tuple[str, ...] = (FP32,)
    is_played: bool = False


SERVE = Purpose((FORMAT,), FASTER)


@dataclass(frozen=True)
class ServedBundle:
    """A checkpoint's bundle: its folder, and how many seconds its export took; None if it was in the cache."""

    folder: Path
    seconds: float | None


def is_bundle(path: Path) -> bool:
    """Whether a path is a bundle's folder; anything else counts as a checkpoint."""
    recover(path)
    return (path / MANIFEST).is_file()


def serve_checkpoint(
    checkpoint: Checkpoint,
    settings: Settings | None = None,
    *,
    purpose: Purpose = SERVE,
    workers: Workers | None = None,
    on_step: Callable[[str], None] = lambda name: None,
) -> ServedBundle:
    """The bundle of a checkpoint, with the artifacts for its purpose: by default TF.js, and TFLite if possible.

    The settings that matter are the game, the encoding and the heads. An earlier export of the same weights,
    architecture and options by the same azx is taken from the cache and checked. Anything else is exported and proved.

    Raises AzxError like an export. Raises NotEqual if the artifact does not answer like the checkpoint; nothing is
    served then.
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
    options = {
        "game": settings.game,
        "encoding": encoding and identity(encoding),
        "value_head": settings.value_head,
        "policy_head": settings.policy_head,
    }
    facts: list[object] = [__version__, graph.source.sha256, graph.source.config, checkpoint.board, options]
    if purpose != SERVE:
        facts.append([*purpose.formats, *purpose.precisions])
    key = hashlib.sha256(json.dumps(facts, sort_keys=True, default=str).encode()).hexdigest()
    folder = cache() / f"{stem_of(path)}-{key[:16]}"
    # With the same weights a builder's function may make another network after every edit.
    started = None
    if checkpoint.builder is None and _is_whole(folder):
        os.utime(folder)
    else:
        started = time.perf_counter()
        _export(replace(checkpoint, path=path, graph=graph), settings, purpose, folder, workers, on_step)
    seconds = None if started is None else time.perf_counter() - started
    # Even without an export, remove what a killed process left.
    clear_up_in(folder.parent)
    _forget_old(folder.parent)
    return ServedBundle(folder, seconds)


def _export(
    once: Checkpoint,
    settings: Settings,
    purpose: Purpose,
    folder: Path,
    workers: Workers | None,
    on_step: Callable[[str], None],
) -> None:
    """Write the formats that the purpose needs and, if possible, the one that makes it faster."""
    from ..bundle.export import export_checkpoint
    from ..export.formats.table import FORMATS

    def export(formats: tuple[str, ...]) -> None:
        chosen = replace(settings, formats=formats, precisions=purpose.precisions)
        export_checkpoint(once, chosen, output=folder, workers=workers, on_step=on_step)

    if purpose.faster and FORMATS[purpose.faster].unavailable() is None:
        try:
            export((*purpose.formats, purpose.faster))
        except (ConversionError, NotEqual):
            pass  # TFLite lacks some of TensorFlow's operators, and the page plays without it
        else:
            return
    export(purpose.formats)


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
    """Remove all bundles except those used last; one that another process is writing stays."""
    folders = sorted((path for path in place.iterdir() if is_bundle(path)), key=lambda path: path.stat().st_mtime)
    for path in folders[:-KEPT]:
        with suppress(AzxError, OSError), lock_folder(path):
            take_away(path)

"""Publishes the best network of a run as a proved bundle, which `azx serve --watch` shows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ..bundle.contents.manifest import load_manifest
from ..bundle.export import export_checkpoint
from ..sweeps.watch.champions import Champions
from .run import Run


def publish(run: Run, generation: int, bundles: Path, on_step: Callable[[str], None] = lambda step: None) -> Path:
    """Export a generation to `bundles`, with proof, as the best network of its game there.

    Returns the bundle's folder. AzxError as from `azx export`.
    """
    done = export_checkpoint(
        run.checkpoint(generation),
        output=bundles / f"{run.folder.name}-{run.checkpoint(generation).stem}",
        on_step=on_step,
    )
    Champions(bundles).crown(run.game.name, done.folder, load_manifest(done.folder), None)
    return done.folder

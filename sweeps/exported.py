"""One export of a sweep and its outcome, failures included; the same here and in a cluster's worker."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..bundle.export import NotEqualExport, NotProvedExport, export_checkpoint
from ..errors import AzxError, first_line
from ..system.workers import Workers
from .outcome import FAILED, PROVED, Outcome, of_bundle
from .recipe import Recipe
from .sources import Item

OnStep = Callable[[Item, str], None]


def export_item(item: Item, workers: Workers, output: Path, on_step: OnStep, recipe: Recipe) -> Outcome:
    """Export one checkpoint into its folder below `output`."""
    started = time.perf_counter()
    folder = output / item.name

    def fail(message: str, code: int = 1, **more: Any) -> Outcome:
        return Outcome(item, FAILED, time.perf_counter() - started, code, message, **more)

    try:
        checkpoint = recipe.checkpoint(item)
        done = export_checkpoint(
            checkpoint, recipe.settings, output=folder, workers=workers, on_step=lambda name: on_step(item, name)
        )
        return of_bundle(item, PROVED, folder, seconds=done.seconds, skipped=done.skipped)
    except (NotEqualExport, NotProvedExport) as error:
        about, proof = error.result.contents, error.result.proof.as_data()
        return fail(str(error), error.exit_code, manifest=about, parity=proof)
    except (AzxError, OSError) as error:
        return failed_outcome(item, error, time.perf_counter() - started)
    except Exception as error:  # as in a single export; the others continue
        return fail(f"unexpected error ({type(error).__name__}: {first_line(error)}).")


def failed_outcome(item: Item, error: AzxError | OSError, seconds: float = 0.0) -> Outcome:
    """The outcome of a failed export: a sentence, and the exit code that `azx export` would have."""
    if isinstance(error, AzxError):
        return Outcome(item, FAILED, seconds, error.exit_code, str(error))
    where = f": '{error.filename}'" if error.filename is not None else ""
    return Outcome(item, FAILED, seconds, 1, f"{error.strerror or error}{where}.")

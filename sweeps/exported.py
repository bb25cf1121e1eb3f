"""One export of a sweep, with whatever it ends in: the same here and in a cluster's worker."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ..bundle.export import NotEqualExport, NotProvedExport, export_checkpoint
from ..errors import AzxError, first_line
from ..validate.workers import Workers
from .found import Item
from .outcome import FAILED, PROVED, Outcome, of_bundle

OnStep = Callable[[Item, str], None]


def exported(item: Item, workers: Workers, output: Path, on_step: OnStep, options: Mapping[str, Any]) -> Outcome:
    """Export one checkpoint into its folder below `output`; options are those of `export_checkpoint`."""
    started = time.perf_counter()
    folder = output / item.name

    def failed(message: str, code: int = 1, **more: Any) -> Outcome:
        return Outcome(item, FAILED, time.perf_counter() - started, code, message, **more)

    try:
        done = export_checkpoint(
            item.checkpoint, output=folder, workers=workers, on_step=lambda name: on_step(item, name), **options
        )
        return of_bundle(item, PROVED, folder, seconds=done.seconds, skipped=done.skipped)
    except (NotEqualExport, NotProvedExport) as error:
        about, proof = error.result.manifest, error.result.proof.as_data()
        return failed(str(error), error.exit_code, manifest=about, parity=proof)
    except (AzxError, OSError) as error:
        return failed(*told(error))
    except Exception as error:  # as of a single export: the others go on
        return failed(f"unexpected error ({type(error).__name__}: {first_line(error)}).")


def told(error: AzxError | OSError) -> tuple[str, int]:
    """The sentence about what an export ended in, and the exit code that `azx export` would have ended with."""
    if isinstance(error, AzxError):
        return str(error), error.exit_code
    where = f": '{error.filename}'" if error.filename is not None else ""
    return f"{error.strerror or error}{where}.", 1

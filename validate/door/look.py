"""The check of artifacts: each before a runtime opens it, and all of a bundle before any runs.

Each format has a file beside this one with

    look(path)    UnsafeArtifact if the artifact does more than calculate, BundleError if it cannot be read

which parses it with the format's own schema and runs nothing in it. A format without such a file is not opened.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from ...errors import BundleError, NotRunHere, UnsafeArtifact
from ...system.installed import not_run_here
from .refusal import unsafe


def look_at(format_name: str, path: Path) -> None:
    """Check one artifact.

    UnsafeArtifact if it does more than calculate, or if no file here checks its format. BundleError if it is missing or
    damaged. ImportError if the package with the format's schema is not installed.
    """
    if find_spec(f"{__package__}.{format_name}") is None:
        raise unsafe(path, f"azx cannot look into a file of the format {format_name}")
    try:
        import_module(f".{format_name}", __package__).look(path)
    except OSError as error:
        raise BundleError(f"'{path}' cannot be read ({error.strerror or error}): export it again.") from error


def look_at_all(artifacts: Iterable[tuple[str, Path]]) -> None:
    """Check artifacts, given as a format's name and a path each, before any of them runs.

    UnsafeArtifact, with a sentence for each artifact that does more than calculate. Damaged artifacts, and those whose
    schema is not installed here, are left to their runner, which checks again: nothing runs unchecked.
    """
    sentences = []
    for format_name, path in artifacts:
        try:
            look_at(format_name, path)
        except UnsafeArtifact as error:
            sentences.append(str(error))
        except (BundleError, ImportError):
            continue
    if sentences:
        raise UnsafeArtifact(" ".join(sentences))


def admit(format_name: str, path: Path) -> None:
    """Check one artifact before it is opened, as `look_at` does; NotRunHere if its schema is not installed."""
    try:
        look_at(format_name, path)
    except ImportError as error:
        raise not_run_here(error) from error


__all__ = ["NotRunHere", "admit", "look_at", "look_at_all"]

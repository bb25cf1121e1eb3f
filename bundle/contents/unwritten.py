"""The formats that a bundle's export could not write, with the converters' reasons from parity.json."""

from __future__ import annotations

from pathlib import Path

from ...errors import BundleError
from .manifest import PARITY, read_json

NOT_WRITTEN = "not_written"
# Longer reasons are cut, because a damaged file may hold any text.
_MOST = 300


def why_not_written(folder: Path, format_name: str) -> str | None:
    """The reason why the export of the bundle in `folder` could not write a format; None if it could, or if unknown."""
    try:
        reasons = read_json(folder / PARITY, "it has none").get(NOT_WRITTEN)
    except BundleError:
        return None
    reason = reasons.get(format_name) if isinstance(reasons, dict) else None
    return reason[:_MOST].rstrip(".") if isinstance(reason, str) and reason else None

"""From a manifest and a worker's run to what `proof.judge` compares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from typing import Any

from ..errors import AzxError
from ..export.formats.table import Format
from .contract import Expected
from .proof import HeadInfo
from .run import Run
from .workers import result


def heads_info(manifest: Mapping[str, Any]) -> tuple[HeadInfo, ...]:
    """The heads that a manifest lists."""
    return tuple(
        HeadInfo(head["name"], head["source_name"], head["role"], head["activation"]) for head in manifest["outputs"]
    )


def ports(specs: Iterable[Any]) -> tuple[Expected, ...]:
    """What an artifact must state, from specs with a name and a shape."""
    return tuple(Expected(spec.name, tuple(spec.shape), getattr(spec, "node", None)) for spec in specs)


def prove(task: Future[Run], entry: Format) -> Run:
    """The run of an artifact; one that ended its process is damaged."""
    try:
        return result(task, f"running {entry.title}")
    except AzxError as error:
        return Run(entry.title, damage=str(error))

"""One export of a sweep in a worker of a cluster: its task, and the parcel with its result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..bundle.folder import FAILED_SUFFIX
from ..cluster.loaded import LoadedProcesses, borrow_workers
from ..cluster.parcel import files_in, pack
from ..cluster.versions import Versions, refusal, versions
from .exported import export_item
from .outcome import Outcome
from .recipe import Recipe
from .sources import Item

# The name of an option, or this for the checkpoint itself.
CHECKPOINT = "checkpoint"


@dataclass(frozen=True)
class SentFile:
    """A file, or a SavedModel's folder: its `name` in the parcel, its `sha256`, and its `path` at the sender's."""

    name: str
    sha256: str
    path: str


@dataclass(frozen=True)
class Request:
    """A request to export: `sent` has the checkpoint and the files of options, in the order of the contents.

    `recipe` says how to export. `client` sent the request; it has these `versions` and puts the bundle into `folder`.
    """

    client: str
    versions: Versions
    sent: Mapping[str, SentFile]
    recipe: Recipe
    name: str
    folder: str


def export(request: Request, *contents: bytes) -> bytes:
    """Export and prove; the answer's head is the outcome, its files are the bundle's.

    A worker that joined later with other versions reports that and does nothing.
    """
    if (refused := refusal(request.versions, versions())) is not None:
        return refused
    with borrow_workers(request.client) as own:
        try:
            return _answer(request, own, contents)
        finally:
            own.forget()


def _answer(request: Request, own: LoadedProcesses, contents: tuple[bytes, ...]) -> bytes:
    paths = {
        name: own.lay(sent.sha256, content) / sent.name
        for (name, sent), content in zip(request.sent.items(), contents, strict=True)
    }
    # The sender draws the page, from the answer.
    recipe = request.recipe.with_files({name: path for name, path in paths.items() if name != CHECKPOINT})
    recipe = replace(recipe, settings=replace(recipe.settings, noted=False, report=False))
    output = own.folder / "content" / "bundles"
    outcome = export_item(Item(paths[CHECKPOINT], request.name), own.workers, output, lambda item, step: None, recipe)
    made = output / request.name
    if outcome.code:
        made = made.with_name(made.name + FAILED_SUFFIX)
    # Messages show people the sender's paths.
    known = {str(paths[name]): sent.path for name, sent in request.sent.items()}
    return pack(_head(outcome, {**known, str(output / request.name): request.folder}), files_in(made))


def _head(outcome: Outcome, known: Mapping[str, str]) -> dict[str, Any]:
    message = outcome.message
    for there, here in known.items():
        message = message.replace(there, here)
    return {
        "status": outcome.status,
        "seconds": outcome.seconds,
        "code": outcome.code,
        "message": message,
        "skipped": dict(outcome.skipped),
        "manifest": outcome.manifest.as_data() if outcome.code and outcome.manifest else {},
        "parity": dict(outcome.parity) if outcome.code else {},
    }

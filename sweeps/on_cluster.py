"""Exports a sweep's checkpoints on the workers of a cluster: sends them by content and publishes the results here.

An answer is not trusted. It is published only if its manifest is sound, belongs to the checkpoint that was sent, and
has the right hash of every file. Whether the figures of its proof are true is for who runs the workers to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..bundle.contents.manifest import MANIFEST, PARITY, load_manifest, read_json
from ..bundle.contents.manifest_model import first_fault, read_part
from ..bundle.folder import complete, lock_folder, publish, publish_failed, remember, staging, write_report
from ..cluster.cluster import Call, Cluster, ClusterError, Lost
from ..cluster.parcel import BadParcel, Parcel, digest, files_in, pack, unpack
from ..cluster.versions import difference, versions
from ..errors import AzxError, CheckpointError
from ..export.checkpoint.architecture import architecture_beside
from ..export.checkpoint.digest import sha256
from ..export.checkpoint.read import read_checkpoint
from ..manifest import Manifest
from .done import Notes, key_of
from .exported import OnStep, failed_outcome
from .found import Item
from .outcome import FAILED, PROVED, Outcome, of_bundle
from .recipe import Recipe
from .remote import CHECKPOINT, Request, Sent, export

OnEnd = Callable[[tuple[Outcome, str | None]], None]
Tag = tuple[Item, str | None]


def on_cluster(
    items: Sequence[Item],
    cluster: Cluster,
    output: Path,
    notes: Notes,
    on_step: OnStep,
    on_end: OnEnd,
    recipe: Recipe,
) -> None:
    """Export each item that the notes do not have; `on_end` receives each one with its key, in this thread.

    ClusterError if the cluster is lost, or --builder is asked for: its code is on this machine alone.
    """
    if recipe.like.builder is not None:
        raise ClusterError(
            "--builder runs code of this machine, which a cluster's workers do not have: leave --backend out."
        )

    def calls() -> Iterator[Call[Tag]]:
        for item in items:
            key = key_of(item, recipe)
            outcome = notes.find(item, key)
            if outcome is None:
                try:
                    call = _call(item, key, cluster, output, recipe)
                except (AzxError, OSError) as error:
                    outcome = failed_outcome(item, error)
                else:
                    on_step(item, "sent to the cluster")
                    yield call
                    continue
            on_end((outcome, key))

    # Closed now, and not when it is collected: what is not done is cancelled on the cluster.
    with closing(cluster.results(calls())) as results:
        for (item, key), answer in results:
            on_end((_receive(item, answer, output, report=recipe.settings.report), key))


def _call(item: Item, key: str | None, cluster: Cluster, output: Path, recipe: Recipe) -> Call[Tag]:
    """The task for one item; AzxError or OSError for what is wrong with it already here."""
    folder = output / item.name
    if key is None:  # what cannot be read has the sentence that it has without a cluster
        read_checkpoint(item.checkpoint, **recipe.like.options)
    with lock_folder(folder):
        pass
    checkpoint = pack({}, _files_of(item.checkpoint))
    # The name of a way to read the board is no file.
    files = {name: path for name, path in recipe.files.items() if path.is_file()}
    held = {name: (path, cluster.hold(pack({}, {path.name: path}))) for name, path in files.items()}
    sent = {CHECKPOINT: Sent(item.checkpoint.name, digest(checkpoint), str(item.checkpoint))}
    sent |= {name: Sent(path.name, each.sha256, str(path)) for name, (path, each) in held.items()}
    without_files = recipe.with_files(dict.fromkeys(held))
    request = Request(cluster.client, versions(), sent, without_files, item.name, str(folder))
    return Call((item, key), export, (request, checkpoint, *(each for _, each in held.values())))


def _files_of(checkpoint: Path) -> dict[str, Path]:
    """What a checkpoint is made of: one file, with the architecture that lies beside weights alone, or a folder."""
    if checkpoint.is_dir():
        return files_in(checkpoint, f"{checkpoint.name}/")
    beside = None
    with suppress(CheckpointError):  # several: none is needed, or the checkpoint could not have been read
        beside = architecture_beside(checkpoint)
    return {path.name: path for path in (checkpoint, beside) if path is not None}


def _receive(item: Item, answer: bytes | Lost, output: Path, *, report: bool) -> Outcome:
    """Publish what a worker answered; ClusterError for a worker of other versions."""
    if isinstance(answer, Lost):
        return failed_outcome(item, AzxError(f"No worker finished it: {answer.reason}."))
    try:
        parcel = unpack(answer)
        _check_versions(parcel)
        with lock_folder(output / item.name), staging(output / item.name) as place:
            parcel.lay(place)
            return _publish(item, parcel, place, output / item.name, report=report)
    except ClusterError:
        raise
    except BadParcel as error:
        return failed_outcome(
            item, AzxError(f"A worker's answer cannot be used ({error}): nothing of it was published.")
        )
    except (AzxError, OSError) as error:
        return failed_outcome(item, error)


def _check_versions(parcel: Parcel) -> None:
    if "versions" not in parcel.head:
        return
    there = parcel.head["versions"]
    said = difference(str(parcel.head.get("worker")), there, versions()) if isinstance(there, dict) else None
    raise BadParcel("it tells no versions") if said is None else ClusterError(said)


def _publish(item: Item, parcel: Parcel, place: Path, folder: Path, *, report: bool) -> Outcome:
    """Put a staged answer where a local export would have put it; BadParcel if it is none of this item's."""
    outcome = _outcome(item, parcel.head)
    if parcel.files:
        _check(item, parcel, place)
    if outcome.status != PROVED:
        if not parcel.files:
            return outcome
        if report:
            write_report(place, folder, load_manifest(place), _parity(place))
        failed, usual = publish_failed(place, folder), f"'{folder}.failed'"
        return replace(outcome, message=outcome.message.replace(usual, f"'{failed}'"))
    if not parcel.files:
        raise BadParcel("it holds no bundle")
    complete(place, folder, load_manifest(place), _parity(place), equal=True, report=report)
    publish(place, folder)
    remember(folder)
    return of_bundle(item, PROVED, folder, seconds=outcome.seconds, skipped=outcome.skipped)


def _parity(place: Path) -> dict[str, Any]:
    return read_json(place / PARITY, f"no {PARITY}")


def _outcome(item: Item, head: Mapping[str, Any]) -> Outcome:
    try:
        status, code = head["status"], head["code"]
        if (status, code) not in ((PROVED, 0), (FAILED, 1), (FAILED, 3)):
            raise ValueError(status)
        skipped = {str(name): str(reason) for name, reason in dict(head["skipped"]).items()}
        seconds, message = float(head["seconds"]), str(head["message"])
        data, parity = dict(head["manifest"]), dict(head["parity"])
        if data and first_fault(data):
            raise ValueError("it has no manifest")
        manifest = read_part(Manifest, data) if data else None
        return Outcome(item, status, seconds, code, message, None, manifest, parity, skipped)
    except (KeyError, TypeError, ValueError) as error:
        raise BadParcel("it tells no outcome") from error


def _check(item: Item, parcel: Parcel, place: Path) -> None:
    """BadParcel for files that are no bundle of this checkpoint, whole, with nothing beside it."""
    try:
        manifest = load_manifest(place)
    except AzxError as error:
        raise BadParcel(f"its bundle is not sound ({str(error).replace(str(place), item.name).rstrip('.')})") from error
    if manifest.checkpoint.sha256 != sha256(item.checkpoint):
        raise BadParcel("its bundle is of another checkpoint")
    if {entry.path for entry in manifest.files} | {MANIFEST, PARITY} != set(parcel.files):
        raise BadParcel("it holds other files than its manifest lists")

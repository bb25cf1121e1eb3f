"""The checkpoints of a sweep by the workers of a cluster: sent by content, what comes back published here.

An answer is not trusted: it is published only where the manifest in it is sound, is of the checkpoint that was sent
and has the right hash of every file. Whether the figures of its proof are true is for who runs the workers to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..bundle.folder import complete, locked, publish, publish_failed, remember, staging, write_report
from ..bundle.manifest import MANIFEST, PARITY, load_manifest, read_json
from ..cluster.cluster import Call, Cluster, ClusterError, Lost
from ..cluster.parcel import BadParcel, Parcel, digest, files_in, pack, unpack
from ..cluster.versions import difference, versions
from ..errors import AzxError, CheckpointError
from ..export.checkpoint.architecture import architecture_beside
from ..export.checkpoint.digest import sha256
from ..export.checkpoint.read import read_checkpoint
from .done import FILES, READING, Notes, key_of
from .exported import OnStep, told
from .found import Item
from .outcome import FAILED, PROVED, Outcome, of_bundle
from .remote import CHECKPOINT, Request, Sent, export

Ended = Callable[[tuple[Outcome, str | None]], None]
Tag = tuple[Item, str | None]


def on_cluster(
    items: Sequence[Item],
    cluster: Cluster,
    output: Path,
    notes: Notes,
    on_step: OnStep,
    ended: Ended,
    options: Mapping[str, Any],
) -> None:
    """Export each item that the notes do not have; `ended` is told of each, with its key, in this thread.

    ClusterError where the cluster is lost, or --builder is asked for: its code is on this machine alone.
    """
    if options.get("builder") is not None:
        raise ClusterError(
            "--builder runs code of this machine, which a cluster's workers do not have: leave --backend out."
        )

    def calls() -> Iterator[Call[Tag]]:
        for item in items:
            key = key_of(item, options)
            outcome = notes.kept(item, key)
            if outcome is None:
                try:
                    call = _call(item, key, cluster, output, options)
                except (AzxError, OSError) as error:
                    outcome = _failed(item, error)
                else:
                    on_step(item, "sent to the cluster")
                    yield call
                    continue
            ended((outcome, key))

    results = cluster.results(calls())
    try:
        for (item, key), answer in results:
            ended((_arrived(item, answer, output, report=bool(options.get("report", True))), key))
    finally:
        results.close()  # now, and not when it is collected: what is not done is cancelled on the cluster


def _failed(item: Item, error: AzxError | OSError) -> Outcome:
    message, code = told(error)
    return Outcome(item, FAILED, code=code, message=message)


def _call(item: Item, key: str | None, cluster: Cluster, output: Path, options: Mapping[str, Any]) -> Call[Tag]:
    """The task for one item; AzxError or OSError for what is wrong with it already here."""
    folder = output / item.name
    if key is None:  # what cannot be read has the sentence that it has without a cluster
        read_checkpoint(item.checkpoint, **{name: options[name] for name in READING if name in options})
    with locked(folder):
        pass
    checkpoint = pack({}, _files_of(item.checkpoint))
    named = {name: Path(options[name]) for name in FILES if options.get(name)}
    # The name of a way to read the board is no file.
    held = {name: (path, cluster.hold(pack({}, {path.name: path}))) for name, path in named.items() if path.is_file()}
    sent = {CHECKPOINT: Sent(item.checkpoint.name, digest(checkpoint), str(item.checkpoint))}
    sent |= {name: Sent(path.name, each.sha256, str(path)) for name, (path, each) in held.items()}
    others = {name: value for name, value in options.items() if name not in held}
    request = Request(cluster.client, versions(), sent, others, item.name, str(folder))
    return Call((item, key), export, (request, checkpoint, *(each for _, each in held.values())))


def _files_of(checkpoint: Path) -> dict[str, Path]:
    """What a checkpoint is made of: one file, with the architecture that lies beside weights alone, or a folder."""
    if checkpoint.is_dir():
        return files_in(checkpoint, f"{checkpoint.name}/")
    beside = None
    with suppress(CheckpointError):  # several: none is needed, or the checkpoint could not have been read
        beside = architecture_beside(checkpoint)
    return {path.name: path for path in (checkpoint, beside) if path is not None}


def _arrived(item: Item, answer: bytes | Lost, output: Path, *, report: bool) -> Outcome:
    """Publish what a worker answered; ClusterError for a worker of other versions."""
    if isinstance(answer, Lost):
        return _failed(item, AzxError(f"No worker finished it: {answer.reason}."))
    try:
        parcel = unpack(answer)
        _check_versions(parcel)
        with locked(output / item.name), staging(output / item.name) as place:
            parcel.lay(place)
            return _published(item, parcel, place, output / item.name, report=report)
    except ClusterError:
        raise
    except BadParcel as error:
        return _failed(item, AzxError(f"A worker's answer cannot be used ({error}): nothing of it was published."))
    except (AzxError, OSError) as error:
        return _failed(item, error)


def _check_versions(parcel: Parcel) -> None:
    if "versions" not in parcel.head:
        return
    there = parcel.head["versions"]
    said = difference(str(parcel.head.get("worker")), there, versions()) if isinstance(there, dict) else None
    raise BadParcel("it tells no versions") if said is None else ClusterError(said)


def _published(item: Item, parcel: Parcel, place: Path, folder: Path, *, report: bool) -> Outcome:
    """Put a staged answer where a local export would have put it; BadParcel where it is none of this item's."""
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
        manifest, parity = dict(head["manifest"]), dict(head["parity"])
        return Outcome(item, status, seconds, code, message, None, manifest, parity, skipped)
    except (KeyError, TypeError, ValueError) as error:
        raise BadParcel("it tells no outcome") from error


def _check(item: Item, parcel: Parcel, place: Path) -> None:
    """BadParcel for files that are no bundle of this checkpoint, whole, with nothing beside it."""
    try:
        manifest = load_manifest(place)
    except AzxError as error:
        raise BadParcel(f"its bundle is not sound ({str(error).replace(str(place), item.name).rstrip('.')})") from error
    if manifest["checkpoint"]["sha256"] != sha256(item.checkpoint):
        raise BadParcel("its bundle is of another checkpoint")
    if {entry["path"] for entry in manifest["files"]} | {MANIFEST, PARITY} != set(parcel.files):
        raise BadParcel("it holds other files than its manifest lists")

"""Exports a sweep's checkpoints on the workers of a cluster: sends them by content and publishes the results here.

An answer is not trusted. It is published only if it is the requested bundle, which `returned.py` checks. That the
figures of its proof are true only the workers' operator can ensure, or `--verify`, which proves the bundle again here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from pathlib import Path

from ..bundle.contents.manifest import load_manifest
from ..bundle.folder import complete, lock_folder, publish, publish_failed, remember, staging, write_report
from ..cluster.answers import check_versions
from ..cluster.cluster import Call, Cluster, ClusterError, Lost
from ..cluster.parcel import BadParcel, Parcel, digest, files_in, pack, unpack
from ..cluster.versions import versions
from ..cluster.words import clean
from ..errors import AzxError, CheckpointError
from ..export.checkpoint.architecture import architecture_beside
from ..export.checkpoint.foreign.beside import files_beside
from ..export.checkpoint.read import read_checkpoint
from ..export.checkpoint.run_folder import files_of_run
from ..system.workers import Workers
from .done import Notes, key_of
from .exported import OnStep, failed_outcome
from .outcome import PROVED, Outcome, of_bundle
from .recipe import Recipe
from .remote import CHECKPOINT, Request, SentFile, export
from .returned import check_bundle, check_figures, read_outcome, read_parity
from .sources import Item

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
    """Export each item that has no note yet; `on_end` receives each one with its key, in this thread.

    ClusterError if the cluster is lost, or --builder is used: its code exists on this machine alone.
    """
    if recipe.like.builder is not None:
        raise ClusterError(
            "--builder runs code of this machine, which a cluster's workers do not have: leave --backend out."
        )

    def calls() -> Iterator[Call[Tag]]:
        for item in items:
            key = key_of(item, recipe)
            outcome = notes.find(item, key, proved_here=recipe.verify)
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

    with ExitStack() as stack:
        workers = stack.enter_context(Workers()) if recipe.verify else None
        # Close it here, not at garbage collection: closing cancels unfinished work on the cluster.
        results = stack.enter_context(closing(cluster.results(calls())))
        for (item, key), answer in results:
            on_end((_receive(item, answer, output, recipe, workers), key))


def _call(item: Item, key: str | None, cluster: Cluster, output: Path, recipe: Recipe) -> Call[Tag]:
    """The task for one item; AzxError or OSError for problems that this machine already detects."""
    folder = output / item.name
    if key is None:  # an unreadable checkpoint gets the same sentence as without a cluster
        read_checkpoint(item.checkpoint, **recipe.like.options)
    with lock_folder(folder):
        pass
    checkpoint = pack({}, _files_of(item.checkpoint))
    # An encoding's name is not a file.
    files = {name: path for name, path in recipe.files.items() if path.is_file()}
    held = {name: (path, cluster.hold(pack({}, {path.name: path}))) for name, path in files.items()}
    sent = {CHECKPOINT: SentFile(item.checkpoint.name, digest(checkpoint), str(item.checkpoint))}
    sent |= {name: SentFile(path.name, each.sha256, str(path)) for name, (path, each) in held.items()}
    without_files = recipe.with_files(dict.fromkeys(held))
    request = Request(cluster.client, versions(), sent, without_files, item.name, str(folder))
    return Call((item, key), export, (request, checkpoint, *(each for _, each in held.values())))


def _files_of(checkpoint: Path) -> dict[str, Path]:
    """The files of a checkpoint: one file, with files beside it that say how to read it, or a folder."""
    if checkpoint.is_dir():
        return files_in(checkpoint, f"{checkpoint.name}/")
    beside = None
    with suppress(CheckpointError):  # several: not needed, since the checkpoint could be read
        beside = architecture_beside(checkpoint)
    paths = [path for path in (checkpoint, beside, *files_of_run(checkpoint)) if path is not None]
    belonging = {each.relative_to(checkpoint.parent).as_posix(): each for each in files_beside(checkpoint)}
    return {path.name: path for path in paths} | belonging


def _receive(item: Item, answer: bytes | Lost, output: Path, recipe: Recipe, workers: Workers | None) -> Outcome:
    """Publish a worker's answer; ClusterError if the worker has other versions."""
    if isinstance(answer, Lost):
        return failed_outcome(item, AzxError(f"No worker finished it: {answer.reason}."))
    folder = output / item.name
    try:
        parcel = unpack(answer)
        check_versions(parcel.head)
        with lock_folder(folder), staging(folder) as place:
            parcel.lay(place)
            return _publish(item, parcel, (place, folder), recipe, workers)
    except ClusterError:
        raise
    except BadParcel as error:
        reason = clean(error)
    except (AzxError, OSError) as error:
        return failed_outcome(item, error)
    except Exception as error:  # the figures of a proof may be anything; the other checkpoints continue
        reason = f"its proof cannot be read: {type(error).__name__}"
    return failed_outcome(item, AzxError(f"A worker's answer cannot be used ({reason}): nothing of it was published."))


def _publish(item: Item, parcel: Parcel, places: tuple[Path, Path], recipe: Recipe, workers: Workers | None) -> Outcome:
    """Move the bundle from the first of two places, where it was staged, to the second, as a local export would.

    BadParcel if it is not this item's bundle, or if `--verify` finds it not equal to its checkpoint.
    """
    place, folder = places
    outcome, report = read_outcome(item, parcel.head), recipe.settings.report
    if parcel.files:
        check_bundle(item, parcel.files, place, proved=outcome.status == PROVED)
    if outcome.status != PROVED:
        if not parcel.files:
            return outcome
        if report:
            write_report(place, folder, load_manifest(place), read_parity(place))
        failed, usual = publish_failed(place, folder), f"'{folder}.failed'"
        return replace(outcome, message=outcome.message.replace(usual, f"'{failed}'"))
    if not parcel.files:
        raise BadParcel("it holds no bundle")
    whole = of_bundle(item, PROVED, place, seconds=outcome.seconds, skipped=outcome.skipped)
    check_figures(whole)
    if workers is not None:
        _verify(item, place, recipe, workers)
    complete(place, folder, load_manifest(place), read_parity(place), equal=True, report=report)
    publish(place, folder)
    remember(folder)
    return of_bundle(item, PROVED, folder, seconds=outcome.seconds, skipped=outcome.skipped)


def _verify(item: Item, place: Path, recipe: Recipe, workers: Workers) -> None:
    """Prove a staged bundle on this machine; BadParcel if it is not equal, or not all of it can be run here."""
    from ..bundle.validate import validate_bundle

    settings = recipe.settings
    try:
        validate_bundle(
            place,
            against=recipe.checkpoint(item),
            inputs=settings.inputs,
            also=settings.also,
            require_all=True,
            workers=workers,
        )
    except AzxError as error:
        reason = str(error).replace(str(place), item.name).rstrip(".")
        raise BadParcel(f"it is not proved here: {reason}") from error

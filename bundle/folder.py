"""A bundle's folder: filled beside its place and put into it (exchange.py), one export at a time.

What stays of the bundle that was there is copied before that, and the one written last is remembered after it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import BundleError
from ..manifest import Artifact, Manifest, members
from ..pages.bundle_page import is_report, page
from ..system.exchange import (
    beside,
    clear_up,
    clear_up_in,
    exchange,
    link_others,
    lock_of,
    recover,
    recover_in,
    remove,
    swap,
    take_away,
)
from ..system.lock import hold_lock
from ..version import __version__
from .contents import describe
from .contents import manifest as manifests
from .contents.listing import read_listing, read_measured, text_of_listing
from .contents.manifest import (
    GOLDEN,
    LISTING,
    MANIFEST,
    PARITY,
    REPORT,
    dump,
    file_entries,
    is_shown,
    load_manifest,
    read_manifest,
)

FAILED_SUFFIX = ".failed"
# Bundles whose places are noted: the one written last is looked for below the folder that asks.
REMEMBERED = 100
# What two exports of one checkpoint, to other formats, may differ in.
_NOT_IDENTITY = frozenset(
    {
        "artifacts",
        "files",
        "recommended",
        "chosen",
        "assumed",
        "auto",
        "strength",
        "search",
        "tuned",
        "threads",
        "positions",
    }
)


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Hold the folder for one export.

    BundleError if the folder is neither a bundle nor empty, so that nothing else is ever replaced. Also if another
    process holds it, or it cannot be written.
    """
    recover(folder)
    if folder.is_dir() and not (folder / MANIFEST).is_file() and any(folder.iterdir()):
        raise BundleError(f"'{folder}' is not empty and no bundle: choose another folder with -o.")
    if folder.exists() and not folder.is_dir():
        raise BundleError(f"'{folder}' is a file: choose another folder with -o.")
    in_use = BundleError(
        f"'{folder}' is in use by another export: wait until it ends, or choose another folder with -o."
    )
    with ExitStack() as stack:
        try:
            stack.enter_context(hold_lock(lock_of(folder), in_use))
        except OSError as error:
            raise _unwritable(folder, error) from error
        yield


@contextmanager
def staging(folder: Path) -> Iterator[Path]:
    """An empty folder beside `folder`, gone again afterwards whatever happens; BundleError if none can be made.

    First it removes what killed exports left behind: the lock proves that nobody uses it.
    """
    clear_up(folder)
    clear_up_in(folder.parent)
    place = beside(folder)
    try:
        place.mkdir()
    except OSError as error:
        raise _unwritable(folder, error) from error
    try:
        yield place
    finally:
        remove(place)


def publish(place: Path, folder: Path) -> None:
    """Put the staged bundle where it belongs, in one step if the system can; then the one that was there goes.

    Files in the old bundle that azx did not write are carried over. BundleError if the disk refuses it; the old
    bundle is then as it was.
    """
    try:
        if folder.exists():
            _carry_over(folder, place)
        swap(place, folder)
    except OSError as error:
        raise _unwritable(folder, error) from error


def publish_failed(place: Path, folder: Path) -> Path:
    """Put artifacts that are not equal into a folder that nobody mistakes for a bundle; returns that folder.

    It replaces those of an earlier export, and nothing else. BundleError if it cannot be written.
    """
    number, failed = 1, folder.with_name(folder.name + FAILED_SUFFIX)
    while os.path.lexists(failed) and not (failed / MANIFEST).is_file():
        number += 1
        failed = folder.with_name(f"{folder.name}{FAILED_SUFFIX}-{number}")
    try:
        # What is left of the old ones is nobody's bundle: not `swap`, from which they might come back as one.
        if not (failed.exists() and exchange(place, failed)):
            if failed.exists():
                take_away(failed)
            place.rename(failed)
    except OSError as error:
        raise _unwritable(failed, error) from error
    return failed


def _carry_over(folder: Path, place: Path) -> None:
    """Copy what azx did not write; links as links, since they may lead anywhere."""
    try:
        artifacts = read_manifest(folder).artifacts
    except BundleError:
        artifacts = ()
    if os.path.lexists(folder / LISTING):
        read_listing(folder)  # a file of somebody else's by that name is not written over
    ours = {MANIFEST, GOLDEN, PARITY, LISTING, *(artifact.path for artifact in artifacts)}
    ours |= {REPORT} if is_report(folder / REPORT) else set()
    for path in folder.iterdir():
        if path.name not in ours and not (place / path.name).exists():
            if path.is_dir() and not path.is_symlink():
                shutil.copytree(path, place / path.name, symlinks=True)
            else:
                shutil.copy2(path, place / path.name, follow_symlinks=False)


def _unwritable(folder: Path, error: OSError) -> BundleError:
    reason = error.strerror or error
    if isinstance(error, FileExistsError):
        reason = f"'{error.filename}' is a file"
    return BundleError(f"'{folder}' cannot be written ({reason}): choose another folder with -o, or free it.")


def keep_others(folder: Path, place: Path, manifest: Manifest) -> tuple[list[Artifact], list[dict[str, Any]]]:
    """Copy to `place` the artifacts in `folder` that are of the same export but that `manifest` does not list.

    The same export: the same checkpoint, azx, converters and settings, so that all that the manifest says holds for
    them too. The number of positions may be another for those that are shown to be the same calculation. A bundle that
    is damaged or another one's gives nothing. Returns their entries of the manifest and of parity.json.
    """
    try:
        old = load_manifest(folder)
    except BundleError:
        return [], []
    identity = members(Manifest).keys() - _NOT_IDENTITY
    drawn = [(each.positions.seed, each.positions.source) for each in (old, manifest)]
    if drawn[0] != drawn[1] or any(getattr(old, name) != getattr(manifest, name) for name in identity):
        return [], []
    again = {entry.path for entry in manifest.artifacts}
    same = old.positions == manifest.positions
    entries = {each.path: each for each in old.artifacts if each.path not in again and (same or is_shown(each))}
    for path in entries:
        if (folder / path).is_dir():
            shutil.copytree(folder / path, place / path)
        else:
            shutil.copy2(folder / path, place / path)
    try:
        parity = (read_measured(folder) or {}).get("artifacts", [])
    except BundleError:
        parity = []
    return list(entries.values()), [item for item in parity if item.get("file") in entries]


def holds_tried(folder: Path, again: Collection[str]) -> bool:
    """Whether the bundle in `folder`, if one is there, has artifacts for which its positions alone speak.

    Those whose paths are among `again` are written anew.
    """
    try:
        return not all(is_shown(each) for each in read_manifest(folder).artifacts if each.path not in again)
    except BundleError:
        return False


def keep_search(folder: Path, manifest: Manifest) -> Manifest:
    """The manifest with the search of the bundle in `folder`, and where that comes from: it belongs to a network.

    So only if the checkpoint has the same bytes and is read alike; else `manifest` as it is.
    """
    old = _searched(folder)
    if old is None or (old.checkpoint.sha256, old.reading) != (manifest.checkpoint.sha256, manifest.reading):
        return manifest
    return replace(manifest, search=old.search, tuned=old.tuned)


def loses_search(folder: Path, manifest: Manifest) -> bool:
    """Whether the bundle in `folder` says how it is searched, and `manifest`, which takes its place, does not."""
    return manifest.search is None and _searched(folder) is not None


def _searched(folder: Path) -> Manifest | None:
    """The manifest in `folder` if it says how the network is searched."""
    try:
        found = read_manifest(folder)
    except BundleError:
        return None
    return found if found.search is not None else None


def complete(
    place: Path, folder: Path, manifest: Manifest, parity: dict[str, Any], *, equal: bool, report: bool
) -> tuple[Manifest, tuple[str, ...]]:
    """Write manifest.json and parity.json of a staged bundle, whose manifest lists what was written as its artifacts.

    Where all are equal, those of `folder` that stay come to them. Its search stays if it is of the same network
    (`keep_search`). `report` says whether the page of it is written too. Returns the whole manifest, and the paths of
    the artifacts that stay.
    """
    kept, proved = keep_others(folder, place, manifest) if equal else ([], [])
    artifacts = tuple(sorted([*manifest.artifacts, *kept], key=lambda entry: entry.path))
    manifest = replace(
        keep_search(folder, manifest),
        artifacts=artifacts,
        recommended=describe.recommend_artifacts(artifacts),
        threads=describe.THREADS,
        files=file_entries(place),
    )
    write_text(place / MANIFEST, manifests.text(manifest))
    parity["artifacts"] += proved
    parity["not_proved"] |= _not_proved(proved)
    write_text(place / PARITY, dump(parity))
    if report:
        write_report(place, folder, manifest, parity)
    else:
        write_text(place / LISTING, text_of_listing(place))
    return manifest, tuple(entry.path for entry in kept)


def _not_proved(parity: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """What an earlier proof could not run, as `Proof.not_proved` names it."""
    runs = [(item["file"], each) for item in parity for each in (item, *item.get("also", []))]
    return {
        f"{file} in {each['further']}" if each.get("further") else file: each["reason"]
        for file, each in runs
        if each.get("proved") is False
    }


def write_report(place: Path, folder: Path, manifest: Manifest, parity: Mapping[str, Any]) -> None:
    """Write the page of a staged bundle, and the list of what is measured.

    No page if `folder`, its place, has a file of somebody else's by that name.
    """
    if is_report(folder / REPORT) or not os.path.lexists(folder / REPORT):
        write_text(place / REPORT, page(manifest, parity, __version__))
    write_text(place / LISTING, text_of_listing(place))


def replace_report(folder: Path, text: str) -> None:
    """Put another page into a bundle, and its hash into the list, in one step; BundleError if the disk refuses it.

    All other files stay as they are: they are links to the same content.
    """
    with lock_folder(folder), staging(folder) as place:
        try:
            link_others(folder, place, {folder / REPORT, folder / LISTING})
            write_text(place / REPORT, text)
            write_text(place / LISTING, text_of_listing(place))
            swap(place, folder)
        except OSError as error:
            raise _unwritable(folder, error) from error


def write_text(path: Path, text: str) -> None:
    """Write a file of a staged bundle; BundleError if the disk refuses it."""
    try:
        path.write_text(text, encoding="utf8", newline="\n")
    except OSError as error:
        raise BundleError(f"'{path.name}' cannot be written ({error.strerror or error}): free the disk.") from error


def amend(folder: Path, manifest: Manifest, change: Callable[[Manifest], Manifest]) -> Manifest:
    """Note in a bundle's manifest what games have shown; the new manifest, which is `change` of the one that is there.

    `manifest` is the one that was read before the games. No other file of the bundle is touched. BundleError if the
    bundle is another one since, is in use or cannot be written.
    """
    with lock_folder(folder), staging(folder) as place:
        there = read_manifest(folder)
        if there.files != manifest.files:
            raise BundleError(f"'{folder}' was exported again during the games: give the same command again.")
        written = change(there)
        write_text(place / MANIFEST, manifests.text(written))
        try:
            (place / MANIFEST).replace(folder / MANIFEST)
        except OSError as error:
            reason = error.strerror or error
            raise BundleError(
                f"'{folder / MANIFEST}' cannot be written ({reason}): free it, the games are kept."
            ) from error
    return written


def remember(folder: Path) -> None:
    """Note where a bundle was written. If the note cannot be kept, only convenience is lost."""
    with suppress(OSError):
        note, written = _note(), str(folder.resolve())
        note.parent.mkdir(parents=True, exist_ok=True)
        others = [place for place in _noted() if place != written]
        part = note.with_name(f"{note.name}.part")
        part.write_text("\n".join([*others[1 - REMEMBERED :], written]), encoding="utf8")
        part.replace(note)


def last_bundle() -> Path:
    """The bundle written last below the current folder: under bundles/, or where an export put one.

    BundleError if none is left. What other programs of this user wrote elsewhere is never taken.
    """
    recover_in(Path("bundles"))
    found = list(Path("bundles").glob(f"*/{MANIFEST}"))
    with suppress(OSError, ValueError):
        here, noted = Path.cwd().resolve(), [Path(place).resolve() for place in _noted()]
        below = [place.relative_to(here) for place in noted if here in place.parents]
        found += [place / MANIFEST for place in below if (place / MANIFEST).is_file()]
    if not found:
        raise BundleError("No bundle was written here yet: run azx export first, or give a bundle's folder.")
    return max(found, key=lambda path: path.stat().st_mtime).parent


def _noted() -> list[str]:
    """The places of the bundles that were written, the last one last; empty if nothing tells them."""
    try:
        return [place for place in _note().read_text(encoding="utf8").splitlines() if place]
    except (OSError, ValueError):
        return []


def _note() -> Path:
    from platformdirs import user_state_path

    return user_state_path("azx", appauthor=False) / "last-bundle"

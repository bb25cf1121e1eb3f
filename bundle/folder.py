"""A bundle's folder: filled beside its final place, then exchanged (exchange.py), by one export at a time.

Before the exchange, files that stay are copied from the replaced bundle. After it, the place is remembered.
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
# The number of remembered places; azx uses the last one below the current folder.
REMEMBERED = 100
# Members in which two exports of one checkpoint to different formats may differ.
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

    BundleError if the folder is neither a bundle nor empty, so that nothing else is ever replaced. BundleError also if
    another process holds the folder, or if it cannot be written.
    """
    recover(folder)
    if folder.is_dir() and not (folder / MANIFEST).is_file() and any(folder.iterdir()):
        raise BundleError(f"'{folder}' is neither empty nor a bundle: choose another folder with -o.")
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
    """An empty folder beside `folder`, which is always removed afterwards; BundleError if none can be made.

    Leftovers of killed exports are removed first; the lock proves that no other process uses them.
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
    """Put the staged bundle into its place, in one step if the system can, and remove the old one.

    Files in the old bundle that azx did not write are carried over. BundleError if the disk refuses it; the old bundle
    is then unchanged.
    """
    try:
        if folder.exists():
            _carry_over(folder, place)
        swap(place, folder)
    except OSError as error:
        raise _unwritable(folder, error) from error


def publish_failed(place: Path, folder: Path) -> Path:
    """Put artifacts that are not equal into a folder that cannot be mistaken for a bundle; returns the folder.

    It replaces the folder of an earlier failed export, and nothing else. BundleError if it cannot be written.
    """
    number, failed = 1, folder.with_name(folder.name + FAILED_SUFFIX)
    while os.path.lexists(failed) and not (failed / MANIFEST).is_file():
        number += 1
        failed = folder.with_name(f"{folder.name}{FAILED_SUFFIX}-{number}")
    try:
        # Not `swap`: it could restore the old artifacts as a bundle.
        if not (failed.exists() and exchange(place, failed)):
            if failed.exists():
                take_away(failed)
            place.rename(failed)
    except OSError as error:
        raise _unwritable(failed, error) from error
    return failed


def _carry_over(folder: Path, place: Path) -> None:
    """Copy the files that azx did not write; links are copied as links, since they may lead anywhere."""
    try:
        artifacts = read_manifest(folder).artifacts
    except BundleError:
        artifacts = ()
    if os.path.lexists(folder / LISTING):
        read_listing(folder)  # never overwrite another program's file of that name
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
    """Copy to `place` the artifacts in `folder` that are of the same export but not listed in `manifest`.

    The same export means the same checkpoint, azx, converters and settings, so that the new manifest is true of these
    artifacts too. The number of positions may differ only for artifacts shown to be the same calculation. A damaged or
    different bundle gives nothing. Returns their entries for the manifest and for parity.json.
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
    """Whether the bundle in `folder`, if any, has artifacts that only positions prove.

    Paths in `again` do not count, since they are written anew.
    """
    try:
        return not all(is_shown(each) for each in read_manifest(folder).artifacts if each.path not in again)
    except BundleError:
        return False


def keep_search(folder: Path, manifest: Manifest) -> Manifest:
    """The manifest with the search of the bundle in `folder`, and the search's origin.

    A search belongs to a network: if checkpoint or reading differ, the result is `manifest` itself.
    """
    old = _searched(folder)
    if old is None or (old.checkpoint.sha256, old.reading) != (manifest.checkpoint.sha256, manifest.reading):
        return manifest
    return replace(manifest, search=old.search, tuned=old.tuned)


def loses_search(folder: Path, manifest: Manifest) -> bool:
    """Whether the bundle in `folder` has a search and `manifest`, which replaces it, has none."""
    return manifest.search is None and _searched(folder) is not None


def _searched(folder: Path) -> Manifest | None:
    """The manifest in `folder` if it has a search."""
    try:
        manifest = read_manifest(folder)
    except BundleError:
        return None
    return manifest if manifest.search is not None else None


def complete(
    place: Path, folder: Path, manifest: Manifest, parity: dict[str, Any], *, equal: bool, report: bool
) -> tuple[Manifest, tuple[str, ...]]:
    """Write manifest.json and parity.json of a staged bundle; `manifest` lists the artifacts written.

    If all are equal, artifacts of `folder` that stay are added. The search of `folder` stays if it belongs to the same
    network (`keep_search`). `report` is true if the page is written too. Returns the whole manifest, and the paths of
    the artifacts that stay.
    """
    others, proved = keep_others(folder, place, manifest) if equal else ([], [])
    artifacts = tuple(sorted([*manifest.artifacts, *others], key=lambda entry: entry.path))
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
    return manifest, tuple(entry.path for entry in others)


def _not_proved(parity: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The artifacts that an earlier proof could not run, as in `Proof.not_proved`."""
    runs = [(item["file"], each) for item in parity for each in (item, *item.get("also", []))]
    return {
        f"{file} in {each['further']}" if each.get("further") else file: each["reason"]
        for file, each in runs
        if each.get("proved") is False
    }


def write_report(place: Path, folder: Path, manifest: Manifest, parity: Mapping[str, Any]) -> None:
    """Write the page of a staged bundle, and the list of measured files.

    No page is written if `folder`, its final place, has another program's file of that name.
    """
    if is_report(folder / REPORT) or not os.path.lexists(folder / REPORT):
        write_text(place / REPORT, page(manifest, parity, __version__))
    write_text(place / LISTING, text_of_listing(place))


def replace_report(folder: Path, text: str) -> None:
    """Replace a bundle's page, and its hash in the list, in one step; BundleError if the disk refuses it.

    All other files keep their content, because links to it are put into the new folder.
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
    """Record results of games in a bundle's manifest; returns the new manifest, `change` of the present one.

    `manifest` is the one read before the games. No other file changes. BundleError if the bundle was replaced
    meanwhile, is in use or cannot be written.
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
    """Note where a bundle was written; if the note cannot be written, nothing fails."""
    with suppress(OSError):
        note, written = _note(), str(folder.resolve())
        note.parent.mkdir(parents=True, exist_ok=True)
        others = [place for place in _noted() if place != written]
        part = note.with_name(f"{note.name}.part")
        part.write_text("\n".join([*others[1 - REMEMBERED :], written]), encoding="utf8")
        part.replace(note)


def last_bundle() -> Path:
    """The bundle written last below the current folder: under bundles/, or where an export put one.

    BundleError if no such bundle exists any more. Bundles outside the current folder never count.
    """
    recover_in(Path("bundles"))
    manifests = list(Path("bundles").glob(f"*/{MANIFEST}"))
    with suppress(OSError, ValueError):
        here, noted = Path.cwd().resolve(), [Path(place).resolve() for place in _noted()]
        below = [place.relative_to(here) for place in noted if here in place.parents]
        manifests += [place / MANIFEST for place in below if (place / MANIFEST).is_file()]
    if not manifests:
        raise BundleError("No bundle was written here yet: run azx export first, or give a bundle's folder.")
    return max(manifests, key=lambda path: path.stat().st_mtime).parent


def _noted() -> list[str]:
    """The remembered places of bundles, the latest last; empty if none are noted."""
    try:
        return [place for place in _note().read_text(encoding="utf8").splitlines() if place]
    except (OSError, ValueError):
        return []


def _note() -> Path:
    from platformdirs import user_state_path

    return user_state_path("azx", appauthor=False) / "last-bundle"

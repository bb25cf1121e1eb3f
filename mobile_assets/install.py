"""Installs a bundle where an app's build expects it, lists the installed ones, and removes them.

    <assets>/azx/index.json        the installed bundles: mobile_assets/installed_index.py
    <assets>/azx/<name>/           manifest.json, golden.json and the artifact that the platform loads

Only files that the index lists, with their hashes, are ever replaced or deleted. The new folder `azx`, with index and
bundles, is made beside the old one. Unchanged files become hard links to the same content; new files are copied and
read again. Then the two folders change places in one step. So at every moment, even after a kill, an app's build finds
the old folder or the new one.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ..bundle.contents.manifest import MANIFEST, inside, is_recorded, load_manifest
from ..errors import BundleError
from ..manifest import File, Problem
from ..system.exchange import clear_up_in, link_others, locked_place, swap, take_away
from .any_system import alike, check_files
from .app_kinds import kind_of
from .installed_index import INDEX, InstalledBundle, describe_for, is_name, read_index, write_index

OK, CHANGED, MISSING = "ok", "changed", "missing"


@dataclass(frozen=True)
class Installation:
    """A bundle in an app: its index entry, its folder, whether it replaced one of that name, and its `problems`.

    The problems are those of `azx.bundle.contents.playable.why_not`; empty if the app can play it.
    """

    entry: InstalledBundle
    folder: Path
    kind: str
    replaced: bool
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class Removal:
    """The result of `remove`; `left` are files that stay, because they were changed or azx did not write them."""

    entry: InstalledBundle
    folder: Path
    left: tuple[str, ...]


def install(
    bundle: str | Path,
    app: str | Path,
    *,
    kind: str | None = None,
    name: str | None = None,
    precision: str | None = None,
) -> Installation:
    """Copy the files of `bundle` that `app` needs, and check them before and after.

    Args:
        bundle: the folder that azx export wrote.
        app: the app's project.
        kind: android, ios, web or folder (every artifact); if left out, the project's files decide.
        name: the bundle's folder in the app, which is its name there; by default the bundle's own name.
        precision: the precision that the app plays; "auto" is the smallest inside its gate. By default float32, and
            for the web the smallest.
            The app's self-test checks this artifact against its limits; a web app gets float32 too.

    Raises:
        UnsafeArtifact: an artifact that the app would get does more than calculate. The app is then as it was.
        BundleError: the bundle is damaged or lacks the artifact, or the project's kind is unknown or allows no
            precision. Also if a file that azx did not write is in the way. The app is then as it was.

    """
    source, project = Path(bundle), Path(app)
    chosen = kind_of(project, kind)
    manifest = load_manifest(source)
    called = name if name is not None else manifest.name
    if not is_name(called):
        raise BundleError(f"{called!r} cannot be the name of a folder in every app: give another one with --name.")
    inside(source, MANIFEST)
    if precision is not None and chosen.platform is None:
        raise BundleError(f"A folder gets every artifact in its own precision: leave --precision {precision} out.")
    entry = describe_for(source, manifest, called, chosen.platform, precision)
    check_files(source, entry.files)
    assets = chosen.assets(project)
    if assets.resolve().is_relative_to(source.resolve()):
        raise BundleError(f"'{project}' lies in the bundle itself: give the folder of the app's project.")
    folder = assets / called
    with _change_folder(assets) as place:
        index = read_index(assets)
        known = index.find(called)
        _check_free(folder, (*(known.files if known else ()), *entry.files))
        copy_files(source, entry, place / called)
        write_index(place, index.with_bundle(entry))
        # Last, to leave little time in which another process could put a file there.
        link_others(assets, place, {assets / INDEX, folder})
    return Installation(entry, folder, chosen.name, known is not None, entry.problems)


def copy_files(source: Path, entry: InstalledBundle, folder: Path) -> None:
    """Copy a bundle's files, those that its entry lists, to a new folder; BundleError if one changes meanwhile."""
    for file in entry.files:
        target = folder / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / file.path, target)
        # Read it again: the copy must have the recorded hash.
        if state(folder, file) != OK:
            raise BundleError(f"'{source / file.path}' changed while it was copied: try again.")


def _check_free(folder: Path, ours: Sequence[File]) -> None:
    """BundleError if a file is in the way that is not one of `ours`, or that was changed since."""
    # On many systems names that differ only in case mean one folder.
    others = [path for path in folder.parent.iterdir() if path.name != folder.name] if folder.parent.exists() else []
    same = next((other for other in others if alike(other.name) == alike(folder.name)), None)
    if same:
        raise BundleError(f"'{same}' differs from '{folder.name}' in case alone: choose another name with --name.")
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise BundleError(f"'{folder}' is not a folder that azx install wrote: move it away, or choose another --name.")
    for path in _files_below(folder):
        there = path.relative_to(folder).as_posix()
        # A pipe is not read, because that would wait for ever.
        plain = path.is_file() and not path.is_symlink()
        if not plain or not any(file.path == there and is_recorded(path, file.size, file.sha256) for file in ours):
            raise BundleError(
                f"'{path}' is not a file that azx install wrote, or was changed since: "
                "move it away, or choose another --name."
            )


def _files_below(folder: Path) -> Iterator[Path]:
    """All files below `folder`; links are not followed."""
    if not folder.is_dir():
        return
    for root, folders, files in os.walk(folder):
        yield from (Path(root) / name for name in files)
        yield from (path for name in folders if (path := Path(root) / name).is_symlink())


def state(folder: Path, file: File) -> str:
    """ok, changed or missing; links are never followed, pipes never read."""
    path = folder / file.path
    if path.is_symlink() or not path.is_file():
        return CHANGED if path.is_symlink() or path.exists() else MISSING
    return OK if is_recorded(path, file.size, file.sha256) else CHANGED


def list_installed(app: str | Path, *, kind: str | None = None) -> list[tuple[InstalledBundle, Path, str]]:
    """The bundles of an app: each one's entry, its folder, and the worst of ok, changed and missing."""
    assets, bundles = _assets_of(app, kind), []
    for entry in read_index(assets).bundles:
        states = {state(assets / entry.name, file) for file in entry.files}
        bundles.append((entry, assets / entry.name, next(s for s in (MISSING, CHANGED, OK) if s in states or s == OK)))
    return bundles


def clear_up_after(app: str | Path, *, kind: str | None = None) -> None:
    """Remove what killed installs left beside an app's bundles; what a running install uses stays."""
    clear_up_in(_real(_assets_of(app, kind)).parent)


def remove(name: str, app: str | Path, *, kind: str | None = None) -> Removal:
    """Take a bundle out of an app: its index entry, and all its files that are still as azx install wrote them.

    BundleError if the app has no bundle of that name, or its files cannot be written.
    """
    assets = _assets_of(app, kind)
    folder = assets / name
    with _change_folder(assets) as place:
        entry = _check_known(assets, name)
        ours = {folder / file.path for file in entry.files if not folder.is_symlink() and state(folder, file) == OK}
        link_others(assets, place, {assets / INDEX, *ours})
        for root, _, _ in os.walk(place / name, topdown=False):
            with suppress(OSError):
                Path(root).rmdir()
        left = sorted(path.relative_to(place / name).as_posix() for path in _files_below(place / name))
        write_index(place, read_index(assets).without(name))
    return Removal(entry, folder, tuple(left))


def _check_known(assets: Path, name: str) -> InstalledBundle:
    index = read_index(assets)
    entry = index.find(name)
    if entry is None:
        names = ", ".join(item.name for item in index.bundles)
        has = f"it has {names}" if names else "it has none"
        raise BundleError(f"There is no bundle '{name}' in '{assets}': {has}.")
    return entry


def _assets_of(app: str | Path, kind: str | None) -> Path:
    return kind_of(Path(app), kind).assets(Path(app))


def _real(assets: Path) -> Path:
    """The folder that a link leads to: that folder changes places, and the link stays."""
    return assets.resolve() if assets.is_dir() else assets


@contextmanager
def _change_folder(assets: Path) -> Iterator[Path]:
    """Hold the folder for one change: the block makes a new folder, which then takes the old one's place.

    If the block makes an empty folder, the old one is removed. BundleError if another azx install holds it, or the
    system refuses because of a full disk, a read-only folder or a file. Then nothing changes.
    """
    real = _real(assets)
    in_use = BundleError(f"'{assets}' is in use by another azx install: wait until it ends.")
    try:
        with locked_place(real, in_use) as place:
            yield place
            if not any(place.iterdir()):
                take_away(real)
            else:
                swap(place, real)
    except OSError as error:
        # For a full disk the error names the file that was read.
        where = assets if error.errno in (errno.ENOSPC, errno.EDQUOT) else error.filename or assets
        reason = error.strerror or error
        raise BundleError(f"'{where}' cannot be read or written ({reason}): mend that, then try again.") from error

"""`azx install`: a bundle to where an app's build expects it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..export.formats.precisions.precision import AUTO, PRECISIONS
from .options import options
from .options.grouped import command
from .printed import output

if TYPE_CHECKING:
    from ..mobile_assets.install import Installation, Removal
    from ..mobile_assets.installed_index import InstalledBundle

KINDS = ("android", "ios", "web", "folder")


@command()
@click.argument("paths", nargs=-1, required=True, type=options.FILE, metavar="[BUNDLE] APP")
@click.option("--kind", type=click.Choice(KINDS), help="Kind of the app, if its files do not determine it.")
@click.option("--name", metavar="NAME", help="The bundle's name in the app; default the bundle's own.")
@click.option(
    "--precision",
    type=click.Choice([*PRECISIONS, AUTO]),
    help="Precision for APP, one that BUNDLE holds; auto: the smallest that passes its gate. Default: fp32; for a "
    "web app auto.",
)
@click.option("--list", "listed", is_flag=True, help="List what APP holds, and check it.")
@click.option("--remove", "removed", metavar="NAME", help="Remove the bundle of that name from APP.")
@options.json_option
def install(
    paths: tuple[Path, ...],
    kind: str | None,
    name: str | None,
    precision: str | None,
    listed: bool,
    removed: str | None,
    as_json: bool,
) -> None:
    """Copy the files of BUNDLE that APP needs to where its build expects them, and check them before and after.

    An Android project gets the .tflite in app/src/main/assets/azx/NAME. An Xcode project gets the .mlpackage in
    Resources/azx/NAME. A web project gets the TF.js folders and the .tflite for LiteRT.js in public/azx/NAME (azx/NAME
    without a package.json). It plays the smallest TF.js folder. With --kind folder any folder gets every artifact in
    azx/NAME. The file azx/index.json lists what is installed. Files that azx install did not write are never touched.
    """
    alone = listed or removed is not None
    if listed and removed is not None:
        raise click.UsageError("--list and --remove exclude each other.")
    for option, value in (("--name", name), ("--precision", precision)):
        if alone and value is not None:
            raise click.UsageError(f"{option} goes with BUNDLE APP alone.")
    if len(paths) != (1 if alone else 2):
        raise click.UsageError("Give APP alone with --list and --remove." if alone else "Give BUNDLE and APP.")
    from ..mobile_assets import install as apps

    if listed:
        _show_list(paths[0], apps.list_installed(paths[0], kind=kind), as_json)
    elif removed is not None:
        _show_removed(apps.remove(removed, paths[0], kind=kind), as_json)
    else:
        _show_placed(apps.install(paths[0], paths[1], kind=kind, name=name, precision=precision), as_json)


def _show_placed(done: Installation, as_json: bool) -> None:
    if as_json:
        data = {"folder": done.folder, "kind": done.kind, "replaced": done.replaced}
        output.print_json({**data, **done.entry.as_data(), "playable": not done.problems, "doubts": done.entry.doubts})
        return
    what = done.entry.artifact or "every artifact"
    how = "replaced" if done.replaced else "installed"
    count = len(done.entry.files)
    but = f", but the app cannot play it: {_in_words(done.entry)}" if done.problems else ""
    output.line(f"{done.folder}: {how} {done.entry.title} for {done.kind}{but}", good=True)
    output.line(f"  {what}: {count} files, {output.megabytes(done.entry.size)}, each checked after copying")
    for doubt in done.entry.doubts:
        output.warning(doubt)


def _in_words(entry: InstalledBundle) -> str:
    from ..bundle.contents.playable import in_words

    return in_words(entry.problems)


def _show_list(app: Path, entries: list[tuple[InstalledBundle, Path, str]], as_json: bool) -> None:
    from ..mobile_assets.install import OK
    from ..mobile_assets.installed_index import problems_in

    # From the manifests themselves: this azx may know more of a bundle than the one that installed it.
    entries = [(replace(e, problems=problems_in(folder)), folder, state) for e, folder, state in entries]
    if as_json:
        data = [
            {"folder": folder, "state": state, **entry.as_data(), "playable": not entry.problems}
            for entry, folder, state in entries
        ]
        output.print_json(data)
        return
    if not entries:
        output.line(f"{app}: no bundle is installed.")
        return
    rows, notes = [], list[str]()
    for entry, _, state in entries:
        size = output.megabytes(entry.size)
        rows.append((output.mark(state == OK), entry.name, entry.title, entry.artifact or "all", size, state))
        if entry.problems:
            notes.append(f"{entry.name}: the app cannot play it: {_in_words(entry)}")
        notes += [f"{entry.name}: {doubt}" for doubt in entry.doubts]
    output.table(("", "name", "game", "artifact", "size", "files"), rows, right=("size",))
    for note in notes:
        output.warning(note)


def _show_removed(done: Removal, as_json: bool) -> None:
    if as_json:
        output.print_json({"folder": done.folder, "left": done.left, "name": done.entry.name})
        return
    output.line(f"{done.folder}: removed {done.entry.title}", good=True)
    for path in done.left:
        output.line(f"  left: {path} (changed, or not written by azx install)")

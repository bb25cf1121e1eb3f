"""`azx install`: a bundle to where an app's build expects it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from . import options, output

KINDS = ("android", "ios", "web", "folder")


@click.command()
@click.argument("paths", nargs=-1, required=True, type=options.FILE, metavar="[BUNDLE] APP")
@click.option("--kind", type=click.Choice(KINDS), help="What the app is, where its files do not tell it.")
@click.option("--name", metavar="NAME", help="The bundle's name in the app; default the bundle's own.")
@click.option("--list", "listed", is_flag=True, help="List what APP holds, and check it.")
@click.option("--remove", "removed", metavar="NAME", help="Take the bundle of that name out of APP.")
@options.json_option
def install(
    paths: tuple[Path, ...], kind: str | None, name: str | None, listed: bool, removed: str | None, as_json: bool
) -> None:
    """Copy what APP needs of BUNDLE to where its build expects it, checked before and after copying.

    An Android project gets the .tflite in app/src/main/assets/azx/NAME, an Xcode project the .mlpackage in
    Resources/azx/NAME, a web project the TF.js folder in public/azx/NAME (azx/NAME where there is no package.json), and
    with --kind folder any folder gets every artifact in azx/NAME. azx/index.json lists what is installed. Files that
    azx install did not write are never touched.
    """
    _check_usage(paths, name, listed, removed)
    if listed:
        _list(paths[0], kind, as_json)
    elif removed is not None:
        _remove(removed, paths[0], kind, as_json)
    else:
        _install(paths[0], paths[1], kind, name, as_json)


def _check_usage(paths: tuple[Path, ...], name: str | None, listed: bool, removed: str | None) -> None:
    alone = listed or removed is not None
    if listed and removed is not None:
        raise click.UsageError("--list and --remove exclude each other.")
    if alone and name is not None:
        raise click.UsageError("--name goes with BUNDLE APP alone.")
    if len(paths) != (1 if alone else 2):
        raise click.UsageError("Give APP alone with --list and --remove." if alone else "Give BUNDLE and APP.")


def _install(bundle: Path, app: Path, kind: str | None, name: str | None, as_json: bool) -> None:
    from ..mobile_assets.install import install as put

    done = put(bundle, app, kind=kind, name=name)
    if as_json:
        data = {"folder": done.folder, "kind": done.kind, "replaced": done.replaced}
        output.print_json({**data, **done.entry.model_dump()})
        return
    what = done.entry.artifact or "every artifact"
    how = "replaced" if done.replaced else "installed"
    count = len(done.entry.files)
    output.line(f"{done.folder}: {how} {done.entry.title} for {done.kind}", good=True)
    output.line(f"  {what}: {count} files, {_megabytes(done.entry.size)}, each checked after copying")


def _list(app: Path, kind: str | None, as_json: bool) -> None:
    from ..mobile_assets.install import OK, installed

    found = installed(app, kind=kind)
    if as_json:
        rows: list[dict[str, Any]] = [{"folder": f, "state": s, **entry.model_dump()} for entry, f, s in found]
        output.print_json(rows)
        return
    if not found:
        output.line(f"{app}: no bundle is installed.")
        return
    table = [
        (output.mark(state == OK), entry.name, entry.title, entry.artifact or "all", _megabytes(entry.size), state)
        for entry, _, state in found
    ]
    output.table(("", "name", "game", "artifact", "size", "files"), table, right=("size",))


def _remove(name: str, app: Path, kind: str | None, as_json: bool) -> None:
    from ..mobile_assets.install import remove

    done = remove(name, app, kind=kind)
    if as_json:
        output.print_json({"folder": done.folder, "left": done.left, "name": done.entry.name})
        return
    output.line(f"{done.folder}: removed {done.entry.title}", good=True)
    for path in done.left:
        output.line(f"  left: {path} (changed, or not written by azx install)")


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.2f} MB"

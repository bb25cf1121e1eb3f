"""`azx page`: networks as a folder that any web host can show."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .options import from_fields, options
from .options.grouped import command
from .printed import output

if TYPE_CHECKING:
    from ..mobile_assets.page.write import Page

# If a network has at least this many bytes, the command says how long a visitor waits for it.
LARGE = 20_000_000
PRECISIONS = ("auto", "fp16", "fp32")
LOOK = ("title", "author", "icon", "accent", "backgrounds", "url", "precision")


@command()
@click.argument("nets", nargs=-1, required=True, type=options.FILE, metavar="NET...")
@options.file_option(
    "-o", "--output", "folder", default=Path("site"), metavar="DIR", show_default=True, help="The page."
)
@click.option("--zip", "zipped", is_flag=True, help="Write DIR.zip beside it too.")
@click.option("--title", metavar="TEXT", help="What the page is called; default the names of the games.")
@click.option("--author", metavar="TEXT", help="Who made it, at the foot of the page.")
@options.file_option("--icon", metavar="FILE.png", help="Its icon; default a picture of the board.")
@click.option("--accent", metavar="COLOUR", help="The colour of its buttons, such as '#0b6e5f'.")
@click.option(
    "--background",
    "backgrounds",
    multiple=True,
    metavar="COLOUR",
    help="The page's background; may be repeated, for a light one and a dark one.",
)
@click.option("--url", metavar="URL", help="Where the page will be: previews of its link need that.")
@click.option(
    "--precision",
    type=click.Choice(PRECISIONS),
    default=PRECISIONS[0],
    show_default=True,
    help="Precision that a checkpoint is exported in, beside fp32; auto: the smallest inside its gate.",
)
@options.file_option("--app", metavar="DIR", help="A built web app other than azx's own.")
@from_fields.checkpoint_options
@options.json_option
def page(nets: tuple[Path, ...], folder: Path, zipped: bool, app: Path | None, as_json: bool, **chosen: Any) -> None:
    """Write a page on which people play NETS, as a folder of plain files for any web host.

    NET is a bundle's folder, a checkpoint, or the name of a shipped network. A checkpoint is first exported for the
    browser and proved (exit code 3 if the proof fails); in the precision auto that takes minutes, once. The options in
    "What the file does not say" are for checkpoints.

    The page works offline once it was visited, and names no other host. board.html in it is a single board for a frame
    in a page of your own. An earlier page of azx in DIR is replaced; what azx did not write there stays.
    docs/hosting.md has lines for some hosts.
    """
    from ..verbs.publishing import write_page
    from .options.nets import STEPS, PrintedExports, check_for_checkpoints

    look = {name: chosen.pop(name) for name in LOOK}
    check_for_checkpoints(nets, chosen)
    exports = PrintedExports("a page", as_json, STEPS if look["precision"] == "fp32" else None)
    done = write_page(nets, folder, app=app, zipped=zipped, exports=exports, **look, **chosen)
    _print(done, look["url"], as_json)


def _wait(size: int) -> str:
    """How long a number of bytes takes at 10 Mbit/s, in words."""
    seconds = round(size * 8 / 10e6)
    return f"{seconds} s" if seconds < 120 else f"{round(seconds / 60)} minutes"


def _print(done: Page, url: str | None, as_json: bool) -> None:
    if as_json:
        listed = [entry.as_data() for entry in done.bundles]
        sizes = {"app": done.app_size, "networks": done.networks_size}
        output.print_json({"folder": done.folder, "zip": done.zip, "bytes": sizes, "bundles": listed})
        return
    app, networks = output.megabytes(done.app_size), output.megabytes(done.networks_size)
    output.line(f"{done.folder}: a page with {', '.join(entry.title for entry in done.bundles)}", good=True)
    output.line(f"  {app} of app and {networks} of networks" + (f", packed in {done.zip}" if done.zip else ""))
    for entry, load in zip(done.bundles, done.loads, strict=True):
        if load > LARGE:
            output.warning(
                f"A visitor loads {output.megabytes(load)} before {entry.title} gives its first answer: {_wait(load)} "
                "at 10 Mbit/s. A lower precision or a smaller network is sooner there."
            )
    for entry in done.bundles:
        for doubt in entry.doubts:
            output.warning(doubt)
    if url is None:
        output.line("  A link to it is shown without its picture in some programs: --url says where it will be.")
    output.line(f"Next: python3 -m http.server --bind 127.0.0.1 --directory '{done.folder}', or put it on a host.")

"""`azx serve`: networks in the browser of this machine, or of others in its network."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import printable
from ..system.streams import can_show
from ..verbs.defaults import PORT
from .options import from_fields, options
from .options.grouped import command
from .printed import output

if TYPE_CHECKING:
    from ..mobile_assets.installed_index import InstalledBundle


@command()
@click.argument("nets", nargs=-1, type=options.FILE, metavar="[NET]...")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="The port; 0 for any free one."
)
@click.option("--browser/--no-browser", default=True, show_default=True, help="Open the browser.")
@click.option("--lan", is_flag=True, help="Serve to everyone in this machine's network, by plain http.")
@click.option("--address", metavar="ADDRESS", help="The address of this machine that --lan uses.")
@options.file_option(
    "--watch",
    "watched",
    is_flag=False,
    flag_value=Path("bundles"),
    metavar="[DIR]",
    help="Serve the best networks that `azx watch` keeps in DIR (default bundles), or the run of `azx train` in DIR.",
)
@options.file_option("--app", metavar="DIR", help="A built web app other than azx's own.")
@from_fields.checkpoint_options
@options.json_option
def serve(
    nets: tuple[Path, ...],
    port: int,
    browser: bool,
    lan: bool,
    address: str | None,
    watched: Path | None,
    app: Path | None,
    as_json: bool,
    **chosen: Any,
) -> None:
    """Play NETS in the browser, on this machine alone, until Ctrl-C (exit code 0).

    NET is a bundle's folder, a checkpoint, or the name of a shipped network. A checkpoint is first exported for the
    browser and proved (exit code 3 if the proof fails). The bundle stays in your cache folder, so it is available at
    once the next time. The options from --game on are for checkpoints.

    Without NETS it serves the shipped networks that `make bundles` wrote in a source tree. Without those it serves
    bundles/ of this folder, or else the networks that come with the app. With --watch the page shows the best network
    of each game that `azx watch` keeps in DIR. When a better one comes, an open page offers it; the game on the board
    goes on. If DIR is a run of `azx train`, running or not, the page plays its best network so far. It also shows the
    run's curve, speed and last game.

    If a bundle is damaged while it is served, the page lists the others, and standard error says why.

    The server answers at 127.0.0.1 and sends nothing but the app and the bundles' files. With --lan it answers at this
    machine's address in its network instead, which is printed as a QR code too.
    """
    import threading
    import webbrowser

    from ..verbs.publishing import serve_networks
    from .options.nets import PrintedExports, check_for_checkpoints

    if address is not None and not lan:
        raise click.UsageError("--address is for --lan: without it only this machine is served, at 127.0.0.1.")
    if watched is not None and (nets or any(chosen.values())):
        raise click.UsageError("--watch serves what a watch finds best: leave NETS and their options out.")
    if watched is None:
        check_for_checkpoints(nets, chosen)
    how: dict[str, Any] = {"port": port, "lan": lan, "address": address, "watch": watched, "app": app, "tell": _tell}
    try:
        with serve_networks(nets, exports=PrintedExports("the browser", as_json), **how, **chosen) as serving:
            bundles = serving.bundles
            if as_json:
                _print(serving.url, lan, bundles)
            else:
                _say(serving.url, lan, bundles)
                if watched is not None and not bundles:
                    output.line(f"No network is in '{watched}' yet: the page shows the first one when it comes.")
            if browser:
                # In a thread: some browsers' command returns only when they are closed.
                threading.Thread(target=webbrowser.open, args=(serving.url,), daemon=True).start()
            serving.serve_forever()
    except KeyboardInterrupt:
        if not as_json:
            output.line("")
            output.line("Stopped.")


def _tell(sentence: str) -> None:
    click.echo(f"Not shown: {printable(sentence)}", err=True)


def _say(url: str, lan: bool, bundles: Sequence[InstalledBundle]) -> None:
    output.line(f"Serving at {url} (Ctrl-C ends)")
    if lan:
        _show_way(url)
    for entry in bundles:
        _show(entry)


def _print(url: str, lan: bool, bundles: Sequence[InstalledBundle]) -> None:
    listed = [{**entry.as_data(), "playable": not entry.problems} for entry in bundles]
    output.print_json({"url": url, "lan": lan, "bundles": listed})


def _show_way(url: str) -> None:
    """Print the address and QR code for other devices, and what plain http cannot do."""
    from ..mobile_assets.lan import qr_code

    code = qr_code(url)
    if can_show(code):
        for row in code.splitlines():
            # Cameras need dark on light, so the blocks draw the light parts, whatever the terminal's colours are.
            click.secho(row, fg="bright_white", bg="black")
    output.warning(
        "Everyone in this network can open the page and its bundles. It comes by plain http, so browsers cannot "
        "install it, keep it offline or copy a link to a game. They load the networks on each visit. Files are "
        "checked by SHA-256 as always."
    )


def _show(entry: InstalledBundle) -> None:
    from ..bundle.contents.playable import in_words

    if entry.problems:
        output.warning(f"{entry.title}: the page cannot play it: {in_words(entry.problems)}")
        return
    output.line(entry.title, good=True)
    for doubt in entry.doubts:
        output.warning(doubt)

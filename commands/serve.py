"""`azx serve`: networks in the browser of this machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from . import options, output

PORT = 8520
# Of an export of one format: reading, simplifying, building, asking the original, writing, proving.
STEPS = 6


@click.command()
@click.argument("nets", nargs=-1, type=options.FILE, metavar="[NET]...")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="The port; 0 for any free one."
)
@click.option("--browser/--no-browser", default=True, show_default=True, help="Open the browser.")
@click.option("--app", type=options.FILE, metavar="DIR", help="Another built web app than the one of azx.")
@options.game_options
@options.head_options
@options.architecture_options
@options.code_option
@options.json_option
def serve(nets: tuple[Path, ...], port: int, browser: bool, app: Path | None, as_json: bool, **chosen: Any) -> None:
    """Play NETS in the browser, on this machine alone, until Ctrl-C (exit code 0).

    NET is a bundle's folder, a checkpoint, or the name of a shipped network. A checkpoint is exported for the browser
    and proved first (exit code 3 where the proof fails); the bundle is kept in your cache folder, so that the next time
    it is there at once. The options from --game on are for checkpoints.

    Without NETS those of the shipped networks are served where `make bundles` has made them, else those in bundles/.
    The server answers at 127.0.0.1 and sends nothing but the app and the bundles' files.
    """
    import threading
    import webbrowser

    from ..mobile_assets.server import listening
    from ..mobile_assets.site import find_web, open_site

    try:
        find_web(app)  # before a long export
        with listening(open_site(_bundles(nets, chosen, as_json), app), port) as server:
            found = server.site.index().bundles
            if as_json:
                listed = [
                    {**entry.model_dump(), "playable": not entry.problems, "problems": entry.problems or []}
                    for entry in found
                ]
                output.print_json({"url": server.url, "bundles": listed})
            else:
                output.line(f"Serving at {server.url} (Ctrl-C ends)")
                for entry in found:
                    _show(entry.title, entry.problems or [])
            if browser:
                # Beside the server: some browsers only return when they are closed.
                threading.Thread(target=webbrowser.open, args=(server.url,), daemon=True).start()
            server.serve_forever()
    except KeyboardInterrupt:
        if not as_json:
            output.line("")
            output.line("Stopped.")


def _bundles(nets: Sequence[Path], chosen: Mapping[str, Any], as_json: bool) -> list[Path]:
    """The bundle of each net: its own folder, or the one that is made of a checkpoint."""
    from ..mobile_assets.served import is_bundle, serve_checkpoint

    checkpoints = [net for net in nets if not is_bundle(net)]
    if not checkpoints and any(chosen.values()):
        given = next(f"--{name.replace('_', '-')}" for name, value in chosen.items() if value)
        raise click.UsageError(f"{given} is for a checkpoint, and none is given: a bundle says so itself.")
    made = {}
    for net in checkpoints:
        with output.progress(f"Exporting {net.name} for the browser", STEPS) as step:
            made[net] = serve_checkpoint(net, on_step=step, **chosen)
        if not as_json:
            seconds = made[net].seconds
            when = "before, and kept in the cache" if seconds is None else f"in {seconds:.1f} s"
            output.line(f"{net.name}: exported for the browser {when}, equal to the original", good=True)
    return [made[net].folder if net in made else net for net in nets]


def _show(title: str, problems: Sequence[str]) -> None:
    from ..bundle.playable import told

    if problems:
        output.warning(f"{title}: the page cannot play it: {told(problems)}")
    else:
        output.line(title, good=True)

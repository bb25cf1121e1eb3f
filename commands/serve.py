"""`azx serve`: bundles in the browser of this machine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from . import options, output

PORT = 8520


@click.command()
@click.argument("bundles", nargs=-1, type=options.FILE, metavar="[BUNDLE]...")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="The port; 0 for any free one."
)
@click.option("--browser/--no-browser", default=True, show_default=True, help="Open the browser.")
@click.option("--app", type=options.FILE, metavar="DIR", help="Another built web app than the one of azx.")
@options.json_option
def serve(bundles: tuple[Path, ...], port: int, browser: bool, app: Path | None, as_json: bool) -> None:
    """Play BUNDLES in the browser, on this machine alone, until Ctrl-C (exit code 0).

    Without BUNDLES those of the shipped networks are served where `make bundles` has made them, else those in bundles/.
    The server answers at 127.0.0.1 and sends nothing but the app and the bundles' files.
    """
    import threading
    import webbrowser

    from ..mobile_assets.install import unplayable
    from ..mobile_assets.server import listening
    from ..mobile_assets.site import open_site

    try:
        with listening(open_site(bundles, app), port) as server:
            found = server.site.index().bundles
            problems = [unplayable(server.site.bundles[entry.name]) for entry in found]
            if as_json:
                listed = [
                    {**entry.model_dump(), "playable": not why, "problems": why}
                    for entry, why in zip(found, problems, strict=True)
                ]
                output.print_json({"url": server.url, "bundles": listed})
            else:
                output.line(f"Serving at {server.url} (Ctrl-C ends)")
                for entry, why in zip(found, problems, strict=True):
                    _show(entry.title, why)
                if not found:
                    output.line("  the app with the bundles that it was built with")
            if browser:
                # Beside the server: some browsers only return when they are closed.
                threading.Thread(target=webbrowser.open, args=(server.url,), daemon=True).start()
            server.serve_forever()
    except KeyboardInterrupt:
        if not as_json:
            output.line("")
            output.line("Stopped.")


def _show(title: str, problems: Sequence[str]) -> None:
    from ..bundle.playable import told

    if problems:
        output.warning(f"{title}: the page cannot play it: {told(problems)}")
    else:
        output.line(title, good=True)

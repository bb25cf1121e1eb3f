"""`azx watch`: export, prove and play each checkpoint as training writes it."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import AzxError
from ..system.ctrl_c import INTERRUPTED
from ..verbs.defaults import WATCH_GAMES, WATCH_GATE, WATCH_INTERVAL
from .match import parse_sprt
from .options import options
from .options.from_fields import export_options, recipe_of
from .options.grouped import command
from .options.playing import SIMULATIONS, simulations_option
from .printed import output

if TYPE_CHECKING:
    from ..sweeps.watch.events import Event


@command()
@click.argument("folder", type=options.FILE)
@options.file_option(
    "-o", "--output", "bundles", metavar="DIR", help="Folder of the bundles and the best; default bundles."
)
@options.file_option("--app", metavar="APP", help="Install each new best network into this app.")
@click.option("--kind", type=click.Choice(("android", "ios", "web", "folder")), help="Kind of the app (`azx install`).")
@simulations_option(SIMULATIONS)
@options.number_option("--games", 1, WATCH_GAMES, "Games of a contest at most.")
@click.option(
    "--gate",
    "sprt",
    metavar="ELO0,ELO1",
    default=",".join(f"{elo:g}" for elo in WATCH_GATE),
    show_default=True,
    callback=lambda context, option, text: parse_sprt(text),
    help="A new network becomes the best once it clearly leads by ELO1, not just ELO0.",
)
@click.option("--once", is_flag=True, help="End when all checkpoints are done, with the worst exit code of all.")
@click.option(
    "--interval",
    type=click.FloatRange(0.05, 3600),
    default=WATCH_INTERVAL,
    show_default=True,
    metavar="SECONDS",
    help="Seconds between two looks at FOLDER.",
)
@export_options
@click.option("--json", "as_json", is_flag=True, help="Print each event as a line of JSON on standard output.")
def watch(
    folder: Path,
    bundles: Path | None,
    as_json: bool,
    **chosen: Any,
) -> None:
    """Export each checkpoint in FOLDER once it is written whole, prove it, and let it play the best so far.

    Watches until Ctrl-C. Bundles are made and kept as `azx sweep` does it with the same options. The first network of a
    game is the best until another passes the gate; an interrupted contest resumes. The best lies in DIR/best-of/GAME,
    and best.json has its contests. `azx serve --watch` shows it in the browser.
    """
    from ..bundle.export import BUNDLES
    from ..verbs.sweeping import watch_folder

    printer = _EventPrinter(as_json)
    rest = {name: chosen.pop(name) for name in ("app", "kind", "games", "simulations", "once", "interval")}
    gate = chosen.pop("sprt")
    try:
        place = BUNDLES if bundles is None else bundles
        watch_folder(folder, recipe_of(chosen), output=place, gate=gate, tell=printer, **rest)
        printer.raise_worst()
    except (AzxError, KeyboardInterrupt) as error:
        if not as_json:
            raise
        if isinstance(error, AzxError):
            raise output.end(f"Error: {error}", error.exit_code, as_json) from error
        raise output.end("Interrupted.", INTERRUPTED, as_json) from error


class _EventPrinter:
    """Prints each event, whichever thread it comes from, and knows what failed."""

    def __init__(self, as_json: bool) -> None:
        self._as_json, self._printing = as_json, threading.Lock()
        # By checkpoint: the exit code of its latest event.
        self._codes: dict[str, int] = {}

    def __call__(self, event: Event) -> None:
        from ..sweeps.watch.events import FAILED, UNREADABLE

        if "checkpoint" in event.data:
            code = int(event.data.get("exit_code", 1)) if event.kind in (FAILED, UNREADABLE) else 0
            self._codes[str(event.data["checkpoint"])] = code
        with self._printing:
            if self._as_json:
                click.echo(json.dumps(output.plain({"event": event.kind, "name": event.name, **event.data})))
            else:
                click.echo("Watch: " + " ".join(part for part in (event.name, event.text) if part), err=True)

    def raise_worst(self) -> None:
        """AzxError with the worst exit code of all exports, if a checkpoint failed and was not replaced."""
        failed = [path for path, code in self._codes.items() if code]
        if not failed:
            return
        others = f", and {len(failed) - 1} more" if len(failed) > 1 else ""
        error = AzxError(
            f"{len(failed)} of {len(self._codes)} checkpoints failed (first '{failed[0]}'{others}): "
            "mend or remove those named above; the same command keeps what is done."
        )
        error.exit_code = max(self._codes.values())
        raise error

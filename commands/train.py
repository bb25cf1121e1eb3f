"""`azx train`: a network from nothing, by playing itself."""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import printable
from .options import options
from .options.grouped import command
from .printed import output

if TYPE_CHECKING:
    from ..runs.run import Run


@command()
@click.argument("what", metavar="GAME|RUN")
@options.file_option("-o", "--output", "folder", metavar="RUN", help="Folder of the run; default runs/GAME.")
@click.option(
    "--minutes",
    type=click.FloatRange(0, min_open=True),
    help="Train for this time, with a rate that falls over the second half; default: until Ctrl-C.",
)
@click.option("--generations", type=click.IntRange(1), help="Stop after COUNT more generations.")
@click.option(
    "--net",
    metavar="NAME",
    help="BLOCKSxFILTERS such as 4x32, cells:BLOCKSxFILTERS (one policy for every cell), dense:LAYERSxUNITS, or "
    "counting:LAYERSxUNITS (dense, counting drawn edges); default by game.",
)
@click.option("--games", type=click.IntRange(1), help="Games of each generation; default by game.")
@click.option("--simulations", type=click.IntRange(2), help="Simulations of each move; default by game.")
@click.option(
    "--rate",
    type=click.FloatRange(0, min_open=True),
    help="Learning rate; default 0.01, without batch normalisation 0.002.",
)
@options.file_option(
    "--start-from",
    help="Network to begin with: one of a run with the same --net, or any that azx reads; the run then keeps its "
    "layers.",
)
@options.file_option(
    "--encoding",
    metavar="FILE|NAME",
    help="Encoding of the network of --start-from, if its answers do not show it.",
)
@click.option("--workers", type=click.IntRange(1), help="Processes on this machine that play; default 1.")
@options.backend_options
@options.number_option("--seed", 0, 0, "Of all draws.")
@options.board_options
@options.file_option(
    "--bundles", metavar="DIR", help="Folder for the bundle of the best network at the end; default bundles."
)
@click.option("--no-export", is_flag=True, help="Do not export the best network.")
@click.option("--json", "as_json", is_flag=True, help="Print each event as a line of JSON on standard output.")
def train(what: str, folder: Path | None, as_json: bool, **chosen: Any) -> None:
    """Train a network of GAME from nothing: it plays itself, learns from its games, and is judged.

    RUN is the folder of an earlier run, which resumes with the same game, board and network. Each generation is a Keras
    checkpoint, gen0001.h5 and so on. At the end the best one is exported and proved, and `azx serve --watch` plays it
    in the browser.

    A killed run loses only the generation under way.
    """
    from ..bundle.export import BUNDLES
    from ..verbs.training import train_network
    from .options.playing import check_workers

    printer = _Printer(as_json)
    how = {name: chosen.pop(name) for name in ("minutes", "generations", "backend", "scheduler")}
    workers, bundles, no_export = chosen.pop("workers"), chosen.pop("bundles"), chosen.pop("no_export")
    check_workers(workers, how["backend"])
    settings = options.take_board(chosen)
    calls: dict[str, Any] = {"on_begin": printer.begin, "on_note": _note}
    calls |= {"on_event": printer.event, "on_generation": printer.generation}
    place = None if no_export else bundles or BUNDLES
    with _interrupts_in_words(printer, as_json):
        done = train_network(
            what, folder, settings=settings, workers=workers or 1, bundles=place, **how, **calls, **chosen
        )
        if done.bundle is not None:
            printer.published(done.best, done.bundle)


def _note(sentence: str) -> None:
    click.echo(printable(sentence), err=True)


@contextmanager
def _interrupts_in_words(printer: _Printer, as_json: bool) -> Iterator[None]:
    """Let Ctrl-C end the command with a sentence that says how to resume the run, once the run exists.

    With --json, unlike in other commands, the error too is JSON in one line.
    """
    from ..errors import AzxError
    from ..system.ctrl_c import INTERRUPTED, is_swallowed_by

    try:
        yield
    except AzxError as error:
        if not as_json or printer.folder is None:
            raise
        raise output.end(f"Error: {error}", error.exit_code, as_json) from error
    except OSError as error:
        if printer.folder is None:
            raise
        command = shlex.join(["azx", "train", str(printer.folder)])
        reason, where = error.strerror or type(error).__name__, error.filename or printer.folder
        sentence = f"Error: '{where}' cannot be written ({reason}): make room, then resume with `{command}`."
        raise output.end(sentence, 1, as_json) from error
    except (KeyboardInterrupt, ImportError, SystemError) as error:
        if printer.folder is None or (not isinstance(error, KeyboardInterrupt) and not is_swallowed_by(error)):
            raise
        command = shlex.join(["azx", "train", str(printer.folder)])
        raise output.end(f"Interrupted: resume with `{command}`.", INTERRUPTED, as_json) from error


class _Printer:
    """Prints what happens: JSON lines on standard output, or sentences on standard error."""

    def __init__(self, as_json: bool) -> None:
        self._as_json, self._begun = as_json, time.monotonic()
        self._positions = 0
        self.folder: Path | None = None

    def begin(self, run: Run) -> None:
        """Print what is trained; from now on `folder` is the run's."""
        self.folder = run.folder
        parameters = f"{run.recipe.net}, {run.recipe.games} games a generation, {run.recipe.simulations} simulations"
        self._say({"event": "run", "folder": str(run.folder)}, f"{run.folder}: {run.game.title}, {parameters}")

    def event(self, event: Mapping[str, Any]) -> None:
        """An event of the generation under way; printed with --json alone."""
        if self._as_json:
            click.echo(json.dumps(event))

    def generation(self, line: Mapping[str, Any]) -> None:
        """Print a finished generation."""
        self._positions += line["positions"]
        strength = (
            f"{line['about']} {line['figure']:.0f}" if "figure" in line else f"Elo {line['elo']:+.0f}{_interval(line)}"
        )
        if solved := line.get("solved"):
            ends = f"[{solved['low']:.0f}, {solved['high']:.0f}]"
            strength += (
                f", keeps the value in {solved['percent']:.0f} % of {solved['positions']} solved positions {ends}"
            )
        best = ", the best so far" if line["best"] else ""
        spent = time.monotonic() - self._begun
        self._say(
            {"event": "generation", **line},
            f"generation {line['generation']}: {strength}{best}; losses {line['policy_loss']:.3f} policy, "
            f"{line['value_loss']:.3f} value; {line['plies']:.0f} plies a game; {self._positions / spent:,.0f} "
            f"positions a second, {spent / 60:.1f} minutes",
        )

    def published(self, generation: int, folder: Path) -> None:
        """Print where the best network is."""
        self._say(
            {"event": "exported", "generation": generation, "folder": str(folder)},
            f"The best network is that of generation {generation}: {folder}, proved. `azx serve --watch` plays it.",
        )

    def _say(self, data: Mapping[str, Any], sentence: str) -> None:
        if self._as_json:
            click.echo(json.dumps(data))
        else:
            click.echo(sentence, err=True)


def _interval(line: Mapping[str, Any]) -> str:
    """The contest's points, and its interval in Elo relative to the earlier best network; empty without a contest."""
    if "contest" not in line:
        return ""
    contest = line["contest"]
    low, high = (f"{contest[end]:+.0f}" if contest[end] is not None else "?" for end in ("low", "high"))
    return f" ({contest['points']:g} of {contest['games']} against the best: [{low}, {high}])"

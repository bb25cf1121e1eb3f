"""The `azx` command: a Click group that loads a command's module only when that command is called.

`COMMANDS` is the one list of commands. `azx --help` is written from it, so it imports neither a command nor NumPy.
"""

from __future__ import annotations

import errno
import json
import os
import signal
import sys
import threading
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NoReturn

import click

from .errors import AzxError, printable
from .system.ctrl_c import INTERRUPTED, is_swallowed_by, raise_from_here
from .system.memory import TOO_LITTLE, has_run_out
from .version import __version__

__all__ = ["COMMANDS", "LazyCommand", "LazyGroup", "cli"]

AS_JSON = "azx.as_json"  # in the context
OWN_FILE = "azx.own_file"


@dataclass(frozen=True)
class LazyCommand:
    """A command's module, its line in `azx --help`, and the extra that installs what it needs beyond the core."""

    target: str
    help: str
    extra: str = ""

    def load(self) -> click.Command:
        """Import the command's module and return its Click command."""
        module, _, function = self.target.partition(":")
        command = getattr(import_module(module), function)
        assert isinstance(command, click.Command)  # noqa: S101 - a slip in the table below, not a user's
        return command


COMMANDS: dict[str, LazyCommand] = {
    name: LazyCommand(f"azx.commands.{name}:{name}", says, extra)
    for name, says, extra in (
        ("train", "Train a network from nothing, by playing itself.", "train"),
        ("export", "Write a checkpoint in five formats, each proved equal.", "export"),
        ("sweep", "Export many checkpoints, each proved, and keep what is done.", "export"),
        ("watch", "Export checkpoints as training writes them, and keep the best.", "export"),
        ("validate", "Prove again that a bundle answers as its checkpoint.", "export"),
        ("bench", "Measure how fast a bundle's artifacts are on this machine.", "play"),
        ("explain", "Say which layer of an artifact is at fault.", "export"),
        ("report", "Write what was proved of a bundle as a page with plots.", "export"),
        ("install", "Put a bundle where an app's build expects it.", ""),
        ("serve", "Play a checkpoint or bundles in the browser.", ""),
        ("page", "Write a page with networks, for any web host.", ""),
        ("apk", "Write an Android app with networks.", ""),
        ("inspect", "Show what a checkpoint holds, without TensorFlow.", ""),
        ("describe", "Say how a network sees its board, if azx does not know.", ""),
        ("play", "Play against a network in the terminal.", ""),
        ("engine", "Let other board programs play against a network.", ""),
        ("match", "Let networks play each other and say which is stronger.", ""),
        ("tune", "Find the search that suits a bundle's network best.", ""),
        ("games", "List the games that azx knows, with their networks' shapes.", ""),
        ("doctor", "Say which formats and runtimes work here.", ""),
        ("help", "Show what a command does; write the manual pages.", ""),
        ("completion", "Let the Tab key complete commands and options.", ""),
    )
}


# As `azx --help` lists them.
SECTIONS = {
    "Every day": ("export", "serve", "play", "engine", "inspect", "describe", "page", "apk", "install"),
    "Many networks": ("train", "sweep", "watch", "match", "tune"),
    "Proof and speed": ("validate", "report", "explain", "bench"),
    "What azx knows and has": ("games", "doctor", "help", "completion"),
}


class LazyGroup(click.Group):
    """A group over `COMMANDS` that turns every exception into one sentence and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of the commands in the order of `COMMANDS`."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command, or None for a name that `COMMANDS` does not have."""
        entry = COMMANDS.get(cmd_name)
        return entry.load() if entry else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from the table alone."""
        for section, names in SECTIONS.items():
            with formatter.section(section):
                formatter.write_dl([(name, COMMANDS[name].help) for name in names])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Note whether --json is given: then errors are JSON too, including those of wrong usage."""
        ctx.meta[AS_JSON] = "--json" in args
        ctx.meta[OWN_FILE] = True
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that `args` begin with; an unknown one names the nearest."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            ctx.fail(_describe_unknown(name))
        resolved = super().resolve_command(ctx, args)
        if ctx.meta.get(OWN_FILE) and resolved[1] is not None and not {"-h", "--help"} & set(args):
            self._take_own_file(ctx, resolved[1])
        return resolved

    def _take_own_file(self, ctx: click.Context, command: click.Command) -> None:
        """Take defaults of the command's options from azx.toml, if it exists in this folder or above it."""
        from .commands.options.own_file import defaults_of, find_own_file, read_own_file

        path = find_own_file()
        options = read_own_file(path, COMMANDS).get(command.name or "", {}) if path else {}
        if path and options:
            ctx.default_map = {command.name or "": defaults_of(command, options, path)}
            if not ctx.meta[AS_JSON]:
                click.echo(printable(f"With the options of '{path}'."), err=True)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; raises SystemExit with the exit code that docs/cli.md lists if it fails."""
        from .system.temporary import clear_up

        as_json: bool = ctx.meta[AS_JSON]
        try:
            raise_from_here()
            clear_up()
            return super().invoke(ctx)
        except click.exceptions.Exit:
            raise
        except click.ClickException as error:
            if as_json:
                _print_json({}, error.format_message(), error.exit_code)
            raise
        except (KeyboardInterrupt, click.Abort):
            _quit("Interrupted.", INTERRUPTED, as_json)
        except AzxError as error:
            _quit(f"Error: {error}", error.exit_code, as_json, error.report)
        except Exception as error:
            if is_swallowed_by(error):
                _quit("Interrupted.", INTERRUPTED, as_json)
            if isinstance(error, OSError) and error.errno == errno.EPIPE:
                raise  # Click leaves quietly when the reader of a pipe has gone
            _quit(f"Error: {_describe(error, ctx.invoked_subcommand or '')}", 1, as_json)


def _describe(error: Exception, command: str) -> str:
    """The sentence for an error that azx did not raise itself."""
    if has_run_out(error):
        return TOO_LITTLE
    if isinstance(error, OSError):
        where = f": '{error.filename}'" if error.filename is not None else ""
        return f"{error.strerror or error}{where}."
    if isinstance(error, ModuleNotFoundError) and (missing := _describe_missing(error, command)):
        return missing
    first_line = (str(error).strip().splitlines() or [""])[0]
    what = f"{type(error).__name__}: {first_line}" if first_line else type(error).__name__
    return f"unexpected error ({what}); set AZX_DEBUG=1 for the traceback."


def _describe_unknown(name: str) -> str:
    from difflib import get_close_matches

    nearest = get_close_matches(name, COMMANDS, n=1, cutoff=0.5)
    hint = f"did you mean '{nearest[0]}'?" if nearest else f"the commands are {', '.join(COMMANDS)}."
    return f"There is no command '{name}': {hint}"


def _describe_missing(error: ModuleNotFoundError, command: str) -> str | None:
    """The sentence for a missing package, with the extra that installs all that the command needs; None if unknown."""
    from .system.installed import missing

    package = (error.name or "azx").partition(".")[0]
    # No extra brings the backend of Keras that the user chose.
    reason = missing(package, "" if package == os.environ.get("KERAS_BACKEND") else COMMANDS[command].extra)
    return f"`azx {command}` cannot run: {reason}." if reason else None


def _quit(sentence: str, code: int, as_json: bool, report: Mapping[str, Any] | None = None) -> NoReturn:
    """End with the sentence on standard error; with --json it is on standard output too, with the `report`."""
    if os.environ.get("AZX_DEBUG") == "1":
        traceback.print_exc()
    click.echo(printable(sentence), err=True)
    if as_json:
        _print_json(report or {}, sentence.removeprefix("Error: "), code)
    raise SystemExit(code)


def _print_json(report: Mapping[str, Any], sentence: str, code: int) -> None:
    """Print the report and the error as one JSON document; a failing command prints nothing else there."""
    click.echo(json.dumps({**report, "error": sentence, "exit_code": code}, indent=2, allow_nan=False))


def _print_anything() -> None:
    """Let a file name that the terminal's encoding lacks be printed escaped instead of ending the command."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _clear_up_when_terminated() -> None:
    """Let SIGTERM end the command as an exit does, so that half-written folders and workers go with it."""

    def stop(number: int, frame: object) -> NoReturn:
        raise SystemExit(128 + number)  # what shells report for a process that a signal ended

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, stop)


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Run 'azx help COMMAND' for a command's options; 'azx completion' lets the Tab key complete them. A file "
    "azx.toml in this folder, or in one above it, may set options: a line [export], then precision = 'auto'.",
)
@click.option(
    "--no-config",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=lambda ctx, option, value: ctx.meta.update({OWN_FILE: False}) if value else None,
    help="Ignore azx.toml.",
)
@click.version_option(__version__, "-V", "--version", prog_name="azx", message="%(prog)s %(version)s")
def cli() -> None:
    """Take an AlphaZero-style network to where people play, each artifact proved equal to the original.

    'azx export' alone exports the Connect4 network that azx ships.
    """
    _print_anything()
    _clear_up_when_terminated()

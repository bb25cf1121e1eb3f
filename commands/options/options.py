"""Options that several commands share, and the types of their values."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ...errors import printable
from ..printed.output import Loudness

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from ...bundle.case.checkpoint import Checkpoint

Command = TypeVar("Command", bound=Callable[..., Any])
Made = TypeVar("Made", bound="DataclassInstance")
FILE = click.Path(path_type=Path)


class Names(click.ParamType[tuple[str, ...]]):
    """One name of a table, or several with commas between them; an unknown one names the nearest.

    `table` has the names, and the sentence that refuses any other.
    """

    def __init__(self, name: str, table: Callable[[], tuple[Collection[str], Callable[[str], str]]]) -> None:
        self.name, self._table = name, table

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        """A tuple of known names."""
        known, unknown = self._table()
        names = value if isinstance(value, tuple) else tuple(part.strip() for part in str(value).split(","))
        for name in names:
            if name not in known:
                self.fail(unknown(name), param, ctx)
        return names


def _formats() -> tuple[Collection[str], Callable[[str], str]]:
    from ...export.formats.table import ALL, FORMATS, unknown

    return {ALL, *FORMATS}, unknown


def _precisions() -> tuple[Collection[str], Callable[[str], str]]:
    from ...export.formats.precisions.precision import AUTO, PRECISIONS, unknown

    return {AUTO, *PRECISIONS}, unknown


FORMAT_NAMES, PRECISION_NAMES = Names("format", _formats), Names("precision", _precisions)


class GameName(click.ParamType[str]):
    """A game's name. An unknown name raises GameError with the nearest name, before anything is loaded.

    `none` lets "none" pass, for no game.
    """

    name = "game"

    def __init__(self, none: bool = False) -> None:
        self.none = none

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name, as it was given."""
        from ...bundle.case.reading import UNKNOWN
        from ...games.known.recognition import by_name

        if not (self.none and value == UNKNOWN):
            by_name(str(value))
        return str(value)


class PresetName(click.ParamType[str]):
    """A family of networks that azx can build from the shapes of their weights."""

    name = "preset"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name, as it was given."""
        from ...export.checkpoint.presets.table import PRESETS

        if value not in PRESETS:
            self.fail(f"'{value}' is not one of {', '.join(PRESETS)}.", param, ctx)
        return str(value)


class BatchSize(click.ParamType[int | None]):
    """A positive number, or `dynamic` (None)."""

    name = "batch"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | None:
        """The batch size; None if it is free."""
        if value is None or value == "dynamic":
            return None
        if not str(value).isdecimal() or int(value) < 1:
            self.fail(f"'{value}' is neither a positive number nor 'dynamic'.", param, ctx)
        return int(value)


class BoardSize(click.ParamType[tuple[int, int]]):
    """9x9, or 9 for the same."""

    name = "board"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        """(rows, columns), each from 1 to 99."""
        if isinstance(value, tuple):
            return value
        match = re.fullmatch(r"([1-9]\d?)(?:x([1-9]\d?))?", str(value).strip().lower())
        if match is None:
            self.fail(f"'{value}' is not a board's size: give rows and columns as 9x9.", param, ctx)
        return int(match[1]), int(match[2] or match[1])


def file_option(*names: str, metavar: str = "FILE", **more: Any) -> Callable[[Any], Any]:
    """An option of a file or folder, otherwise as `click.option`."""
    return click.option(*names, type=FILE, metavar=metavar, **more)


def names_option(flag: str, name: str, kind: click.ParamType[tuple[str, ...]], about: str) -> Callable[[Any], Any]:
    """An option of one name or several, which may be repeated: it gives all of them. `about` is its help."""

    def flatten(
        context: click.Context, option: click.Parameter, groups: tuple[tuple[str, ...], ...]
    ) -> tuple[str, ...]:
        return tuple(each for group in groups for each in group)

    return click.option(flag, name, type=kind, multiple=True, metavar="NAME", callback=flatten, help=about)


def number_option(flag: str, least: int, default: int, about: str) -> Callable[[Any], Any]:
    """An option of a whole number, `least` or more; `about` is its help."""
    return click.option(flag, type=click.IntRange(least), default=default, show_default=True, help=about)


def symmetry_option(about: str) -> Callable[[Any], Any]:
    """--symmetry, by which a network reads boards; `about` is its help."""
    kinds = click.Choice(("none", "random"))
    return click.option("--symmetry", type=kinds, default="none", show_default=True, help=about)


def together(*options: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """Several options as one decorator; `--help` lists them in this order."""

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


game_option = click.option(
    "--game", type=GameName(), metavar="NAME", help="The game, if the network's shapes do not determine it."
)
encoding_option = file_option(
    "--encoding", metavar="FILE|NAME", help="Encoding of the network, if azx does not know it."
)
# The settings of a board; `take_board` takes them out again.
board_options = together(
    click.option(
        "--size", type=int, metavar="N", help="Boxes, cells or points a side; the network's own, if it has one."
    ),
    click.option("--rows", type=int, metavar="N", help="Connect4: cells from top to bottom."),
    click.option("--columns", type=int, metavar="N", help="Connect4: cells from left to right."),
    click.option("--rule", metavar="NAME", help="Gomoku: freestyle or renju; Hex: plain or swap."),
    click.option("--komi", type=float, metavar="X", help="Go: points that white gets for moving second."),
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print the same as JSON.")
loudness_options = together(
    click.option("-q", "--quiet", is_flag=True, help="Print the verdict alone."),
    click.option("-v", "--verbose", is_flag=True, help="Print each step with its time, and all details."),
)


def backend_options(command: Command) -> Command:
    """--backend and --scheduler; UsageError for a scheduler without a cluster."""
    from ...cluster.backends import BACKENDS, LOCAL, RAY, RAY_IS_GONE

    class Backend(click.Choice[str]):
        def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
            if value == RAY:
                raise click.UsageError(RAY_IS_GONE)
            return super().convert(value, param, ctx)

    def check(context: click.Context, option: click.Parameter, address: str | None) -> str | None:
        if address is not None and context.params.get("backend") in LOCAL:
            raise click.UsageError("--scheduler is that of a cluster: say which one with --backend dask.")
        return address

    return together(
        click.option(
            "--backend",
            type=Backend(BACKENDS),
            default="local",
            show_default=True,
            is_eager=True,
            metavar="NAME",
            help="Where the work runs: local (or loky), processes of this machine; dask, the workers of a cluster.",
        ),
        click.option(
            "--scheduler",
            metavar="ADDRESS",
            callback=check,
            help="Address of the cluster: tcp://HOST:8786; by default the one in Dask's own settings.",
        ),
    )(command)


def take(kind: type[Made], chosen: dict[str, Any]) -> Made:
    """A dataclass from the options named like its fields; removes them from `chosen`."""
    return kind(**{field.name: chosen.pop(field.name) for field in fields(kind) if field.name in chosen})


def take_board(chosen: dict[str, Any]) -> dict[str, Any]:
    """The settings of the board that were given, such as {"size": 9}; removes their options from `chosen`."""
    settings = {name: chosen.pop(name) for name in ("size", "rows", "columns", "rule", "komi")}
    return {name: value for name, value in settings.items() if value is not None}


def take_checkpoint(chosen: dict[str, Any], path: str | Path | None) -> Checkpoint:
    """The checkpoint at `path`, to be read by the options; removes them from `chosen`."""
    from ...bundle.case.checkpoint import Checkpoint

    return take(Checkpoint, chosen).at(path)


def take_original(chosen: dict[str, Any]) -> Checkpoint | None:
    """The checkpoint of --against, None without it; removes the options from `chosen`."""
    path, like = chosen.pop("against"), take_checkpoint(chosen, None)
    return None if path is None else like.at(path)


def bundle_or_last(bundle: Path | None, doing: str, loudness: Loudness) -> Path:
    """The given bundle, else the one written last below the current folder, whose path is then printed."""
    if bundle is not None:
        return bundle
    from ...bundle.folder import last_bundle

    bundle = last_bundle()
    if loudness is not Loudness.QUIET:
        click.echo(printable(f"{doing} '{bundle}', the bundle written last below this folder."), err=True)
    return bundle


def loudness(quiet: bool, verbose: bool) -> Loudness:
    """How much the command prints; UsageError if --quiet and --verbose are both given."""
    if quiet and verbose:
        raise click.UsageError("--quiet and --verbose exclude each other.")
    return Loudness.QUIET if quiet else Loudness.VERBOSE if verbose else Loudness.NORMAL

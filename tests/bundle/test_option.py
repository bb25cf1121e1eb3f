"""The recipe docs/adding-an-option.md, followed: one field is an option everywhere."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field

import click
import keywords
import pytest
from click.testing import CliRunner

import azx
from azx.bundle.case.checkpoint import Checkpoint
from azx.bundle.case.option import OUTPUT, documents_options, option, options_of, takes_options
from azx.bundle.case.settings import Settings
from azx.commands.export import export
from azx.commands.options.from_fields import option_for
from azx.commands.sweep import sweep
from azx.commands.watch import watch


@documents_options
@dataclass(frozen=True)
class Baking:
    """How bread is baked."""

    minutes: int = field(default=40, metadata=option("Minutes in the oven.", "--minutes", OUTPUT, "from 1"))
    secret: str = field(default="salt", metadata=option("Known to programs alone."))
    shelf: int = 0


@takes_options(Baking)
def bake(dough: str, **options: int) -> str:
    """Bake.

    Args:
        dough: what is baked.
        options: as below.

    Returns:
        Bread.

    """
    return f"{dough} {options}"


def test_one_field_is_a_keyword_with_type_default_and_help() -> None:
    shown = inspect.signature(bake).parameters
    assert list(shown) == ["dough", "minutes", "secret"]
    assert (shown["minutes"].annotation, shown["minutes"].default) == ("int", 40)
    assert "\n    minutes: Minutes in the oven.\n    secret: Known to programs alone.\n" in str(bake.__doc__)
    assert "\n    minutes: Minutes in the oven.\n" in str(Baking.__doc__)
    assert bake("rye", minutes=50) == "rye {'minutes': 50}"


def test_one_field_is_an_option_of_the_command_line() -> None:
    @click.command()
    @option_for(next(options_of(Baking)))
    def command(minutes: int) -> None:
        click.echo(minutes + 1)

    assert CliRunner().invoke(command, []).output == "41\n"
    assert CliRunner().invoke(command, ["--minutes", "50"]).output == "51\n"
    assert CliRunner().invoke(command, ["--minutes", "0"]).exit_code == 2
    assert "Minutes in the oven.  [default: 40; x>=1]" in CliRunner().invoke(command, ["--help"]).output


@pytest.mark.parametrize("command", [export, sweep, watch], ids=lambda command: str(command.name))
def test_every_option_of_an_export_is_on_the_command_line(command: click.Command) -> None:
    known = {each.name: each for each in command.params if isinstance(each, click.Option)}
    for each in options_of(Settings, Checkpoint):
        if each.flag:
            assert each.flag.split("/")[0] in known[each.keyword].opts
            assert known[each.keyword].help == each.about


def test_help_of_an_export_names_each_option_with_type_and_default() -> None:
    shown = inspect.signature(azx.export_checkpoint).parameters
    for each in options_of(Settings, Checkpoint):
        assert (shown[each.keyword].annotation, shown[each.keyword].default) == (each.takes, each.default)
    assert all(each.kind is not each.VAR_KEYWORD for each in shown.values())


def test_what_type_checkers_read_is_written_from_the_fields() -> None:
    text = keywords.PLACE.read_text(encoding="utf-8")
    assert text == keywords.written(), "bundle/case/keywords.py differs from the fields: run `make docs`"

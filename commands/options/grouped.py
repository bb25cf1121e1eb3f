"""A command whose `--help` lists its options in sections, those for every day first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from ...bundle.case.option import EVERY_DAY, OUTPUT, PRECISION, PROOF, UNSTATED, options_of

MATCH = "Games between networks"
SECTIONS = (EVERY_DAY, MATCH, UNSTATED, PROOF, PRECISION, OUTPUT)
# Options of an export name their own section.
_OPTIONS = {
    PROOF: "--against",
    OUTPUT: "--log --trace --plot --quiet --verbose --json --help",
}
_MATCH = "--match --strength --strength-of --simulations --games --opening-plies --proven --gate"
# By command, the options that this command lists in another section than the others do.
_OWN = {
    "sweep": {MATCH: _MATCH, PROOF: "--verify"},
    "watch": {MATCH: _MATCH},
    "validate": {MATCH: f"{_MATCH} --workers --seed --log"},
    "match": {EVERY_DAY: "--seed"},
    "tune": {EVERY_DAY: "--seed"},
    "play": {EVERY_DAY: "--seed"},
    "bench": {EVERY_DAY: "--batch --also"},
    "explain": {EVERY_DAY: "--precision"},
}


class SectionedCommand(click.Command):
    """A command with sections of options; if there is only one section, it has Click's own heading."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sections in their order, and in each the options in the command's order."""
        places = _places(self.name or "")
        listed: dict[str, list[tuple[str, str]]] = {section: [] for section in SECTIONS}
        for option in self.get_params(ctx):
            record = option.get_help_record(ctx)
            if record is not None and isinstance(option, click.Option):
                groups = (places[name] for name in option.opts if name in places)
                listed[next(groups, EVERY_DAY)].append(record)
        filled = [section for section in SECTIONS if listed[section]]
        for section in filled:
            with formatter.section(section if len(filled) > 1 else "Options"):
                formatter.write_dl(listed[section])


def _places(command: str) -> dict[str, str]:
    """The section of each option that is not in the first one, for every day."""
    from ...bundle.case.checkpoint import Checkpoint
    from ...bundle.case.settings import Settings

    sections = {flag: each.section for each in options_of(Settings, Checkpoint) for flag in each.flag.split("/")}
    tables = (_OPTIONS, _OWN.get(command, {}))
    return sections | {
        option: section for table in tables for section, names in table.items() for option in names.split()
    }


def command() -> Callable[[Callable[..., Any]], click.Command]:
    """Like `click.command()`, for a command whose help has sections.

    Click makes the help option once, with the names of the command's first context. So `-h` is named here, in case that
    context has no group above it.
    """
    return click.command(cls=SectionedCommand, context_settings={"help_option_names": ["-h", "--help"]})

"""The manual pages of the commands, written from the commands themselves."""

from __future__ import annotations

import re

import click

from ...version import __version__

CODES = (
    ("0", "done"),
    ("1", "an error: one sentence on standard error says what, where and what to do next"),
    ("2", "wrong usage"),
    ("3", "not equal: an artifact breaks names, order, shapes or values"),
    ("130", "interrupted by Ctrl-C"),
)


def manual_pages(group: click.Group) -> dict[str, str]:
    """The pages by their file names: azx.1, and one for each command of the group."""
    context = group.make_context("azx", [], resilient_parsing=True)
    pages = {"azx.1": _page(group, context, "azx")}
    for name in group.list_commands(context):
        verb = group.get_command(context, name)
        if verb is not None:
            pages[f"azx-{name}.1"] = _page(verb, click.Context(verb, info_name=name, parent=context), f"azx-{name}")
    return pages


def _page(command: click.Command, context: click.Context, title: str) -> str:
    usage = " ".join(command.collect_usage_pieces(context))
    lines = [
        f'.TH "{title.upper()}" "1" "" "azx {__version__}" "azx"',
        ".SH NAME",
        f"{_roff(title)} \\- {_roff(command.get_short_help_str(limit=100))}",
        ".SH SYNOPSIS",
        f".B {_roff(context.command_path)}",
        _roff(usage),
        ".SH DESCRIPTION",
    ]
    for paragraph in re.split(r"\n\s*\n", (command.help or "").replace("\b", "")):
        lines += [".PP", _roff(" ".join(paragraph.split()))]
    lines.append(".SH OPTIONS")
    for option in command.get_params(context):
        record = option.get_help_record(context)
        if record is not None:
            lines += [".TP", f".B {_roff(record[0])}", _roff(record[1]) or "\\&"]
    if isinstance(command, click.Group):
        lines.append(".SH COMMANDS")
        for name in command.list_commands(context):
            verb = command.get_command(context, name)
            if verb is not None:
                lines += [".TP", f".BR azx-{_roff(name)} (1)", _roff(verb.get_short_help_str(limit=100))]
    lines.append(".SH EXIT STATUS")
    for code, meaning in CODES:
        lines += [".TP", f".B {code}", meaning]
    return "\n".join(lines) + "\n"


def _roff(text: str) -> str:
    """A text as roff takes it: backslashes and hyphens escaped, no line that begins as a request."""
    safe = " ".join(text.replace("\\", "\\e").replace("-", "\\-").split())
    return f"\\&{safe}" if safe[:1] in (".", "'") else safe

"""docs/cli.md, written from the live commands: `python -m azx.commands.cli_reference > docs/cli.md`."""

from __future__ import annotations

from collections.abc import Iterator

import click

from ..cli import cli
from .printed.manual import CODES

CODES_TABLE = "\n".join(["| code | meaning |", "|---|---|", *(f"| {code} | {meaning} |" for code, meaning in CODES)])
HEAD = f"""\
# Command line

<!-- Written by `make docs` from the commands themselves; a test fails when the two differ. -->

Exit codes of every command:

{CODES_TABLE}

It is an error (1) if standard output is closed or its disk is full. A closed standard error does not stop the work.

With `--json` a failed command prints `{{"error": "...", "exit_code": 1}}` on standard output too,
with the report of the proof where there is one.

`AZX_DEBUG=1` adds the traceback to any error. `NO_COLOR=1` turns colours off.

`azx completion` lets the Tab key complete commands and options in bash, zsh and fish. `azx help --man DIR`
writes manual pages.

## azx.toml

A file `azx.toml`, in the working folder or the nearest one above it, sets options by command. Typed options take
precedence. `azx --no-config` ignores it. `--allow-code`, `--builder`, `--code` and `--json` must be typed.

```toml
[export]
format = ["onnx", "tflite"]
precision = "auto"

[match]
simulations = 200
```
"""
WIDTH = 100


def reference() -> str:
    """The whole of docs/cli.md: the group, then each command in the group's order."""
    sections = [HEAD]
    for path, text in _helps(cli, "azx", None):
        lines = "\n".join(line.rstrip() for line in text.splitlines())
        sections.append(f"## {path}\n\n```text\n{lines}\n```\n")
    return "\n".join(sections)


def _helps(command: click.Command, name: str, parent: click.Context | None) -> Iterator[tuple[str, str]]:
    context = click.Context(command, info_name=name, parent=parent, terminal_width=WIDTH, max_content_width=WIDTH)
    context.help_option_names = ["-h", "--help"]
    yield context.command_path, command.get_help(context)
    if isinstance(command, click.Group):
        for child in command.list_commands(context):
            subcommand = command.get_command(context, child)
            if subcommand is not None:
                yield from _helps(subcommand, child, context)


if __name__ == "__main__":
    click.echo(reference(), nl=False)

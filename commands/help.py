"""`azx help`: what a command does, and the manual pages."""

from __future__ import annotations

from pathlib import Path

import click

from .options import options
from .options.grouped import command
from .printed import output


@command()
@click.argument("verb", required=False, metavar="[COMMAND]")
@options.file_option("--man", "folder", metavar="DIR", help="Write the manual pages of all commands into DIR.")
@options.json_option
@click.pass_context
def help(context: click.Context, verb: str | None, folder: Path | None, as_json: bool) -> None:
    """Show what COMMAND does and its options, as `azx COMMAND --help`; without it the list of commands.

    The manual pages go where man finds them: `azx help --man ~/.local/share/man/man1`, then `man azx-export`.
    """
    from ..cli import cli

    group = context.parent or context
    if folder is not None:
        from .printed.manual import manual_pages

        folder.mkdir(parents=True, exist_ok=True)
        pages = manual_pages(cli)
        for name, text in pages.items():
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
        if as_json:
            output.print_json({"folder": folder, "pages": sorted(pages)})
        else:
            output.line(f"The manual pages are in '{folder}'.")
        return
    shown = cli.get_help(group) if verb is None else _help_of(verb, group)
    if as_json:
        output.print_json({"command": verb, "help": shown})
    else:
        click.echo(shown)


def _help_of(verb: str, group: click.Context) -> str:
    from ..cli import cli

    _, subcommand, _ = cli.resolve_command(group, [verb])
    assert subcommand is not None  # noqa: S101 - an unknown one has ended the command
    return subcommand.get_help(click.Context(subcommand, info_name=verb, parent=group))

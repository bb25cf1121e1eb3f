"""`azx doctor`: which formats can be written and which runtimes can be run here, and what would add the rest."""

from __future__ import annotations

import click

from ..validate.runtimes import Kind, environment, statuses
from ..version import __version__
from .options.grouped import command
from .printed import output

HEADINGS = {
    Kind.REFERENCE: "The original checkpoint, run by Keras",
    Kind.FORMAT: "Formats that can be written",
    Kind.RUNTIME: "Runtimes that prove them",
}


@command()
@click.option("--json", "as_json", is_flag=True, help="Print the same as JSON.")
def doctor(as_json: bool) -> None:
    """Say which formats can be written and which runtimes can be run here.

    For each missing one it prints the command that adds it. Nothing is imported or changed, and the exit code is always
    0.
    """
    abilities = statuses()
    if as_json:
        output.print_json({"azx": __version__, **environment(), "abilities": abilities})
        return
    here = environment()
    output.line(f"azx {__version__}, Python {here['python']}, {here['system']}, {here['cores']} cores")
    for kind, heading in HEADINGS.items():
        rows = []
        for status in (one for one in abilities if one.kind == kind):
            versions = ", ".join(f"{name} {version or 'missing'}" for name, version in status.versions.items())
            rows.append((output.mark(status.available), status.name, status.what, versions))
        output.line("")
        output.line(heading)
        output.table(("", "name", "what it is", "found"), rows)
    missing = dict[str, list[str]]()
    for status in abilities:
        for remedy in status.add:
            missing.setdefault(remedy, []).append(status.name)
    if missing:
        output.line("To add what is missing:")
    for remedy, names in missing.items():
        output.line(f"  {', '.join(names)}: {remedy}")

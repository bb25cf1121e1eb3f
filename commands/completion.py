"""`azx completion`: commands and options by the Tab key."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .options import options
from .options.grouped import command
from .printed import output

if TYPE_CHECKING:
    from click.shell_completion import ShellComplete

SHELLS = ("bash", "zsh", "fish")
BEGIN, END = "# azx completion: begin", "# azx completion: end"


@command()
@click.argument("shell", required=False, type=click.Choice(SHELLS))
@click.option("--print", "only_print", is_flag=True, help="Print the script instead of installing it.")
@click.option("--remove", is_flag=True, help="Remove what this command has installed.")
@options.json_option
def completion(shell: str | None, only_print: bool, remove: bool, as_json: bool) -> None:
    """Let the Tab key complete azx's commands and options in SHELL (bash, zsh or fish; by default yours).

    For bash and fish this writes a file where the shell looks for such files. For zsh it writes a script and a marked
    block that loads it in .zshrc. Open a new terminal afterwards.
    """
    chosen = shell or Path(os.environ.get("SHELL", "")).name
    if chosen not in SHELLS:
        raise click.UsageError(f"azx completes in {', '.join(SHELLS)}: name one, as `azx completion bash`.")
    script = _script(chosen)
    place = script_place(chosen)
    if as_json:
        output.print_json({"shell": chosen, "file": place, "removed": remove, "script": script})
    if only_print:
        if not as_json:
            click.echo(script)
        return
    if remove:
        place.unlink(missing_ok=True)
        if chosen == "zsh":
            _write_block(zshrc(), None)
        if not as_json:
            output.line(f"'{place}' is removed.")
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(script + "\n", encoding="utf-8", newline="\n")
    if chosen == "zsh":
        _write_block(zshrc(), f". '{place}'")
    if as_json:
        return
    needs = " It needs the package bash-completion." if chosen == "bash" else ""
    output.line(f"Written to '{place}': open a new terminal, then try `azx ex` and the Tab key.{needs}")


def _script(shell: str) -> str:
    from click.shell_completion import get_completion_class

    from ..cli import cli

    kind: type[ShellComplete] | None = get_completion_class(shell)
    assert kind is not None  # noqa: S101 - SHELLS are those that Click has
    complete = kind(cli, {}, "azx", "_AZX_COMPLETE")
    return str(complete.source_template % complete.source_vars())


def script_place(shell: str) -> Path:
    """The path of a shell's script: where the shell looks for it or, for zsh, where .zshrc loads it from."""
    home = Path.home()
    data = Path(os.environ.get("XDG_DATA_HOME") or home / ".local/share")
    config = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    return {
        "bash": data / "bash-completion/completions/azx",
        "zsh": data / "azx/completion.zsh",
        "fish": config / "fish/completions/azx.fish",
    }[shell]


def zshrc() -> Path:
    """The start-up file of zsh."""
    return Path(os.environ.get("ZDOTDIR") or Path.home()) / ".zshrc"


def _write_block(file: Path, line: str | None) -> None:
    """Put the marked block with `line` at the end of a start-up file, in place of an older one; None removes it."""
    there = file.read_text(encoding="utf-8") if file.is_file() else ""
    before, begun, rest = there.partition(f"{BEGIN}\n")
    text = before + rest.partition(f"{END}\n")[2] if begun else there
    if line is not None:
        gap = "" if not text or text.endswith("\n") else "\n"
        text = f"{text}{gap}{BEGIN}\n{line}\n{END}\n"
    if text != there:
        file.write_text(text, encoding="utf-8", newline="\n")

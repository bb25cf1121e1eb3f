"""azx.toml: a person's own defaults, options by command, found in this folder or in one above it.

    [export]
    format = ["onnx", "tflite"]
    precision = "auto"

    [serve]
    port = 8080

Typed options take precedence. An option that runs code is never taken from a file.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click

from ...errors import AzxError
from ...system.plain_file import read_plain

NAME = "azx.toml"
_MOST_BYTES = 1 << 20
# Options that run code, or decide how an answer is printed, must be typed.
BY_HAND = frozenset({"--allow-code", "--builder", "--code", "--json", "--help"})


def find_own_file(folder: Path | None = None) -> Path | None:
    """The nearest azx.toml in `folder` (the working folder) or above it; None if there is none."""
    start = (folder or Path.cwd()).absolute()
    return next((path for each in (start, *start.parents) if (path := each / NAME).is_file()), None)


def read_own_file(path: Path, commands: Collection[str]) -> dict[str, dict[str, Any]]:
    """The file's options by command, unchanged; AzxError if it cannot be read or names an unknown command."""
    try:
        data = tomllib.loads(read_plain(path, _MOST_BYTES).decode())
    except OSError as error:
        raise AzxError(f"'{path}' cannot be read ({error.strerror or error}): check its permissions.") from error
    except ValueError as error:
        raise AzxError(f"'{path}' is not TOML ({error}): correct it, or use `azx --no-config`.") from error
    for name, options in data.items():
        if name not in commands:
            raise AzxError(f"'{path}' has options of '{name}', which is no command{_near(name, commands)}.")
        if not isinstance(options, dict):
            raise AzxError(f"'{path}': '{name}' must be a table of options, as [{name}].")
    return data


def defaults_of(command: click.Command, options: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """The options of a command by the names of its parameters.

    AzxError for an option that the command does not have, that must be typed, or whose value has another type.
    """
    known = {flag: each for each in command.params if isinstance(each, click.Option) for flag in _flags(each)}
    defaults: dict[str, Any] = {}
    for name, value in options.items():
        flag = f"--{name}"
        if flag in BY_HAND:
            raise AzxError(f"'{path}' sets {flag} of `azx {command.name}`: that option must be typed.")
        option = known.get(flag)
        if option is None or option.name is None:
            near = _near(flag, known)
            raise AzxError(f"'{path}' sets {flag}, an option that `azx {command.name}` does not have{near}.")
        if isinstance(value, dict) or (isinstance(value, list) and not option.multiple and option.nargs == 1):
            raise AzxError(f"'{path}': {flag} of `azx {command.name}` takes one value.")
        if option.is_flag and not isinstance(value, bool):
            raise AzxError(f"'{path}': {flag} of `azx {command.name}` is true or false.")
        defaults[option.name] = [value] if option.multiple and not isinstance(value, list) else value
    return defaults


def _flags(option: click.Option) -> list[str]:
    return [flag for flag in option.opts if flag.startswith("--")]


def _near(name: str, known: Collection[str]) -> str:
    nearest = get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f" (did you mean '{nearest[0]}'?)" if nearest else ""

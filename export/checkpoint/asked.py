"""Checks the types of the options for reading a checkpoint, before anything is read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...errors import CheckpointError


def check_options(config: object, builder: object, preset: object, board: object, allow_code: object) -> None:
    """Raise CheckpointError, which names the option and what it accepts, if an option has a wrong type.

    Programs give options without the command line's checks. A text as `allow_code` would count as true, whatever it
    says.
    """
    wanted = [
        ("config", config, isinstance(config, (str, Path, type(None))), "the path of the architecture's JSON or YAML"),
        (
            "builder",
            builder,
            isinstance(builder, (str, type(None))),
            "a text, as 'MODULE:FUNCTION' or 'FILE.py:FUNCTION'",
        ),
        ("preset", preset, isinstance(preset, (str, type(None))), "the name of a family of networks, as 'zeta36'"),
        ("board", board, board is None or _is_board(board), "rows and columns as whole numbers, as (9, 9)"),
        ("allow_code", allow_code, isinstance(allow_code, bool), "True or False"),
    ]
    for name, value, sound, takes in wanted:
        if not sound:
            raise CheckpointError(f"{name} is {_shown(value)}: give {takes}.")


def _is_board(value: object) -> bool:
    pair = isinstance(value, Sequence) and not isinstance(value, (str, bytes)) and len(value) == 2
    return pair and all(isinstance(size, int) and not isinstance(size, bool) and size > 0 for size in _items(value))


def _items(value: Any) -> list[Any]:
    return list(value)


def _shown(value: object) -> str:
    """A short form of a value for a sentence."""
    text = repr(value)
    return text if len(text) <= 60 else f"a {type(value).__name__}"

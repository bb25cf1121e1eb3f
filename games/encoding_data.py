"""Encodings read from data: a bundle's manifest, or the file of --encoding."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import GameError
from .encoding import HISTORIES, USUAL, WHOSE, Encoding, SecondInput


def from_data(data: Mapping[str, Any]) -> Encoding:
    """The encoding that `data` (of a manifest or an --encoding file) describes; GameError if it describes none."""
    missing = [key for key in USUAL if key not in data]
    if missing:
        raise GameError(f"encoding: '{missing[0]}' is missing, give layout, board and planes.")
    try:
        board = tuple(int(size) for size in data["board"])
    except (TypeError, ValueError) as error:
        raise GameError(f"encoding: board {data['board']!r} is no list of sizes such as [6, 7].") from error
    if isinstance(data["planes"], str):
        raise GameError("encoding: 'planes' is a string, give a list of plane names.")
    return Encoding(
        str(data["layout"]),
        board,
        tuple(str(name) for name in data["planes"]),
        flip=_switch(data, "flip"),
        transpose=_switch(data, "transpose"),
        turned=_switch(data, "turned"),
        history=_choice(data, "history", HISTORIES),
        value=_choice(data, "value", WHOSE),
        beside=_beside(data.get("beside")),
    )


def _beside(data: Any) -> SecondInput | None:
    """The second input that an encoding's `beside` describes; None without one."""
    if data is None:
        return None
    planes, cells = (data.get("planes"), data.get("cells", 1)) if isinstance(data, Mapping) else (None, 1)
    if not isinstance(planes, list | tuple) or type(cells) is not int:
        raise GameError(f"encoding: 'beside' is {data!r}, give its planes as a list, and 'cells' as a whole number.")
    return SecondInput(tuple(str(name) for name in planes), cells, _switch(data, "first"))


def _switch(data: Mapping[str, Any], name: str) -> bool:
    value = data.get(name, False)
    if not isinstance(value, bool):
        raise GameError(f"encoding: '{name}' is {value!r}, give true or false, or leave it out.")
    return value


def _choice(data: Mapping[str, Any], name: str, choices: tuple[str, ...]) -> str:
    """One of `choices`, the first if the member is missing."""
    value = data.get(name, choices[0])
    if not isinstance(value, str) or value not in choices:
        raise GameError(
            f"encoding: '{name}' is {value!r}, give {', '.join(choices[:-1])} or {choices[-1]}, or leave it out."
        )
    return value

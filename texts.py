"""The texts that a person reads in an app, in English: apps/texts/en.json, where each has its key."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from importlib import resources

_PLACE = re.compile(r"%(?:(\d)\$[sd]|%)")


def say(key: str, places: Sequence[str] = ()) -> str:
    """The text of `key` with its places filled; KeyError if there is no such text, or not one for all apps."""
    text = _texts()[key]
    if not isinstance(text, str):
        raise KeyError(key)
    return _PLACE.sub(lambda place: places[int(place[1]) - 1] if place[1] else "%", text)


def has_text(key: str) -> bool:
    """Whether `say` knows the key."""
    return isinstance(_texts().get(key), str)


@cache
def _texts() -> dict[str, object]:
    texts: dict[str, object] = json.loads(
        resources.files(__package__).joinpath("apps", "texts", "en.json").read_text(encoding="utf8")
    )
    return texts

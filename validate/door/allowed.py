"""The operations that an artifact may contain, by format, from `operations.json`, which the three apps read too.

The lists have those operations of a format whose result depends only on their inputs, and that do nothing else. So no
operation is random, keeps a state between positions, touches a file, reads the clock, prints, asserts, calls into the
program around it, or chooses what runs (`If`, `While`). None reads uninitialised memory (`DynamicStitch`, `Empty`). The
lists include everything that azx's writers emit, and that Keras' layers leave in a traced graph. TF.js' list has what
the npm package knows. Conditions beyond a name (a batch norm in training, an unknown version) are in the file for the
format.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_name("operations.json")


@cache
def allowed(format_name: str) -> frozenset[str]:
    """The names of a format's operations, as the format spells them; empty for a format without a list."""
    lists: dict[str, list[str]] = json.loads(_FILE.read_text(encoding="utf-8"))
    return frozenset(lists.get(format_name, ()))

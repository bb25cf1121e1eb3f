"""The operations that an artifact may contain, by format: `operations.json`, which the three apps read as well.

How the lists were made: of all operations that a format knows, those whose answer depends on their inputs alone, and
that do nothing else. So no operation is random, keeps a state between positions, touches a file, reads the clock,
prints, asserts, calls into the program around it, or chooses what runs (`If`, `While`). None reads memory that
nothing has written (`DynamicStitch`, `Empty`). The lists hold all that azx' writers emit, and what Keras' layers
leave in a traced graph. TF.js' list holds what the npm package knows. Conditions beyond a name (a batch norm that
trains, an unknown version) are in the file of the format.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_name("operations.json")


@cache
def allowed(format_name: str) -> frozenset[str]:
    """The names of a format's operations, as the format spells them; empty for a format that has no list."""
    lists: dict[str, list[str]] = json.loads(_FILE.read_text(encoding="utf-8"))
    return frozenset(lists.get(format_name, ()))

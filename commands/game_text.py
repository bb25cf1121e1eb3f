"""A game, as a manifest or an inspection tells it, in a few words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def played(data: Mapping[str, Any] | None) -> str:
    """What a network plays: "plays gomoku, size 15 (actions: cell)", or "game unknown"."""
    if not data or not data.get("game"):
        return "game unknown"
    settings = "".join(f", {name} {value}" for name, value in (data.get("settings") or {}).items())
    actions = "listed" if isinstance(data["actions"], list) else data["actions"]
    return f"plays {data['game']}{settings} (actions: {actions})"

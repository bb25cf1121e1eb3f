"""The best network of each game, in the folder of bundles that `azx watch` fills.

    <bundles>/best-of/<name>/     a bundle of its own, a copy: tictactoe, or gomoku-9 for another board
    <bundles>/best.json           which checkpoint each one comes from, and every contest: sweeps/watch/champions.py

A new best network takes the folder's place in one step (`system/exchange.py`), so at every moment one of the two is
there, whole. It is a copy, because a training run may write its next checkpoint under the name of the last one.
"""

from __future__ import annotations

from pathlib import Path

from ..bundle.contents.manifest import MANIFEST
from ..games.known.catalogue import GAMES
from ..manifest import Manifest
from ..system.exchange import recover_in

FOLDER = "best-of"


def best_in(bundles: Path) -> dict[str, Path]:
    """The folder of the best network of each game, by its name; empty before the first one."""
    recover_in(bundles / FOLDER)
    folders = (path.parent for path in (bundles / FOLDER).glob(f"*/{MANIFEST}"))
    return {path.name: path for path in sorted(folders) if not path.name.startswith(".")}


def name_of(manifest: Manifest) -> str | None:
    """The name of the best network of a bundle's game; None if the game is not known.

    Networks for boards of two sizes cannot play each other, so each size has a best one.
    """
    game = GAMES.get(manifest.game or "")
    if game is None:
        return None
    settings = manifest.settings or {}
    shaped = {name for shape in game.shapes for name in shape.settings}
    parts = [
        str(settings[setting.name])
        for setting in game.settings
        if setting.name in shaped and settings.get(setting.name, setting.default) != setting.default
    ]
    return "-".join([game.name, *parts])

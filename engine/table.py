"""The protocols by name, and the games for which each is spoken."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..errors import GameError

if TYPE_CHECKING:
    from .brain import Brain
    from .protocol import Protocol

GTP, GOMOCUP, NBOARD, UGI = "gtp", "gomocup", "nboard", "ugi"
PROTOCOLS = (GTP, GOMOCUP, NBOARD, UGI)
# By game, the usual protocol first. UGI is for every game.
BY_GAME: Mapping[str, tuple[str, ...]] = {
    "go": (GTP, UGI),
    "hex": (GTP, UGI),
    "gomoku": (GOMOCUP, GTP, UGI),
    "reversi": (NBOARD, GTP, UGI),
}


def protocol_of(game: str, asked: str | None = None) -> str:
    """The protocol for a game, `asked` or the usual one; GameError if it is not spoken for this game."""
    known = BY_GAME.get(game, (UGI,))
    if asked is None:
        return known[0]
    if asked not in known:
        raise GameError(f"protocol {asked} is not spoken for {game}: use {' or '.join(known)}.")
    return asked


def speak(brain: Brain, protocol: str, version: str | None = None) -> Protocol:
    """The protocol at work for a brain; `run` it. `version` is what GTP answers instead of azx' own."""
    from .gomocup import Gomocup
    from .gtp import Gtp
    from .nboard import NBoard
    from .ugi import Ugi

    if protocol == GTP:
        return Gtp(brain, version)
    known: Mapping[str, type[Gomocup | NBoard | Ugi]] = {GOMOCUP: Gomocup, NBOARD: NBoard, UGI: Ugi}
    return known[protocol](brain)

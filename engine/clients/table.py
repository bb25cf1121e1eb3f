"""Starts an engine and speaks its protocol."""

from __future__ import annotations

from collections.abc import Mapping

from ...errors import AzxError
from ...games.game import Value
from ..table import GOMOCUP, GTP, NBOARD, UGI
from .client import Client
from .gomocup import GomocupClient
from .gtp import GtpClient
from .nboard import NBoardClient
from .process import EngineError, FaultError, Program
from .ugi import UgiClient

CLIENTS: Mapping[str, type[Client]] = {
    GTP: GtpClient,
    GOMOCUP: GomocupClient,
    NBOARD: NBoardClient,
    UGI: UgiClient,
}


def start_engine(
    command: str, protocol: str, game: str, settings: Mapping[str, Value], seconds: float
) -> tuple[Client, str]:
    """Start an engine; returns it and its name. AzxError if it does not answer; its process is then ended.

    Args:
        command: the command line; no shell reads it.
        protocol: one of `CLIENTS`.
        game: the game's name.
        settings: the game's settings.
        seconds: its time for a move. It is killed after twice that and `GRACE`.

    """
    client = CLIENTS[protocol](Program(command), game, settings, seconds)
    try:
        return client, client.greet()
    except FaultError as fault:
        client.program.end()
        raise EngineError(
            f"{fault} when azx asked for its name by {protocol}: start it in a terminal to see what it says, or choose "
            "another protocol with --engine-protocol."
        ) from fault
    except AzxError:
        client.program.end()
        raise

"""Self-play in a worker of a cluster: the games of a task, in a process below the worker's own."""

from __future__ import annotations

import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import AzxError
from ..self_play.actor import Task, play_games
from ..self_play.fast_network import FastNetwork
from ..self_play.played import as_bytes
from .loaded import borrow_workers
from .parcel import digest, pack_contents
from .remote_play import in_process
from .versions import Versions, versions

GAMES = "games.npz"


@dataclass(frozen=True)
class Request:
    """Which games are played, by the network of which hash, and how it reads the board: an --encoding's members."""

    client: str
    versions: Versions
    task: Task
    network: str
    board: tuple[int, ...]
    width: int
    description: Mapping[str, Any]


def play(request: Request, graph: bytes) -> bytes:
    """Answer with the games of the task, and with how long they took, by the clock and by the processor.

    What keeps them from being played stands in the answer, as the name of an error's class and its message.
    """
    here = versions()
    if here != dict(request.versions):
        return pack_contents({"worker": socket.gethostname(), "versions": here}, {})
    with borrow_workers(request.client) as own:
        own.serving = request.client
        try:
            games, clock, processor = in_process(own, _play, request, graph)
            return pack_contents({"clock": clock, "processor": processor}, {GAMES: games})
        except (AzxError, OSError, RuntimeError) as error:
            return pack_contents({"error": type(error).__name__, "message": str(error)}, {})


class _Network:
    """The network of the last task, which stays for the next one."""

    sha256 = ""
    evaluator: FastNetwork | None = None


def _play(request: Request, graph: bytes) -> tuple[bytes, float, float]:
    """In the process that plays: the games, and the seconds of the clock and of the processor."""
    from ..games.known.recognition import from_description

    clock, processor = time.monotonic(), time.process_time()
    if _Network.evaluator is None or _Network.sha256 != request.network:
        if digest(graph) != request.network:
            raise AzxError("The network that came is not the one that was sent.")
        reading = from_description(dict(request.description), [request.board], request.width)
        _Network.sha256, _Network.evaluator = request.network, FastNetwork(graph, reading)
    games = as_bytes(play_games(request.task, _Network.evaluator))
    return games, time.monotonic() - clock, time.process_time() - processor

"""Games in other processes, of one network or two, given as graphs with their encodings.

Workers of a cluster answer with parcels, from a process below the worker's own.
"""

from __future__ import annotations

import json
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import AzxError
from ..games.game import Reading
from ..match.pairs import Pairs, play_pairs
from ..self_play.actor import Task, play_games
from ..self_play.fast_network import FastNetwork
from ..self_play.played import PlayedGame, as_bytes
from .loaded import borrow_workers
from .parcel import digest, pack_contents
from .remote_play import in_process
from .versions import Versions, refusal, versions

GAMES, SCORES = "games.npz", "scores"
# Kept networks: the one that plays itself, and the new one with the two that it is compared to, each with its cache.
KEPT = 4


@dataclass(frozen=True)
class ReadingData:
    """A network's reading in a form to send: an --encoding's members, its input and its policy's width."""

    description: Mapping[str, Any]
    board: tuple[int, ...]
    width: int


@dataclass(frozen=True)
class Spent:
    """Seconds of one place, by the clock and by the processor."""

    clock: float
    processor: float


@dataclass(frozen=True)
class Request:
    """The games to play, the networks' hashes, and their readings."""

    client: str
    versions: Versions
    task: Task | Pairs
    networks: tuple[str, ...]
    described: ReadingData


def described(reading: Reading) -> ReadingData:
    """A reading in a form to send."""
    data = reading.as_data()
    members = {"game": data["game"], "settings": data["settings"], "actions": data["actions"], **data["encoding"]}
    return ReadingData(members, reading.encoding.board_shape, reading.numbering.width if reading.numbering else 0)


def play(request: Request, *graphs: bytes) -> bytes:
    """Play the games, or pairs; the answer has games or scores, and their clock and processor seconds.

    If that fails, the answer has the error's class and message.
    """
    if (refused := refusal(request.versions, versions())) is not None:
        return refused
    with borrow_workers(request.client) as own:
        own.serving = request.client
        try:
            played, spent = in_process(own, _play, request, graphs)
        except (AzxError, OSError, RuntimeError) as error:
            return pack_contents({"error": type(error).__name__, "message": str(error)}, {})
    head: dict[str, Any] = {"clock": spent.clock, "processor": spent.processor}
    if isinstance(played, bytes):
        return pack_contents(head, {GAMES: played})
    return pack_contents(head | {SCORES: played}, {})


def _play(request: Request, graphs: Sequence[bytes]) -> tuple[bytes | list[float], Spent]:
    if tuple(map(digest, graphs)) != request.networks:
        raise AzxError("The network that came is not the one that was sent.")
    if isinstance(request.task, Pairs):
        return pairs_by(request.task, graphs, request.described)
    games, spent = played_by(request.task, graphs, request.described)
    return as_bytes(games), spent


def played_by(task: Task, graphs: Sequence[bytes], about: ReadingData) -> tuple[list[PlayedGame], Spent]:
    """In the process that plays: the games of a task by one network, and their seconds."""
    clock, processor = time.monotonic(), time.process_time()
    games = play_games(task, _network(graphs[0], about))
    return games, Spent(time.monotonic() - clock, time.process_time() - processor)


def pairs_by(pairs: Pairs, graphs: Sequence[bytes], about: ReadingData) -> tuple[list[float], Spent]:
    """In the process that plays: the scores of pairs between two networks, and their seconds."""
    clock, processor = time.monotonic(), time.process_time()
    new, other = (_network(graph, about) for graph in graphs)
    scores = play_pairs(pairs, new, other)
    return scores, Spent(time.monotonic() - clock, time.process_time() - processor)


# The last networks, kept for the next tasks.
_NETWORKS: OrderedDict[tuple[str, str], FastNetwork] = OrderedDict()


def _network(graph: bytes, about: ReadingData) -> FastNetwork:
    from ..games.known.recognition import from_description

    key = digest(graph), json.dumps([dict(about.description), about.board], sort_keys=True)
    if key not in _NETWORKS:
        reading = from_description(dict(about.description), [about.board], about.width)
        _NETWORKS[key] = FastNetwork(graph, reading)
    _NETWORKS.move_to_end(key)
    while len(_NETWORKS) > KEPT:
        _NETWORKS.popitem(last=False)
    return _NETWORKS[key]

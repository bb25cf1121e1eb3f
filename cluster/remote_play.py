"""Games in a worker of a cluster: opens networks and plays blocks in a child process."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping
from concurrent.futures import BrokenExecutor
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeVar

from .. import errors
from ..errors import AzxError
from ..games.search_settings import fault_in, read_settings
from ..games.state import State
from ..match.games import Block, Rules
from ..match.log import as_data
from ..match.players import Facts, Net, NetworkError, Networks
from ..system.workers import run_shielded
from .loaded import LoadedProcesses, borrow_workers
from .parcel import pack
from .versions import Versions, refusal, versions
from .words import clean

Result = TypeVar("Result")
# The options of a network that are files.
FILES = ("net", "encoding", "config")


@dataclass(frozen=True)
class SentNet:
    """A network to send: `files` maps each option that is a file to its name and its parcel's SHA-256."""

    net: Net
    files: Mapping[str, tuple[str, str]]


@dataclass(frozen=True)
class Request:
    """A request to numbered networks: to state their facts, or to play a block."""

    client: str
    versions: Versions
    nets: Mapping[int, SentNet]
    game: tuple[State, Rules, Block] | None = None


def ask(request: Request, *contents: bytes) -> bytes:
    """Answer with the facts or the games; `contents` are the networks' files, each once, in order.

    If that fails, the answer has the error's class and message.
    """
    if (refused := refusal(request.versions, versions())) is not None:
        return refused
    with borrow_workers(request.client) as own:
        if own.serving != request.client:
            # Close and remove the networks of another match.
            in_process(own, _forget)
            own.forget()
            own.serving = request.client
        paths: dict[str, str] = {}
        try:
            nets = _nets(own, request.nets, contents, paths)
            game = request.game
            answer = in_process(own, _facts, nets) if game is None else in_process(own, _play, nets, game)
            return pack({"told": answer}, {})
        except (AzxError, OSError, RuntimeError) as error:
            message = str(error)
            for there, here in paths.items():
                message = message.replace(there, here)
            return pack({"error": type(error).__name__, "message": message, "net": getattr(error, "net", None)}, {})


def error_of(head: Mapping[str, Any], count: int) -> AzxError:
    """The error in the head of an answer, about one of `count` networks; KeyError if it has no message."""
    name, message, net = str(head["error"]), clean(head["message"]), head.get("net")
    if name == NetworkError.__name__ and type(net) is int and 0 <= net < count:
        return NetworkError(net, message)
    kind = getattr(errors, name, None)
    if isinstance(kind, type) and issubclass(kind, AzxError) and kind.__init__ is AzxError.__init__:
        return kind(message)
    return AzxError(message)


def _nets(
    own: LoadedProcesses, sent: Mapping[int, SentNet], contents: tuple[bytes, ...], paths: dict[str, str]
) -> dict[int, Net]:
    """The networks with their paths here; `paths` gets each one's path on the sender's machine."""
    digests = list(dict.fromkeys(sha256 for net in sent.values() for _, sha256 in net.files.values()))
    by_digest = dict(zip(digests, contents, strict=True))
    nets = {}
    for number, each in sent.items():
        net, at_home = each.net, {"net": each.net.net, "encoding": each.net.encoding, "config": each.net.like.config}
        for option, (name, sha256) in each.files.items():
            path = own.lay(sha256, by_digest[sha256]) / name
            paths[str(path)] = str(at_home[option])
            if option == "config":
                net = replace(net, like=replace(net.like, config=path))
            else:
                net = replace(net, net=str(path)) if option == "net" else replace(net, encoding=path)
        nets[number] = net
    return nets


def in_process(own: LoadedProcesses, function: Callable[..., Result], *arguments: Any) -> Result:
    """The function's result in the process that plays; AzxError if that process ended."""
    try:
        done: Result = own.players.submit(run_shielded, function, *arguments).result()
        return done
    except BrokenExecutor as error:
        own.abandoned = True  # the next task gets a new one
        raise AzxError(
            f"A process that played games on {socket.gethostname()} ended unexpectedly: free some memory there or let "
            "fewer tasks run at once, and the same command resumes."
        ) from error


# In the process that plays: networks stay open between tasks of the same match.
_NETWORKS = Networks()


def _forget() -> None:
    _NETWORKS.close()


def _facts(nets: Mapping[int, Net]) -> list[dict[str, Any]]:
    return [{**asdict(fact), "search": fact.search.as_data()} for fact in _NETWORKS.facts(list(nets.values()))]


def _play(nets: Mapping[int, Net], game: tuple[State, Rules, Block]) -> list[dict[str, Any]]:
    start, rules, block = game
    return [as_data(record) for record in _NETWORKS.play(nets, start, rules, block)]


def facts_from(data: Any) -> Facts:
    """The facts about one network from `_facts`; KeyError, TypeError or ValueError if they are unsound."""
    texts = {name: clean(data[name]) for name in ("name", "runtime", "game", "reading", "line")}
    settings = {clean(name): value for name, value in dict(data["settings"]).items()}
    if not all(isinstance(value, int | float | str) for value in settings.values()):
        raise ValueError("it has other settings than numbers and words")
    if fault_in(data["search"]) is not None:
        raise ValueError("its search is not known here")
    return Facts(settings=settings, search=read_settings(data["search"], texts["name"]), **texts)

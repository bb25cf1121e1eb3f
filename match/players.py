"""Plays a match's games in this process or in several, each with its own copy of the networks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Future, wait
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol, Self

from ..bundle.case.checkpoint import Checkpoint
from ..errors import AzxError, first_line
from ..export.graph.names import Names
from ..games.evaluator import AnswerError, Evaluation
from ..games.game import Value
from ..games.search_settings import SearchSettings
from ..games.state import State
from ..play.network import NetworkEvaluator, open_network
from ..play.network_ports import UNSAID
from ..system.processes import Processes
from ..system.temporary import temporary_folder
from ..system.workers import ctrl_c_held_back, processes_in, run_shielded
from .games import Block, GameRecord, Rules, play_block
from .log import as_data, digest_of, record_from

# Seconds between two looks for games that other processes have finished.
LOOK_SECONDS = 0.1
GAME = ".game"
# The boards are small: a second thread only waits for the first, and takes a core from another process.
ONE_THREAD = {
    f"{name}_THREADS": "1"
    for name in ("OMP_NUM", "OPENBLAS_NUM", "MKL_NUM", "NUMBA_NUM", "TF_NUM_INTRAOP", "TF_NUM_INTEROP")
}


@dataclass(frozen=True)
class Net:
    """A network as `open_network` takes it; if `net` means a checkpoint, `like` says how to read it.

    `search` holds its search settings; None stands for those of its bundle.
    """

    net: str
    game: str | None = None
    encoding: Path | None = None
    symmetry: str = "none"
    seed: int = 0
    names: Names = UNSAID
    like: Checkpoint = field(default_factory=Checkpoint)
    search: SearchSettings | None = None

    @property
    def checkpoint(self) -> Checkpoint:
        """The checkpoint that `net` means, and how to read it."""
        return self.like.at(self.net)


@dataclass(frozen=True)
class Facts:
    """What is known of an opened network; `reading` is the digest of its encoding of boards, moves and value.

    `line` says the same to a person. `search` holds its search settings.
    """

    name: str
    runtime: str
    game: str
    settings: Mapping[str, Value]
    reading: str
    line: str
    search: SearchSettings


class NetworkError(AzxError):
    """A network that cannot be opened or does not answer; `net` is its number in the match."""

    def __init__(self, net: int, message: str) -> None:
        super().__init__(message)
        self.net = net

    def __reduce__(self) -> tuple[type[NetworkError], tuple[int, str]]:
        return type(self), (self.net, str(self))


class _Seat:
    """A network at the board; any failure there becomes a NetworkError with the network's number."""

    def __init__(self, number: int, net: Net, open_net: Callable[[Net], NetworkEvaluator]) -> None:
        self.number, self.name = number, net.net
        with self._name_network():
            self._network = open_net(net)
            self.name = self._network.name

    def remembering(self) -> AbstractContextManager[None]:
        """As the network."""
        return self._network.remembering()

    def evaluate(self, states: Sequence[State]) -> list[Evaluation]:
        """As the network."""
        with self._name_network():
            return self._network.evaluate(states)

    @contextmanager
    def _name_network(self) -> Iterator[None]:
        try:
            yield
        except AzxError as error:
            raise NetworkError(self.number, str(error)) from error
        except Exception as error:  # runtimes raise exceptions of any type
            reason = f"{type(error).__name__}: {first_line(error)[:200]}"
            raise NetworkError(self.number, f"'{self.name}' does not run ({reason}).") from error


class Networks:
    """Networks that are opened once and stay open until `close`."""

    def __init__(self) -> None:
        self._stack, self._open = ExitStack(), dict[Net, NetworkEvaluator]()

    def get(self, net: Net) -> NetworkEvaluator:
        """The network, opened at the first request; AzxError if it cannot be opened."""
        if net not in self._open:
            self._open[net] = self._stack.enter_context(_open(net))
        return self._open[net]

    def facts(self, nets: Sequence[Net]) -> list[Facts]:
        """The facts about each network."""
        return [_facts(self.get(net), self.search_of(net)) for net in nets]

    def search_of(self, net: Net) -> SearchSettings:
        """The network's search settings."""
        return net.search or self.get(net).search

    def play(
        self, nets: Sequence[Net] | Mapping[int, Net], start: State, rules: Rules, block: Block
    ) -> Iterator[GameRecord]:
        """Play a block whose numbers point into `nets`; yields each game when it ends.

        NetworkError if a network fails.
        """
        nets_of = [nets[number] for number in block.nets]
        as_it_lies = all(net.symmetry == "none" for net in nets_of)
        with ExitStack() as stack:

            def open_net(net: Net) -> NetworkEvaluator:
                # Seeded by the block: the symmetries drawn must not depend on earlier games.
                return self.get(net) if as_it_lies else stack.enter_context(_open(_reseed(net, block)))

            seats = [_Seat(number, net, open_net) for number, net in zip(block.nets, nets_of, strict=True)]
            # For this block alone: answers must not depend on earlier games.
            for seat in seats:
                stack.enter_context(seat.remembering())
            try:
                yield from play_block(start, seats, block, rules)
            except AnswerError as error:
                number = next(seat.number for seat in seats if seat is error.evaluator)
                raise NetworkError(number, str(error)) from error

    def close(self) -> None:
        """Close them all."""
        self._open.clear()
        self._stack.close()


def _open(net: Net) -> AbstractContextManager[NetworkEvaluator]:
    return open_network(
        net.checkpoint, game=net.game, encoding=net.encoding, names=net.names, symmetry=net.symmetry, seed=net.seed
    )


def _reseed(net: Net, block: Block) -> Net:
    """The network with this block's seed. It is the same for both sides, so a network plays itself on equal terms."""
    return replace(net, seed=net.seed * 1_000_003 + block.openings[0][0])


def _facts(network: NetworkEvaluator, search: SearchSettings) -> Facts:
    reading = network.reading
    settings, digest = dict(reading.settings), _digest(network)
    return Facts(network.name, network.runtime, reading.game.name, settings, digest, reading.line, search)


def _digest(network: NetworkEvaluator) -> str:
    """SHA-256 of the network's reading; the same file with another reading counts as another network."""
    data = {**network.reading.as_data(), "value": asdict(network.value) if network.value else None}
    return digest_of(data)


class Players(Protocol):
    """Opens networks and plays their games: in processes of this machine, or on a cluster."""

    def describe(self, nets: Sequence[Net]) -> list[Facts]:
        """Open the networks and return the facts about each; AzxError if one cannot be opened."""

    def play(self, nets: Sequence[Net], start: State, rules: Rules, to_play: Sequence[Block]) -> Iterator[GameRecord]:
        """Play blocks and yield each game once it has ended; AzxError if one cannot be played."""


class LocalPlayers:
    """Plays in this process if `count` is 1, else in `count` other processes; use it in a with statement."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._stack, self._networks = ExitStack(), Networks()
        self._processes: Processes | None = None
        self._folder = Path()

    def __enter__(self) -> Self:
        if self.count > 1:
            self._folder = self._stack.enter_context(temporary_folder("match"))
            self._processes = processes_in(self._folder, self.count, ONE_THREAD)
            # The processes end with the block, even in the middle of a game.
            self._stack.callback(self._processes.shutdown)
        self._stack.callback(self._networks.close)
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def describe(self, nets: Sequence[Net]) -> list[Facts]:
        """Open the networks and return the facts about each."""
        if self.count == 1:
            return self._networks.facts(nets)
        facts: list[Facts] = self._results(self._submit([(_describe, tuple(nets))]))[0]
        return facts

    def play(self, nets: Sequence[Net], start: State, rules: Rules, to_play: Sequence[Block]) -> Iterator[GameRecord]:
        """Play blocks and yield each game when it ends, from whichever process; AzxError if a process died."""
        if self.count == 1:
            for block in to_play:
                yield from self._networks.play(nets, start, rules, block)
            return
        playing = self._submit([(_play, tuple(nets), start, rules, block, self._folder) for block in to_play])
        under_way = set(playing)
        try:
            while under_way:
                done, under_way = wait(under_way, LOOK_SECONDS)
                # Look first which tasks are done, then take games: so the last games of a done task are there.
                yield from _take_games(self._folder)
                self._results(done)
        except NetworkError:
            # The processes stay for other matches, in which the same numbers may mean other networks.
            for future in playing:
                future.cancel()
            wait(playing)
            yield from _take_games(self._folder)
            raise

    def _submit(self, tasks: Sequence[tuple[Any, ...]]) -> list[Future[Any]]:
        """Give each task, a function and its arguments, to the next free process."""
        assert self._processes is not None  # noqa: S101 - called only with several processes
        with ctrl_c_held_back():
            return [self._processes.submit(run_shielded, *task) for task in tasks]

    def _results(self, futures: Iterable[Future[Any]]) -> list[Any]:
        """What the tasks returned; AzxError if a process died."""
        try:
            return [future.result() for future in futures]
        except BrokenExecutor as error:
            raise AzxError(
                "A process that played games ended unexpectedly: free some memory or give fewer --workers, "
                "and the same command resumes."
            ) from error


# The open networks of a worker process: all that lasts from one task to the next.
_NETWORKS = Networks()


def _describe(nets: Sequence[Net]) -> list[Facts]:
    return _NETWORKS.facts(nets)


def _play(nets: Sequence[Net], start: State, rules: Rules, block: Block, folder: Path) -> None:
    """Play a block and put each game into `folder` when it ends; a game gets its name only once it is complete."""
    for record in _NETWORKS.play(nets, start, rules, block):
        part = folder / "-".join(map(str, record.key))
        part.write_text(json.dumps(as_data(record)), encoding="utf8")
        part.rename(part.with_suffix(GAME))


def _take_games(folder: Path) -> Iterator[GameRecord]:
    """Take the games out of the folder and return them."""
    for path in sorted(folder.glob(f"*{GAME}")):
        record = record_from(json.loads(path.read_text(encoding="utf8")))
        path.unlink()
        yield record

"""Where a match's games are played: in this process, or in several, each with its own copy of the networks."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from ..errors import AzxError
from ..games.game import Value
from ..games.state import State
from ..validate.workers import begin, ctrl_c_held_back, is_debugging, shielded
from .match import Block, GameRecord, Rules, play_block
from .network import NetworkEvaluator, open_network

IDLE_SECONDS = 3600


@dataclass(frozen=True)
class Net:
    """A network as `open_network` takes it."""

    net: str
    game: str | None = None
    encoding: Path | None = None
    symmetry: str = "none"
    seed: int = 0


@dataclass(frozen=True)
class Facts:
    """What an opened network tells of itself."""

    name: str
    runtime: str
    game: str
    settings: Mapping[str, Value]


class Networks:
    """Networks that are opened once and stay open until `close`."""

    def __init__(self) -> None:
        self._stack, self._open = ExitStack(), dict[Net, NetworkEvaluator]()

    def get(self, net: Net) -> NetworkEvaluator:
        """The network, opened when first asked for; AzxError where it cannot be."""
        if net not in self._open:
            self._open[net] = self._stack.enter_context(_opened(net))
        return self._open[net]

    def facts(self, nets: Sequence[Net]) -> list[Facts]:
        """What the networks are."""
        return [_facts(self.get(net)) for net in nets]

    def play(self, nets: Sequence[Net], start: State, rules: Rules, block: Block) -> Iterator[GameRecord]:
        """Play a block and yield each game when it ends."""
        seats = [nets[number] for number in block.nets]
        if all(net.symmetry == "none" for net in seats):
            yield from play_block(start, [self.get(net) for net in seats], block, rules)
            return
        # Opened anew with seeds of the block: the symmetries drawn must not depend on what was played before.
        with ExitStack() as stack:
            evaluators = [stack.enter_context(_opened(_reseeded(net, block))) for net in seats]
            yield from play_block(start, evaluators, block, rules)

    def close(self) -> None:
        """Close them all."""
        self._open.clear()
        self._stack.close()


def _opened(net: Net) -> Any:
    return open_network(net.net, game=net.game, encoding=net.encoding, symmetry=net.symmetry, seed=net.seed)


def _reseeded(net: Net, block: Block) -> Net:
    """The same for both sides, so that a network meets itself as an equal."""
    return replace(net, seed=net.seed * 1_000_003 + block.openings[0][0])


def _facts(network: NetworkEvaluator) -> Facts:
    reading = network.reading
    return Facts(network.name, network.runtime, reading.game.name, dict(reading.settings))


class Workers:
    """`count` 1 plays in this process, more in so many others; to be used in a with statement."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._stack, self._networks = ExitStack(), Networks()
        self._folder = ""

    def __enter__(self) -> Self:
        if self.count > 1:
            self._folder = self._stack.enter_context(tempfile.TemporaryDirectory(prefix="azx-match-"))
            self._stack.callback(_end_processes)
        self._stack.callback(self._networks.close)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def describe(self, nets: Sequence[Net]) -> list[Facts]:
        """Open the networks and see what they are."""
        if self.count == 1:
            return self._networks.facts(nets)
        found: list[list[Facts]] = list(self._spread(_describe, [(tuple(nets),)]))
        return found[0]

    def play(self, nets: Sequence[Net], start: State, rules: Rules, to_play: Sequence[Block]) -> Iterator[GameRecord]:
        """Play blocks and yield their games: in this process each when it ends, else a block at a time."""
        if self.count == 1:
            for block in to_play:
                yield from self._networks.play(nets, start, rules, block)
        elif to_play:
            for records in self._spread(_play, [(tuple(nets), start, rules, block) for block in to_play]):
                yield from records

    def _spread(self, task: Callable[..., Any], arguments: Sequence[tuple[Any, ...]]) -> Iterator[Any]:
        """Results of the task in the order in which they are ready; AzxError where a process died."""
        from joblib import Parallel, delayed, parallel_config
        from joblib.externals.loky.process_executor import TerminatedWorkerError

        process: dict[str, Any] = {
            "initializer": _begin_worker,
            "initargs": (is_debugging(), os.getpid(), self._folder),
            "idle_worker_timeout": IDLE_SECONDS,
        }
        try:
            with parallel_config(backend="loky", inner_max_num_threads=1, **process), ctrl_c_held_back():
                spread = Parallel(n_jobs=self.count, return_as="generator_unordered", batch_size=1)
                results = spread(delayed(shielded)(task, *each) for each in arguments)
            yield from results
        except TerminatedWorkerError as error:
            raise AzxError(
                "A process that played games ended unexpectedly: free some memory or give fewer --workers, "
                "and the same command goes on."
            ) from error


# Of a worker process: joblib gives tasks nothing else that lasts from one to the next.
_NETWORKS = Networks()


def _begin_worker(debugging: bool, parent: int, folder: str) -> None:
    """Let the parent remove what networks unpack: a worker is ended without being asked to tidy up."""
    begin(debugging, parent)
    tempfile.tempdir = folder


def _describe(nets: Sequence[Net]) -> list[Facts]:
    return _NETWORKS.facts(nets)


def _play(nets: Sequence[Net], start: State, rules: Rules, block: Block) -> list[GameRecord]:
    return list(_NETWORKS.play(nets, start, rules, block))


def _end_processes() -> None:
    from joblib.externals.loky import get_reusable_executor

    get_reusable_executor(reuse=True).shutdown(wait=True, kill_workers=True)

"""A cluster as azx uses it: tasks by the workers of an engine, few ahead, their results as they come.

joblib's backends for the same engines were tried (joblib 1.6) and do not do what is needed. With Dask, a task that ends
its worker each time leaves `joblib.Parallel` waiting for ever, and all others. Ray's gives no results as they come,
and waits for ever for what a lost worker had in hand.
"""

from __future__ import annotations

import secrets
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from weakref import WeakValueDictionary

from ..errors import AzxError
from .parcel import digest
from .versions import difference, versions

# Tasks for each place of the cluster: one at work and one on its way. The scheduler holds their checkpoints meanwhile.
AHEAD = 2
# How long a cluster may be without any worker: one that was lost has long been started again by then.
PATIENCE_SECONDS = 60.0
LOOK_SECONDS = 0.5
Tag = TypeVar("Tag")
# Of tasks: a function of azx's own, a request, and contents, bytes or what `hold` gave for them. It returns a parcel.
Task = Callable[..., bytes]


class ClusterError(AzxError):
    """A scheduler that cannot be reached, workers that cannot be used, or none."""


@dataclass(frozen=True)
class Lost:
    """A task that came to nothing, because its worker was lost each time that it was tried; `reason` is a clause."""

    reason: str


@dataclass(frozen=True)
class Call(Generic[Tag]):
    """A task: `tag` is the caller's, `arguments` may be held contents."""

    tag: Tag
    function: Task
    arguments: tuple[Any, ...]


class Held:
    """A content that is kept on the cluster as long as this object is; it goes to each worker once at most."""

    def __init__(self, sha256: str, handle: Any) -> None:
        self.sha256, self.handle = sha256, handle


class Cluster(ABC):
    """The workers behind a scheduler; `client` tells this process from others that use them. To be used in a with."""

    def __init__(self, address: str) -> None:
        self.address, self.client = address, secrets.token_hex(8)
        self._held: WeakValueDictionary[str, Held] = WeakValueDictionary()

    def hold(self, content: bytes) -> Held:
        """Give a content to the cluster, which is not sent again as long as the same is held."""
        sha256 = digest(content)
        held = self._held.get(sha256)
        if held is None:
            held = self._held[sha256] = Held(sha256, self._put(sha256, content))
        return held

    def check_versions(self) -> None:
        """ClusterError for a worker that has another azx or other converters than this machine, or no worker at all."""
        here = versions()
        for worker, told in self._everywhere(versions).items():
            if isinstance(told, Exception):
                raise ClusterError(
                    f"The worker {worker} cannot run azx ({type(told).__name__}: {told}): "
                    f"install azx {here['azx']} there, with the same extras as here, and start the worker again."
                ) from told
            if said := difference(worker, told, here):
                raise ClusterError(said)

    def results(self, calls: Iterable[Call[Tag]]) -> Generator[tuple[Tag, bytes | Lost], None, None]:
        """Run the calls, which are asked for as places become free, and yield the result of each when it comes.

        What is not done when the generator is closed, by Ctrl-C too, is cancelled on the cluster. ClusterError where
        the scheduler, or every worker, is gone.
        """
        # With what is held for it until it is done.
        under_way: dict[Hashable, tuple[Tag, tuple[Held, ...]]] = {}
        coming = iter(calls)
        try:
            while True:
                room = AHEAD * max(1, self.places()) - len(under_way)
                for _ in range(room):
                    call = next(coming, None)
                    if call is None:
                        break
                    sent = tuple(part.handle if isinstance(part, Held) else part for part in call.arguments)
                    held = tuple(part for part in call.arguments if isinstance(part, Held))
                    under_way[self._submit(call.function, sent)] = call.tag, held
                if not under_way:
                    return
                for handle in self._wait(list(under_way)):
                    # Before the caller has it: where the caller stops here, it is not to be cancelled.
                    tag, _ = under_way.pop(handle)
                    yield tag, self._outcome(handle)
        finally:
            if under_way:
                self._cancel(list(under_way))

    def _wait(self, handles: Sequence[Hashable]) -> Sequence[Hashable]:
        """Wait until some are done; ClusterError where no worker was there for too long."""
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            done = self._done(handles, LOOK_SECONDS)
            if done:
                return done
            if self.places():
                end = time.monotonic() + PATIENCE_SECONDS
            if time.monotonic() > end:
                raise ClusterError(
                    f"The cluster at {self.address} has had no worker for {PATIENCE_SECONDS:.0f} s: start workers, "
                    "then give the same command again to go on."
                )

    @abstractmethod
    def places(self) -> int:
        """How many tasks the workers do at once; 0 where there is none just now."""

    @abstractmethod
    def _put(self, sha256: str, content: bytes) -> Any:
        """Keep a content on the cluster; what is returned may be an argument of `_submit`."""

    @abstractmethod
    def _everywhere(self, function: Callable[[], Any]) -> dict[str, Any]:
        """What the function returns, or the Exception that came of it, by the workers' names."""

    @abstractmethod
    def _submit(self, function: Task, arguments: Sequence[Any]) -> Hashable:
        """Begin a task, which is run again elsewhere where its worker is lost, some times at most."""

    @abstractmethod
    def _done(self, handles: Sequence[Hashable], seconds: float) -> Sequence[Hashable]:
        """Those that are done; waits for the first, so long at most."""

    @abstractmethod
    def _outcome(self, handle: Any) -> bytes | Lost:
        """What a task that is done returned."""

    @abstractmethod
    def _cancel(self, handles: Sequence[Any]) -> None:
        """Take tasks back, and end those that have begun."""

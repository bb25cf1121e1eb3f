"""The workers of a Dask scheduler, by `distributed.Client`: few tasks ahead, results as they come.

joblib's own backend for Dask (joblib 1.6) is not sufficient: if a task ends its worker each time, `joblib.Parallel`
waits for ever, with all other tasks.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from queue import Empty, SimpleQueue
from typing import Any, Generic, Self, TypeVar
from weakref import WeakValueDictionary

from ..errors import AzxError, first_line
from ..system.installed import missing
from ..system.workers import is_debugging
from .backends import DASK, RAY, RAY_IS_GONE
from .loaded import abandon, leave
from .parcel import digest
from .scheduler import await_scheduler
from .versions import difference, versions
from .words import clean

# Tasks for each place of the cluster: one at work and one on its way. The scheduler holds their checkpoints meanwhile.
AHEAD = 2
# Seconds that a cluster may be without workers: a lost worker restarts sooner.
PATIENCE_SECONDS = 60.0
LOOK_SECONDS = 0.5
CONNECT_SECONDS = 10
# Dask warns about calls with more than 10 MB, such as a checkpoint, which is sent only once.
_QUIET = {"distributed.admin.large-graph-warning-threshold": "1 TB"}
Tag = TypeVar("Tag")
# The function of a task: it takes a request and contents (bytes, or the result of `hold`) and returns a parcel.
Task = Callable[..., bytes]


class ClusterError(AzxError):
    """The scheduler cannot be reached, or its workers cannot be used, or it has none."""


@dataclass(frozen=True)
class Lost:
    """A task without a result: its worker was lost each time, or its answer is unusable; `reason` is a clause."""

    reason: str


@dataclass(frozen=True)
class Call(Generic[Tag]):
    """A task to run. `tag` is the caller's name for it; `arguments` may be contents from `hold`."""

    tag: Tag
    function: Task
    arguments: tuple[Any, ...]


class HeldContent:
    """A content that stays on the cluster as long as this object exists; each worker gets it at most once."""

    def __init__(self, sha256: str, handle: Any) -> None:
        self.sha256, self.handle = sha256, handle


def content(sha256: str, data: bytes) -> bytes:
    """On a worker: return a content as the result of a task, so that another worker can compute it again.

    With Dask's scatter, the content would be lost with its worker.
    """
    return data


def run(function: Task, *arguments: Any) -> bytes:
    """On a worker: run a task, and register the clean-up for the end of the worker.

    A nanny kills the process without warning. A plugin would stay in the workers of all clients.
    """
    from distributed import get_worker

    get_worker().plugins.setdefault("azx", _Leaving())
    return function(*arguments)


class _Leaving:
    def teardown(self, worker: Any) -> None:
        leave()


class Cluster:
    """The workers of the scheduler at `address` (tcp://host:port, or tls:// as Dask is configured); used in a with.

    `client` distinguishes this process from others that use the same workers.
    """

    def __init__(self, address: str | None) -> None:
        self.address, self.client = address or _configured_address(), secrets.token_hex(8)
        self._held: WeakValueDictionary[str, HeldContent] = WeakValueDictionary()
        self._finished: SimpleQueue[Any] = SimpleQueue()
        # Tasks that a caller waits for, and those of them that have ended.
        self._awaited, self._ended = set[Hashable](), set[Hashable]()
        self._client: Any = None

    def __enter__(self) -> Self:
        import dask
        from distributed import Client

        if not is_debugging():
            # Important errors are raised, so Dask's loggers are silenced; each has its own level. Tornado logs errors
            # of Dask's callbacks, one of which fails if Ctrl-C comes as a request to the scheduler begins.
            dask_loggers = ("distributed", "distributed.client", "distributed.core", "distributed.comm")
            for name in (*dask_loggers, "tornado.application"):
                logging.getLogger(name).setLevel(logging.CRITICAL)
        dask.config.set(_QUIET)
        try:
            await_scheduler(self.address, CONNECT_SECONDS)
            self._client = Client(self.address, timeout=CONNECT_SECONDS, set_as_default=False, name="azx")
        except Exception as error:  # another program that listens there may answer anything
            reason = f"no answer within {CONNECT_SECONDS} s" if isinstance(error, TimeoutError) else first_line(error)
            raise ClusterError(
                f"No Dask scheduler answers at {self.address} ({reason}): "
                "start one with `dask scheduler`, or check the address."
            ) from error
        try:
            self._client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        except TimeoutError as error:
            self._client.close()
            raise ClusterError(
                f"The scheduler at {self.address} has no workers: start some with `dask worker {self.address}`."
            ) from error
        return self

    def __exit__(self, *error: object) -> None:
        with suppress(Exception):  # the scheduler may be gone
            self._client.close(timeout=CONNECT_SECONDS)

    def hold(self, content: bytes) -> HeldContent:
        """Give a content to the cluster; it is not sent again while it is held."""
        sha256 = digest(content)
        held = self._held.get(sha256)
        if held is None:
            held = self._held[sha256] = HeldContent(sha256, self._put(sha256, content))
        return held

    def check_versions(self) -> None:
        """ClusterError if a worker's azx or converters differ from this machine's, or if there is no worker."""
        here = versions()
        for worker, there in self._everywhere(versions).items():
            if isinstance(there, Exception):
                raise ClusterError(
                    f"The worker {clean(worker)} cannot run azx ({type(there).__name__}: {clean(there)}): "
                    f"install azx {here['azx']} there, with the same extras as here, and start the worker again."
                ) from there
            if sentence := difference(worker, there, here):
                raise ClusterError(sentence)

    def results(self, calls: Iterable[Call[Tag]]) -> Results[Tag]:
        """Run the calls as places become free; iterate over the results as they arrive.

        Closing the results cancels the remaining calls on the cluster. Other calls may run meanwhile. ClusterError if
        the scheduler, or every worker, is gone.
        """
        return Results(self, calls)

    def _wait(self, handles: Sequence[Hashable]) -> Sequence[Hashable]:
        """Wait until some are done; ClusterError if there was no worker for too long."""
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            done = self._await_done(handles, LOOK_SECONDS)
            if done:
                return done
            if self.places():
                end = time.monotonic() + PATIENCE_SECONDS
            if time.monotonic() > end:
                raise ClusterError(
                    f"The cluster at {self.address} has had no worker for {PATIENCE_SECONDS:.0f} s: start workers, "
                    "then give the same command again to continue."
                )

    def places(self) -> int:
        """The number of tasks that the workers do at once, their threads; 0 if no worker is connected."""
        return int(sum(self._ask(self._client.nthreads).values()))

    def _put(self, sha256: str, data: bytes) -> Any:
        """Keep a content on the cluster; the result may be an argument of `_submit`."""
        return self._ask(self._client.submit, content, sha256, data, key=f"azx-content-{sha256}")

    def _everywhere(self, function: Callable[[], Any]) -> dict[str, Any]:
        """The function's result, or its exception, by the workers' names."""
        return dict(self._ask(self._client.run, function, on_error="return"))

    def _submit(self, function: Task, arguments: Sequence[Any]) -> Hashable:
        """Begin a task; if its worker is lost, another one runs it again, up to a limit."""
        # Its name is unique: the same task of an interrupted client may still exist.
        future: Any = self._ask(self._client.submit, run, function, *arguments, pure=False)
        future.add_done_callback(self._finished.put)
        return future  # type: ignore[no-any-return]

    def _await_done(self, handles: Sequence[Hashable], seconds: float) -> Sequence[Hashable]:
        """The tasks that are done; waits for the first, at most `seconds`."""
        done = list[Any]()
        with suppress(Empty):
            # Tasks that ended during an earlier wait are returned at once.
            if self._ended.isdisjoint(handles):
                done.append(self._finished.get(timeout=seconds))
            while True:
                done.append(self._finished.get_nowait())
        if self._client.status not in ("running", "connecting"):
            raise self._loss()
        self._ended.update(self._awaited.intersection(done))
        return [handle for handle in handles if handle in self._ended]

    def _outcome(self, handle: Any) -> bytes | Lost:
        """The result of a task that is done."""
        from distributed import KilledWorker

        if handle.status == "finished":
            return self._answer(handle)
        if handle.status == "cancelled":
            raise self._loss()
        error = handle.exception()
        if isinstance(error, KilledWorker):
            return Lost(f"{error.allowed_failures + 1} workers that ran it were lost, one after another")
        return Lost(clean(f"{type(error).__name__}: {first_line(error)}"))

    def _answer(self, handle: Any) -> bytes | Lost:
        """A worker's answer as bytes; Lost if it has another type or cannot be read here."""
        try:
            answer = handle.result()
        except Exception as error:
            if self._client.status not in ("running", "connecting"):
                raise self._loss() from error
            return Lost(clean(f"its answer cannot be read here ({type(error).__name__}: {first_line(error)})"))
        return (
            answer if isinstance(answer, bytes) else Lost(clean(f"its answer is no bytes but {type(answer).__name__}"))
        )

    def _forget(self, handles: Sequence[Hashable]) -> None:
        """Stop waiting for these tasks."""
        self._awaited.difference_update(handles)
        self._ended.difference_update(handles)

    def _cancel(self, handles: Sequence[Any]) -> None:
        """Cancel tasks, also those that have begun."""
        with suppress(Exception):  # the scheduler may be gone, and its tasks with it
            self._client.cancel(handles, force=True)
            self._client.run(abandon, self.client, on_error="ignore")

    def _ask(self, ask: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        """The client's answer; ClusterError if it has lost the scheduler."""
        try:
            return ask(*arguments, **options)
        except (OSError, TimeoutError, RuntimeError) as error:
            raise self._loss() from error

    def _loss(self) -> ClusterError:
        return ClusterError(
            f"The scheduler at {self.address} is lost: start it and its workers again, "
            "then give the same command again to continue."
        )


class Results(Iterator[tuple[Tag, bytes | Lost]]):
    """The results of calls as they arrive. Close it, because otherwise its tasks continue."""

    def __init__(self, cluster: Cluster, calls: Iterable[Call[Tag]]) -> None:
        """Begin calls, as many as the cluster has room for."""
        self._cluster, self._coming = cluster, iter(calls)
        # Each with the contents that are held until it is done.
        self._under_way: dict[Hashable, tuple[Tag, tuple[HeldContent, ...]]] = {}
        self._done: list[Hashable] = []
        try:
            self._fill()
        except BaseException:
            self.close()
            raise

    def __next__(self) -> tuple[Tag, bytes | Lost]:
        """The next result; waits for it."""
        if not self._done:
            self._fill()
            if not self._under_way:
                raise StopIteration
            self._done = list(self._cluster._wait(list(self._under_way)))
        handle = self._done.pop(0)
        # Before the caller has the result: if the caller stops here, it must not be cancelled.
        tag, _ = self._under_way.pop(handle)
        self._cluster._forget([handle])
        return tag, self._cluster._outcome(handle)

    def close(self) -> None:
        """Cancel what is not done."""
        left, self._under_way, self._done = list(self._under_way), {}, []
        self._coming = iter(())
        if left:
            self._cluster._forget(left)
            self._cluster._cancel(left)

    def _fill(self) -> None:
        cluster = self._cluster
        for _ in range(AHEAD * max(1, cluster.places()) - len(self._under_way)):
            call = next(self._coming, None)
            if call is None:
                return
            sent = tuple(part.handle if isinstance(part, HeldContent) else part for part in call.arguments)
            held = tuple(part for part in call.arguments if isinstance(part, HeldContent))
            handle = cluster._submit(call.function, sent)
            cluster._awaited.add(handle)
            self._under_way[handle] = call.tag, held


@contextmanager
def connect(backend: str, scheduler: str | None) -> Iterator[Cluster]:
    """The workers of a cluster, with this machine's versions; ClusterError if they cannot be used."""
    if backend == RAY:
        raise ClusterError(RAY_IS_GONE)
    if find_spec("distributed") is None:
        raise ClusterError(f"{missing('distributed', DASK)}.")
    with Cluster(scheduler) as cluster:
        cluster.check_versions()
        yield cluster


def _configured_address() -> str:
    """The scheduler that Dask's own settings name; ClusterError if they name none."""
    import dask

    address = dask.config.get("scheduler-address", None)
    if not address:
        raise ClusterError(
            "No scheduler is named: give --scheduler tcp://HOST:8786 with the address that `dask scheduler` prints."
        )
    return str(address)

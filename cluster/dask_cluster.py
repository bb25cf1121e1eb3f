"""The workers of a Dask scheduler, by `distributed.Client`."""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any, Self

from ..errors import first_line
from ..validate.workers import is_debugging
from .cluster import Cluster, ClusterError, Lost, Task
from .loaded import abandon, leave

CONNECT_SECONDS = 10
# Dask warns of every call that carries more than 10 MB: a checkpoint is that large, and is sent once.
_QUIET = {"distributed.admin.large-graph-warning-threshold": "1 TB"}


def content(sha256: str, data: bytes) -> bytes:
    """Of a worker: a content as the result of a task, which the scheduler can have done again by another worker.

    What is scattered instead is gone with the worker that has it.
    """
    return data


def run(function: Task, *arguments: Any) -> bytes:
    """Of a worker: a task, after which the worker tidies up when it is closed.

    A worker's nanny ends its process without asking it; a plugin of the scheduler's would be in everybody's workers.
    """
    from distributed import get_worker

    get_worker().plugins.setdefault("azx", _Leaving())
    return function(*arguments)


class _Leaving:
    def teardown(self, worker: Any) -> None:
        leave()


class DaskCluster(Cluster):
    """The workers of the scheduler at `address` (tcp://host:port, or tls:// as Dask is configured)."""

    def __init__(self, address: str | None) -> None:
        import dask

        address = address or dask.config.get("scheduler-address", None)
        if not address:
            raise ClusterError(
                "No scheduler is named: give --scheduler tcp://HOST:8786 with the address that `dask scheduler` prints."
            )
        super().__init__(address)
        self._finished: SimpleQueue[Any] = SimpleQueue()
        self._client: Any = None

    def __enter__(self) -> Self:
        import dask
        from distributed import Client

        if not is_debugging():
            # The errors that matter are told as errors; Dask gives each of its loggers a level of its own.
            for name in ("distributed", "distributed.client", "distributed.core", "distributed.comm"):
                logging.getLogger(name).setLevel(logging.CRITICAL)
        dask.config.set(_QUIET)
        try:
            self._client = Client(self.address, timeout=CONNECT_SECONDS, set_as_default=False, name="azx")
        except (OSError, ValueError) as error:
            raise ClusterError(
                f"No Dask scheduler answers at {self.address} ({first_line(error)}): "
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

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(Exception):  # of a scheduler that has gone there is nothing to take leave
            self._client.close(timeout=CONNECT_SECONDS)

    def places(self) -> int:
        """Threads of Dask workers."""
        return int(sum(self._asked(self._client.nthreads).values()))

    def _put(self, sha256: str, data: bytes) -> Any:
        return self._asked(self._client.submit, content, sha256, data, key=f"azx-content-{sha256}")

    def _everywhere(self, function: Callable[[], Any]) -> dict[str, Any]:
        return dict(self._asked(self._client.run, function, on_error="return"))

    def _submit(self, function: Task, arguments: Sequence[Any]) -> Hashable:
        # Its name is its own: the same task of a client that was interrupted may still be there.
        future: Any = self._asked(self._client.submit, run, function, *arguments, pure=False)
        future.add_done_callback(self._finished.put)
        return future  # type: ignore[no-any-return]

    def _done(self, handles: Sequence[Hashable], seconds: float) -> Sequence[Hashable]:
        done = list[Any]()
        with suppress(Empty):
            done.append(self._finished.get(timeout=seconds))
            while True:
                done.append(self._finished.get_nowait())
        if self._client.status not in ("running", "connecting"):
            raise self._gone()
        return [handle for handle in done if handle in handles]

    def _outcome(self, handle: Any) -> bytes | Lost:
        from distributed import KilledWorker

        if handle.status == "finished":
            return bytes(self._asked(handle.result))
        if handle.status == "cancelled":
            raise self._gone()
        error = handle.exception()
        if isinstance(error, KilledWorker):
            return Lost(f"{error.allowed_failures + 1} workers that ran it were lost, one after another")
        return Lost(f"{type(error).__name__}: {first_line(error)}")

    def _cancel(self, handles: Sequence[Any]) -> None:
        with suppress(Exception):  # the scheduler may be gone, and its tasks with it
            self._client.cancel(handles, force=True)
            self._client.run(abandon, self.client, on_error="ignore")

    def _asked(self, ask: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        """What the client says; ClusterError where it has lost the scheduler."""
        try:
            return ask(*arguments, **options)
        except (OSError, TimeoutError, RuntimeError) as error:
            raise self._gone() from error

    def _gone(self) -> ClusterError:
        return ClusterError(
            f"The scheduler at {self.address} is lost: start it and its workers again, "
            "then give the same command again to go on."
        )

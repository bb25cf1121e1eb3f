"""The workers of a Ray cluster, by Ray's tasks."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

from ..errors import first_line
from ..validate.workers import is_debugging
from .cluster import Cluster, ClusterError, Lost, Task

# As often as Dask's scheduler tries again unless it is told otherwise.
RETRIES = 3


class RayCluster(Cluster):
    """The Ray cluster at `address` (host:port, or ray://host:port); "auto" for the one that runs on this machine."""

    def __init__(self, address: str | None) -> None:
        super().__init__(address or os.environ.get("RAY_ADDRESS") or "auto")
        self._tasks: dict[Task, Any] = {}

    def __enter__(self) -> Self:
        import ray

        level = logging.INFO if is_debugging() else logging.CRITICAL
        try:
            ray.init(address=self.address, logging_level=level, log_to_driver=is_debugging(), configure_logging=True)
        except (ConnectionError, RuntimeError, ValueError, OSError) as error:
            raise ClusterError(
                f"No Ray cluster answers at {self.address} ({first_line(error)}): "
                "start one with `ray start --head`, or check the address."
            ) from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        import ray

        ray.shutdown()

    def places(self) -> int:
        """CPUs of Ray's nodes."""
        import ray

        return int(ray.cluster_resources().get("CPU", 0))

    def _put(self, sha256: str, data: bytes) -> Any:
        import ray

        return ray.put(data)

    def _everywhere(self, function: Callable[[], Any]) -> dict[str, Any]:
        import ray
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        asked = {}
        for node in ray.nodes():
            if node["Alive"] and node["Resources"].get("CPU"):
                there = NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
                task = ray.remote(num_cpus=0, scheduling_strategy=there)(function)
                asked[f"{node['NodeManagerAddress']}:{node['NodeManagerPort']}"] = task.remote()
        if not asked:
            raise ClusterError(
                f"The Ray cluster at {self.address} has no workers: "
                f"start some with `ray start --address {self.address}`."
            )
        told: dict[str, Any] = {}
        for worker, answer in asked.items():
            try:
                told[worker] = ray.get(answer)
            except ray.exceptions.RayError as error:
                told[worker] = getattr(error, "cause", None) or RuntimeError(first_line(error))
        return told

    def _submit(self, function: Task, arguments: Sequence[Any]) -> Hashable:
        import ray

        if function not in self._tasks:
            self._tasks[function] = ray.remote(max_retries=RETRIES)(function)
        return self._tasks[function].remote(*arguments)  # type: ignore[no-any-return]

    def _done(self, handles: Sequence[Hashable], seconds: float) -> Sequence[Hashable]:
        import ray

        done: Sequence[Hashable] = ray.wait(list(handles), num_returns=1, timeout=seconds)[0]
        return done

    def _outcome(self, handle: Any) -> bytes | Lost:
        import ray

        try:
            return bytes(ray.get(handle))
        except (ray.exceptions.WorkerCrashedError, ray.exceptions.NodeDiedError, ray.exceptions.OutOfMemoryError):
            return Lost(f"{RETRIES + 1} workers that ran it were lost, one after another")
        except ray.exceptions.RayError as error:
            return Lost(first_line(getattr(error, "cause", None) or error))

    def _cancel(self, handles: Sequence[Any]) -> None:
        import ray

        for handle in handles:
            with suppress(Exception):  # the cluster may be gone, and its tasks with it
                ray.cancel(handle)

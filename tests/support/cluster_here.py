"""A cluster of one worker, in the test's own process."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from azx.cluster.cluster import Cluster, Lost, Task


class Here(Cluster):
    """One worker, in this process; `answer` is done with what it answers, `others` are its versions."""

    def __init__(self) -> None:
        super().__init__("here")
        self.others: dict[str, Any] = {}
        self.answer: Callable[[bytes], bytes | Lost] = lambda data: data
        self.cancelled = 0
        self.put: list[str] = []
        self._waiting: dict[int, tuple[Task, Sequence[Any]]] = {}

    def places(self) -> int:
        return 1

    def _put(self, sha256: str, data: bytes) -> bytes:
        self.put.append(sha256)
        return data

    def _everywhere(self, function: Callable[[], Any]) -> dict[str, Any]:
        return {"tcp://one": function(), "tcp://two": self.others or function()}

    def _submit(self, function: Task, arguments: Sequence[Any]) -> Hashable:
        self._waiting[len(self._waiting)] = function, arguments
        return len(self._waiting) - 1

    def _await_done(self, handles: Sequence[Hashable], seconds: float) -> Sequence[Hashable]:
        return handles[:1]

    def _outcome(self, handle: Any) -> bytes | Lost:
        function, arguments = self._waiting[handle]
        return self.answer(function(*arguments))

    def _cancel(self, handles: Sequence[Any]) -> None:
        self.cancelled += len(handles)

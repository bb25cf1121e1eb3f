"""Contents made from files, such as packed ones: made once, and shared by all clients."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable

MOST_BYTES = 64 * 2**20


class ContentCache:
    """The contents requested last, at most `most_bytes` in all, or a single larger one."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most, self._kept = most_bytes, OrderedDict[str, bytes]()
        self._making = threading.Lock()

    def get(self, key: str, make: Callable[[], bytes]) -> bytes:
        """The content of that key; only one is made at a time, for any number of clients. Raises what `make` raises."""
        with self._making:
            if key not in self._kept:
                self._kept[key] = make()
            self._kept.move_to_end(key)
            while len(self._kept) > 1 and sum(map(len, self._kept.values())) > self._most:
                self._kept.popitem(last=False)
            return self._kept[key]

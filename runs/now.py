"""The present event of a training command, in a hidden file of the run, for pages that follow it."""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from ..system.plain_file import read_plain

NOW, PART_OF_NOW = ".now.json", ".now.json.part"
LARGEST = 1 << 16
# Seconds between two counts of games; other events are written at once.
SECONDS = 1.0
# An older file is ignored: a killed command left it.
STALE_SECONDS = 3600.0
MEMBERS = ("event", "generation", "games", "of")


class Now:
    """Writes the events of the generation under way; the file is removed after the block. Ignores a full disk."""

    def __init__(self, folder: Path) -> None:
        self._path, self._written, self._last = folder / NOW, 0.0, ""

    def __enter__(self) -> Self:
        self.event({"event": "starting"})
        return self

    def __exit__(self, *error: object) -> None:
        with suppress(OSError):
            self._path.unlink()

    def event(self, event: Mapping[str, Any]) -> None:
        """Note an event, unless one of its kind was noted just now."""
        now, kind = time.monotonic(), str(event.get("event"))
        if kind == self._last and now - self._written < SECONDS:
            return
        self._last, self._written = kind, now
        members = {name: event[name] for name in MEMBERS if name in event}
        part = self._path.with_name(PART_OF_NOW)
        try:
            part.write_text(json.dumps({**members, "pid": os.getpid(), "host": socket.gethostname()}))
            part.replace(self._path)
        except OSError:
            with suppress(OSError):
                part.unlink()


def now_in(folder: Path) -> dict[str, Any] | None:
    """The last event of the command that trains the run; None if none is running."""
    path = folder / NOW
    try:
        age = time.time() - path.stat().st_mtime
        data = json.loads(read_plain(path, LARGEST))
        event = {name: data[name] for name in MEMBERS if name in data}
        numbers = [value for name, value in event.items() if name != "event"]
        sound = isinstance(event.get("event"), str) and all(type(value) is int for value in numbers)
        is_there = data["host"] != socket.gethostname() or _is_alive(int(data["pid"]))
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    return event if sound and is_there and age < STALE_SECONDS else None


def _is_alive(pid: int) -> bool:
    """Whether a process exists; always true on Windows, where the check would end the process."""
    if os.name != "posix" or pid <= 0:
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        pass
    return True

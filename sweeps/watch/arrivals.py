"""Finds checkpoints that arrived whole: those that did not change from one look to the next and can be read.

A file that its writer renamed into place counts at the first look. An unreadable file gets some more seconds, in
case its writer pauses, and is then reported once. It is read again when it changes.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ...bundle.case.checkpoint import Checkpoint
from ...errors import AzxError, CodeRefused, NoArchitecture, first_line
from ...export.checkpoint.read import read_checkpoint
from ...system.disk import is_full
from ..sources import Item, in_order, names
from .events import GONE, PICKED_UP, UNREADABLE, Event, Tell
from .files import Mark, Names, checkpoints_in, copy_checkpoint, mark_of, size_of

# For this long an unchanged, unreadable file may belong to a writer that pauses.
PATIENCE_SECONDS = 4.0
SETTLING, WAITING, TAKEN, REPORTED = "settling", "waiting", "taken", "reported"


@dataclass
class _Candidate:
    """A checkpoint in the folder; `since` is when its present state was first noticed."""

    mark: Mark
    since: float
    state: str = SETTLING


@dataclass(frozen=True)
class Arrival:
    """A checkpoint to be exported next; `item` has its path, and its bundle's name among those of the folder."""

    item: Item
    mark: Mark

    @property
    def size(self) -> int:
        """Bytes of its files."""
        return size_of(self.mark)


class Arrivals:
    """The checkpoints of one folder; `look` finds them, `take` returns one after the other.

    A checkpoint is read like `like`; copies to read lie briefly in `place`.
    """

    def __init__(self, folder: Path, like: Checkpoint, place: Path, tell: Tell) -> None:
        self._folder, self._like, self._place, self._tell = folder, like, place, tell
        self._known: dict[Path, _Candidate] = {}
        self._has_looked, self._names = False, Names()
        # Two threads use it: one looks, the other takes.
        self._changed = threading.Condition()

    def look(self) -> None:
        """Note what is new; OSError if the folder cannot be read or there is no room for a copy."""
        self._names.look(self._folder)
        there = sorted(checkpoints_in(self._folder), key=in_order)
        marks = {path: mark for path in there if (mark := mark_of(path)) is not None}
        for path in [path for path in self._known if path not in marks]:
            with self._changed:
                known = self._known.pop(path)
            if known.state == WAITING:
                self._tell(Event(GONE, path.name, "is gone before its turn", {"checkpoint": path}))
        for path, mark in marks.items():
            known_before = self._known.get(path)
            if known_before is None or known_before.mark != mark:
                with self._changed:
                    self._known[path] = _Candidate(mark, time.monotonic())
                # Checkpoints present from the start come in the order of their numbers, however each was written.
                if not (self._has_looked and self._names.is_finished(path)):
                    continue
            if self._known[path].state == SETTLING:
                self._try(path, self._known[path])
        self._has_looked = True

    def _try(self, path: Path, known: _Candidate) -> None:
        """Read a checkpoint that no longer changes."""
        place = self._place / "look"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        try:
            copy = copy_checkpoint(path, known.mark, place)
            if copy is None:
                return
            # The export runs a builder. Here the file alone is checked, even if its weights have no architecture yet.
            with suppress(NoArchitecture, CodeRefused):
                read_checkpoint(copy, **{**self._like.options, "builder": None})
        except Exception as error:  # a file may cause any error; the others are read all the same
            if is_full(error):
                raise
            if time.monotonic() - known.since >= PATIENCE_SECONDS:
                known.state = REPORTED
                is_ours = isinstance(error, AzxError | OSError)
                message = str(error) if is_ours else f"unexpected error ({type(error).__name__}: {first_line(error)})."
                sentence = message.replace(str(place / path.name), str(path))
                about = {"checkpoint": path, "message": sentence}
                self._tell(Event(UNREADABLE, path.name, f"cannot be read: {sentence}", about))
            return
        finally:
            shutil.rmtree(place, ignore_errors=True)
        self._tell(Event(PICKED_UP, path.name, "picked up", {"checkpoint": path, "bytes": size_of(known.mark)}))
        with self._changed:
            known.state = WAITING
            self._changed.notify_all()

    def take(self, seconds: float) -> Arrival | None:
        """The next checkpoint by the numbers in the names; None if none arrives within `seconds`."""
        with self._changed:
            self._changed.wait_for(lambda: self._next() is not None, seconds)
            path = self._next()
            if path is None:
                return None
            known = self._known[path]
            known.state = TAKEN
            called = dict(zip(self._known, names(list(self._known)), strict=True))
            return Arrival(Item(path, called[path]), known.mark)

    def is_done(self) -> bool:
        """Whether nothing in the folder waits for its turn or still changes."""
        with self._changed:
            return self._has_looked and all(known.state in (TAKEN, REPORTED) for known in self._known.values())

    def _next(self) -> Path | None:
        waiting = [path for path, known in self._known.items() if known.state == WAITING]
        return min(waiting, key=in_order, default=None)


@contextmanager
def looking(arrivals: Arrivals, interval: float, on_error: Callable[[Exception], None]) -> Iterator[None]:
    """Look every `interval` seconds while the block runs, in a separate thread, because an export takes longer.

    `on_error` receives the error of a failed look; looking continues.
    """
    ended = threading.Event()

    def look() -> None:
        while not ended.is_set():
            began = time.monotonic()
            try:
                arrivals.look()
            except (AzxError, OSError) as error:
                on_error(error)
            ended.wait(max(interval / 2, interval - (time.monotonic() - began)))

    thread = threading.Thread(target=look, name="azx-watch", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()

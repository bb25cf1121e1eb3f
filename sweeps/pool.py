"""Runs tasks in a few threads; each thread has its own worker processes, which stay loaded between tasks."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import TypeVar

from ..system.workers import Workers

Item = TypeVar("Item")
Done = TypeVar("Done")


def in_pool(
    items: Sequence[Item], jobs: int, task: Callable[[Item, Workers], Done], on_done: Callable[[Done], None]
) -> None:
    """Do `task` for each item, `jobs` at a time; `on_done` receives each result when it ends, in this thread.

    An error of `task` or `on_done`, or Ctrl-C, ends everything: first the processes, then the threads, which undo
    unfinished work.
    """
    to_do: SimpleQueue[Item] = SimpleQueue()
    for item in items:
        to_do.put(item)
    ended: SimpleQueue[tuple[Done] | BaseException] = SimpleQueue()

    def work(workers: Workers) -> None:
        with suppress(Empty):
            while True:
                try:
                    ended.put((task(to_do.get_nowait(), workers),))
                except Empty:
                    raise
                except BaseException as error:
                    ended.put(error)
                    return

    with _threads(min(jobs, len(items)), work):
        for _ in items:
            done = ended.get()
            if isinstance(done, BaseException):
                raise done
            on_done(done[0])


@contextmanager
def _threads(count: int, work: Callable[[Workers], None]) -> Iterator[None]:
    with ExitStack() as stack:
        # Entered here, not in their threads, because only the main thread gets Ctrl-C.
        pool = [stack.enter_context(Workers()) for _ in range(count)]
        threads = [threading.Thread(target=work, args=(workers,)) for workers in pool]
        try:
            for thread in threads:
                thread.start()
            yield
        except BaseException:
            for workers in pool:
                workers.stop()
            raise
        finally:
            for thread in threads:
                if thread.ident is not None:
                    thread.join()

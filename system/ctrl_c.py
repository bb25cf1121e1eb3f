"""Ctrl-C ends a command at once while modules are imported, and is never lost afterwards."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # as in azx/__init__.py
if TYPE_CHECKING:
    import signal
    from typing import Any, NoReturn
else:
    import _signal as signal  # signal itself first imports ten modules; Ctrl-C there would print Python's traceback

INTERRUPTED = 130  # what shells report for a process that Ctrl-C ended
_MOMENT, _LONGEST_IMPORT = 0.02, 10.0  # seconds


class _Press:
    once = False  # a process has one Ctrl-C


def end_at_once() -> None:
    """From here on Ctrl-C ends this process silently; nothing needs to be cleaned up yet.

    A process that a shell started in its background still ignores Ctrl-C.
    """
    if signal.getsignal(signal.SIGINT) in (signal.default_int_handler, _interrupt):
        signal.signal(signal.SIGINT, _leave)


def raise_from_here() -> None:
    """From here on Ctrl-C raises KeyboardInterrupt, if `end_at_once` was called before."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, _interrupt)
        sys.unraisablehook = _raise_again


def is_swallowed_by(error: BaseException) -> bool:
    """Whether an error is really a Ctrl-C: it came inside a C extension, and the import turned it into this error."""
    return _Press.once and isinstance(error, ImportError | SystemError)


def _leave(number: int, frame: object) -> NoReturn:
    try:
        os.write(2, b"Interrupted.\n")
    finally:
        os._exit(INTERRUPTED)


def _interrupt(number: int, frame: object) -> NoReturn:
    _Press.once = True
    raise KeyboardInterrupt


def leave(code: int = INTERRUPTED) -> NoReturn:
    """End a command, with Ctrl-C's exit code: run the registered exit functions, but not the rest of Python's shutdown.

    An extension whose import was interrupted may be half initialised, and Python could crash while removing it.
    """
    import atexit

    try:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _raise_again(lost: Any) -> None:
    """Raise an exception again that Python would only print, because it came in a callback of the import system.

    It is raised once nothing is imported any more, because an import would lose it again.
    """
    if isinstance(lost.exc_value, KeyboardInterrupt):
        import threading

        threading.Thread(target=_press_again, daemon=True).start()
    else:
        sys.__unraisablehook__(lost)


def _press_again() -> None:
    import _thread
    import threading
    import time

    end = time.monotonic() + _LONGEST_IMPORT
    time.sleep(_MOMENT)
    while _imports(threading.main_thread().ident) and time.monotonic() < end:
        time.sleep(_MOMENT)
    _thread.interrupt_main()


def _imports(thread: int | None) -> bool:
    frame = sys._current_frames().get(thread or 0)
    while frame is not None and not frame.f_code.co_filename.startswith("<frozen importlib"):
        frame = frame.f_back
    return frame is not None

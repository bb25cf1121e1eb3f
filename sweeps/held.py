"""The lock on a folder of bundles, for one sweep or watch at a time; the second one learns who holds it."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from ..bundle.contents.manifest import MANIFEST
from ..errors import BundleError
from ..system.exchange import clear_up_in, recover_in
from ..system.lock import hold_lock
from . import page

LOCK, HOLDER = ".azx-sweep-lock", ".azx-sweep-holder.json"


@contextmanager
def hold_folder(folder: Path, command: str) -> Iterator[None]:
    """Hold the folder for `command`, after removing what killed exports left in it.

    BundleError if another sweep or watch holds it, or it cannot be written. Also if it is a bundle itself, or contains
    a page that azx did not write.
    """
    if (folder / MANIFEST).exists():
        raise BundleError(f"'{folder}' is a bundle itself: choose the folder that the bundles are to lie in with -o.")
    with ExitStack() as stack:
        try:
            stack.enter_context(hold_lock(folder / LOCK, _in_use(folder)))
            stack.callback((folder / HOLDER).unlink, missing_ok=True)
            _note_holder(folder / HOLDER, command)
        except OSError as error:
            raise BundleError(
                f"'{folder}' cannot be written ({error.strerror or error}): choose another folder with -o."
            ) from error
        page.check_own(folder)
        recover_in(folder)
        clear_up_in(folder)
        yield


def _note_holder(file: Path, command: str) -> None:
    """Write down who holds the folder; a full disk may prevent the note, but the lock still holds."""
    holder = {"command": command, "pid": os.getpid(), "host": platform.node(), "since": time.strftime("%H:%M")}
    with suppress(OSError):
        file.write_text(json.dumps(holder), encoding="utf8")


def _in_use(folder: Path) -> BundleError:
    """The sentence about a folder that another process holds, with its command if known."""
    who, until = "another sweep", "wait until it ends"
    with suppress(OSError, ValueError, KeyError, TypeError):
        holder = json.loads((folder / HOLDER).read_text(encoding="utf8"))
        who = f"{holder['command']} (process {int(holder['pid'])} on {holder['host']}, since {holder['since']})"
        until = "end it first" if holder["command"] == "azx watch" else until
    return BundleError(f"'{folder}' is in use by {who}: {until}, or choose another folder with -o.")

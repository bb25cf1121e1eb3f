"""Folders in the system's temporary folder that do not outlive their owner for long, even where it was killed.

And what azx puts there for its user: the file through which a Keras model in memory is read.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..errors import AzxError
from ..export.checkpoint.layer_graph import LayerGraph
from ..export.checkpoint.located import find_checkpoint
from ..export.checkpoint.read import read_checkpoint
from ..export.original import live
from ..export.original.live import LiveModel

# azx-<purpose>-<pid namespace>-<pid>-<random>: a container that shares the folder has processes of the same numbers.
_OURS = re.compile(r"azx-[a-z]+-([0-9]+)-([0-9]+)-\w+")


@contextmanager
def temporary_folder(purpose: str) -> Iterator[Path]:
    """An empty folder, gone after the block; `purpose` is a word of small letters in its name.

    What killed processes left goes first. OSError where the system has no room for it.
    """
    clear_up(Path(tempfile.gettempdir()))
    with tempfile.TemporaryDirectory(prefix=f"azx-{purpose}-{_namespace()}-{os.getpid()}-") as folder:
        yield Path(folder)


@dataclass(frozen=True, eq=False)
class Given:
    """A checkpoint as its user gave it: the file, and the model in memory that the file was made of, if it was."""

    path: Path
    model: LiveModel | None = None

    def read(self, **options: Any) -> LayerGraph:
        """`read_checkpoint` of the file, under the model's name where it is one."""
        graph = read_checkpoint(self.path, **options)
        if self.model is None:
            return graph
        return replace(graph, source=replace(graph.source, title=live.title_of(self.model)))


@contextmanager
def given(checkpoint: str | Path | LiveModel | None, builder: str | None = None) -> Iterator[Given]:
    """The file that a path, a shipped network's name or nothing means; a model in memory is saved for the block's time.

    An error in the block that names that file names the model instead.
    """
    if checkpoint is None or isinstance(checkpoint, (str, Path)):
        yield Given(find_checkpoint(checkpoint))
        return
    with temporary_folder("model") as folder:
        path = live.save(checkpoint, folder, builder is not None)
        try:
            yield Given(path, checkpoint)
        except AzxError as error:
            error.args = tuple(
                each.replace(str(path), live.title_of(checkpoint)) if isinstance(each, str) else each
                for each in error.args
            )
            raise


def clear_up(place: Path) -> None:
    """Remove from `place` the folders of this user whose owner process is dead; whatever cannot be removed stays."""
    if os.name != "posix":
        return  # elsewhere a process cannot be asked so
    with suppress(OSError):
        for left in list(os.scandir(place)):
            name = _OURS.fullmatch(left.name)
            if name and name[1] == _namespace() and _is_mine(left) and not _is_alive(int(name[2])):
                shutil.rmtree(left.path, ignore_errors=True)


def _is_mine(left: os.DirEntry[str]) -> bool:
    """A folder, no link to one, of this user: others write into the system's temporary folder too."""
    with suppress(OSError):
        return left.is_dir(follow_symlinks=False) and left.stat(follow_symlinks=False).st_uid == os.getuid()
    return False


def _is_alive(pid: int) -> bool:
    """Whether a process has this number; one of another user counts, and so does any that cannot be asked."""
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


def _namespace() -> str:
    """Number of this process' pid namespace, "0" where the system has none."""
    with suppress(OSError):
        return re.sub(r"\D", "", str(Path("/proc/self/ns/pid").readlink())) or "0"
    return "0"

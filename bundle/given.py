"""What an export is given: a checkpoint's path, a shipped network's name, or a Keras model in memory.

A model in memory is read through a file that it is saved to for the time.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..errors import AzxError
from ..export.checkpoint.layer_graph import LayerGraph
from ..export.checkpoint.located import find_checkpoint
from ..export.checkpoint.read import read_checkpoint
from ..export.original import live
from ..export.original.live import LiveModel
from ..export.temporary import temporary_folder


@dataclass(frozen=True, eq=False)
class Given:
    """A checkpoint as its user gave it: the file, and the model in memory that the file was made of, if it was.

    `graph` is what was read of it already, with the options that `read` would have.
    """

    path: Path
    model: LiveModel | None = None
    graph: LayerGraph | None = None

    def read(self, **options: Any) -> LayerGraph:
        """`read_checkpoint` of the file, once, under the model's name where it is one."""
        graph = read_checkpoint(self.path, **options) if self.graph is None else self.graph
        if self.model is None:
            return graph
        return replace(graph, source=replace(graph.source, title=live.title_of(self.model)))


@contextmanager
def given(checkpoint: str | Path | LiveModel | Given | None, builder: str | None = None) -> Iterator[Given]:
    """The file that a path, a shipped network's name or nothing means; a model in memory is saved for the block's time.

    An error in the block that names that file names the model instead.
    """
    if isinstance(checkpoint, Given):
        yield checkpoint
        return
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


def stem_of(path: Path) -> str:
    """The bundle's name for a checkpoint's file: its name without .h5, .keras or .weights.h5."""
    return path.name.removesuffix(".h5").removesuffix(".keras").removesuffix(".weights").removesuffix(".hdf5") or "net"

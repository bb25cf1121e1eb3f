"""The file of a checkpoint; a model in memory is saved to a temporary one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from ...errors import AzxError
from ...export.checkpoint.layer_graph import LayerGraph
from ...export.checkpoint.located import file_and_config, find_checkpoint
from ...export.checkpoint.read import read_checkpoint
from ...export.checkpoint.tfjs_layers import MODEL
from ...export.original import live
from ...export.original.live import LiveModel
from ...system.temporary import temporary_folder
from .checkpoint import Checkpoint

# File endings of other frameworks.
_OTHERS = (".index", ".meta", ".tar", ".pth", ".pt", ".safetensors", ".model", ".onnx", ".pb", ".json")


@dataclass(frozen=True, eq=False)
class CheckpointFile:
    """The file of a checkpoint and, if the file was made from a model in memory, that model."""

    checkpoint: Checkpoint
    path: Path
    model: LiveModel | None = None

    @property
    def stem(self) -> str:
        """The name of its bundle; for a folder with one checkpoint and its JSON, the checkpoint's stem."""
        return stem_of(file_and_config(self.path, self.checkpoint.config)[0])

    def read(self) -> LayerGraph:
        """The file read by `read_checkpoint`, once; a model in memory keeps its own name."""
        graph = self.checkpoint.graph or read_checkpoint(self.path, **self.checkpoint.options)
        if self.model is None:
            return graph
        return replace(graph, source=replace(graph.source, title=live.title_of(self.model)))


@contextmanager
def open_checkpoint(checkpoint: Checkpoint) -> Iterator[CheckpointFile]:
    """The file for a path, a shipped network's name or None; a model in memory is saved while the block runs.

    An error in the block that names this file names the model instead.
    """
    model = checkpoint.path
    if model is None or isinstance(model, (str, Path)):
        yield CheckpointFile(checkpoint, find_checkpoint(model))
        return
    with temporary_folder("model") as folder:
        path = live.save(model, folder, checkpoint.builder is not None)
        try:
            yield CheckpointFile(checkpoint, path, model)
        except AzxError as error:
            error.args = tuple(
                each.replace(str(path), live.title_of(model)) if isinstance(each, str) else each for each in error.args
            )
            raise


def stem_of(path: Path) -> str:
    """The bundle's name for a checkpoint's file: the file's name without its framework's ending."""
    if path.name == MODEL:  # TF.js calls every network model.json, in a folder of its own
        path = path.absolute().parent
    stem = path.name.removesuffix(".h5").removesuffix(".keras").removesuffix(".weights").removesuffix(".hdf5")
    for suffix in _OTHERS:
        stem = stem.removesuffix(suffix)
    return stem or "net"

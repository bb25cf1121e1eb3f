"""What an export is given: a checkpoint's path, a shipped network's name, or a Keras model in memory.

A model in memory is read through a file that it is saved to for the time.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypedDict, Unpack

from ...errors import AzxError, CheckpointError
from ...export.checkpoint.asked import check_options
from ...export.checkpoint.layer_graph import LayerGraph
from ...export.checkpoint.located import DEFAULT, find_checkpoint
from ...export.checkpoint.read import read_checkpoint
from ...export.original import live
from ...export.original.live import LiveModel
from ...system.temporary import temporary_folder

Place = str | Path | LiveModel | None
# What the names of other frameworks' files end with.
_OTHERS = (".index", ".meta", ".tar", ".pth", ".pt", ".safetensors", ".model", ".onnx", ".pb", ".json")


class ArchitectureOptions(TypedDict, total=False):
    """Where the architecture of weights alone comes from, and the board of a network that leaves it free."""

    config: str | Path | None
    builder: str | None
    preset: str | None
    board: tuple[int, int] | None


class ReadOptions(ArchitectureOptions, total=False):
    """The members of `Checkpoint` that say how it is read."""

    allow_code: bool


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint and how it is read; CheckpointError for a value that is none of its member's.

    Attributes:
        path: a path, a shipped checkpoint's name, a Keras model in memory (Functional or Sequential, Keras 3 or
            tf_keras); None: the shipped Connect4 network.
        config: JSON of the architecture, for weights-only files.
        builder: "module:function" that returns the Keras model, for weights-only files. It is run.
        preset: the family of networks whose weights they are, instead of either (alpha-zero-general, zeta36,
            alphazero-gomoku).
        board: (rows, columns), for a network that leaves them free.
        allow_code: let Keras run Lambda layers of the file.
        graph: what was read of it already.

    """

    path: Place = None
    config: str | Path | None = None
    builder: str | None = None
    preset: str | None = None
    board: tuple[int, int] | None = None
    allow_code: bool = False
    graph: LayerGraph | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        """CheckpointError for a value that is none of its member's."""
        check_options(self.config, self.builder, self.preset, self.board, self.allow_code)
        if not (self.path is None or isinstance(self.path, (str, Path))):
            live.check_model(self.path)

    @property
    def options(self) -> dict[str, Any]:
        """How it is read, as `read_checkpoint` takes it."""
        return {name: getattr(self, name) for name in ReadOptions.__annotations__}

    @property
    def place(self) -> str | Path:
        """Where it is, by path or name; CheckpointError for a model in memory."""
        if self.path is None or isinstance(self.path, (str, Path)):
            return self.path or DEFAULT
        raise CheckpointError(f"{live.title_of(self.path)} has no file here: save it, and give its path.")

    def at(self, path: Place) -> Checkpoint:
        """Another checkpoint that is read in the same way."""
        return replace(self, path=path, graph=None)


def as_checkpoint(checkpoint: Place | Checkpoint, **options: Unpack[ReadOptions]) -> Checkpoint:
    """The checkpoint itself, or that of a path, name or model with the options; AzxError if it has its own."""
    if not isinstance(checkpoint, Checkpoint):
        return Checkpoint(checkpoint, **options)
    if options:
        raise AzxError(f"A Checkpoint says itself how it is read: put {', '.join(options)} into it.")
    return checkpoint


@dataclass(frozen=True, eq=False)
class CheckpointFile:
    """The file of a checkpoint, and the model in memory that the file was made of, if it was."""

    checkpoint: Checkpoint
    path: Path
    model: LiveModel | None = None

    @property
    def stem(self) -> str:
        """The name of its bundle."""
        return stem_of(self.path)

    def read(self) -> LayerGraph:
        """`read_checkpoint` of the file, once, under the model's name if it is one."""
        graph = self.checkpoint.graph or read_checkpoint(self.path, **self.checkpoint.options)
        if self.model is None:
            return graph
        return replace(graph, source=replace(graph.source, title=live.title_of(self.model)))


@contextmanager
def open_checkpoint(checkpoint: Checkpoint) -> Iterator[CheckpointFile]:
    """The file that a path, a shipped network's name or nothing means; a model in memory is saved for the block's time.

    An error in the block that names that file names the model instead.
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
    """The bundle's name for a checkpoint's file: its name without .h5, .keras, .weights.h5, or those of others."""
    stem = path.name.removesuffix(".h5").removesuffix(".keras").removesuffix(".weights").removesuffix(".hdf5")
    for suffix in _OTHERS:
        stem = stem.removesuffix(suffix)
    return stem or "net"

"""The input of an export: a checkpoint's path, a shipped network's name, or a Keras model in memory."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from ...errors import AzxError, CheckpointError
from ...export.checkpoint.asked import check_options
from ...export.original import live
from ...export.original.live import LiveModel
from .keywords import ReadOptions
from .option import UNSTATED, documents_options, option, options_of

if TYPE_CHECKING:
    from ...export.checkpoint.layer_graph import LayerGraph

Place = str | Path | LiveModel | None


@documents_options
@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint and the options for reading it; CheckpointError if a member has the wrong type.

    Attributes:
        path: a path, a shipped checkpoint's name, a Keras model in memory (Functional or Sequential, Keras 3 or
            tf_keras); None: the shipped Connect4 network.
        graph: its layers and weights, if they were read already.

    """

    path: Place = None
    config: str | Path | None = field(
        default=None,
        metadata=option(
            "Architecture as JSON or YAML, for a file that holds weights alone; also found beside it.",
            "--config",
            UNSTATED,
            "file",
        ),
    )
    builder: str | None = field(
        default=None,
        metadata=option(
            "Function that returns the Keras model, or PyTorch's module, for a file that holds weights alone; also "
            "FILE.py:FUNCTION. It is run.",
            "--builder",
            UNSTATED,
            metavar="MODULE:FUNCTION",
        ),
    )
    preset: str | None = field(
        default=None,
        metadata=option(
            "Family of networks whose weights the file holds alone: alpha-zero-general, zeta36, alphazero-gomoku, "
            "supergo or gomoku-mpi.",
            "--preset",
            UNSTATED,
            "preset",
            metavar="NAME",
        ),
    )
    board: tuple[int, int] | None = field(
        default=None,
        metadata=option(
            "Rows and columns, for a network that leaves them free.", "--board", UNSTATED, "board", metavar="9x9"
        ),
    )
    allow_code: bool = field(
        default=False,
        metadata=option(
            "Run the Python code of Lambda layers in the file: only if you trust it.", "--allow-code", UNSTATED, "yes"
        ),
    )
    graph: LayerGraph | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check the types of the members; CheckpointError if one is wrong."""
        check_options(self.config, self.builder, self.preset, self.board, self.allow_code)
        if not (self.path is None or isinstance(self.path, (str, Path))):
            live.check_model(self.path)

    @property
    def options(self) -> dict[str, Any]:
        """The options for reading it, as keywords of `read_checkpoint`."""
        return {each.member: getattr(self, each.member) for each in options_of(Checkpoint)}

    @property
    def place(self) -> str | Path:
        """Its path or name; CheckpointError for a model in memory."""
        from ...export.checkpoint.located import DEFAULT

        if self.path is None or isinstance(self.path, (str, Path)):
            return self.path or DEFAULT
        raise CheckpointError(f"{live.title_of(self.path)} has no file: save it, and give its path.")

    def at(self, path: Place) -> Checkpoint:
        """Another checkpoint that is read in the same way."""
        return replace(self, path=path, graph=None)


def as_checkpoint(checkpoint: Place | Checkpoint, **options: Unpack[ReadOptions]) -> Checkpoint:
    """`place` if it is a Checkpoint, else a Checkpoint with the options; AzxError for options beside a Checkpoint."""
    if not isinstance(checkpoint, Checkpoint):
        return Checkpoint(checkpoint, **options)
    if options:
        raise AzxError(f"A Checkpoint has its own options: put {', '.join(options)} into it.")
    return checkpoint

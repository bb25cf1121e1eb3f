"""The files beside a checkpoint of another framework without which it is not whole."""

from __future__ import annotations

from pathlib import Path

from ...errors import CheckpointError
from .foreign_arrays import checkpoint_prefix
from .onnx_file import is_onnx_file
from .onnx_model import read_onnx
from .tfjs_layers import is_tfjs_layers, shards_of


def files_beside(path: Path) -> list[Path]:
    """The other files of an ONNX model, a TensorFlow 1 checkpoint or a layers model of TF.js; empty for any other file.

    They all lie in its folder. CheckpointError if one is missing, or the file itself is damaged.
    """
    if not path.is_file():
        return []
    if (prefix := checkpoint_prefix(path)) is not None:
        files = sorted(prefix.parent.glob(f"{_literal(prefix.name)}.*"))
        return [each for each in files if each != path and checkpoint_prefix(each) == prefix]
    if is_tfjs_layers(path):
        return shards_of(path)
    return sorted(read_onnx(path).external) if is_onnx_file(path) else []


def is_whole(path: Path) -> bool:
    """Whether nothing that belongs to the file is missing beside it; not whether it can be read."""
    try:
        files_beside(path)
    except CheckpointError:
        return False
    return True


def _literal(name: str) -> str:
    """A name as a pattern that matches nothing else."""
    return "".join(f"[{sign}]" if sign in "*?[" else sign for sign in name)

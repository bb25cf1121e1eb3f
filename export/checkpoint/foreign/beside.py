"""Finds the files that belong to a checkpoint of another framework and lie beside it."""

from __future__ import annotations

from pathlib import Path

from ..digest import sha256, sha256_of_all
from ..foreign_parts import parts_of
from ..onnx.file import is_onnx_file
from ..onnx.model import read_onnx
from ..tfjs_layers import MODEL, is_tfjs_layers, shards_of
from .arrays import checkpoint_prefix
from .weights import digest_of


def files_beside(path: Path) -> list[Path]:
    """The other files of a network that consists of several; empty for any other file.

    These are ONNX models, TensorFlow 1 checkpoints, layers models of TF.js, and SuperGo's three files. All lie in one
    folder. CheckpointError if one is missing, or the file itself is damaged.
    """
    if not path.is_file():
        return []
    if (prefix := checkpoint_prefix(path)) is not None:
        files = sorted(prefix.parent.glob(f"{_literal(prefix.name)}.*"))
        return [each for each in files if each != path and checkpoint_prefix(each) == prefix]
    if parts := parts_of(path):
        return [each for each in parts if each != path]
    if is_tfjs_layers(path):
        return shards_of(path)
    return sorted(read_onnx(path).external) if is_onnx_file(path) else []


def checkpoint_digest(path: Path) -> str:
    """The SHA-256 by which a manifest identifies a checkpoint; CheckpointError as in `files_beside`."""
    if is_tfjs_layers(path / MODEL):
        path = path / MODEL
    if checkpoint_prefix(path) is not None or parts_of(path):
        return digest_of(path)
    beside = files_beside(path)
    return sha256_of_all([path, *beside]) if beside else sha256(path)


def _literal(name: str) -> str:
    """A name as a pattern that matches only that name."""
    return "".join(f"[{sign}]" if sign in "*?[" else sign for sign in name)

"""A file of another framework's weights as a LayerGraph; the architecture is that of the family with these shapes.

The layers have the form of Keras 2, so that both Keras and the witness can run them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ....errors import CheckpointError, NoArchitecture
from ..digest import sha256, sha256_of_all
from ..door.limits import check_file
from ..flatten import flatten
from ..foreign_parts import PARTS, lacks_parts, parts_of
from ..keras_json import ModelConfig, parse_model
from ..layer_graph import LayerGraph, Source
from ..presets import supergo
from ..presets.table import READINGS, find_preset, preset_architecture
from ..stored import Board, summary
from ..weights import Assigned
from .arrays import SAFETENSORS, TORCH, Arrays, arrays_reader, checkpoint_prefix
from .layers import ForeignLayers, foreign_layers

# The Keras version whose form the layers have.
_SPELLING = "2.12.0"
_HEAD = 64
# The formats whose weights may belong to a PyTorch module.
BUILT_BY_TORCH = (TORCH, SAFETENSORS)


def foreign_weights(path: Path) -> ForeignLayers | None:
    """The layers of a file of weights that Keras did not write; None for any other file.

    CheckpointError as in `arrays_in`.
    """
    arrays = arrays_in(path)
    return None if arrays is None else foreign_layers(arrays, path)


def arrays_in(path: Path) -> Arrays | None:
    """The arrays of a file of weights that Keras did not write; None for any other file.

    CheckpointError if it is damaged, or holds anything except arrays, dicts, lists and numbers.
    """
    if not path.is_file():
        return None
    if parts := parts_of(path):
        return _joined(parts, [_arrays_of(part) for part in parts])
    return _arrays_of(path)


def _joined(files: Sequence[Path], read: Sequence[Arrays | None]) -> Arrays | None:
    """The arrays of three files as one network's; their names begin with the name of their file's part.

    None if none of the files holds weights. CheckpointError, naming the file, if one lacks weights and another has
    them.
    """
    known = [arrays for arrays in read if arrays is not None]
    if not known:
        return None
    if len(known) != len(read):
        bad = next(file for file, arrays in zip(files, read, strict=True) if arrays is None)
        raise CheckpointError(
            f"'{bad}' belongs to a network in three files, and is empty, cut off or damaged: copy all three again."
        )
    values = {
        f"{part}.{name}": array
        for part, arrays in zip(PARTS, known, strict=True)
        for name, array in arrays.values.items()
    }
    return Arrays(known[0].framework, values)


def _arrays_of(path: Path) -> Arrays | None:
    check_file(path)
    with path.open("rb") as file:
        head = file.read(_HEAD)
    reader = arrays_reader(path, head)
    return None if reader is None else reader()


def read_weights(foreign: ForeignLayers, path: Path, preset: str | None, board: Board | None) -> LayerGraph:
    """The LayerGraph of weights alone, of the family `preset` or of the family that has these layers and shapes.

    NoArchitecture if no family is given and none or several fit; CheckpointError if the weights do not fit the family.
    """
    where = f"'{path}'"
    layers = foreign.stored(where, "").layers
    family = preset or family_of(foreign)
    if family in (None, supergo.NAME) and (missing := lacks_parts(path)):
        raise NoArchitecture(f"{where} holds the extractor of a network alone: put {' and '.join(missing)} beside it.")
    if family is None:
        raise NoArchitecture(
            f"{where} is of {foreign.framework} and holds weights without an architecture ({summary(layers)}), and "
            f"they are of no family that azx knows by its shapes: {_otherwise(foreign)} (docs/other-frameworks.md)."
        )
    architecture = preset_architecture(family, layers, board, where, foreign.dialect, foreign.framework)
    model = parse_model(architecture, where)
    source = Source(
        path,
        "weights",
        digest_of(path),
        _SPELLING,
        architecture,
        preset=family,
        framework=foreign.framework,
        reading=READINGS[family](dict(architecture)) if family in READINGS else None,
    )
    return flatten(model, _assigned(model, foreign), source, {})


def family_of(foreign: ForeignLayers) -> str | None:
    """The one family whose networks have these layers and shapes; None for none or several."""
    return find_preset(foreign.stored("", "").layers, foreign.dialect, foreign.framework)


def digest_of(path: Path) -> str:
    """The SHA-256 of the weights, from any of their files: a TensorFlow checkpoint's first .data, or three files."""
    prefix = checkpoint_prefix(path)
    if prefix is None:
        return sha256_of_all(parts_of(path) or [path])
    return sha256(next(iter(sorted(prefix.parent.glob(f"{prefix.name}.data-*"))), path))


def assign_foreign(model: ModelConfig, path: Path) -> Assigned:
    """The weights of each layer of an architecture that `read_weights` made from this file."""
    foreign = foreign_weights(path)
    if foreign is None:
        raise CheckpointError(f"'{path}' is not the file of weights that it was: copy it again.")
    return _assigned(model, foreign)


def _assigned(model: ModelConfig, foreign: ForeignLayers) -> Assigned:
    return {
        id(layer): list(foreign.layers[layer.name][1].items()) for layer in model.layers if layer.name in foreign.layers
    }


def _otherwise(foreign: ForeignLayers) -> str:
    """Advice for weights of an unknown family."""
    onnx = "give the network as ONNX"
    builds = foreign.framework in BUILT_BY_TORCH
    return f"give the module with --builder FILE.py:FUNCTION, which PyTorch runs, or {onnx}" if builds else onnx

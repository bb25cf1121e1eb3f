"""Finds the checkpoint that an argument means: a file, a folder, a shipped name."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from ...errors import CheckpointError
from ...system.near import did_you_mean
from .foreign_parts import first_part, first_parts_in, is_first_part
from .kinds import folder_kind
from .run_folder import best_of_run, is_run
from .saved_model import GRAPH, OF_SAVED_MODEL, is_saved_model
from .tfjs_layers import MODEL, check_topology, is_tfjs_layers

DEFAULT = "connect4"
FOLDER = Path(__file__).parents[2] / "mobile_assets" / "checkpoints"
SUFFIXES = frozenset({".h5", ".hdf5", ".keras"})
# The endings of other frameworks' file names, as their training writes them.
_OTHERS = (".onnx", ".pt", ".pth", ".pth.tar", ".safetensors", ".model", ".pb")
# The most files below a folder that are searched for one to suggest.
_LOOKED_AT = 1_000


def is_checkpoint_name(path: Path) -> bool:
    """Whether a file's name is one that training gives to checkpoints, in Keras or another framework.

    A TensorFlow 1 checkpoint counts by its .index, with a .meta beside it; TensorFlow 2 writes no .meta. Of three
    files, the extractor's counts.
    """
    if path.name in OF_SAVED_MODEL:
        return False
    named = path.suffix in SUFFIXES or (path.name.endswith(_OTHERS) and is_first_part(path))
    return named or (path.suffix == ".index" and path.with_suffix(".meta").is_file())


def is_checkpoint_folder(path: Path) -> bool:
    """Whether a folder is one checkpoint: a SavedModel, or a folder with a layers model of TF.js."""
    return is_saved_model(path) or is_tfjs_layers(path / MODEL)


def shipped_names() -> list[str]:
    """Names of the shipped checkpoints."""
    return sorted(path.stem for path in FOLDER.glob("*.h5"))


def find_checkpoint(name: str | Path | None) -> Path:
    """The file for a path, for a shipped checkpoint's name, or for None (the default checkpoint).

    An existing path comes first. The folder of a run of `azx train` means its best network; three files of one network,
    or their folder, mean the extractor's. Raises CheckpointError if nothing fits.
    """
    if name is None:
        name = DEFAULT
    path = Path(name)
    if path.name == GRAPH and is_saved_model(path.parent):
        return path.parent
    if path.is_dir() and is_run(path):
        return best_of_run(path)
    if path.exists():
        return first_part(path)
    own = FOLDER / f"{name}.h5"
    if path.name == str(name) and own.is_file():
        return own
    if (index := path.with_name(f"{path.name}.index")).is_file() and path.name:
        return index  # the common name of a TensorFlow checkpoint's files
    known = ", ".join(shipped_names()) or "none"
    meant = did_you_mean(path, shipped_names() if path.name == str(name) else ())
    raise CheckpointError(
        f"There is no checkpoint at '{name}'{meant}: check the path, or name a shipped one ({known})."
    )


def file_and_config(path: Path, config: Path | str | None) -> tuple[Path, Path | str | None]:
    """(file, config) for a path that may be a folder with one checkpoint and at most one JSON.

    A file is returned unchanged, and so is a SavedModel in which Keras describes its layers. Raises CheckpointError for
    a folder with no checkpoint, with several, or with several architectures.
    """
    path = first_part(path)
    if not path.is_dir():
        return path, config
    checkpoints = sorted(item for item in path.iterdir() if item.suffix in SUFFIXES)
    if not checkpoints and is_saved_model(path):
        return path, config
    if not checkpoints and is_tfjs_layers(path / MODEL):
        return path / MODEL, config
    if not checkpoints:
        checkpoints = first_parts_in(path)
    if len(checkpoints) != 1:
        if what := folder_kind(path):
            raise CheckpointError(f"'{path}' is {what}.")
        if not checkpoints:
            if (topology := path / MODEL).is_file():
                check_topology(topology)
            below = _first_below(path)
            do = "give the file that Keras saved" if below is None else f"give one below it, as '{below}'"
            raise CheckpointError(f"'{path}' is a folder without a .h5 or .keras file: {do}.")
        listed = ", ".join(item.name for item in checkpoints[:4])
        raise CheckpointError(
            f"'{path}' is a folder with {len(checkpoints)} checkpoints ({listed}): give the file itself."
        )
    architectures = sorted(item for item in path.glob("*.json") if item.is_file())
    if config is None and len(architectures) > 1:
        listed = ", ".join(item.name for item in architectures[:4])
        raise CheckpointError(f"'{path}' holds several JSON files ({listed}): say which one with --config.")
    return checkpoints[0], config or next(iter(architectures), None)


def _first_below(path: Path) -> Path | None:
    """A checkpoint in one of the folder's subfolders; None if there is none."""
    below = (item for item in path.glob("*/*") if item.suffix in SUFFIXES and item.is_file())
    return min(islice(below, _LOOKED_AT), default=None)

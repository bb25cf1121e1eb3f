"""What a CHECKPOINT argument means: a file, a folder, a shipped name; and where an architecture given apart is."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from ...errors import CheckpointError
from ..quietly import quietly
from .architecture import read_architecture
from .kinds import folder_kind, prefix_kind

DEFAULT = "connect4"
FOLDER = Path(__file__).parents[2] / "mobile_assets" / "checkpoints"
_SUFFIXES = frozenset({".h5", ".hdf5", ".keras"})


def shipped_names() -> list[str]:
    """Names of the shipped checkpoints."""
    return sorted(path.stem for path in FOLDER.glob("*.h5"))


def find_checkpoint(name: str | Path | None) -> Path:
    """The file meant by a path, by a shipped checkpoint's name, or by nothing (the default one).

    A path that exists comes first. Raises CheckpointError where there is neither.
    """
    if name is None:
        name = DEFAULT
    path = Path(name)
    if path.exists():
        return path
    own = FOLDER / f"{name}.h5"
    if path.name == str(name) and own.is_file():
        return own
    if what := prefix_kind(path):
        raise CheckpointError(f"'{path}' is {what}.")
    known = ", ".join(shipped_names()) or "none"
    raise CheckpointError(f"There is no checkpoint at '{name}': check the path, or name a shipped one ({known}).")


def file_and_config(path: Path, config: Path | str | None) -> tuple[Path, Path | str | None]:
    """(file, config) for a path that may be a folder with one checkpoint and at most one JSON.

    A file is returned as it is. Raises CheckpointError for a folder with no checkpoint, or with
    several, or with several architectures to choose from.
    """
    if not path.is_dir():
        return path, config
    checkpoints = sorted(item for item in path.iterdir() if item.suffix in _SUFFIXES)
    if len(checkpoints) != 1:
        if what := folder_kind(path):
            raise CheckpointError(f"'{path}' is {what}.")
        listed = ", ".join(item.name for item in checkpoints[:4]) or "none"
        raise CheckpointError(
            f"'{path}' is a folder with {len(checkpoints)} checkpoints ({listed}): give the .h5 or .keras file itself."
        )
    architectures = sorted(path.glob("*.json"))
    if config is None and len(architectures) > 1:
        listed = ", ".join(item.name for item in architectures[:4])
        raise CheckpointError(f"'{path}' holds several JSON files ({listed}): say which one with --config.")
    return checkpoints[0], config or next(iter(architectures), None)


def given_config(config: Path | str | None, builder: str | None) -> Mapping[str, Any] | None:
    """{"class_name", "config"} that the user gave with --builder, or else with --config; None for neither.

    The builder is the user's own function, and is called. The file is JSON or YAML, at times a bare get_config().
    Raises CheckpointError where the function fails or returns no such model, or the file cannot be read.
    """
    if builder is not None:
        model = build(builder)
        try:
            return dict(json.loads(model.to_json()))
        except (AttributeError, NotImplementedError, TypeError, ValueError) as error:
            raise CheckpointError(
                f"--builder {builder}: what it returns has no Keras architecture ({type(error).__name__}): "
                "return a Functional or Sequential model."
            ) from error
    if config is None:
        return None
    return read_architecture(Path(config), f"'{config}' (--config)")


def build(builder: str) -> Any:
    """The Keras model that "module:function" returns (found from the current folder too); CheckpointError if none."""
    module_name, separator, function_name = builder.partition(":")
    if not (module_name and separator and function_name):
        raise CheckpointError(f"--builder '{builder}' is not of the form MODULE:FUNCTION.")
    try:
        sys.path.insert(0, str(Path.cwd()))
        # What the user's code prints must not stand among azx's own answer, which may be JSON.
        with redirect_stdout(StringIO()) as printed, quietly():
            function = getattr(importlib.import_module(module_name), function_name)
            model = function()
        sys.stderr.write(printed.getvalue())
        return model
    except Exception as error:  # the user's code may raise anything
        raise CheckpointError(f"--builder {builder} failed: {type(error).__name__}: {error}.") from error
    finally:
        sys.path.pop(0)

"""The folder of a run of `azx train`: its best network, and the file with its networks' encoding."""

from __future__ import annotations

import json
from pathlib import Path

from ...errors import CheckpointError
from ...system.plain_file import read_plain

RUN, ENCODING, PROGRESS = "run.json", "encoding.json", "progress.jsonl"
# The layers of a network from outside the run.
NETWORK = "network.json"
MEMBER = "azx_run"
# The most bytes of run.json, and of progress.jsonl, which has about 400 per generation.
LARGEST_RUN, LARGEST_PROGRESS = 1 << 20, 64 << 20


def is_run(folder: Path) -> bool:
    """Whether azx wrote a run.json in the folder; other programs write files of that name too."""
    try:
        data = json.loads(read_plain(folder / RUN, LARGEST_RUN))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(data, dict) and MEMBER in data


def checkpoint_of(folder: Path, generation: int) -> Path:
    """The file of a generation, counted from 1."""
    return folder / f"gen{generation:04}.h5"


def files_of_run(checkpoint: Path) -> list[Path]:
    """The files beside a checkpoint that give its encoding; empty if it is not in a run's folder."""
    folder = checkpoint.absolute().parent
    return [path for path in (folder / RUN, folder / ENCODING) if path.is_file()] if is_run(folder) else []


def best_of_run(folder: Path) -> Path:
    """The checkpoint of the best finished generation; CheckpointError if no generation is finished."""
    try:
        lines = read_plain(folder / PROGRESS, LARGEST_PROGRESS).splitlines()
    except FileNotFoundError:
        lines = []
    except OSError as error:
        raise CheckpointError(
            f"'{folder / PROGRESS}' cannot be read ({error.strerror}): give a checkpoint of the run itself."
        ) from error
    best = max(map(_best_in, lines), default=0)
    if not best:
        raise CheckpointError(
            f"'{folder}' is a run without a finished generation: go on with `azx train {folder}`, "
            "or give a checkpoint itself."
        )
    path = checkpoint_of(folder, best)
    if not path.is_file():
        raise CheckpointError(
            f"'{path}', the best network of the run, is not there: restore it, or give another of its checkpoints."
        )
    return path


def _best_in(line: bytes) -> int:
    """The generation in a line that names it the best; 0 for any other line, and for a line cut off by a kill."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return 0
    if not isinstance(data, dict) or data.get("best") is not True:
        return 0
    generation = data.get("generation")
    return generation if isinstance(generation, int) and generation is not True else 0

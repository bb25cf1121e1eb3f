"""A run's folder: `run.json` has its settings, `progress.jsonl` a line for each finished generation.

    run.json  encoding.json  gen0001.h5 ...  .games/0001.npz ...  .learner0.npz  .learner1.npz
    progress.jsonl  index.html

A generation is finished when its line is written, last of all. A killed run makes the next one again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..bundle.case.reading import ENCODING_BYTES, from_file
from ..cluster.remote_actor import described
from ..errors import AzxError
from ..export.checkpoint.run_folder import (
    ENCODING,
    LARGEST_PROGRESS,
    LARGEST_RUN,
    NETWORK,
    PROGRESS,
    RUN,
    checkpoint_of,
)
from ..games.encoding_data import from_data
from ..games.game import Game, Reading, Value
from ..games.known.recognition import by_name
from ..learning.given import GivenNetwork, read_given
from ..learning.networks import Design, reading_for
from ..self_play.settings import RATE, Recipe, recipe_for
from ..system.durable import write_in_place
from ..system.plain_file import read_plain
from ..version import __version__
from .now import NOW, PART_OF_NOW

SCHEMA = 1
GAMES, LOCK = ".games", ".lock"


@dataclass(frozen=True)
class Run:
    """A run of one game: its folder, the game and the settings of its board, the recipe and the seed."""

    folder: Path
    game: Game
    settings: Mapping[str, Value]
    recipe: Recipe
    seed: int
    start_from: str | None = None

    @property
    def reading(self) -> Reading:
        """How the networks of the run read the board, as its encoding.json says; GameError if that is damaged.

        A run of an older azx, or one that began with a given network, may read it differently from a new run.
        """
        usual, given = reading_for(self.game, self.settings), self.given
        width = given.width if given else usual.numbering.width if usual.numbering else None
        shape = given.shape if given else _board_shape(self.folder / ENCODING)
        return from_file(self.folder / ENCODING, [shape], width)

    @property
    def given(self) -> GivenNetwork | None:
        """The layers of the network that the run began with; None if azx built it by the recipe's design."""
        path = self.folder / NETWORK
        return read_given(path) if path.is_file() else None

    def checkpoint(self, generation: int) -> Path:
        """The file of a generation, counted from 1."""
        return checkpoint_of(self.folder, generation)

    def games(self, generation: int) -> Path:
        """The file of the generation's games."""
        return self.folder / GAMES / f"{generation:04}.npz"


def begin_run(
    folder: Path,
    game: str,
    settings: Mapping[str, Value],
    chosen: Mapping[str, Any],
    seed: int,
    start_from: str | None,
    reading: Reading | None = None,
    given: GivenNetwork | None = None,
) -> Run:
    """Write a new run's run.json and encoding.json, or open the folder's run if it has the same settings.

    `reading` is its networks' reading, None for the usual one. `given` is the network that it begins with, if not of
    the recipe's design. AzxError if the folder holds anything else.
    """
    known = by_name(game)
    if given is not None and chosen.get("rate") is None:
        # Its batch normalisation is folded into the weights.
        chosen = {**chosen, "rate": RATE}
    run = Run(folder, known, dict(settings), recipe_for(known, **chosen), seed, start_from)
    # A run without games loses nothing, so it may begin again, for instance from another network.
    if (folder / RUN).is_file() and ((folder / GAMES).exists() or (folder / PROGRESS).exists()):
        if open_run(folder) == run:
            return run
        raise AzxError(
            f"'{folder}' is a run with other settings: resume it with `azx train {folder}`, or give another -o RUN."
        )
    # A kill may have interrupted this before.
    begun = {*(f"{dot}{name}{part}" for name in (ENCODING, NETWORK, RUN) for dot, part in (("", ""), (".", ".part")))}
    begun |= {LOCK, NOW, PART_OF_NOW}
    if folder.exists() and any(each.name not in begun for each in folder.iterdir()):
        raise AzxError(f"'{folder}' is not empty: give another folder, or `azx train {folder}` if it is a run.")
    reading = reading or reading_for(known, run.settings)
    if given is None:
        Design.read(run.recipe.net)  # before anything is written
    folder.mkdir(parents=True, exist_ok=True)
    (folder / NETWORK).unlink(missing_ok=True)
    if given is not None:
        _write(folder / NETWORK, given.as_data())
    _write(folder / ENCODING, description_of(reading))
    _write(
        folder / RUN,
        {
            "azx_run": SCHEMA,
            "azx_version": __version__,
            "game": known.name,
            "settings": dict(settings),
            "recipe": run.recipe.as_data(),
            "seed": seed,
            "start_from": start_from,
        },
    )
    return run


def _board_shape(encoding: Path) -> tuple[int, ...]:
    """The input's shape in an encoding.json; AzxError if it has none."""
    try:
        return from_data(json.loads(read_plain(encoding, ENCODING_BYTES))).board_shape
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise AzxError(
            f"'{encoding}', which says how the run's networks read the board, is damaged: restore it."
        ) from error


def description_of(reading: Reading) -> dict[str, Any]:
    """A run's reading in encoding.json's form."""
    return dict(described(reading).description)


def open_run(folder: Path) -> Run:
    """The run in a folder; AzxError without one, or if this azx does not know its kind."""
    try:
        data = json.loads(read_plain(folder / RUN, LARGEST_RUN))
        if data["azx_run"] != SCHEMA:
            raise AzxError(
                f"'{folder}' is a run of another azx ({data['azx_version']}): use that one, or begin a new run."
            )
        kinds = {"game": str, "settings": dict, "recipe": dict, "seed": int, "start_from": str | None}
        if not all(isinstance(data[name], kind) for name, kind in kinds.items()) or data["seed"] < 0:
            raise TypeError("a member is none that a run has.")
        recipe = Recipe.from_data(data["recipe"])
        return Run(folder, by_name(data["game"]), data["settings"], recipe, data["seed"], data["start_from"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise AzxError(
            f"'{folder}' holds no run ({RUN} is missing or damaged): begin one with `azx train GAME -o {folder}`."
        ) from error


def read_progress(run: Run) -> list[dict[str, Any]]:
    """The finished generations, oldest first; a last line that a kill cut off is removed.

    AzxError if another line is damaged, because the generations after it would otherwise be made again.
    """
    path = run.folder / PROGRESS
    lines = _lines_of(path)
    whole = _whole(lines)
    if any(_generation_in(line) is not None for line in lines[len(whole) :]):
        raise AzxError(
            f"line {len(whole) + 1} of '{path}' is damaged: restore the file, or remove it and all lines after it."
        )
    if not lines:
        return []
    complete = b"".join(line + b"\n" for line in lines[: len(whole)])
    if complete != b"\n".join(lines):
        write_in_place(path, complete)
    return whole


def progress_of(run: Run) -> list[dict[str, Any]]:
    """The finished generations of a run that another process may be training; changes no file."""
    return _whole(_lines_of(run.folder / PROGRESS))


def _lines_of(path: Path) -> list[bytes]:
    return read_plain(path, LARGEST_PROGRESS).split(b"\n") if path.exists() else []


def _whole(lines: Sequence[bytes]) -> list[dict[str, Any]]:
    """The lines up to the first incomplete one."""
    whole: list[dict[str, Any]] = []
    for line in lines:
        data = _generation_in(line)
        if data is None or data.get("generation") != len(whole) + 1:
            break
        whole.append(data)
    return whole


def _generation_in(line: bytes) -> dict[str, Any] | None:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) and _is_generation(data) else None


def _is_generation(data: Mapping[str, Any]) -> bool:
    """Whether a line has the members that the curve, the page and the next generation need."""
    seconds, judged = data.get("seconds"), data.get("figure", data.get("elo"))
    counts = all(type(data.get(name)) is int for name in ("generation", "games", "positions"))
    spent = isinstance(seconds, dict) and all(isinstance(each, int | float) for each in seconds.values())
    named = "figure" not in data or isinstance(data.get("about"), str)
    return counts and spent and named and isinstance(judged, int | float) and isinstance(data.get("best"), bool)


def add_progress(run: Run, line: Mapping[str, Any]) -> None:
    """Write a generation's line, and return once it is on the disk."""
    with (run.folder / PROGRESS).open("ab") as file:
        file.write(json.dumps(line).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


def _write(path: Path, data: Mapping[str, Any]) -> None:
    write_in_place(path, (json.dumps(data, indent=1) + "\n").encode())

"""What the recipes share: options, batches, and the run itself."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence, Sized
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..export.checkpoint.located import FOLDER
from ..games.symmetry import Symmetry
from .shards import Shards
from .trainer import Batch, Losses, Trainer, prepare

Games = TypeVar("Games", bound=Sized)

BATCH = 256
# One of this many games is held out.
HELD_OUT = 40
OPTIONS: dict[str, tuple[Callable[[str], Any], str | None]] = {
    "positions": (int, "solved positions to train on"),
    "games": (int, "games of the teacher to train on"),
    "data_minutes": (float, "stop making data after this long"),
    "steps": (int, "steps over all positions"),
    "epochs": (int, "passes over the data"),
    "versions": (int, "passes over the data, one for each version"),
    "minutes": (float, "end the training after this long"),
    "save_minutes": (float, "write the checkpoint this often"),
    "batch": (int, "positions in a step"),
    "rate": (float, "the largest learning rate"),
    "seed": (int, None),
    "attempts": (int, "seeds to try"),
    "processes": (int, "processes that make the data, then threads of TensorFlow"),
    "cache": (Path, "folder of the data"),
    "output": (Path, "what is written"),
}


class Examples(Protocol):
    """Positions with their targets."""

    def __len__(self) -> int:
        """How many."""

    def batch(self, rows: NDArray[np.int64], rng: np.random.Generator | None) -> Batch:
        """Input and targets of the rows; a generator draws how the boards are turned, without one they are not."""


def shuffle_batches(examples: Examples, rng: np.random.Generator) -> Iterator[Batch]:
    """All examples once in random order, each batch under random symmetries."""
    order = rng.permutation(len(examples))
    for at in range(0, len(examples) - BATCH + 1, BATCH):
        yield examples.batch(order[at : at + BATCH], rng)


def in_order(examples: Examples) -> Iterator[Batch]:
    """All examples in their order, unturned."""
    for rows in np.array_split(np.arange(len(examples)), max(1, len(examples) // 512)):
        yield examples.batch(rows, None)


def draw_turn(rng: np.random.Generator | None) -> int:
    """One of the square's symmetries, 0 to 7, drawn; without a generator 0, which changes nothing."""
    return 0 if rng is None else int(rng.integers(8))


def turn_boards(boards: NDArray[Any], symmetry: Symmetry) -> NDArray[Any]:
    """Boards (N, ...), each turned by the symmetry."""
    return boards.reshape(len(boards), -1)[:, symmetry.cells].reshape(boards.shape)


def values_backwards(searched: NDArray[np.float64], shares: NDArray[np.float64], after: float) -> NDArray[np.float32]:
    """The value target of each ply of a game in the mover's eyes, float32 (P,), from the last ply backwards.

    A ply's value is its search's, mixed with the next value by the ply's share; `after` is what follows the last ply.
    """
    values = np.zeros(len(searched), np.float32)
    for ply in range(len(searched) - 1, -1, -1):
        after = values[ply] = (1 - shares[ply]) * searched[ply] - shares[ply] * after
    return values


def split(games: int) -> tuple[Sequence[int], Sequence[int]]:
    """The numbers of the games to train on, and of those held out."""
    return range(games // HELD_OUT, games), range(games // HELD_OUT)


def parts_of(
    shards: Shards,
    load: Callable[[Path, int, int], Games],
    examples: Callable[[Games, Sequence[int]], Examples],
    options: argparse.Namespace,
) -> list[Examples]:
    """The examples to train on and those held out; shards of games that are missing are made first."""
    shards.generate(options.cache, options.games, options.seed, options.processes, options.data_minutes)
    games = load(options.cache, options.seed, options.games)
    return [examples(games, numbers) for numbers in split(len(games))]


def train(
    parts: Sequence[Examples],
    build: Callable[[], Any],
    save: Callable[[Any], None],
    losses: Losses,
    names: Sequence[str],
    options: argparse.Namespace,
) -> None:
    """Train on the first of the `parts`, report on the second, and write the checkpoint after every epoch."""
    train, held = parts
    prepare(options.seed, threads=options.processes)
    print(f"{len(train):,} positions to train on, {len(held):,} held out", flush=True)
    model, rng = build(), np.random.Generator(np.random.PCG64(options.seed))
    trainer = Trainer(model, losses, names, rate=options.rate, epochs=options.epochs, minutes=options.minutes)
    batches = len(train) // BATCH
    trainer.train(lambda: shuffle_batches(train, rng), batches, lambda: in_order(held), lambda: save(model))
    print(f"written: {options.output}", flush=True)


def cache_of(game: str) -> Path:
    """The default folder for a recipe's data."""
    return Path.home() / ".cache" / "azx" / game


def options_of(game: str, **defaults: object) -> argparse.ArgumentParser:
    """The options of a recipe; `defaults` are those of the shipped checkpoint."""
    parser = argparse.ArgumentParser(
        prog=f"python -m azx.training.{game}", description=f"Train the {game} reference checkpoint."
    )
    for name, default in {**defaults, "seed": 1, "output": FOLDER / f"{game}.h5"}.items():
        kind, about = OPTIONS[name]
        parser.add_argument(f"--{name.replace('_', '-')}", type=kind, default=default, help=about)
    return parser

"""What the recipes of the residual networks share: batches under symmetries, options, and the run itself."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..games.symmetry import Symmetry
from . import residual_network
from .residual_network import Design
from .trainer import Batch, Losses, Trainer, prepare

BATCH = 256
# One game in so many is held out.
HELD_OUT = 40


class Examples(Protocol):
    """Positions with their targets."""

    def __len__(self) -> int:
        """How many."""

    def batch(self, rows: NDArray[np.int64], turn: int) -> Batch:
        """Input and targets of the rows, the board turned by symmetry 0 to 7."""


def shuffle_batches(examples: Examples, rng: np.random.Generator) -> Iterator[Batch]:
    """All examples once in random order, each batch under a random symmetry."""
    order = rng.permutation(len(examples))
    for at in range(0, len(examples) - BATCH + 1, BATCH):
        yield examples.batch(order[at : at + BATCH], int(rng.integers(8)))


def in_order(examples: Examples) -> Iterator[Batch]:
    """All examples as they are."""
    for rows in np.array_split(np.arange(len(examples)), max(1, len(examples) // 512)):
        yield examples.batch(rows, 0)


def turn_boards(boards: NDArray[Any], symmetry: Symmetry) -> NDArray[Any]:
    """Boards (N, ...) as the symmetry turns each."""
    return boards.reshape(len(boards), -1)[:, symmetry.cells].reshape(boards.shape)


def split(games: int) -> tuple[Sequence[int], Sequence[int]]:
    """The numbers of the games (to train on, held out)."""
    return range(games // HELD_OUT, games), range(games // HELD_OUT)


def train(design: Design, train: Examples, held: Examples, losses: Losses, names: Sequence[str], options: Any) -> None:
    """Train from scratch and write the checkpoint after every epoch."""
    prepare(options.seed, threads=options.processes)
    print(f"{len(train):,} positions to train on, {len(held):,} held out", flush=True)
    model, rng = residual_network.trainable(design), np.random.Generator(np.random.PCG64(options.seed))
    trainer = Trainer(model, losses, names, rate=options.rate, epochs=options.epochs, minutes=options.minutes)
    trainer.train(
        lambda: shuffle_batches(train, rng),
        len(train) // BATCH,
        lambda: in_order(held),
        lambda: residual_network.save(design, model, options.output),
    )
    print(f"written: {options.output}", flush=True)


def arguments(
    design: Design, cache: Path, output: Path, *, games: int, epochs: int, minutes: float
) -> argparse.ArgumentParser:
    """The options of a recipe; the defaults are those of the shipped checkpoint."""
    parser = argparse.ArgumentParser(
        prog=f"python -m azx.training.{design.name}",
        description=f"Train the {design.name} {design.board}x{design.board} reference checkpoint.",
    )
    parser.add_argument("--games", type=int, default=games, help="games of the teacher to train on")
    parser.add_argument("--data-minutes", type=float, default=45.0, help="stop generating games after this long")
    parser.add_argument("--epochs", type=int, default=epochs, help="passes over the positions")
    parser.add_argument("--minutes", type=float, default=minutes, help="end the training after this long")
    parser.add_argument("--rate", type=float, default=2e-3, help="the largest learning rate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2, help="processes of the teacher, then threads of TensorFlow")
    parser.add_argument("--cache", type=Path, default=cache, help="folder of the games")
    parser.add_argument("--output", type=Path, default=output)
    return parser

"""A short run of the Connect4 recipe that keeps its versions: `python -m azx.training.connect4.versions`.

    azx sweep runs/connect4 --match

then says how they gained, as a whole run is judged. Some minutes on two cores; the seed and the number of steps alone
decide what comes out, no clock does.
"""

from __future__ import annotations

import argparse
from itertools import count
from pathlib import Path

import numpy as np

from ..trainer import Trainer, prepare
from . import data, network
from .__main__ import BATCH, CACHE, examples, losses, split

RUN = Path("runs") / "connect4"
# Longer than any run: its steps end it.
MINUTES = 1e9


def main() -> None:
    """Train from nothing and write versionN.h5 after each part of the run."""
    options = arguments().parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    data.generate(options.cache, options.positions, options.seed, options.processes, MINUTES)
    train, held = map(examples, split(data.load(options.cache, options.seed, options.positions)))
    print(f"{len(train):,} positions to train on, {len(held):,} held out", flush=True)
    prepare(options.seed, threads=options.processes)
    model = network.build("channels_last")
    rng = np.random.Generator(np.random.PCG64(options.seed))
    names = (options.output / f"version{number}.h5" for number in count(1))
    trainer = Trainer(model, losses, ("value", "policy"), rate=options.rate, epochs=options.versions, minutes=MINUTES)
    trainer.train(
        lambda: (batch.tensors() for batch in train.batches(rng)),
        len(train) // BATCH,
        lambda: held.in_order(),
        lambda: network.save(model, next(names)),
    )
    print(f"written: {options.output}", flush=True)


def arguments() -> argparse.ArgumentParser:
    """The options of the run; the defaults are those of docs/sweep.md."""
    parser = argparse.ArgumentParser(
        prog="python -m azx.training.connect4.versions", description="Train Connect4 and keep every version."
    )
    parser.add_argument("--versions", type=int, default=6, help="passes over the positions, one for each version")
    parser.add_argument("--positions", type=int, default=8_000, help="solved positions to train on")
    parser.add_argument("--rate", type=float, default=2e-3, help="the largest learning rate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2, help="solvers at a time, and TensorFlow's threads")
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder of the solved positions")
    parser.add_argument("--output", type=Path, default=RUN, help="folder of the versions")
    return parser


if __name__ == "__main__":
    main()

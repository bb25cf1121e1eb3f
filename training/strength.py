"""How strong a Connect4 checkpoint is without search: `python -m azx.training.strength [FILE.h5]`.

Positions come from random legal play (one a game, at a random ply, drawn with a seed that the
training does not use); BitBully says what every move is worth. A move keeps the value when a win
stays a win and a draw a draw. In many positions every move does, so the share among the positions
where some move does not ("decisive") is given as well. The move judged is the legal one with the
largest logit.
"""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from azx.games.connect4 import COLUMNS
from azx.games.positions import positions
from azx.games.registry import by_name, read_as
from azx.training.connect4 import CHECKPOINT
from azx.training.connect4_data import EXACT, FULL_COLUMN, solver

Bools = NDArray[np.bool_]


def main() -> None:
    """Print the table."""
    options = arguments().parse_args()
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    drawn = positions(read_as(by_name("connect4"), [(2, 6, 7)], 42), "main_input", options.positions, options.seed)
    boards = drawn.feeds["main_input"]
    scores = np.stack([solved(board) for board in boards])
    value, policy = answers(options.checkpoint, boards)
    print(f"{options.checkpoint.name} on {drawn.description}")
    for line in table(scores, value[:, 0], np.where(np.array(drawn.legal), policy, -np.inf)):
        print(line)


def solved(board: NDArray[np.float32]) -> NDArray[np.int16]:
    """The exact score of each column, int16 (7,), `FULL_COLUMN` where full, for one board (2, 6, 7)."""
    from bitbully import Board

    second = int(board.sum()) % 2
    marks = (board[second] + 2 * board[1 - second]).astype(int)
    scores = np.full(COLUMNS, FULL_COLUMN, dtype=np.int16)
    for column, score in solver(EXACT).score_all_moves(Board(marks.tolist())).items():
        scores[column] = score
    return scores


def answers(checkpoint: Path, boards: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """(values (N, 1), policy logits (N, 42)) of the checkpoint, in inference mode."""
    import tensorflow as tf
    import tf_keras

    # Grappler's remapper gives LeakyReLU another slope when it fuses it on a CPU.
    tf.config.optimizer.set_experimental_options({"remapping": False})
    model = tf_keras.models.load_model(checkpoint, compile=False)
    value, policy = model.predict(boards, batch_size=256, verbose=0)
    return value, policy


def table(scores: NDArray[np.int16], value: NDArray[np.float32], policy: NDArray[Any]) -> Iterator[str]:
    """The table's lines from scores (N, 7), values (N,) and logits (N, 42), illegal ones -inf."""
    truth = np.sign(scores.max(axis=1))
    legal = scores != FULL_COLUMN
    played = scores[np.arange(len(scores)), policy.argmax(axis=1) % COLUMNS]
    kept, best = np.sign(played) == truth, played == scores.max(axis=1)
    decisive: Bools = (legal & (np.sign(scores) != truth[:, None])).any(axis=1)
    yield from row("move keeps the value", kept)
    yield from row("move keeps the value, decisive positions", kept[decisive])
    yield from row("move is a best one (soonest win, latest loss)", best)
    yield from row("sign of the value right, won and lost positions", (np.sign(value) == truth)[truth != 0])
    yield f"{'mean absolute error of the value':50} {np.abs(value - truth).mean():6.3f}"
    for name, result in (("won", 1), ("drawn", 0), ("lost", -1)):
        if (said := value[truth == result]).size:
            yield f"{f'mean value, {name} positions':50} {said.mean():+6.3f}  of {said.size:,}"


def row(name: str, hits: Bools) -> Iterator[str]:
    """A share in per cent with its 95 % interval (Wilson) and the number of positions, if there are any."""
    if hits.size:
        low, high = wilson(int(hits.sum()), hits.size)
        yield f"{name:50} {hits.mean():6.1%}  [{low:.1%}, {high:.1%}]  of {hits.size:,}"


def wilson(hits: int, count: int) -> tuple[float, float]:
    """The 95 % interval of a share."""
    z, share = 1.96, hits / count
    centre = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return centre - half, centre + half


def arguments() -> argparse.ArgumentParser:
    """The options."""
    parser = argparse.ArgumentParser(description="Measure a Connect4 checkpoint without search.")
    parser.add_argument("checkpoint", type=Path, nargs="?", default=CHECKPOINT)
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=77)
    return parser


if __name__ == "__main__":
    main()

"""Training data for Go 9x9: games of GNU Go against itself, from openings made uneven on purpose.

A game opens with a stretch in which a share of the moves is random. So the network also sees moves that no good player
would play. GNU Go is still asked for its own move there. From there GNU Go plays both sides to the end, until captures
are real. So the result counts as the value of every position after the stretch. One line of JSON a game:

    {"level": 4, "even_from": 17, "moves": [40, 22, ...], "advice": [40, 24, ...]}

`moves` are the actions played, `advice` those that GNU Go chose (equal from `even_from` on).
"""

from __future__ import annotations

import json
import multiprocessing
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from .gnugo import GnuGo

SIZE, PASS = 9, 81
LONGEST = 3 * SIZE * SIZE
SHARD = 50
LEVELS = (1, 1, 4)
OPENING_PLIES = 40
RANDOMNESS = (0.0, 0.1, 0.3, 0.6)


def game(player: GnuGo, rng: np.random.Generator) -> dict[str, Any]:
    """One game, the same for the same generator state."""
    level = int(rng.choice(LEVELS))
    player.clear(level, int(rng.integers(1 << 30)))
    even_from, randomness = int(rng.integers(OPENING_PLIES)), float(rng.choice(RANDOMNESS))
    moves: list[int] = []
    advice: list[int] = []
    while len(moves) < LONGEST and moves[-2:] != [PASS, PASS]:
        mover = len(moves) % 2
        if len(moves) < even_from and rng.random() < randomness:
            advice.append(player.suggest(mover))
            moves.append(int(rng.choice(player.legal(mover) or [PASS])))
            player.play(mover, moves[-1])
        else:
            moves.append(player.generate(mover))
            advice.append(moves[-1])
    return {"level": level, "even_from": even_from if randomness else 0, "moves": moves, "advice": advice}


def write_shard(job: tuple[str, int, int]) -> int:
    """Write one shard of games into a folder; its number."""
    folder, seed, number = job
    path = shard_path(Path(folder), seed, number)
    rng = np.random.Generator(np.random.PCG64([seed, number]))
    with GnuGo(SIZE) as player:
        games = [game(player, rng) for _ in range(SHARD)]
    beside = path.with_name(f".{path.stem}.{os.getpid()}.json")
    beside.write_text("".join(json.dumps(one) + "\n" for one in games))
    beside.replace(path)
    return number


def shard_path(folder: Path, seed: int, number: int) -> Path:
    """Where a shard is kept."""
    return folder / f"seed{seed}-{number:05d}.json"


def generate(folder: Path, count: int, seed: int, processes: int, minutes: float) -> None:
    """Write the shards of `count` games that are missing, for at most `minutes`."""
    folder.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    numbers = [n for n in range(-(-count // SHARD)) if not shard_path(folder, seed, n).exists()]
    jobs = [(str(folder), seed, number) for number in numbers]
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for done, _ in enumerate(pool.imap(write_shard, jobs), 1):
            passed = (time.monotonic() - start) / 60
            print(f"{done * SHARD:,} games in {passed:.1f} minutes", flush=True)
            if passed > minutes:
                break


def load(folder: Path, seed: int, count: int) -> Iterator[dict[str, Any]]:
    """The games of the shards that are there, in the order of their numbers."""
    for number in range(-(-count // SHARD)):
        path = shard_path(folder, seed, number)
        if path.exists():
            yield from map(json.loads, path.read_text().splitlines())

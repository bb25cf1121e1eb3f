"""Training data for Go 9x9: games of GNU Go against itself, from deliberately uneven openings.

In a game's opening a share of the moves is random, so that the network also sees moves that no good player would play.
GNU Go is still asked for its own move there. After the opening GNU Go plays both sides to the end, until dead stones
are really captured. So the result counts as the value of every position after the opening. One line of JSON for each
game:

    {"level": 4, "even_from": 17, "moves": [40, 22, ...], "advice": [40, 24, ...]}

`moves` are the actions played, `advice` those that GNU Go chose (equal from `even_from` on).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from ..shards import Shards
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


def write_shard(path: Path, seed: int, number: int) -> None:
    """Write a shard of games."""
    rng = np.random.Generator(np.random.PCG64([seed, number]))
    with GnuGo(SIZE) as player:
        games = [game(player, rng) for _ in range(SHARD)]
    path.write_text("".join(json.dumps(one) + "\n" for one in games))


SHARDS = Shards(SHARD, ".json", write_shard)


def load(folder: Path, seed: int, count: int) -> list[dict[str, Any]]:
    """The games of the existing shards, in the order of their numbers."""
    paths = SHARDS.paths(folder, seed, count)
    return [json.loads(line) for path in paths for line in path.read_text().splitlines()]

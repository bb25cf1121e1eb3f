"""How far the verdicts of a review agree with those of a search that is ten times deeper.

    python benchmarks/review.py [--games 40] [--simulations 200] [connect4 tictactoe ...]

Weak players (the policy of the shipped network, half of the moves drawn at random) play games from a seed. Each game is
reviewed twice, and for each blunder of the first review the second one's verdict is counted.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter

import numpy as np

from azx.export.checkpoint.located import find_checkpoint
from azx.games.evaluator import Evaluator, ask
from azx.games.random_play import draw, generator, random_action
from azx.games.review.analysis import review
from azx.games.review.verdicts import BLUNDER, VERDICTS
from azx.games.state import State
from azx.play.network import open_network

DEEPER = 10
RANDOM = 0.5


def weak_game(start: State, network: Evaluator, rng: np.random.Generator) -> list[State]:
    """All positions of a game whose moves are drawn, from the policy or among all that are legal."""
    states = [start]
    while not states[-1].is_terminal:
        state = states[-1]
        action = random_action(state, rng)
        if rng.random() >= RANDOM:
            legal = state.legal_actions()
            action = legal[draw(ask(network, (state,))[0].priors(legal), 1.0, rng)]
        states.append(state.apply(action))
    return states


def compared(game: str, games: int, simulations: int) -> None:
    """Print how the verdicts of both reviews go together."""
    with open_network(find_checkpoint(game)) as network:
        begun, pairs, least = time.perf_counter(), Counter[tuple[str, str]](), 1.0
        for seed in range(games):
            states = weak_game(network.reading.start(), network, generator(seed))
            shallow, deep = (review(states, network, count) for count in (simulations, DEEPER * simulations))
            both = list(zip(shallow.moves, deep.moves, strict=True))
            pairs.update((one.verdict, other.verdict) for one, other in both)
            least = min([least, *(other.loss for one, other in both if one.verdict == BLUNDER)])
    told(game, pairs)
    print(f"{game}: {games} games, {time.perf_counter() - begun:.0f} s, least deep loss of a blunder {least:.3f}\n")


def told(game: str, pairs: Counter[tuple[str, str]]) -> None:
    """A row for each verdict of the first review, a column for each of the deeper one."""
    print(f"{game:>16}", *(f"{name:>10}" for name in VERDICTS), f"{'same':>8}")
    for row in VERDICTS:
        found = [pairs[row, column] for column in VERDICTS]
        same = 100 * pairs[row, row] / (sum(found) or 1)
        print(f"{row:>16}", *(f"{count:>10}" for count in found), f"{same:>6.1f} %")


def main() -> None:
    """Compare the reviews of each game that is named."""
    parser = argparse.ArgumentParser(description="Compare reviews with ten times deeper ones.")
    parser.add_argument("game", nargs="*", default=["connect4", "tictactoe"])
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--simulations", type=int, default=200)
    options = parser.parse_args()
    for game in options.game:
        compared(game, options.games, options.simulations)


if __name__ == "__main__":
    main()

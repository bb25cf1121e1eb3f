"""How far the verdicts of a review agree with those of a search that is ten times deeper.

    python benchmarks/review.py [--games 40] [--first 0] [--simulations 200] [connect4 tictactoe ...]

Weak players (the policy of the shipped network, half of the moves drawn at random) play games from seeds, `--first` and
those after it, so that many games can be measured in pieces. Each is reviewed, and looked at once with ten times the
simulations; for each verdict of the review that of the deeper look is counted. A review's own second looks, which a
blunder is not said without, are counted too: how many of the positions had one.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter

import numpy as np

from azx.export.checkpoint.located import find_checkpoint
from azx.games.evaluator import Evaluator, ask
from azx.games.random_play import draw, generator, random_action
from azx.games.review.analysis import look, review
from azx.games.review.verdicts import BLUNDER, VERDICTS, judged
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


def compared(game: str, seeds: range, simulations: int) -> None:
    """Print how the verdicts of reviews go together with those of looks that are ten times as deep."""
    with open_network(find_checkpoint(game)) as network:
        begun, pairs, least, again = time.perf_counter(), Counter[tuple[str, str]](), 1.0, [0, 0]
        for seed in seeds:
            states = weak_game(network.reading.start(), network, generator(seed))
            found = review(states, network, simulations)
            deep = judged(look(states, network, DEEPER * simulations), [move.action for move in found.moves])
            both = list(zip(found.moves, deep, strict=True))
            pairs.update((one.verdict, other.verdict) for one, other in both)
            least = min([least, *(other.loss for one, other in both if one.verdict == BLUNDER)])
            again = [again[0] + sum(each.is_sure for each in found.seen), again[1] + len(states)]
    told(game, pairs)
    print(f"{game}: games {seeds.start} to {seeds.stop - 1}, {time.perf_counter() - begun:.0f} s", end=", ")
    print(f"{again[0]} of {again[1]} positions looked at again, least deep loss of a blunder {least:.3f}\n")


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
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--simulations", type=int, default=200)
    options = parser.parse_args()
    for game in options.game:
        compared(game, range(options.first, options.first + options.games), options.simulations)


if __name__ == "__main__":
    main()

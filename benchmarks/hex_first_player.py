"""Counts how often the policy of a Hex network of up to 5x5 cells gives the first player's win away.

    python -P benchmarks/hex_first_player.py RUN|NETWORK [--size 5] [--replies 2] [--games 400]

It follows every line of play with up to `--replies` replies, then games with random replies to the end. The other
player counts as perfect: in a lost position every reply loses, and a won position is won. So the network loses a game
with its first move that gives the win away.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from azx.games.evaluator import Evaluator
from azx.games.random_play import generator, random_action
from azx.games.rules.hex import Hex, start
from azx.learning.solvers.hex import HexSolver
from azx.play.network import open_network
from azx.training.strength import share

TOGETHER, SEED = 256, 77


def play_on(states: Sequence[Hex], network: Evaluator, solver: HexSolver) -> tuple[list[Hex], int]:
    """The unfinished positions after the moves that keep the win, and the number of moves that give it away."""
    winning, lost = list[Hex](), 0
    for at in range(0, len(states), TOGETHER):
        group = states[at : at + TOGETHER]
        for state, answer in zip(group, network.evaluate(group), strict=True):
            after = state.apply(answer.best(state.legal_actions()))
            if after.is_terminal:
                continue
            if solver.wins(after):
                lost += 1
            else:
                winning.append(after)
    return winning, lost


def main() -> None:
    """Print a line for each number of replies, and one for the games."""
    parser = argparse.ArgumentParser(description="Measure a Hex network as the first player.")
    parser.add_argument("network")
    parser.add_argument("--size", type=int, default=5)
    parser.add_argument("--replies", type=int, default=2)
    parser.add_argument("--games", type=int, default=400)
    options = parser.parse_args()
    first = start(options.size)
    solver = HexSolver(first)
    with open_network(options.network) as network:
        states = [first]
        for replies in range(options.replies + 1):
            winning, lost = play_on(states, network, solver)
            print(f"after {replies} replies: {lost} of {len(states):,} positions given away", flush=True)
            states = list(dict.fromkeys(state.apply(action) for state in winning for action in state.legal_actions()))
        rng, games, failed = generator(SEED), [first] * options.games, 0
        while games:
            winning, lost = play_on(games, network, solver)
            failed += lost
            games = [state.apply(random_action(state, rng)) for state in winning]
    print(share("games won as the first player", options.games - failed, options.games))


if __name__ == "__main__":
    main()

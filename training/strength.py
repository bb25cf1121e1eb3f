"""How strong the reference checkpoints are: `python -m azx.training.strength [GAME ...] [--checkpoint FILE]`.

Each table uses positions or openings drawn with a seed that no training uses, and gives 95 % intervals. Connect4 and
Dots and Boxes are judged by exact values, tic-tac-toe by every line of play. Gomoku, Go, Hex and Reversi play against
other programs. Each game's measurement is in `<game>/strength.py`; this file has what they share.
"""

from __future__ import annotations

import argparse
import math
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..games.evaluator import Evaluator
from ..games.known.catalogue import GAMES
from ..games.known.recognition import by_name
from ..games.random_play import random_states
from ..games.search import Search, run_together
from ..games.state import State

Bools = NDArray[np.bool_]

# The number of positions in a batch.
TOGETHER = 128


def main() -> None:
    """Print a table for each game, line by line as the figures arrive."""
    parser = arguments()
    options = parser.parse_args()
    if options.size and options.games != ["reversi"]:
        parser.error("--size is for reversi: the other games are measured on one board.")
    board = {"size": options.size} if options.size else {}
    os.environ.setdefault("TF_NUM_INTRAOP_THREADS", str(options.threads))
    from ..play.network import open_network

    for game in options.games or GAMES:
        start = time.monotonic()
        with open_network(options.checkpoint or game, game=game) as network:
            print(f"{network.name}, {network.runtime}", flush=True)
            for line in import_module(f".{game}.strength", __package__).strength(network, options.scale, **board):
                print(f"    {line}", flush=True)
        print(f"    ({time.monotonic() - start:.0f} s)", flush=True)


def arguments() -> argparse.ArgumentParser:
    """The options."""
    parser = argparse.ArgumentParser(
        prog="python -m azx.training.strength", description="Measure the reference checkpoints."
    )
    parser.add_argument("games", nargs="*", choices=[*GAMES, []], metavar="GAME", help=f"of {', '.join(GAMES)}")
    parser.add_argument("--checkpoint", help="another checkpoint or artifact of the one game named")
    parser.add_argument("--scale", type=float, default=1.0, help="the share of the positions and games to measure on")
    parser.add_argument("--size", type=int, help="cells a side of the board that a Reversi --checkpoint reads")
    parser.add_argument("--threads", type=int, default=2, help="threads of TensorFlow")
    return parser


def draw_positions(game: str, count: int, seed: int) -> list[State]:
    """`count` distinct positions of random games with at least two legal moves."""
    positions: dict[bytes, State] = {}
    for state in random_states(by_name(game), seed):
        if len(state.legal_actions()) > 1:
            positions.setdefault(state.encode().tobytes(), state)
        if len(positions) == count:
            break
    return list(positions.values())


def moves(states: Sequence[State], evaluator: Evaluator, simulations: int) -> list[int]:
    """The network's move in each state: the largest prior (0 simulations), or the most visited move."""
    chosen: list[int] = []
    for at in range(0, len(states), TOGETHER):
        group = states[at : at + TOGETHER]
        if simulations:
            searches = [Search(state, evaluator) for state in group]
            run_together(searches, evaluator, simulations)
            chosen += [search.best_action() for search in searches]
        else:
            answers = evaluator.evaluate(group)
            chosen += [answer.best(state.legal_actions()) for state, answer in zip(group, answers, strict=True)]
    return chosen


def values(states: Sequence[State], evaluator: Evaluator) -> NDArray[np.float64]:
    """The network's value of each state for its player to move, float64 (N,)."""
    parts = [evaluator.evaluate(states[at : at + TOGETHER]) for at in range(0, len(states), TOGETHER)]
    return np.array([answer.value for part in parts for answer in part])


class Opponent(Protocol):
    """The other player of one game."""

    def choose(self, state: State) -> int:
        """The opponent's move."""

    def follow(self, state: State, action: int) -> None:
        """Take note of a move of either side; `state` is the position before it."""


class DrawingPlayer:
    """A player that remembers nothing and draws among equal moves from a generator of its own."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.Generator(np.random.PCG64(seed))

    def follow(self, state: State, action: int) -> None:
        """Do nothing: this player keeps no state."""


@dataclass
class Game:
    """One game: the network plays `side`, from the position after the opening."""

    state: State
    side: int
    opponent: Opponent
    search: Search | None = None

    def play(self, action: int) -> None:
        """Make a move, for both players' bookkeeping."""
        self.opponent.follow(self.state, action)
        self.state = self.state.apply(action)
        if self.search is not None:
            self.search.play(action)

    @property
    def score(self) -> float:
        """The network's score: 1 for a win, 0.5 for a draw, 0 for a loss."""
        return (1 + self.state.returns() * (1 - 2 * self.side)) / 2


def score_against(
    name: str, count: int, evaluator: Evaluator, simulations: int, begin: Callable[[int, ExitStack], Game]
) -> Iterator[str]:
    """The lines of `count` games against an opponent, by the policy alone and by a search.

    `begin` makes a game by its number; what it opens in the stack is closed after the last game.
    """
    for each in (0, simulations):
        with ExitStack() as stack:
            games = [begin(number, stack) for number in range(count)]
            play_out(games, evaluator, each)
        how = f"{each} simulations" if each else "policy alone"
        yield share(f"score against {name}, {how}", sum(game.score for game in games), count)


def play_out(games: Sequence[Game], evaluator: Evaluator, simulations: int) -> None:
    """Play the games to their ends, in rounds of one ply.

    They are played side by side, so that their positions share the network's batches.
    """
    for game in games:
        game.search = Search(game.state, evaluator) if simulations else None
    while going := [game for game in games if not game.state.is_terminal]:
        ours = [game for game in going if game.state.to_move == game.side]
        theirs = [game for game in going if game.state.to_move != game.side]
        if simulations:
            searches = [game.search for game in ours if game.search is not None]
            run_together(searches, evaluator, simulations)
            chosen = [search.best_action() for search in searches]
        else:
            chosen = moves([game.state for game in ours], evaluator, 0)
        for game, action in zip(ours, chosen, strict=True):
            game.play(action)
        for game in theirs:
            game.play(game.opponent.choose(game.state))


def row(name: str, hits: Bools) -> Iterator[str]:
    """A share in per cent with its 95 % interval (Wilson) and the number of cases, if there are any."""
    if hits.size:
        yield share(name, float(hits.sum()), hits.size)


def share(name: str, score: float, count: int) -> str:
    """Like `row`, for a score (draws count half) in `count` games."""
    low, high = wilson(score, count)
    return f"{name:50} {score / count:6.1%}  [{low:.1%}, {high:.1%}]  of {count:,}"


def wilson(hits: float, count: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson, "Probable Inference", 1927)."""
    z, share = 1.96, hits / count
    centre = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return centre - half, centre + half


if __name__ == "__main__":
    main()

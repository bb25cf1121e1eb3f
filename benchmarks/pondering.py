"""Measures what thinking in the person's time would gain: how much less a network is asked when its own move comes.

    python -P benchmarks/pondering.py [GAME...] [--simulations 100] [--games 2] [--thoughts 1,2,4] [--json]

While the person is to move, a search of the position makes one, two or four thoughts' simulations, and what the network
answers is kept. Then the move is thought of as always: the same simulations give the same move, and only what is not
known yet is asked. The person plays the network's first choices, or draws each move by its policy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click
import numpy as np

from azx.bundle.case.checkpoint import Checkpoint
from azx.commands.printed.output import line, print_json, progress
from azx.games.encoding import encode
from azx.games.evaluator import Evaluation
from azx.games.known.catalogue import GAMES
from azx.games.search import Search
from azx.games.state import State
from azx.mobile_assets.shipped_bundles import FOLDER
from azx.play.network import NetworkEvaluator, open_network

PERSONS = ("first choices", "drawn")


class Remembered:
    """A network that is asked each board once; `asked` counts."""

    def __init__(self, network: NetworkEvaluator) -> None:
        self._network, self._known, self.asked = network, dict[bytes, Evaluation](), 0

    def evaluate(self, states: Sequence[State]) -> list[Evaluation]:
        """As the network."""
        keys = [encode(state, self._network.reading.encoding).tobytes() for state in states]
        for key, state in zip(keys, states, strict=True):
            if key not in self._known:
                (self._known[key],) = self._network.evaluate([state])
                self.asked += 1
        return [self._known[key] for key in keys]


class Player:
    """The network at the board, which makes `thoughts` times its simulations while the person is to move."""

    def __init__(self, network: NetworkEvaluator, state: State, simulations: int, thoughts: int) -> None:
        self.memory, self._simulations, self._thoughts = Remembered(network), simulations, thoughts
        self.search = Search(state, self.memory, proves=True, settings=network.search)
        self.asked_before = self.asked_then = 0

    def wait(self, state: State) -> None:
        """Use the person's time."""
        asked = self.memory.asked
        if self._thoughts:
            Search(state, self.memory, proves=True).run(self._thoughts * self._simulations)
        self.asked_before += self.memory.asked - asked

    def think(self) -> int:
        """The move."""
        asked = self.memory.asked
        self.search.run(self._simulations)
        self.asked_then += self.memory.asked - asked
        return self.search.best_action()


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("games_played", metavar="[GAME]...", nargs=-1, type=click.Choice(list(GAMES)))
@click.option("--simulations", type=click.IntRange(1), default=100, show_default=True)
@click.option("--games", type=click.IntRange(1), default=2, show_default=True)
@click.option("--thoughts", default="1,2,4", show_default=True, help="Thoughts' simulations in the person's time.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of lines.")
def main(games_played: Sequence[str], simulations: int, games: int, thoughts: str, as_json: bool) -> None:
    """Play each GAME's bundle that `make bundles` wrote against both kinds of persons."""
    chosen = games_played or list(GAMES)
    counts = [0, *map(int, thoughts.split(","))]
    with progress("Playing", len(chosen)) as step:
        rows = []
        for game in chosen:
            step(game)
            rows += [measure(game, person, simulations, games, counts) for person in PERSONS]
    if as_json:
        print_json(rows)
        return
    for row in rows:
        told = "; ".join(
            f"{each['thoughts']}: waits {each['waits']:.2f}, asks {each['asks']:.1f} times as much in all"
            for each in row["thoughts"]
        )
        line(f"{row['game']}, a person who plays {row['person']}, {row['asked']:.0f} asked for a move: {told}")


def measure(game: str, person: str, simulations: int, games: int, counts: Sequence[int]) -> dict[str, Any]:
    """What was asked for a move, and by thoughts made before which share of it was left and what all cost."""
    rng, moves = np.random.default_rng(0), 0
    then, before = dict.fromkeys(counts, 0), dict.fromkeys(counts, 0)
    with open_network(Checkpoint().at(str(FOLDER / game))) as network:
        for _ in range(games):
            state = network.reading.start()
            players = {count: Player(network, state, simulations, count) for count in counts}
            for ply in range(10_000):
                if state.is_terminal:
                    break
                if ply % 2:
                    action = {player.think() for player in players.values()}.pop()
                    moves += 1
                else:
                    for player in players.values():
                        player.wait(state)
                    action = _move(network, state, rng, person == PERSONS[0] and ply > 0)
                state = state.apply(action)
                for player in players.values():
                    player.search.play(action)
            for count, player in players.items():
                then[count] += player.asked_then
                before[count] += player.asked_before
    usual = then[0]
    told = [
        {"thoughts": count, "waits": then[count] / usual, "asks": (then[count] + before[count]) / usual}
        for count in counts[1:]
    ]
    return {"game": game, "person": person, "simulations": simulations, "asked": usual / moves, "thoughts": told}


def _move(network: NetworkEvaluator, state: State, rng: np.random.Generator, is_first_choice: bool) -> int:
    legal = np.array(state.legal_actions())
    (answer,) = network.evaluate([state])
    weights = answer.weights(legal)
    return int(legal[weights.argmax()] if is_first_choice else rng.choice(legal, p=weights / weights.sum()))


if __name__ == "__main__":
    main()

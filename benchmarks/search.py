"""Simulations a second for every game, against OpenSpiel's MCTS in Python with the same constant evaluator.

    python benchmarks/search.py [--simulations 800] [--rounds 31]

The network costs nothing (value 0, uniform priors), so that what is measured is the search and the rules. Both sides
run in turn in one process and one thread. Times are seconds of CPU, so other work on the machine does not count. The
ratio compares the medians of the rounds. The target is 5.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from typing import Any

from azx.games.evaluator import Uniform
from azx.games.known.catalogue import GAMES
from azx.games.search import Search
from azx.games.state import State

TARGET = 5.0
OPEN_SPIEL = {
    "connect4": "connect_four",
    "tictactoe": "tic_tac_toe",
    "dots_and_boxes": "dots_and_boxes(num_rows=3,num_cols=3)",
    "gomoku": "gomoku",
    "go": "go(board_size=9,komi=7.5)",
}


def ours(start: State, simulations: int) -> Callable[[], None]:
    """A search from `start`."""
    return lambda: Search(start, Uniform()).run(simulations)


def theirs(name: str, simulations: int) -> Callable[[], None]:
    """OpenSpiel's search of a game, PUCT with C = 1.25, from its first state."""
    import pyspiel
    from open_spiel.python.algorithms import mcts

    class Constant(mcts.Evaluator):  # type: ignore[misc]
        def evaluate(self, state: Any) -> list[float]:
            return [0.0, 0.0]

        def prior(self, state: Any) -> list[tuple[int, float]]:
            legal = state.legal_actions()
            return [(action, 1 / len(legal)) for action in legal]

    game = pyspiel.load_game(name)
    bot = mcts.MCTSBot(game, 1.25, simulations, Constant(), solve=False, child_selection_fn=mcts.SearchNode.puct_value)
    return lambda: bot.mcts_search(game.new_initial_state())


def seconds(task: Callable[[], None]) -> float:
    """How much CPU a task takes once."""
    start = time.process_time()
    task()
    return time.process_time() - start


def measured(game: str, simulations: int, rounds: int) -> dict[str, float | str]:
    """Median simulations a second of both, and their ratio."""
    tasks = (ours(GAMES[game].begin(), simulations), theirs(OPEN_SPIEL[game], simulations))
    for task in tasks:
        task()
    times = [[seconds(task) for task in tasks] for _ in range(rounds)]
    rates = [simulations / statistics.median(column) for column in zip(*times, strict=True)]
    return {"game": game, "azx": rates[0], "open_spiel": rates[1], "ratio": rates[0] / rates[1]}


def main() -> None:
    """Print a line a game."""
    parser = argparse.ArgumentParser(description="Measure the search against OpenSpiel's.")
    parser.add_argument("--simulations", type=int, default=800)
    parser.add_argument("--rounds", type=int, default=31)
    parser.add_argument("--json", action="store_true", dest="as_json")
    options = parser.parse_args()
    try:
        import pyspiel  # noqa: F401
    except ImportError:
        print("open_spiel is not installed: pip install open_spiel")
        return
    results = [measured(game, options.simulations, options.rounds) for game in GAMES]
    if options.as_json:
        print(json.dumps(results, indent=1))
        return
    print(f"simulations a second, {options.simulations} from the first state, medians of {options.rounds}")
    for row in results:
        verdict = "" if float(row["ratio"]) >= TARGET else f"  below the target of {TARGET:g}"
        rates = f"azx {row['azx']:9,.0f}   OpenSpiel {row['open_spiel']:9,.0f}"
        print(f"{row['game']:15} {rates}   x {row['ratio']:.1f}{verdict}")


if __name__ == "__main__":
    main()

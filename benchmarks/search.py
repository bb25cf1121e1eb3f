"""Simulations a second for every game, against OpenSpiel's MCTS in Python with the same constant evaluator.

    python -P benchmarks/search.py [--simulations 800] [--rounds 31] [--asked]

No network is asked (value 0, uniform priors), so that only the search and the rules are measured. With `--asked` azx
asks an evaluator for each state, as OpenSpiel does, and as for a network. Both sides run in turn in one process and one
thread. Times are seconds of CPU, so other work on the machine does not count. The ratio compares the medians of the
rounds. The target is 10, without `--asked`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from azx.games.evaluator import Uniform
from azx.games.known.catalogue import GAMES

sys.path.append(str(Path(__file__).parents[1]))  # last, so that the root's names hide no library
from benchmarks.routes.app_search import AskedUniform, compare, parse_options, print_speeds, python_search, time_task

OPEN_SPIEL = {
    "connect4": "connect_four",
    "tictactoe": "tic_tac_toe",
    "dots_and_boxes": "dots_and_boxes(num_rows=3,num_cols=3)",
    "gomoku": "gomoku",
    "go": "go(board_size=9,komi=7.5)",
    "reversi": "othello",
    "hex": "hex(board_size=7)",
}


def theirs(name: str, simulations: int) -> Callable[[], float]:
    """A function that returns the seconds of OpenSpiel's search, PUCT with C = 1.25, from a game's first state."""
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
    return time_task(lambda: bot.mcts_search(game.new_initial_state()))


def main() -> None:
    """Print a line for each game."""
    options = parse_options("Measure the search against OpenSpiel's.")
    try:
        import pyspiel  # noqa: F401
    except ImportError:
        print("open_spiel is not installed: pip install open_spiel")
        return
    ours = AskedUniform() if options.asked else Uniform()
    results = [
        compare(
            game, {"azx": python_search(GAMES[game].begin(), options.simulations, ours), "open_spiel": other}, options
        )
        for game, name in OPEN_SPIEL.items()
        for other in (theirs(name, options.simulations),)
    ]
    if options.as_json:
        print(json.dumps(results, indent=1))
    else:
        print_speeds(results, {"azx": "azx", "open_spiel": "OpenSpiel"}, options, 0.0 if options.asked else 10.0)


if __name__ == "__main__":
    main()

"""What a search that stops early saves: the shipped networks play games, and each move is searched both ways.

    python -P benchmarks/early_stop.py [GAME ...] [--simulations 100] [--games 4]

Each search begins anew, as those of the apps' levels do, and knows what the rules prove. `made` is the share of the
simulations that the search makes which does not stop, `time` that of its processor time, `other moves` how many moves
differ. The whole search's moves are played.
"""

from __future__ import annotations

import argparse
import time

from azx.games.known.catalogue import GAMES
from azx.games.random_play import generator, random_action
from azx.games.search import Search
from azx.games.search_settings import USUAL, SearchSettings
from azx.games.state import State
from azx.mobile_assets.shipped_bundles import built_bundles
from azx.play.network import NetworkEvaluator, open_network

EARLY = SearchSettings(early_stop=True)
OPENING_PLIES = 2


def measure(
    state: State, network: NetworkEvaluator, simulations: int, settings: SearchSettings
) -> tuple[int, int, float]:
    """The action that a search chooses, its simulations, and its seconds of processor time."""
    search, begun = Search(state, network, proves=True, settings=settings), time.process_time()
    search.run(simulations)
    spent = time.process_time() - begun
    report = search.report()
    return report.action, report.simulations, spent


def main() -> None:
    """Print a line for each game."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--simulations", type=int, default=100)
    parser.add_argument("--games", dest="count", type=int, default=4, metavar="N")
    options = parser.parse_args()
    print(f"{'game':<16}{'moves':>7}{'made':>7}{'time':>7}{'other moves':>13}   of {options.simulations} simulations")
    for folder in built_bundles():
        if options.games and folder.name not in options.games:
            continue
        with open_network(str(folder)) as network:
            whole, early = [0, 0.0], [0, 0.0]
            moves = others = 0
            for number in range(options.count):
                state, rng = GAMES[folder.name].begin({}), generator(number)
                for _ in range(OPENING_PLIES):
                    state = state.apply(random_action(state, rng))
                while not state.is_terminal:
                    pair = [measure(state, network, options.simulations, each) for each in (USUAL, EARLY)]
                    for (_, made, spent), total in zip(pair, (whole, early), strict=True):
                        total[0] += made
                        total[1] += spent
                    moves, others = moves + 1, others + (pair[0][0] != pair[1][0])
                    state = state.apply(pair[0][0])
        shares = [one / other for one, other in zip(early, whole, strict=True)]
        print(f"{folder.name:<16}{moves:>7}{shares[0]:>7.2f}{shares[1]:>7.2f}{others:>13}", flush=True)


if __name__ == "__main__":
    main()

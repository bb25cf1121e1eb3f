"""Play random games of every game against OpenSpiel: `python tests/oracle/random_games.py [--games 10000] [GAME ...]`.

Each `<game>_against_openspiel.py` plays one game and asserts, at every ply, that both engines say
the same; what they differ in by design is told there.
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import track

SUFFIX = "_against_openspiel"
GAMES = sorted(path.stem.removesuffix(SUFFIX) for path in Path(__file__).parent.glob(f"*{SUFFIX}.py"))
Player = Callable[[np.random.Generator], int]


def player(game: str) -> Player:
    """The function that plays one random game and returns the plies compared."""
    path = Path(__file__).with_name(f"{game}{SUFFIX}.py")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    play: Player = module.play_random_game
    return play


def compare(game: str, games: int, seed: int, show: bool = False) -> int:
    """Play `games` random games; the plies compared. AssertionError at the first difference."""
    play, numbers = player(game), range(games)
    shown = track(numbers, f"{game:16}", transient=True, console=Console(stderr=True)) if show else numbers
    # A generator for each game, so that the one that fails can be played again alone.
    return sum(play(np.random.Generator(np.random.PCG64([seed, number]))) for number in shown)


def main() -> None:
    """Print what was compared, a line a game."""
    parser = argparse.ArgumentParser(description="Compare the rules with OpenSpiel's in random games.")
    parser.add_argument("games", nargs="*", default=GAMES, metavar="GAME", help=f"of {', '.join(GAMES)}")
    parser.add_argument("--count", type=int, default=10_000, help="random games of each")
    parser.add_argument("--seed", type=int, default=2026)
    options = parser.parse_args()
    for game in options.games:
        start = time.monotonic()
        plies = compare(game, options.count, options.seed, show=True)
        seconds = time.monotonic() - start
        print(f"{game:16} {options.count:,} games, {plies:,} plies: no difference ({seconds:.0f} s)", flush=True)


if __name__ == "__main__":
    main()

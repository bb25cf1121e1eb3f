"""How strong the reference checkpoints are: `python -m azx.training.strength [GAME ...] [--checkpoint FILE]`.

Each table is made on positions or openings drawn with a seed that no training uses, and gives 95 %
intervals. Connect4 and Dots and Boxes are judged by exact values, tic-tac-toe by every line of
play, Gomoku and Go by games against other programs.
"""

from __future__ import annotations

import argparse
import os
import time
from importlib import import_module

from ..games.catalogue import GAMES


def main() -> None:
    """Print a table for each game, line by line as the figures come."""
    options = arguments().parse_args()
    os.environ.setdefault("TF_NUM_INTRAOP_THREADS", str(options.threads))
    from ..play.network import open_network

    for game in options.games or GAMES:
        start = time.monotonic()
        with open_network(options.checkpoint or game, game=game) as network:
            print(f"{network.name}, {network.runtime}", flush=True)
            for line in import_module(f"..{game}.strength", __name__).strength(network, options.scale):
                print(f"    {line}", flush=True)
        print(f"    ({time.monotonic() - start:.0f} s)", flush=True)


def arguments() -> argparse.ArgumentParser:
    """The options."""
    parser = argparse.ArgumentParser(description="Measure the reference checkpoints.")
    parser.add_argument("games", nargs="*", choices=[*GAMES, []], metavar="GAME", help=f"of {', '.join(GAMES)}")
    parser.add_argument("--checkpoint", help="another checkpoint or artifact of the one game named")
    parser.add_argument("--scale", type=float, default=1.0, help="the share of the positions and games to measure on")
    parser.add_argument("--threads", type=int, default=2, help="threads of TensorFlow")
    return parser


if __name__ == "__main__":
    main()

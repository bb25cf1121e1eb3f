"""Playouts a second in whole games, with and without a memory of what the network was asked.

    python -P benchmarks/games.py [GAME...] [--simulations 50] [--games 8] [--json]

A match's games as `azx match` plays them, the same ones both ways in turn, in one process and one thread. Both sides
are the bundle's .onnx in `build/bundles`: once as one network, which both sides then ask of each board once, and once
as two, each with a memory of its own. Times are seconds of CPU, so other work on the machine does not count.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import time
from pathlib import Path

from azx.games.known.catalogue import GAMES
from azx.match.games import Block, Rules, play_block
from azx.match.openings import openings
from azx.play.network import NetworkEvaluator, open_network

BUNDLES = Path(__file__).parents[1] / "build" / "bundles"
ROUNDS = 3


def seconds(networks: tuple[NetworkEvaluator, NetworkEvaluator], block: Block, rules: Rules, *, memory: bool) -> float:
    """How much CPU the block's games take."""
    with contextlib.ExitStack() as stack:
        if memory:
            for network in networks:
                stack.enter_context(network.remembering())
        begun = time.process_time()
        moves = sum(len(record.moves) for record in play_block(networks[0].reading.start(), networks, block, rules))
        taken = time.process_time() - begun
    return taken / moves


def measure(name: str, simulations: int, games: int) -> dict[str, float | str]:
    """Playouts a second of CPU without a memory, with one for each of two networks, and with one for both sides."""
    file = BUNDLES / name / f"{name}.onnx"
    with open_network(file) as one, open_network(file) as other:
        game = one.reading.game
        lines = openings(one.reading.start(), games // 2, game.plies, 0).lines
        block, rules = Block((0, 1), tuple(enumerate(lines))), Rules(simulations, proves=True)
        ways = {"without": ((one, other), False), "two": ((one, other), True), "one": ((one, one), True)}
        seconds((one, other), block, rules, memory=True)  # compiled code is loaded
        rounds = [
            {way: seconds(nets, block, rules, memory=memory) for way, (nets, memory) in ways.items()}
            for _ in range(ROUNDS)
        ]
    return {"game": name} | {way: simulations / min(taken[way] for taken in rounds) for way in ways}


def main() -> None:
    """Print a line a game."""
    parser = argparse.ArgumentParser(description="Measure what a memory of answers gives a match.")
    parser.add_argument("names", nargs="*", metavar="GAME", default=list(GAMES))
    parser.add_argument("--simulations", type=int, default=50)
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--json", action="store_true", dest="as_json")
    options = parser.parse_args()
    names = [name for name in options.names if (BUNDLES / name).is_dir()]
    if not names:
        print("There are no bundles: make bundles")
        return
    rows = [measure(name, options.simulations, options.games) for name in names]
    if options.as_json:
        print(json.dumps(rows, indent=1))
        return
    print(f"playouts a second of CPU, {options.simulations} a move, {options.games} games, fastest of {ROUNDS}")
    for row in rows:
        told = [f"{row['game']:15} without a memory {row['without']:6,.0f}"]
        for way in ("two", "one"):
            times = float(row[way]) / float(row["without"])
            told.append(f"{way} network{'s' * (way == 'two')} {row[way]:6,.0f} x {times:.2f}")
        print("   ".join(told))


if __name__ == "__main__":
    main()

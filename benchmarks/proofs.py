"""Measures what the rules' proofs are worth: a network's search with them against the same search without, in Elo.

    python -P benchmarks/proofs.py [NET...] [--games 400] [--simulations 32] [--seed 5] [--json]

Each opening is played from both sides. Without NET each bundle that `make bundles` wrote plays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from azx.bundle.case.checkpoint import Checkpoint
from azx.commands.printed.output import line, print_json, progress
from azx.match.games import GameRecord, Rules, blocks, play_block
from azx.match.openings import openings
from azx.match.result import Pairing, pairings
from azx.mobile_assets.shipped_bundles import built_bundles
from azx.play.network import open_network


class OneSided(Rules):
    """Rules by which what is proven counts for the first network alone."""

    def of(self, net: int) -> Rules:
        """As `Rules`."""
        return replace(super().of(net), proves=net == 0)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("nets", nargs=-1)
@click.option("--games", type=click.IntRange(2), default=400, show_default=True)
@click.option("--simulations", type=click.IntRange(1), default=32, show_default=True)
@click.option("--seed", type=int, default=5, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of lines.")
def main(nets: Sequence[str], games: int, simulations: int, seed: int, as_json: bool) -> None:
    """Play each NET, as `azx match` takes it, against itself."""
    chosen = nets or [str(folder) for folder in built_bundles()]
    with progress("Playing", len(chosen)) as step:
        found = {}
        for net in chosen:
            step(net)
            found[net] = measure(net, games, OneSided(simulations=simulations, seed=seed))
    if as_json:
        print_json({net: pairing.as_data(("with", "without")) for net, pairing in found.items()})
        return
    for net, pairing in found.items():
        won, elo = pairing.total, pairing.elo
        told = f"{won.won} won, {won.drawn} drawn, {won.lost} lost"
        line(f"{Path(net).name}: {told}, Elo {elo.value:+.0f} [{elo.low:+.0f}, {elo.high:+.0f}]")


def measure(net: str, games: int, rules: Rules) -> Pairing:
    """The network against itself, where the first side counts what is proven."""
    with open_network(Checkpoint().at(net)) as network:
        start = network.reading.start()
        lines = openings(start, games // 2, network.reading.game.plies, rules.seed).lines
        records = list[GameRecord]()
        for block in blocks(2, lines):
            with network.remembering():
                records += play_block(start, (network, network), block, rules)
    return pairings(records, 2, start)[0]


if __name__ == "__main__":
    main()

"""`azx engine`: a network as an engine for other people's board programs."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from ..engine.table import PROTOCOLS
from .options import from_fields, options
from .options.grouped import command

if TYPE_CHECKING:
    from ..engine.brain import Brain
    from ..engine.clock import Clock
    from ..play.network import NetworkEvaluator

_SECONDS = click.FloatRange(min=0, min_open=True)


@dataclass(frozen=True)
class _Options:
    """The command line's options about the engine."""

    protocol: str | None
    simulations: int | None
    seconds: float | None
    main_time: float | None
    byo_yomi: float | None
    stones: int
    level: str | None
    override_version: str | None

    @property
    def clock(self) -> Clock:
        """The clock, until the protocol sets another."""
        from ..engine.clock import Clock

        stones = self.stones if self.byo_yomi else 0
        return Clock(self.main_time or 0.0, self.byo_yomi or 0.0, stones, per_move=self.seconds)


@command()
@click.argument("net", required=False)
@click.option(
    "--protocol",
    type=click.Choice(PROTOCOLS),
    help="The protocol to speak.  [default: gtp for Go and Hex, gomocup for Gomoku, nboard for Reversi, else ugi]",
)
@options.game_option
@options.encoding_option
@click.option(
    "--simulations",
    type=click.IntRange(min=0),
    metavar="N",
    help="Simulations per move at most; 0 plays by the policy alone.  [default: 200, or as many as the clock allows]",
)
@click.option("--seconds", type=_SECONDS, metavar="S", help="Think no longer than this per move.")
@click.option("--main-time", type=_SECONDS, metavar="S", help="Each side's time for the whole game.")
@click.option("--byo-yomi", type=_SECONDS, metavar="S", help="After the main time: seconds per period.")
@click.option(
    "--stones", type=click.IntRange(min=1), default=1, show_default=True, help="Moves in each period of byo-yomi."
)
@click.option("--level", metavar="1..8|NAME", help="How strong it plays, from 1 (beginner) to 8 (full).")
@click.option(
    "--override-version", metavar="TEXT", help="GTP: the version to claim; Lizzie wants 0.15 or more of Leela Zero."
)
@options.board_options
@options.symmetry_option("Let the network read each board as it lies, or turned at random.")
@from_fields.architecture_options
@from_fields.head_options
@from_fields.code_option
@click.option("--json", "as_json", is_flag=True, help="Greet on standard error in JSON: network, game, protocol.")
def engine(net: str | None, **chosen: Any) -> None:
    """Let a board program play against NET: a checkpoint, an artifact, a bundle, or a shipped name (go).

    The program starts this command and speaks to it through its standard input and output; docs/engines.md says how to
    enter it in Sabaki, Lizzie, GoGui, Piskvork and others. Without NET, the network that ships for --game plays. What
    the program says about clock, level and simulations replaces these options. The engine thinks only on its own time.
    """
    from ..games.levels.table import level_number

    wanted = options.take(_Options, chosen)
    level = None if wanted.level is None else level_number(wanted.level)
    if net is None and chosen["game"] is None:
        raise click.UsageError("Name a network, or a game with --game to play with the shipped network.")
    _run(net or str(chosen["game"]), wanted, level, chosen)


def _run(net: str, wanted: _Options, level: int | None, chosen: dict[str, Any]) -> None:
    """Open the network, and speak the protocol until the other side leaves."""
    from ..engine.pipes import Inbox, Outbox, leaving_with_reader
    from ..system.ctrl_c import leave
    from ..verbs.playing import open_player, run_engine

    as_json, settings = chosen.pop("as_json"), options.take_board(chosen)
    how: dict[str, Any] = {"protocol": wanted.protocol, "simulations": wanted.simulations}
    how["override_version"] = wanted.override_version
    with ExitStack() as stack:
        incoming, outgoing = stack.enter_context(_own_pipes())
        # Lines that come while the network loads wait.
        inbox, outbox = Inbox(incoming), Outbox(outgoing)
        with leaving_with_reader(outbox):
            player = stack.enter_context(open_player(net, **chosen))

        def greet(brain: Brain, protocol: str) -> None:
            click.echo(_greeting(player.network, brain, protocol, as_json), err=True)

        run_engine(player, inbox, outbox, settings=settings, level=level, clock=wanted.clock, greet=greet, **how)
    # Python's own shutdown would take a second, and the other side would wait that long for the pipe to close.
    leave(0)


def _greeting(network: NetworkEvaluator, brain: Brain, protocol: str, as_json: bool) -> str:
    """The network, and the protocol that it speaks, as a sentence or as JSON."""
    line = network.reading.line
    if not as_json:
        return f"{network.name} ({network.runtime}) speaks {protocol}. Its {line}{'' if line.endswith('.') else '.'}"
    data = {"net": network.name, "runtime": network.runtime, "protocol": protocol, "reading": line}
    return json.dumps(data | {"game": brain.game.name, "settings": brain.settings})


@contextmanager
def _own_pipes() -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Standard input and output for the protocol alone: what libraries print goes to standard error meanwhile."""
    sys.stdout.flush()
    own_output = os.dup(1)
    # The thread that reads may still wait for a line at the end: nobody closes the pipe under it.
    incoming, outgoing = open(0, "rb", closefd=False), os.fdopen(os.dup(own_output), "wb")  # noqa: SIM115
    try:
        os.dup2(2, 1)
        yield incoming, outgoing
    finally:
        with suppress(OSError):
            outgoing.close()
        os.dup2(own_output, 1)
        os.close(own_output)

"""A match of a network against another program, over one of the protocols that board programs speak.

azx is the referee. A player that chooses no legal move, crashes, resigns or does not answer in twice its time loses the
game. A program that refuses a legal move of azx wins the game, so that a difference in the rules never flatters the
network. Each of these faults is counted.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from ..engine.clients.client import Client
from ..engine.clients.process import REFUSED, RESIGNED, EngineError, FaultError
from ..engine.clients.table import start_engine
from ..engine.table import protocol_of
from ..errors import AzxError
from ..games.game import Settings
from ..games.levels.table import levels_of
from ..games.state import State, play_line
from ..play.network import NetworkEvaluator
from ..play.terminal.thinker import Effort, Thinker
from .games import Block, GameRecord, Line, Rules
from .log import digest_of
from .openings import openings, read_plies
from .players import Facts, Net, Networks
from .runner import Match, agree, digest

NETWORK, ENGINE = 0, 1
# After this number of games in a row that end before the engine has made a move, the match is given up.
PATIENCE = 3


@dataclass(frozen=True)
class Opponent:
    """Another program: its command line, its protocol (None: the game's usual one), and its seconds for a move."""

    command: str
    protocol: str | None = None
    seconds: float = 10.0


@dataclass(frozen=True)
class Strength:
    """How the network plays: `simulations` per move at most (None: only time counts), `seconds`, or a level 1 to 8."""

    simulations: int | None = 50
    seconds: float | None = None
    level: int | None = None

    def of(self, network: NetworkEvaluator) -> Effort:
        """The same, as `Thinker` takes it."""
        levels = levels_of(network.reading.game.name, network.reading.numbering is not None)
        level = None if self.level is None else levels[self.level - 1]
        return Effort(self.simulations, self.seconds, level=level)


class EngineMatch:
    """Plays a network against another program; `Players` of `azx.match.runner`. Use it in a with statement.

    `slowest` are the seconds of the program's longest thought.
    """

    def __init__(self, net: Net, effort: Strength, opponent: Opponent) -> None:
        self.net, self.effort, self.opponent = net, effort, opponent
        self.slowest, self._in_vain = 0.0, 0
        self._networks, self._client = Networks(), None
        self._game, self._settings = "", dict[str, int | float | str]()

    _client: Client | None

    def __enter__(self) -> EngineMatch:
        return self

    def __exit__(self, *error: object) -> None:
        self._leave()
        self._networks.close()

    def describe(self, nets: Sequence[Net]) -> list[Facts]:
        """The facts about the network."""
        return self._networks.facts([self.net])

    def meet(self, game: str, settings: Settings) -> tuple[str, str]:
        """Start the program for a game: its name and its protocol. AzxError if it does not answer."""
        self._game, self._settings = game, dict(settings)
        protocol = protocol_of(game, self.opponent.protocol)
        self.opponent = replace(self.opponent, protocol=protocol)
        return self._sit_down()[1], protocol

    def play(self, nets: Sequence[Net], start: State, rules: Rules, to_play: Sequence[Block]) -> Iterator[GameRecord]:
        """Play blocks and yield each game when it ends; EngineError if the program does not play at all."""
        network = self._networks.get(self.net)
        with network.remembering():
            for block in to_play:
                for number, line in block.openings:
                    for first in (NETWORK, ENGINE):
                        yield self._play_game(network, start, number, line, first, rules.seed)

    def _play_game(
        self, network: NetworkEvaluator, start: State, number: int, line: Line, first: int, seed: int
    ) -> GameRecord:
        """One game; `first` is who plays first."""
        rng = np.random.default_rng([seed, number, first])
        state, moves = play_line(start, line), list(line)
        search = self._networks.search_of(self.net)
        thinker = Thinker(state, network, self.effort.of(network), rng, settings=search, heeds_ctrl_c=False)
        fault: tuple[str, str] | None = None
        chosen = 0
        try:
            client = self._begin(start, line)
            while not state.is_terminal:
                own = first ^ state.to_move == ENGINE
                action = self._ask(client, state) if own else thinker.think(lambda _: None, len(moves)).action
                chosen += own
                client.tell(state, action, own)
                thinker.follow(action)
                moves.append(action)
                state = state.apply(action)
        except FaultError as error:
            # The last move counts even if it could not be reported to the engine.
            state = play_line(start, moves)
            if not state.is_terminal:
                fault = (error.kind, str(error))
            if error.kind != RESIGNED:
                self._leave()
        self._count_in_vain(chosen, fault)
        if fault is None:
            return GameRecord(number, first, 1 - first, tuple(moves), state.returns())
        loser = NETWORK if fault[0] == REFUSED else ENGINE
        result = -1.0 if loser == first else 1.0
        return GameRecord(number, first, 1 - first, tuple(moves), result, fault=fault)

    def _count_in_vain(self, chosen: int, fault: tuple[str, str] | None) -> None:
        self._in_vain = self._in_vain + 1 if fault is not None and not chosen and fault[0] != RESIGNED else 0
        if self._in_vain >= PATIENCE and fault is not None:
            raise EngineError(
                f"'{self.opponent.command}' made no move in {PATIENCE} games in a row ({fault[1]}): try it by hand, "
                "and look at --engine-protocol and at its options."
            )

    def _ask(self, client: Client, state: State) -> int:
        begun = time.monotonic()
        try:
            return client.choose(state)
        finally:
            self.slowest = max(self.slowest, time.monotonic() - begun)

    def _begin(self, start: State, line: Line) -> Client:
        """The program, at the board after the opening."""
        client = self._client or self._sit_down()[0]
        client.begin(start)
        state = start
        for action in line:
            client.tell(state, action, own=False)
            state = state.apply(action)
        return client

    def _sit_down(self) -> tuple[Client, str]:
        opponent = self.opponent
        self._client, name = start_engine(
            opponent.command, str(opponent.protocol), self._game, self._settings, opponent.seconds
        )
        return self._client, name

    def _leave(self) -> None:
        if self._client is not None:
            with suppress(AzxError):
                self._client.end()
            self._client = None


def prepare_engine_match(
    players: EngineMatch, rules: Rules, pairs: int, plies: str | None, settings: Settings
) -> Match:
    """Open the network and start the program once; AzxError if they do not play the same game."""
    fact = players.describe(())[0]
    game, agreed = agree([fact], settings)
    name, protocol = players.meet(game.name, agreed)
    lengths = read_plies(plies) if plies else game.plies
    lines = openings(game.begin(agreed), pairs, lengths, rules.seed)
    net, opponent, effort = players.net, players.opponent, players.effort
    identity = digest_of([opponent.command, protocol, opponent.seconds, name])
    header = {
        "game": game.name,
        "settings": agreed,
        "nets": [
            {"name": fact.name, "sha256": digest(net.net), "reading": fact.reading},
            {"name": name, "sha256": identity, "reading": protocol},
        ],
        "engine": {"command": opponent.command, "protocol": protocol, "seconds": opponent.seconds},
        "symmetry": net.symmetry,
        "games": 2 * pairs,
        "opening_plies": list(lengths),
        "simulations": effort.simulations,
        "seconds_a_move": effort.seconds,
        "level": effort.level,
        "search": fact.search.as_data(),
        "temperature": 0.0,
        "seed": rules.seed,
    }
    every = tuple(Block((NETWORK, ENGINE), ((number, line),)) for number, line in enumerate(lines.lines))
    other = replace(net, net=opponent.command)
    clock = f"{opponent.seconds:g} s a move, killed after {2 * opponent.seconds + 5:g} s"
    runtimes, readings = (fact.runtime, f"{protocol}, {clock}"), (fact.line, f"command: {opponent.command}")
    return Match(
        (net, other), (fact.name, name), runtimes, game, agreed, every, rules, header, lines.distinct, readings
    )


def faults(records: Sequence[GameRecord]) -> Counter[str]:
    """The number of games that each kind of fault ended."""
    return Counter(record.fault[0] for record in records if record.fault is not None)

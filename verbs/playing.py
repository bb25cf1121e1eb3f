"""`azx play`, `azx engine` and `azx describe` as functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Unpack

import numpy as np

from ..bundle.case.checkpoint import Checkpoint, as_checkpoint
from ..bundle.case.keywords import ArchitectureOptions, ReadOptions
from ..bundle.case.option import takes_options
from ..bundle.description.description import Description, open_description
from ..engine.brain import Brain, Choices
from ..engine.clock import Clock
from ..engine.pipes import Inbox, Outbox
from ..engine.table import protocol_of, speak
from ..errors import CodeRefused
from ..export.checkpoint.head import Head
from ..export.checkpoint.located import find_checkpoint
from ..export.graph.names import Names
from ..games.evaluator import Uniform
from ..games.game import Value
from ..games.search import Search, run_together
from ..games.state import State
from ..play import network as networks
from ..play.network import NetworkEvaluator
from ..play.terminal.thinker import DEFAULT_SIMULATIONS, Effort, Thinker
from ..system.progress import no_step

SIMULATIONS = DEFAULT_SIMULATIONS
Ask = Callable[[Sequence[Head], Names], Names]


@takes_options(Checkpoint)
@contextmanager
def open_player(
    net: str | Path | Checkpoint = "connect4",
    *,
    game: str | None = None,
    encoding: str | Path | None = None,
    value_head: str | None = None,
    policy_head: str | None = None,
    symmetry: str = "none",
    seed: int = 0,
    **reading: Unpack[ReadOptions],
) -> Iterator[Player]:
    """A network that plays while the block runs: in any runtime, with the search of its bundle.

        with azx.open_player("connect4") as player:
            state = player.begin()
            while not state.is_terminal:
                state = state.apply(player.choose(state))

    Args:
        net: a checkpoint, an artifact of any format, a bundle, or a shipped name.
        game: its game, if the network's shapes do not determine it.
        encoding: how it reads the board, if azx does not know it: a file or a name.
        value_head: name of the value output, if names and shapes do not identify it.
        policy_head: the same of the policy output.
        symmetry: "random" turns each board at random before the network reads it.
        seed: of these symmetries.
        options: as below.

    Raises:
        CheckpointError, BundleError: the file is missing or damaged.
        GameError: the network and the game do not fit.

    """
    described = None if encoding is None else Path(encoding)
    names = Names(value_head, policy_head)
    how = {"game": game, "encoding": described, "names": names, "symmetry": symmetry, "seed": seed}
    with networks.open_network(as_checkpoint(net, **reading), **how) as network, network.remembering():  # type: ignore[arg-type]
        # Compiled code is loaded now, not while somebody waits for a move.
        run_together([Search(network.reading.start(), Uniform())], Uniform(), 2)
        yield Player(network)


@dataclass(frozen=True)
class Player:
    """An open network that plays; `network` answers single positions, and says how it reads the board."""

    network: NetworkEvaluator

    def begin(self, settings: Mapping[str, Value] | None = None) -> State:
        """The first state of a game, on the network's own board unless `settings` name another."""
        return self.network.reading.start() if settings is None else self.network.reading.game.begin(settings)

    def choose(self, state: State, simulations: int = SIMULATIONS) -> int:
        """The action that it plays in a state, as `azx play` does; 0 simulations play by the policy alone."""
        rng = np.random.default_rng(0)
        settings = self.network.search
        thinker = Thinker(state, self.network, Effort(simulations), rng, settings=settings, heeds_ctrl_c=False)
        return int(thinker.think(no_step, 0).action)

    def __repr__(self) -> str:
        return f"Player({self.network.name!r}: {self.network.runtime}, {self.network.reading.game.name})"


def run_engine(  # noqa: PLR0913 - each is a keyword
    player: Player,
    incoming: BinaryIO | Inbox,
    outgoing: BinaryIO | Outbox,
    *,
    protocol: str | None = None,
    settings: Mapping[str, Value] | None = None,
    simulations: int | None = None,
    level: int | None = None,
    clock: Clock | None = None,
    override_version: str | None = None,
    greet: Callable[[Brain, str], None] = no_step,
) -> None:
    """Speak a protocol of board programs with `incoming` and `outgoing`, until the other side leaves.

    Args:
        player: the network, open.
        incoming: the other side's commands; an `Inbox` may have gathered some before.
        outgoing: the answers.
        protocol: "gtp", "gomocup", "nboard" or "ugi"; the game's usual one if left out.
        settings: of the game's board.
        simulations: simulations per move at most; 0 plays by the policy alone.
        level: how strong it plays, 1 to 8.
        clock: the clock, until the protocol sets another.
        override_version: GTP: the version to claim.
        greet: receives the engine and its protocol before the first command.

    Raises:
        GameError: the settings do not fit the game, or the protocol does not know it.

    """
    network = player.network
    spoken = protocol_of(network.reading.game.name, protocol)
    inbox = incoming if isinstance(incoming, Inbox) else Inbox(incoming)
    outbox = outgoing if isinstance(outgoing, Outbox) else Outbox(outgoing)
    brain = Brain(network, dict(settings or {}), Choices(simulations, level, clock or Clock()), inbox, outbox)
    greet(brain, spoken)
    speak(brain, spoken, override_version).run()


@takes_options(Checkpoint, only=ArchitectureOptions)
def describe_network(
    checkpoint: str | Path | Checkpoint,
    answers: Mapping[str, str] | None = None,
    *,
    code: str | None = None,
    allow_code: bool = False,
    value_head: str | None = None,
    policy_head: str | None = None,
    ask: Ask | None = None,
    **reading: Unpack[ArchitectureOptions],
) -> Description:
    """How an unknown network sees its board, after some answers; the description has the next question.

        seen = azx.describe_network("net.h5", {"game": "connect4"})
        print(seen.question())        # None once nothing is open; seen.as_data() is then a file for encoding=

    Args:
        checkpoint: a path or a shipped network's name.
        answers: words by the names of questions: game, size, pieces, row-0, cells, layout, beside, moves, value, order.
        code: "FILE.py:FUNCTION", your function that makes a board's input.
        allow_code: run that function, in a process of its own.
        value_head: name of the value output.
        policy_head: name of the policy output.
        ask: receives outputs of unknown role, and returns names for them.
        options: as below.

    Raises:
        CheckpointError: the file cannot be read.
        GameError: no board fits, or an answer does not.
        CodeRefused: `code` without `allow_code`.

    """
    if code is not None and not allow_code:
        raise CodeRefused(f"--code {code} runs your own Python code: add --allow-code.")
    source = as_checkpoint(checkpoint, **reading)
    chosen = source if isinstance(checkpoint, Checkpoint) else source.at(find_checkpoint(checkpoint))
    description = open_description(chosen, Names(value_head, policy_head), ask or (lambda heads, names: names))
    # In the order of the questions, as one answer decides which others there are.
    for name, word in (answers or {}).items():
        if description.answers.get(name) != word:
            description.answer(name, word)
    if code is not None:
        description.answer_by_code(code)
    return description

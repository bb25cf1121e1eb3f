"""`azx play` as a function: a person at a terminal against a network."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from ..bundle.case.checkpoint import Checkpoint
from ..bundle.case.keywords import ReadOptions
from ..bundle.case.option import takes_options
from ..errors import AzxError, GameError
from ..games.known.catalogue import GAMES
from ..games.levels.table import NAMES, levels_of
from ..games.state import State
from ..play.game_log import GameLog, new_log, read_log, resume_log
from ..play.network import NetworkEvaluator
from ..play.records import RecordFile, read_record
from ..play.session import AI, RULE, YOU, Session
from ..play.terminal.screen import TextView, View
from ..play.terminal.table import Table
from ..play.terminal.thinker import DEFAULT_SIMULATIONS, Effort, Thinker
from ..system.progress import no_step
from .defaults import SIDES
from .playing import open_player


@dataclass(frozen=True)
class _Terms:
    """The caller's choices for the game."""

    side: str
    settings: Mapping[str, Any]
    seed: int | None
    trace: bool
    log: Path | None
    resume: Path | None
    level: int | None


@takes_options(Checkpoint)
def play_game(  # noqa: PLR0913 - each is a keyword
    net: str | Path | Checkpoint | None = None,
    *,
    game: str | None = None,
    encoding: str | Path | None = None,
    value_head: str | None = None,
    policy_head: str | None = None,
    symmetry: str = "none",
    side: str = "random",
    simulations: int | None = None,
    seconds: float | None = None,
    temperature: float = 0.0,
    level: int | None = None,
    settings: Mapping[str, Any] | None = None,
    seed: int | None = None,
    trace: bool = False,
    log: str | Path | None = None,
    resume: str | Path | None = None,
    record: str | Path | None = None,
    save: str | Path | None = None,
    view: View | None = None,
    on_loading: Callable[[str], None] = no_step,
    **reading: Unpack[ReadOptions],
) -> Session:
    """Play a network at this terminal, until you leave.

    Args:
        net: a checkpoint, an artifact of any format, a bundle or a shipped name; that of the log or record, else
            connect4, if left out.
        game: its game, if the network's shapes do not determine it.
        encoding: how it reads the board, if azx does not know it: a file or a name.
        value_head: name of the value output, if names and shapes do not identify it.
        policy_head: the same of the policy output.
        symmetry: "random" turns each board at random before the network reads it.
        side: yours: "first", "second" or "random".
        simulations: simulations for each move, 200 without `seconds`; 0 plays by the policy alone.
        seconds: the longest thought for each move.
        temperature: draws the network's moves by their visits; 0 plays the best.
        level: 1 to 8 instead of these three.
        settings: of the game's board, such as {"size": 9}.
        seed: of the side, the drawn moves and the symmetries.
        trace: show the path of every simulation.
        log: the file for the game, JSON lines; in the user's state folder if left out.
        resume: a log whose game continues.
        record: a record to continue from: SGF, a line of moves or a link.
        save: where the record is written at the end.
        view: where the game is shown and moves are asked for: this terminal if left out.
        on_loading: receives the network's name before it is loaded.
        options: as below.

    Returns:
        The game when you left it.

    Raises:
        GameError: network, game, record and settings do not fit together.
        AzxError: `resume` and `record` are both given, or a file cannot be read.

    """
    if record is not None and resume is not None:
        raise AzxError("A record begins a game and a log continues one: give one of them.")
    logged = read_log(Path(resume)) if resume is not None else None
    read = read_record(Path(record)) if record is not None else None
    named = read.game if read and read.game else "connect4"
    net = net or (str(logged.begin.get("net", "connect4")) if logged else named)
    known = game or (str(logged.begin["game"]) if logged else None)
    default = DEFAULT_SIMULATIONS if simulations is None and seconds is None else simulations
    effort, rng = Effort(default, seconds, temperature), np.random.default_rng(seed)
    log_file, log_to_resume = None if log is None else Path(log), None if resume is None else Path(resume)
    terms = _Terms(side, dict(settings or {}), seed, trace, log_file, log_to_resume, level)
    name = str(net.place if isinstance(net, Checkpoint) else net)
    on_loading(name)
    heads: dict[str, Any] = {"encoding": encoding, "value_head": value_head, "policy_head": policy_head}
    with open_player(net, game=known, symmetry=symmetry, seed=seed or 0, **heads, **reading) as player:
        table = _table(terms, name, player.network, view, logged, read, effort, rng)
        table.run()
        if save is not None:
            table.save(Path(save), replace=True)
    return table.session


def _table(
    terms: _Terms,
    net: str,
    network: NetworkEvaluator,
    shown: View | None,
    logged: Session | None,
    record: RecordFile | None,
    effort: Effort,
    rng: np.random.Generator,
) -> Table:
    """The table with its board: the first position, or that of the log or record."""
    game = network.reading.game
    settings = _settings(network, terms.settings, logged, record)
    if terms.level is not None:
        effort = replace(effort, level=levels_of(game.name, network.reading.numbering is not None)[terms.level - 1])
    start = game.begin(settings)
    replayed = record.states(start) if record else (start,)
    human = _human(terms.side, logged, rng)
    begin = {"event": "begin", "game": game.name, "settings": settings, "net": net, "human": human, "seed": terms.seed}
    begin |= {"set_up": record.record.set_up} if record and record.record.set_up else {}
    view: View = TextView(game) if shown is None else shown
    log = resume_log(terms.resume)[0] if terms.resume else new_log(terms.log, game.name)
    session = Session(begin, (start,))
    if logged:
        for action, by in zip(logged.actions, logged.players, strict=True):
            session = session.play(action, by)
        session = replace(session, end=logged.end)
    else:
        log.add(begin)
        session = _replay(session, replayed, log)
    trace = _tracer(view, start) if terms.trace else None
    table = Table(game, session, Thinker(session.state, network, effort, rng, trace, network.search), view, log)
    about: dict[str, Any] = {"log": str(log.path), "runtime": network.runtime, "reading": network.reading.line}
    if terms.level is not None:
        about["level"] = terms.level
    view.event({**begin, **about}, _greeting(network, view, human, log.path) + _describe_level(terms.level))
    if record:
        view.event(
            {"event": "record", "path": str(record.path), "ignored": record.record.ignored}, _describe_record(record)
        )
    return table


def _replay(session: Session, states: Sequence[State], log: GameLog) -> Session:
    """The session after the moves of a record; the log gets them as if they had been played here."""
    for before, after in pairwise(states):
        action, by = after.last_action, YOU if before.to_move == session.human else AI
        by = RULE if len(session.players) < session.set_up else by
        if action is not None:
            event = {"event": "move", "ply": len(session.players), "player": before.to_move, "by": by}
            log.add({**event, "action": action, "label": before.label(action)})
            session = session.play(action, by)
    return session


def _describe_record(file: RecordFile) -> str:
    record = file.record
    count = len(record.moves) - record.set_up
    moves = "1 move" if count == 1 else f"{count} moves"
    stood = "; stones were set up before the first one" if record.set_up else ""
    named = f" of {record.names[0] or '?'} and {record.names[1] or '?'}" if any(record.names) else ""
    variations = f"; {record.ignored} variations were left out" if record.ignored > 1 else ""
    variations = "; 1 variation was left out" if record.ignored == 1 else variations
    return f"Read {moves}{named} from '{file.path}'{stood}{variations}."


def _settings(
    network: NetworkEvaluator, given: Mapping[str, Any], logged: Session | None, record: RecordFile | None
) -> dict[str, Any]:
    """The game's settings, from the network, then the log or record, then the options; GameError if they clash."""
    if record and record.game not in (None, network.reading.game.name):
        raise GameError(
            f"'{record.path}' is a game of {GAMES[str(record.game)].title}, '{network.name}' plays "
            f"{network.reading.game.title}: name a network that plays it."
        )
    own, recorded = dict(network.reading.settings), dict(logged.begin.get("settings") or {}) if logged else {}
    recorded = dict(record.record.settings) if record else recorded
    reads = network.reading.game.board_settings(own)
    for name, value in {**recorded, **given}.items():
        if name in reads and reads[name] != value:
            raise GameError(f"'{network.name}' reads a board of {name} {reads[name]}: it cannot play {name} {value}.")
        if logged and recorded.get(name) != value:
            raise GameError(f"The game of the log keeps its settings: leave --{name} out.")
    return {**own, **recorded, **given}


def _human(side: str, logged: Session | None, rng: np.random.Generator) -> int:
    """The person's player: 0 begins."""
    random_side = int(rng.integers(2))
    if side != "random":
        return SIDES.index(side)
    return int(logged.begin["human"]) if logged else random_side


def _tracer(view: View, state: State) -> Any:
    """A function that prints a simulation's path: the moves' labels, and the visits of the first one."""

    def trace(path: list[int], visits: int) -> None:
        labels = [state.label(action) for action in path]
        line = f"{' '.join(labels)} ({visits} visits)" if labels else "the position itself"
        view.event({"event": "trace", "path": labels, "visits": visits}, f"  {line}")

    return trace


def _describe_level(number: int | None) -> str:
    """A line about the level, empty without one."""
    if number is None:
        return ""
    measured = "levels are measured with the shipped networks alone, others may be stronger or weaker"
    return f"\nIt plays at level {number} of {len(NAMES)}, {NAMES[number - 1]} ({measured})."


def _greeting(network: NetworkEvaluator, view: Any, human: int, log: Path) -> str:
    look = getattr(view, "look", None)
    side = look.side(human) if look else "XO"[human]
    first = "and move first" if human == 0 else "and the AI moves first"
    return (
        f"{network.reading.game.title} against {network.name} ({network.runtime}).\n"
        f"Its {network.reading.line}.\n"
        f"You have {side} {first}. The game is logged in '{log}'."
    )

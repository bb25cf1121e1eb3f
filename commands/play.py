"""`azx play`: a person against a network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .options import from_fields, options
from .options.grouped import command

if TYPE_CHECKING:
    import numpy as np

    from ..games.state import State
    from ..play.game_log import GameLog
    from ..play.network import NetworkEvaluator
    from ..play.records import RecordFile
    from ..play.session import Session
    from ..play.terminal.screen import View
    from ..play.terminal.table import Table
    from ..play.terminal.thinker import Effort

SIDES = ("first", "second", "random")
# The options that say how the network is opened.
OPENING = ("encoding", "value_head", "policy_head", "symmetry", "config", "builder", "preset", "board", "allow_code")


@dataclass(frozen=True)
class _Choices:
    """What the command line says of the game."""

    side: str
    rule: str | None
    size: int | None
    rows: int | None
    columns: int | None
    komi: float | None
    seed: int | None
    trace: bool
    log: Path | None
    resume: Path | None
    record: Path | None
    save: Path | None
    level: int | None
    as_json: bool

    @property
    def settings(self) -> dict[str, Any]:
        """Those of the game's settings that were given."""
        values = {
            "rule": self.rule,
            "size": self.size,
            "rows": self.rows,
            "columns": self.columns,
            "komi": self.komi,
        }
        return {name: value for name, value in values.items() if value is not None}


@command()
@click.argument("net", required=False)
@click.option(
    "--game", type=options.GameName(), metavar="NAME", help="The game, if the network's shapes do not determine it."
)
@options.file_option("--encoding", metavar="FILE|NAME", help="Encoding of the network, if azx does not know it.")
@click.option("--side", type=click.Choice(SIDES), default="random", show_default=True, help="Your side.")
@click.option(
    "--simulations",
    type=click.IntRange(min=0),
    metavar="N",
    help="Simulations per move; 0 plays by the policy alone.  [default: 200]",
)
@click.option(
    "--seconds", type=click.FloatRange(min=0, min_open=True), metavar="S", help="Think no longer than this per move."
)
@click.option("--temperature", type=click.FloatRange(min=0), default=0.0, metavar="T", help="Draw the AI's moves.")
@click.option(
    "--level",
    metavar="1..8|NAME",
    help="How strong the AI plays, from 1 (beginner) to 8 (full), instead of the three above.",
)
@click.option("--rule", metavar="RULE", help="Gomoku: freestyle or renju; Hex: plain or swap.")
@click.option("--size", type=int, metavar="N", help="The board's size; the network's own, if it has one.")
@click.option("--rows", type=int, metavar="N", help="Connect4: cells from top to bottom, like --size.")
@click.option("--columns", type=int, metavar="N", help="Connect4: cells from left to right, like --size.")
@click.option("--komi", type=float, metavar="X", help="Go: points that white gets for moving second.")
@options.symmetry_option("Let the network read each board as it is, or turned at random.")
@click.option("--trace", is_flag=True, help="Print the path of every simulation.")
@options.file_option("--log", help="Log the game here, as JSON lines.")
@options.file_option("--resume", help="Resume the game of a log.")
@options.file_option("--from", "record", help="Continue from a record: SGF, a line of moves or a link.")
@options.file_option("--save", help="Write a record at the end: game.sgf or game.txt.")
@click.option("--seed", type=int, metavar="N", help="Seed of the side, the AI's drawn moves and the symmetries.")
@from_fields.architecture_options
@from_fields.head_options
@from_fields.code_option
@options.json_option
def play(net: str | None, **chosen: Any) -> None:
    """Play against NET: a checkpoint, an artifact of any format, a bundle, or a shipped name (connect4).

    Type a move as it is named on the board, or undo, hint, moves, new, log, save FILE, estimate, resign, quit, ?.
    Ctrl-C while the AI thinks makes it move at once. Every move is logged, by default in ~/.local/state/azx/games.
    """
    from ..games.levels.table import level_number
    from ..play.terminal.thinker import DEFAULT_SIMULATIONS, Effort

    simulations, seconds, temperature = (chosen.pop(name) for name in ("simulations", "seconds", "temperature"))
    level = chosen["level"]
    if level is not None and (simulations is not None or seconds is not None or temperature):
        raise click.UsageError("--level says how the AI plays: leave --simulations, --seconds and --temperature away.")
    asked = options.take(_Choices, {**chosen, "level": None if level is None else level_number(level)})
    effort = Effort(
        DEFAULT_SIMULATIONS if simulations is None and seconds is None else simulations, seconds, temperature
    )
    if asked.record and asked.resume:
        raise click.UsageError("--from begins a game and --resume goes on with one: give one of them.")
    if asked.save and asked.save.exists():
        raise click.UsageError(f"'{asked.save}' is there already: choose another file for --save.")
    _play(asked, net, chosen, effort)


def _play(asked: _Choices, net: str | None, chosen: dict[str, Any], effort: Effort) -> None:
    """Open the network as `chosen` says and let it play."""
    import numpy as np

    from ..play.game_log import read_log
    from ..play.records import read_record
    from ..verbs.playing import open_player

    logged = read_log(asked.resume) if asked.resume else None
    record = read_record(asked.record) if asked.record else None
    named = record.game if record and record.game else "connect4"
    net = net or (str(logged.begin.get("net", "connect4")) if logged else named)
    game = chosen["game"] or (str(logged.begin["game"]) if logged else None)
    rng = np.random.default_rng(asked.seed)
    with ExitStack() as stack:
        if not asked.as_json:
            click.echo(f"Loading {net} ...", err=True)
        given = {name: value for name, value in chosen.items() if name in OPENING}
        player = stack.enter_context(open_player(net, **{**given, "game": game}, seed=asked.seed or 0))
        network = player.network
        table = _table(asked, net, network, logged, record, effort, rng)
        table.run()
        if asked.save:
            table.save(asked.save, replace=True)


def _table(
    asked: _Choices,
    net: str,
    network: NetworkEvaluator,
    logged: Session | None,
    record: RecordFile | None,
    effort: Effort,
    rng: np.random.Generator,
) -> Table:
    """The table with its board: the first position, or that of the log or record."""
    from ..games.levels.table import levels_of
    from ..play.game_log import new_log, resume_log
    from ..play.session import Session
    from ..play.terminal.screen import JsonView, TextView
    from ..play.terminal.table import Table
    from ..play.terminal.thinker import Thinker

    game = network.reading.game
    settings = _settings(network, asked.settings, logged, record)
    if asked.level is not None:
        effort = replace(effort, level=levels_of(game.name, network.reading.numbering is not None)[asked.level - 1])
    start = game.begin(settings)
    replayed = record.states(start) if record else (start,)
    human = _human(asked.side, logged, rng)
    begin = {"event": "begin", "game": game.name, "settings": settings, "net": net, "human": human, "seed": asked.seed}
    begin |= {"set_up": record.record.set_up} if record and record.record.set_up else {}
    view: View = JsonView() if asked.as_json else TextView(game)
    log = resume_log(asked.resume)[0] if asked.resume else new_log(asked.log, game.name)
    session = Session(begin, (start,))
    if logged:
        for action, by in zip(logged.actions, logged.players, strict=True):
            session = session.play(action, by)
        session = replace(session, end=logged.end)
    else:
        log.add(begin)
        session = _replay(session, replayed, log)
    trace = _tracer(view, start) if asked.trace else None
    table = Table(game, session, Thinker(session.state, network, effort, rng, trace, network.search), view, log)
    about: dict[str, Any] = {"log": str(log.path), "runtime": network.runtime, "reading": network.reading.line}
    if asked.level is not None:
        about["level"] = asked.level
    view.event({**begin, **about}, _greeting(network, view, human, log.path) + _describe_level(asked.level))
    if record:
        view.event(
            {"event": "record", "path": str(record.path), "ignored": record.record.ignored}, _describe_record(record)
        )
    return table


def _replay(session: Session, states: Sequence[State], log: GameLog) -> Session:
    """The session after the moves of a record; the log gets them as if they had been played here."""
    from ..play.session import AI, RULE, YOU

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
    from ..errors import GameError
    from ..games.known.catalogue import GAMES

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
            raise GameError(f"The game of the log goes on as it began: leave --{name} away.")
    return {**own, **recorded, **given}


def _human(side: str, logged: Session | None, rng: np.random.Generator) -> int:
    """The person's player: 0 begins."""
    drawn = int(rng.integers(2))
    if side != "random":
        return SIDES.index(side)
    return int(logged.begin["human"]) if logged else drawn


def _tracer(view: View, state: State) -> Any:
    """A function that prints a simulation's path: the moves' labels, and the visits of the first one."""

    def trace(path: list[int], visits: int) -> None:
        labels = [state.label(action) for action in path]
        line = f"{' '.join(labels)} ({visits} visits)" if labels else "the position itself"
        view.event({"event": "trace", "path": labels, "visits": visits}, f"  {line}")

    return trace


def _describe_level(number: int | None) -> str:
    """A line about the level, empty without one."""
    from ..games.levels.table import NAMES

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

"""Games as records: SGF for Go and Gomoku, and for every game one line of moves as a person types them.

    connect4: 3 3 2 4
    (;FF[4]CA[UTF-8]GM[1]SZ[9]KM[7.5]RE[B+2.5];B[ee];W[])

SGF is A. Hollosi's "SGF File Format FF[4]", https://www.red-bean.com/sgf/. Of a game with variations the main line
is read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import GameError
from ..games.catalogue import GAMES
from ..games.game import Game, Settings
from ..games.recognition import by_name
from ..games.state import State
from .sgf import Properties, main_line, text_of

# SGF's number of each game that it has.
SGF_GAMES = {"go": "1", "gomoku": "4"}
LARGEST = 1_000_000  # bytes; a game of Go is a thousandth of that


@dataclass(frozen=True)
class Record:
    """What a file tells: `moves` are labels, or in SGF a player and an action; `ignored` variations were not read.

    `game` is None where the file does not name it.
    """

    path: Path
    game: str | None
    settings: Settings
    moves: Sequence[str | tuple[int, int]]
    ignored: int = 0

    def states(self, start: State) -> tuple[State, ...]:
        """Every position from `start` on; GameError, with the move's number, where one cannot be played."""
        states = [start]
        for number, move in enumerate(self.moves, start=1):
            states.append(states[-1].apply(self._action(states[-1], number, move)))
        return tuple(states)

    def _action(self, state: State, number: int, move: str | tuple[int, int]) -> int:
        where = f"'{self.path}': move {number}"
        if state.is_terminal:
            raise GameError(f"{where} comes after the end of the game: take out what follows move {number - 1}.")
        if isinstance(move, str):
            known = {state.label(action).lower(): action for action in state.legal_actions()}
            known = {state.label(action).lower(): action for action in range(state.actions)} | known
            if move.lower() not in known:
                raise GameError(f"{where}, '{move}', names no move of this game: give moves as azx play shows them.")
            action = known[move.lower()]
        else:
            player, action = move
            if player != state.to_move:
                raise GameError(f"{where} is the other side's: azx reads games in which both sides move in turn.")
        reason = state.why_illegal(action)
        if reason:
            raise GameError(f"{where} is illegal ({reason}): correct it, or cut the record before it.")
        return action


def read_record(path: Path) -> Record:
    """The record in a file; GameError where it holds none."""
    try:
        text = path.read_bytes()[:LARGEST].decode("utf-8-sig")
    except OSError as error:
        raise GameError(f"'{path}' cannot be read ({error.strerror or error}): give a game's record.") from error
    except UnicodeDecodeError as error:
        raise GameError(f"'{path}' is no record of a game (no text in UTF-8): give SGF or a list of moves.") from error
    if text.lstrip().startswith("("):
        return _from_sgf(path, text)
    return _from_moves(path, text)


def _from_moves(path: Path, text: str) -> Record:
    head, colon, tail = text.strip().partition(":")
    if head and not colon:
        return Record(path, None, {}, head.split())
    name, *given = head.split() or [""]
    if name not in GAMES or not all("=" in setting for setting in given):
        raise GameError(f"'{path}' is no record of a game: give SGF or a line such as 'connect4: 3 3 2'.")
    settings = {setting.partition("=")[0]: setting.partition("=")[2] for setting in given}
    return Record(path, name, _read(path, by_name(name), settings), tail.split())


def _from_sgf(path: Path, text: str) -> Record:
    try:
        nodes, ignored = main_line(text)
    except ValueError as error:
        raise GameError(f"'{path}' is no SGF ({error}): save the game again where it was written.") from error
    root = nodes[0]
    number = root.get("GM", ["1"])[0]
    name = next((name for name, its in SGF_GAMES.items() if its == number), None)
    if name is None:
        raise GameError(f"'{path}' is SGF of game {number}, azx plays 1 (Go) and 4 (Gomoku) of its list.")
    setup = next((key for node in nodes for key in ("AB", "AW", "AE") if key in node), None)
    if setup:
        raise GameError(f"'{path}' sets stones up ({setup}): azx goes on from games that begin with the empty board.")
    rule = root.get("RU", [""])[0].lower()
    given = {"size": root.get("SZ", ["19" if name == "go" else "15"])[0]}
    given |= {"komi": root["KM"][0]} if name == "go" and root.get("KM") else {}
    given |= {"rule": rule} if name == "gomoku" and rule in ("renju", "freestyle") else {}
    settings = _read(path, by_name(name), given)
    moves = [_move(path, node, key, int(settings["size"]), name) for node in nodes for key in ("B", "W") if key in node]
    return Record(path, name, settings, moves, ignored)


def _move(path: Path, node: Properties, key: str, size: int, game: str) -> tuple[int, int]:
    """The player and the action of a node; `tt` is a pass as well, on boards that have no such point."""
    point, player = node[key][0].strip(), "BW".index(key)
    if game == "go" and (not point or (point == "tt" and size <= 19)):
        return player, size * size
    if len(point) != 2 or not all(0 <= ord(letter) - ord("a") < size for letter in point):
        raise GameError(f"'{path}': {key}[{point}] is no point of a board of size {size}: correct the record.")
    column, row = (ord(letter) - ord("a") for letter in point)
    return player, row * size + column


def _read(path: Path, game: Game, given: Mapping[str, str]) -> dict[str, Any]:
    """The settings as the game has them."""
    known = {setting.name: setting for setting in game.settings}
    try:
        game.begin(given)
    except GameError as error:
        raise GameError(f"'{path}': {error}") from error
    return {name: known[name].read(value) for name, value in given.items()}


def record_text(
    path: Path,
    game: Game,
    settings: Settings,
    states: Sequence[State],
    resigned: int | None,
    score: float | None = None,
) -> str:
    """The record of a game that went through `states`, in the format that the file's name asks for.

    `resigned` is the player who gave up, None where nobody did; `score` black's lead without the dead stones that were
    agreed on, None where none were. GameError for SGF of a game that azx does not write so.
    """
    settings = {setting.name: setting.default for setting in game.settings} | dict(settings)
    moves = [state.last_action for state in states[1:] if state.last_action is not None]
    if path.suffix.lower() != ".sgf":
        head = " ".join([game.name, *(f"{name}={value}" for name, value in settings.items())])
        return f"{head}: {' '.join(states[0].label(action) for action in moves)}".rstrip() + "\n"
    if game.name not in SGF_GAMES:
        raise GameError(f"'{path}': SGF is written of Go and Gomoku, give a file such as game.txt for a list of moves.")
    size = int(settings["size"])
    root = {"FF": "4", "CA": "UTF-8", "AP": "azx", "GM": SGF_GAMES[game.name], "SZ": str(size)}
    root |= {"KM": f"{settings['komi']:g}", "RU": "Tromp-Taylor"} if game.name == "go" else {}
    root |= {"RU": str(settings["rule"])} if game.name == "gomoku" else {}
    result = _result(states[-1], resigned, score)
    root |= {"RE": result} if result else {}
    nodes = [root, *({"BW"[ply % 2]: _point(action, size)} for ply, action in enumerate(moves))]
    return text_of(nodes)


def _point(action: int, size: int) -> str:
    """Column and row as letters from the top left; empty for a pass."""
    row, column = divmod(action, size)
    return "" if row == size else chr(ord("a") + column) + chr(ord("a") + row)


def _result(last: State, resigned: int | None, agreed: float | None) -> str:
    """SGF's RE: `B+2.5`, `W+R` for a resignation, 0 for a draw; empty while nothing is decided."""
    if resigned is not None:
        return f"{'WB'[resigned]}+R"
    if agreed is not None:
        return f"{'B' if agreed > 0 else 'W'}+{abs(agreed):g}" if agreed else "0"
    if not last.is_terminal:
        return ""
    returns, score = last.returns(), getattr(last, "score", None)
    points = f"{abs(score()):g}" if score else ""
    return f"{'B' if returns > 0 else 'W'}+{points}" if returns else "0"


def save_record(
    path: Path,
    game: Game,
    settings: Settings,
    states: Sequence[State],
    resigned: int | None,
    score: float | None = None,
) -> None:
    """Write `record_text`; GameError where the disk refuses it."""
    text = record_text(path, game, settings, states, resigned, score)
    try:
        path.write_text(text, encoding="utf8")
    except OSError as error:
        raise GameError(f"'{path}' cannot be written ({error.strerror or error}): choose another file.") from error

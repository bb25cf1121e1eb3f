"""Writes records: a line of moves, SGF, and the end of a link."""

from __future__ import annotations

from collections.abc import Sequence

from ..game import Game, Settings, Value
from ..state import State
from .record import SGF_GAMES, SWAPS
from .sgf import text_of

LONGEST_LINK = 4_000  # characters; some programs cut longer addresses


def line(game: Game, settings: Settings, states: Sequence[State]) -> str:
    """The game with all its settings and moves, and a line's end: `go size=9 komi=7.5: E5 pass`."""
    head = " ".join([game.name, *(f"{name}={_setting_text(value)}" for name, value in _all(game, settings).items())])
    return f"{head}: {' '.join(_names(states))}".rstrip() + "\n"


def link(bundle: str, game: Game, settings: Settings, states: Sequence[State]) -> str | None:
    """The end of a link, after its #: `go/moves=E5.pass&komi=6.5`; None if it would be too long for a link.

    Usual settings are left out, and so is the game if the bundle has its name. `bundle` is written unchanged: a page
    escapes all characters except letters, digits, - and _.
    """
    usual = {setting.name: setting.default for setting in game.settings}
    more = {name: value for name, value in _all(game, settings).items() if value != usual[name]}
    named = {"game": game.name} if bundle != game.name else {}
    parts = [f"{bundle}/moves={'.'.join(_names(states))}"]
    text = "&".join(parts + [f"{name}={_setting_text(value)}" for name, value in (named | more).items()])
    return text if len(text) <= LONGEST_LINK else None


def sgf(
    game: Game,
    settings: Settings,
    states: Sequence[State],
    resigned: int | None = None,
    names: tuple[str, str] = ("", ""),
    score: float | None = None,
    set_up: int = 0,
) -> str | None:
    """The game as SGF, with its result; None for a game that SGF lacks.

    `resigned` is the player who gave up, None if neither did. `names` are those of player 0 and player 1. `score` is
    black's lead without the dead stones, None if nothing was agreed. The first `set_up` moves placed stones before the
    game.
    """
    if game.name not in SGF_GAMES:
        return None
    settings = _all(game, settings)
    size = int(settings["size"])
    root = {"FF": "4", "CA": "UTF-8", "AP": "azx", "GM": SGF_GAMES[game.name], "SZ": str(size)}
    root |= {"KM": _setting_text(settings["komi"]), "RU": "Tromp-Taylor"} if "komi" in settings else {}
    root |= {"RU": str(settings["rule"])} if "rule" in settings else {}
    header = {"PB": names[0], "PW": names[1], "RE": _result(states[-1], resigned, score)}
    root |= {key: value for key, value in header.items() if value}
    points = _hex_points(states) if game.name == "hex" else [_point(action, size) for action in _actions(states)]
    nodes = [{"BW"[ply % 2]: [point]} for ply, point in enumerate(points)][set_up:]
    return text_of([{key: [value] for key, value in root.items()} | _standing(points[:set_up]), *nodes])


def _standing(points: Sequence[str]) -> dict[str, list[str]]:
    """AB, AW, PL and HA of the stones that stand before the first move."""
    black, white = ([point for point in side if point] for side in (points[::2], points[1::2]))
    handicap = [str(len(black))] if len(black) > 1 and not white else []
    properties = {"HA": handicap, "AB": black, "AW": white, "PL": ["BW"[len(points) % 2]] if points else []}
    return {key: values for key, values in properties.items() if values}


def _hex_points(states: Sequence[State]) -> list[str]:
    """Points by their usual names; the second player's first move on the first one's cell takes it over."""
    names = _names(states)
    return [SWAPS[0] if ply == 1 and name == names[0] else name for ply, name in enumerate(names)]


def _all(game: Game, settings: Settings) -> dict[str, Value]:
    return {setting.name: settings.get(setting.name, setting.default) for setting in game.settings}


def _setting_text(value: Value) -> str:
    """A setting's value as text; a whole number has no point."""
    return str(value).removesuffix(".0")


def _actions(states: Sequence[State]) -> list[int]:
    return [state.last_action for state in states[1:] if state.last_action is not None]


def _names(states: Sequence[State]) -> list[str]:
    return [states[0].label(action) for action in _actions(states)]


def _point(action: int, size: int) -> str:
    """Column and row as letters from the top left; empty for a pass."""
    row, column = divmod(action, size)
    return "" if row == size else chr(ord("a") + column) + chr(ord("a") + row)


def _result(last: State, resigned: int | None, agreed: float | None) -> str:
    """SGF's RE: `B+2.5`, `W+R` for a resignation, 0 for a draw; empty while the game is undecided."""
    if resigned is not None:
        return f"{'WB'[resigned]}+R"
    if agreed is not None:
        return f"{'B' if agreed > 0 else 'W'}+{_setting_text(abs(agreed))}" if agreed else "0"
    if not last.is_terminal:
        return ""
    returns, score = last.returns(), getattr(last, "score", None)
    points = _setting_text(abs(score())) if score else ""
    return f"{'B' if returns > 0 else 'W'}+{points}" if returns else "0"

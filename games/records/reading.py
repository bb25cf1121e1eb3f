"""Reads records: SGF, a line of moves, or a link that ends with them. Anyone may have written the texts.

    (;FF[4]GM[1]SZ[9]KM[7.5]PB[Ann]PW[Ben]RE[B+2.5];B[ee];W[])
    connect4: 3 3 2 4
    go/moves=E5.pass&komi=6.5

SGF is A. Hollosi's "SGF File Format FF[4]", https://www.red-bean.com/sgf/. With variations, only the main line
is read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ...errors import GameError, RecordError
from ..game import Game, Settings
from ..known.catalogue import GAMES
from .points import first_value, name_of
from .record import LARGEST, MOST_MOVES, SGF_GAMES, SWAPS, Move, Record
from .set_up import set_up
from .sgf import BLANKS, Properties, main_line

_LINK = re.compile(rf"(?:^|#)([^{BLANKS}#/]+)/moves=([^{BLANKS}#]*)")
# Numbers that every language reads alike and writes back unchanged.
_WHOLE, _DECIMAL = re.compile(r"[0-9]{1,4}"), re.compile(r"[+-]?[0-9]{1,4}(\.[0-9]{1,4})?")
# Characters: no more of an unknown name, or of another text, is quoted.
_LONGEST_NAME = 20
_LONGEST_TEXT = 80
# The board's size if SGF names none, for games in which that is not the usual size.
_DEFAULT_SIZES = {"go": 19, "hex": 11}
_SGF_NUMBERS = ", ".join(f"{number} ({GAMES[name].title})" for name, number in SGF_GAMES.items())
# The titles of SGF's games.
SGF_TITLES = tuple(GAMES[name].title for name in SGF_GAMES)


def read(text: str) -> Record:
    """The record in a text, with its moves by name; RecordError if it holds none."""
    if len(text.encode("utf8", "replace")) > LARGEST:
        raise RecordError("record_too_large", "this is too large for a record of a game: give one of up to 1 MB.")
    text = text.removeprefix("\ufeff").strip(BLANKS)
    if text.startswith("("):
        return _from_sgf(text)
    if match := _LINK.search(text):
        moves, *settings = match[2].split("&")
        return _record(match[1], settings, [name for name in moves.split(".") if name])
    head, colon, tail = text.partition(":")
    if not text or (colon and not head.strip(BLANKS)):
        raise _none()
    if not colon:
        return Record(None, {}, _moves([Move(name) for name in _words(text)]))
    name, *settings = _words(head)
    return _record(name, settings, _words(tail))


def _words(text: str) -> list[str]:
    return [word for word in re.split(f"[{BLANKS}]+", text) if word]


def _none() -> RecordError:
    return RecordError(
        "record_none", "this is no record of a game: give SGF, a link, or a line such as 'connect4: 3 3 2'."
    )


def _record(name: str, texts: Sequence[str], names: Sequence[str]) -> Record:
    """A record of moves by name. A link's `game=` names the game of a bundle that has another name."""
    if not all("=" in each for each in texts):
        raise _none()
    settings = {each.partition("=")[0]: each.partition("=")[2] for each in texts}
    game = settings.pop("game", name)
    if game not in GAMES:
        raise _none()
    return Record(game, _settings(GAMES[game], settings), _moves([Move(each) for each in names]))


def _moves(moves: Sequence[Move]) -> tuple[Move, ...]:
    if len(moves) > MOST_MOVES:
        raise RecordError("record_too_long", f"this has {len(moves)} moves: azx reads records of up to {MOST_MOVES}.")
    return tuple(Move(name[:_LONGEST_NAME], player) for name, player in moves)


def _settings(game: Game, texts: Mapping[str, str]) -> Settings:
    """The settings in the game's own types; RecordError if one is not possible."""
    known = {setting.name: setting for setting in game.settings}
    settings = {}
    for name, value in texts.items():
        number = isinstance(known[name].default, int | float) if name in known else False
        form = _WHOLE if number and known[name].choices else _DECIMAL
        if name not in known or (number and not form.fullmatch(value)):
            raise RecordError("record_settings", f"{game.title} has no {name} '{value}': azx games {game.name} lists.")
        try:
            settings[name] = known[name].read(value)
        except GameError as error:
            raise RecordError("record_settings", str(error)) from error
    return settings


def _from_sgf(text: str) -> Record:
    try:
        nodes, ignored = main_line(text)
    except ValueError as error:
        raise RecordError(
            "record_no_sgf", f"this is no SGF ({error}): save the game again where it was written."
        ) from error
    root = nodes[0]
    number = first_value(root, "GM") or "1"
    name = next((name for name, its in SGF_GAMES.items() if its == number), None)
    if name is None:
        raise RecordError(
            "record_other_game",
            f"this is SGF of game {number[:_LONGEST_NAME]}, azx plays {_SGF_NUMBERS} of its list.",
        )
    rule = first_value(root, "RU").lower()
    known = {setting.name: setting for setting in GAMES[name].settings}
    texts = {"size": first_value(root, "SZ") or str(_DEFAULT_SIZES.get(name, known["size"].default))}
    texts |= {"komi": first_value(root, "KM")} if "komi" in known and first_value(root, "KM") else {}
    texts |= {"rule": rule} if "rule" in known and rule in known["rule"].choices else {}
    texts |= {"rule": "swap"} if name == "hex" and _swaps(nodes) else {}
    settings = _settings(GAMES[name], texts)
    start = GAMES[name].begin(settings)
    played = [
        Move(name_of(start, first_value(node, key)), "BW".index(key)) for node in nodes for key in "BW" if key in node
    ]
    placed = set_up(name, start, nodes, played[0].player if played else None)
    moves = placed + played
    if name == "hex":
        # A player who takes the first stone over plays on its cell.
        moves = [Move(moves[0].name if move.name in SWAPS else move.name, move.player) for move in moves]
    names = (_shorten(root, "PB"), _shorten(root, "PW"))
    return Record(name, settings, _moves(moves), names, _shorten(root, "RE"), ignored, len(placed))


def _swaps(nodes: Sequence[Properties]) -> bool:
    return any(first_value(node, key) in SWAPS for node in nodes for key in "BW" if key in node)


def _shorten(node: Properties, key: str) -> str:
    """A property's value in one line, cut to a readable length."""
    return " ".join(_words(first_value(node, key)))[:_LONGEST_TEXT]

"""Finds the game that a network plays, from its shapes or its user's options."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import Any

from ...errors import GameError
from ..encoding import Encoding, encode
from ..encoding_data import from_data
from ..game import Convention, Game, Numbering, Reading
from ..state import State
from .catalogue import GAMES
from .hypotheses import hypotheses_of, named

Shapes = Sequence[tuple[int, ...]]
# An input with at most this many planes may be another game's.
PLANES_OF_MANY = 4
STACKED = ("channels_last", "channels_first")


def by_name(name: str) -> Game:
    """The game called `name`; GameError, with the known names and the nearest one, if there is none."""
    if name in GAMES:
        return GAMES[name]
    known = ", ".join(GAMES)
    nearest = difflib.get_close_matches(name.lower(), GAMES, n=1, cutoff=0.6)
    hint = f"did you mean {nearest[0]}? " if nearest else ""
    raise GameError(f"game '{name}' is unknown: {hint}azx knows {known}.")


def list_games(*names: str) -> tuple[Game, ...]:
    """The games that azx knows, or those of these names: settings, shapes and planes of their networks.

    GameError, with the nearest name, for an unknown one.
    """
    return tuple(by_name(name) for name in names) or tuple(GAMES.values())


def recognise(input_shapes: Shapes, policy_width: int | None, layout: str | None = None) -> Reading | None:
    """The only game with these input shapes (without the batch) and this policy width; None if there is none.

    `policy_width` None means that the network has no policy. Shapes that several games share, known here or not,
    identify none: `name_fits` lists the games that they would fit. `layout` is as for `read_as`, by default
    channels_last.
    """
    fits = (
        (game, shape)
        for game in GAMES.values()
        for shape in game.shapes
        if len(input_shapes) == 1 and (tuple(input_shapes[0]), policy_width) in shape.telling
    )
    game = next((game for game, _ in fits), None)
    return read_as(game, input_shapes, policy_width, layout or STACKED[0]) if game else None


def name_fits(input_shapes: Shapes, policy_width: int | None) -> str | None:
    """A clause with the games that the shapes fit without identifying one, and the option to choose; None if none fit.

    A network without a policy never fits, because any board of that size would. Details follow a semicolon.
    """
    games = [game for game in GAMES.values() if policy_width and _fits(game, input_shapes, policy_width)]
    others = [game for game in GAMES.values() if game not in games and _has_board(game, input_shapes, policy_width)]
    by_board = f"its board and its {policy_width} moves fit {_titles(others)}"
    if not games and policy_width and (unnumbered := _name_unnumbered(input_shapes, policy_width)):
        return unnumbered
    if not games:
        return f"{by_board}, but not its planes: say what they are with `azx describe`" if others else None
    named = " or ".join(f"--game {game.name}" for game in games)
    which = " if it is" if len(games) == 1 else ""
    fit = f"its shapes fit {_titles(games)} and other games: say {named}{which}"
    return f"{fit}; {by_board} too, with other planes: say what they are with `azx describe`" if others else fit


def _name_unnumbered(input_shapes: Shapes, width: int) -> str | None:
    """A clause on a network with a known game's own planes and a policy width that the game lacks; else None."""
    shape = tuple(input_shapes[0]) if len(input_shapes) == 1 else ()
    for game, board in [(one, each) for one in GAMES.values() for each in one.shapes]:
        own = [one.shape for one in board.encodings if len(one.planes) > PLANES_OF_MANY]
        if shape not in own or any(one.width == width for one in board.numberings):
            continue
        cells = prod(board.encodings[0].board)
        if game.name == "go" and width == cells:
            return f"its shapes are Go's without a pass, {width} moves, which azx cannot play: say --game none"
        if width <= cells:
            continue
        what = f"its board is like {game.title}'s, and its {width} numbers, perhaps an index into the legal moves"
        return f"{what}, azx cannot play: say --game none"
    return None


def has_moves(input_shapes: Shapes, policy_width: int) -> bool:
    """Whether `policy_width` is the number of moves of a known game, on a board of these inputs."""
    return any(
        _fits(game, input_shapes, policy_width) or _has_board(game, input_shapes, policy_width)
        for game in GAMES.values()
    )


def _titles(games: Sequence[Game]) -> str:
    return ", ".join(game.title for game in games)


def _has_board(game: Game, input_shapes: Shapes, width: int | None) -> bool:
    """Whether the input is a stack of planes of one of the game's boards, and the policy has that board's moves."""
    if len(input_shapes) != 1 or len(input_shapes[0]) != 3:
        return False
    boards = (tuple(input_shapes[0][1:]), tuple(input_shapes[0][:2]))
    known = (shape for shape in game.shapes if shape.encodings[0].board in boards)
    return any(numbering.width == width for shape in known for numbering in shape.numberings)


def candidates(input_shapes: Shapes, policy_width: int | None, layout: str | None = None) -> list[Reading]:
    """A reading for each game that the shapes fit and whose networks reveal their encoding by their moves.

    If `recognise` returns None, only the network's answers can show that it plays one of these.
    """
    readings = []
    for game in GAMES.values():
        fits = _fits(game, input_shapes, policy_width) if game.is_probed else []
        readings += [fit for fit in fits if fit.encoding.layout == layout][:1] or fits[:1]
    return readings


def read_as(game: Game, input_shapes: Shapes, policy_width: int | None, layout: str | None = None) -> Reading:
    """`game` as the network reads it; GameError if the shapes are not the game's, or fit two readings of it.

    `layout`, channels_first or channels_last as in the network's own layers, decides between two readings.
    """
    fits = _fits(game, input_shapes, policy_width)
    if len(fits) > 1:
        fits = [fit for fit in fits if fit.encoding.layout == layout] or fits
    if len(fits) == 1:
        return fits[0]
    if fits:
        layouts = " and ".join(fit.encoding.layout for fit in fits)
        raise GameError(f"its shapes fit {game.title} in two ways ({layouts}): say which with --encoding FILE.json.")
    reference = game.shapes[0]
    widths = " or ".join(str(numbering.width) for numbering in reference.numberings)
    shapes = " or ".join(str(encoding.shape) for encoding in reference.encodings)
    own = ", ".join(str(tuple(shape)) for shape in input_shapes)
    raise GameError(
        f"{game.title} networks take {shapes} and have {widths} policy outputs, but this one takes {own} and has "
        f"{policy_width or 'none'}: leave --game out, choose another game, or describe the input with --encoding."
    )


def ways(reading: Reading) -> dict[Convention, Reading]:
    """The ways in which networks of these shapes are known to write the board, the usual one first.

    Empty if only one is known, or the reading is not one of the catalogue's.
    """
    shape = next((shape for shape in reading.game.shapes if reading.encoding in shape.encodings), None)
    known = {
        way: replace(
            reading,
            encoding=way.encoding(reading.encoding),
            numbering=way.numbering(reading.numbering, reading.encoding.board) if reading.numbering else None,
        )
        for way in (shape.conventions if shape else ())
    }
    return known if len({read.encoding for read in known.values()}) > 1 else {}


def conventions(game: Game) -> tuple[Convention, ...]:
    """The ways in which the game's networks are known to write the board; empty if all write it alike."""
    return tuple(dict.fromkeys(way for shape in game.shapes for way in shape.conventions))


def is_way(name: str) -> bool:
    """Whether `name` may name a way in which networks of some game write the board, rather than a path."""
    return re.fullmatch(f"({'|'.join(GAMES)})-[a-z0-9-]+".replace("_", "[_-]"), name) is not None


def in_way(name: str, input_shapes: Shapes, policy_width: int | None) -> Reading:
    """The reading of these shapes by the convention or encoding `name`; GameError if it does not fit them."""
    game = next(game for game in GAMES.values() if name.startswith((game.name, game.name.replace("_", "-"))))
    hypothesis = named(game, name, input_shapes, policy_width)
    if hypothesis:
        return hypothesis.reading
    if len(input_shapes) == 1 and any(way.name == name for way in conventions(game)):
        known = ways(read_as(game, input_shapes, policy_width))
        reading = next((reading for way, reading in known.items() if way.name == name), None)
        if reading:
            return reading
    shapes = ", ".join(str(tuple(shape)) for shape in input_shapes)
    fitting = [one.name for one in hypotheses_of(game, input_shapes, policy_width)]
    instead = f"choose {fitting[0]} or another name that `azx games {game.name}` explains, or " if fitting else ""
    raise GameError(
        f"an input of shape {shapes} cannot be read as {name}: {instead}describe it with --encoding FILE.json."
    )


def _fits(game: Game, input_shapes: Shapes, width: int | None) -> list[Reading]:
    """Every reading of the game that these shapes and this policy width allow."""
    fits: list[Reading] = []
    for shape in game.shapes if len(input_shapes) == 1 else ():
        numbering = next((numbering for numbering in shape.numberings if numbering.width == width), None)
        if numbering is not None or width is None:
            fitting = [encoding for encoding in shape.encodings if encoding.shape == tuple(input_shapes[0])]
            fits += [Reading(game, encoding, numbering, shape.settings) for encoding in fitting]
    every = [one.reading for one in hypotheses_of(game, input_shapes, width)]
    if len({reading.encoding.board for reading in every}) != 1:
        return []
    known = [fit for fit in fits if fit.encoding.board == every[0].encoding.board]
    if known:
        return known
    # Of a vector's readings take the first. With equal numbers of rows, columns and planes two layouts fit.
    stacked = {reading.encoding.layout: reading for reading in reversed(every)}
    return [stacked[layout] for layout in STACKED if layout in stacked] or every[:1]


def from_description(data: Any, input_shapes: Shapes, policy_width: int | None) -> Reading:
    """The reading that `data` (JSON types) describes, checked against the network's shapes; GameError if it differs.

        {"game": "connect4", "layout": "sum", "board": [6, 7], "planes": ["signed"], "actions": "column"}

    `settings` (a board's size) and `actions` may be left out: `actions` is a numbering's name, or a
    list with the policy's index of each action.
    """
    if not isinstance(data, dict) or not isinstance(data.get("game"), str):
        raise GameError(f"'game' is missing, name one of {', '.join(GAMES)}.")
    reading = reading_from({"settings": {}, "actions": None, **data, "encoding": data}, policy_width)
    if not makes_inputs(reading.encoding, input_shapes):
        described, taken = (
            ", ".join(map(str, map(tuple, shapes))) for shapes in (reading.encoding.input_shapes, input_shapes)
        )
        raise GameError(f"it describes an input of shape {described}, but the network takes {taken}.")
    return reading


def makes_inputs(encoding: Encoding, input_shapes: Shapes) -> bool:
    """Whether the encoding makes a network's inputs: the board in its shape, and the size of a second one."""
    made = encoding.input_shapes
    if len(made) != len(input_shapes):
        return False
    board = -1 if encoding.beside and encoding.beside.first else 0
    sizes = [[prod(shape) for shape in shapes] for shapes in (made, input_shapes)]
    return made[board] == tuple(input_shapes[board]) and sizes[0] == sizes[1]


def reading_from(data: Mapping[str, Any], policy_width: int | None) -> Reading:
    """The reading that `data`, with the members of `Reading.as_data`, describes; GameError if one is wrong."""
    game = by_name(data["game"])
    encoding = from_data(data["encoding"])
    settings = dict(data.get("settings") or {})
    state = game.begin(settings)
    if settings == {} and game.settings:
        settings = next((dict(s.settings) for s in game.shapes if s.encodings[0].board == encoding.board), {})
        state = game.begin(settings)
    encode(state, encoding)  # refuses a plane that the game does not draw on this board
    return Reading(game, encoding, _numbering(game, data.get("actions"), policy_width, state), settings)


def _numbering(game: Game, actions: Any, width: int | None, state: State) -> Numbering | None:
    """The numbering of this name, or a listed one, or the only one of this width on the state's board."""
    if width is None:
        return None
    count, shapes = state.actions, [shape for shape in game.shapes if shape.encodings[0].board == state.board]
    known = [numbering for shape in shapes for numbering in shape.numberings if numbering.width == width]
    if isinstance(actions, list):
        if len(actions) != count or not all(type(index) is int and 0 <= index < width for index in actions):
            raise GameError(f"'actions' must list {count} indices from 0 to {width - 1}, one for each action.")
        indices = tuple(actions)
        return Numbering("listed", width, indices.__getitem__, indices)
    match = next((numbering for numbering in known if actions in (None, numbering.name)), None)
    if match:
        return match
    names = ", ".join(dict.fromkeys(numbering.name for shape in game.shapes for numbering in shape.numberings))
    raise GameError(
        f"the policy's {width} outputs do not number {game.title}'s actions by '{actions or 'a known way'}': "
        f'use {names}, or a list with an index for each of the {count} actions, as "actions".'
    )

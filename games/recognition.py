"""How a network's shapes, or what its user says of them, tell which game it plays."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import GameError
from .catalogue import GAMES
from .encoding import encode, from_data
from .game import Game, Numbering, Reading

Shapes = Sequence[tuple[int, ...]]


def by_name(name: str) -> Game:
    """The game called `name`; GameError, with the known names and the nearest, where there is none."""
    if name in GAMES:
        return GAMES[name]
    known = ", ".join(GAMES)
    nearest = difflib.get_close_matches(name.lower(), GAMES, n=1, cutoff=0.5)
    hint = f"did you mean {nearest[0]}? " if nearest else ""
    raise GameError(f"game '{name}' is unknown: {hint}azx knows {known}.")


def recognise(input_shapes: Shapes, policy_width: int | None) -> Reading | None:
    """The game whose network has these input shapes (without the batch) and policy width; None where none fits.

    `policy_width` None means that the network has no policy. GameError where the shapes fit two
    readings: nothing is guessed.
    """
    return _only([fit for game in GAMES.values() for fit in _fits(game, input_shapes, policy_width)])


def read_as(game: Game, input_shapes: Shapes, policy_width: int | None) -> Reading:
    """`game` as the network reads it; GameError where the shapes are not the game's, or fit two readings of it."""
    fit = _only(_fits(game, input_shapes, policy_width))
    if fit:
        return fit
    reference = game.shapes[0]
    widths = " or ".join(str(numbering.width) for numbering in reference.numberings)
    shapes = " or ".join(str(encoding.shape) for encoding in reference.encodings)
    found = ", ".join(str(tuple(shape)) for shape in input_shapes)
    raise GameError(
        f"{game.title} networks take {shapes} and have {widths} policy outputs, but this one takes {found} and has "
        f"{policy_width or 'none'}: leave --game away, choose another game, or describe the input with --encoding."
    )


def _fits(game: Game, input_shapes: Shapes, width: int | None) -> list[Reading]:
    """Every way to read the game that these shapes and this policy width allow."""
    fits: list[Reading] = []
    for shape in game.shapes if len(input_shapes) == 1 else ():
        numbering = next((numbering for numbering in shape.numberings if numbering.width == width), None)
        if numbering is not None or width is None:
            fitting = [encoding for encoding in shape.encodings if encoding.shape == tuple(input_shapes[0])]
            fits += [Reading(game, encoding, numbering, shape.settings) for encoding in fitting]
    return fits


def _only(fits: Sequence[Reading]) -> Reading | None:
    if len(fits) < 2:
        return fits[0] if fits else None
    games = dict.fromkeys(fit.game.title for fit in fits)
    if len(games) > 1:
        names = ", ".join(dict.fromkeys(fit.game.name for fit in fits))
        raise GameError(f"its shapes fit {' and '.join(games)}: say which with --game ({names}, or none).")
    layouts = " and ".join(fit.encoding.layout for fit in fits)
    raise GameError(
        f"its shapes fit {fits[0].game.title} in two ways ({layouts}): say which with --encoding FILE.json."
    )


def from_description(data: Any, input_shapes: Shapes, policy_width: int | None) -> Reading:
    """The reading that `data` (JSON types) describes, held to the network's shapes; GameError where it does not fit.

        {"game": "connect4", "layout": "sum", "board": [6, 7], "planes": ["signed"], "actions": "column"}

    `settings` (a board's size) and `actions` may be left out: `actions` is a numbering's name, or a
    list with the policy's index of each action.
    """
    if not isinstance(data, dict) or not isinstance(data.get("game"), str):
        raise GameError(f"'game' is missing, name one of {', '.join(GAMES)}.")
    reading = from_manifest({"settings": {}, "actions": None, **data, "encoding": data}, policy_width)
    found = [tuple(shape) for shape in input_shapes]
    if found != [reading.encoding.shape]:
        taken = ", ".join(map(str, found))
        raise GameError(f"it describes an input of shape {reading.encoding.shape}, but the network takes {taken}.")
    return reading


def from_manifest(manifest: Mapping[str, Any], policy_width: int | None) -> Reading:
    """The reading that a manifest records; GameError where it is no sound one."""
    game = by_name(manifest["game"])
    encoding = from_data(manifest["encoding"])
    settings = dict(manifest.get("settings") or {})
    state = game.begin(settings)
    if settings == {} and game.settings:
        settings = next((dict(s.settings) for s in game.shapes if s.encodings[0].board == encoding.board), {})
        state = game.begin(settings)
    encode(state, encoding)  # refuses a plane that the game does not draw on this board
    return Reading(game, encoding, _numbering(game, manifest.get("actions"), policy_width, state.actions), settings)


def _numbering(game: Game, actions: Any, width: int | None, count: int) -> Numbering | None:
    """The numbering called so, or a listed one, or the only one of this width."""
    if width is None:
        return None
    known = [numbering for shape in game.shapes for numbering in shape.numberings if numbering.width == width]
    if isinstance(actions, list):
        if len(actions) != count or not all(type(index) is int and 0 <= index < width for index in actions):
            raise GameError(f"'actions' must list {count} indices from 0 to {width - 1}, one for each action.")
        indices = tuple(actions)
        return Numbering("listed", width, indices.__getitem__, indices)
    found = next((numbering for numbering in known if actions in (None, numbering.name)), None)
    if found:
        return found
    names = ", ".join(dict.fromkeys(numbering.name for shape in game.shapes for numbering in shape.numberings))
    raise GameError(
        f"the policy's {width} outputs do not number {game.title}'s actions by '{actions or 'a known way'}': "
        f'use {names}, or a list with an index for each of the {count} actions, as "actions".'
    )

"""Varied openings of a match: random legal plies, drawn from a seed, distinct positions while the game has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import GameError
from ..games.random_play import below, generator, random_action
from ..games.state import State, play_line
from .games import Line

Plies = tuple[int, int]
# Draws in a row without a new position after which the game counts as having no more.
PATIENCE = 1_000


@dataclass(frozen=True)
class Openings:
    """`lines` are the actions of each opening; after the first `distinct` ones they repeat from the start."""

    lines: tuple[Line, ...]
    distinct: int


def read_plies(text: str) -> Plies:
    """(LO, HI) from "LO-HI" or "N"; GameError if the text is neither."""
    low, dash, high = text.partition("-")
    if not low.isdecimal() or not (high if dash else low).isdecimal():
        raise GameError(f"opening plies '{text}' are no number and no range: give one such as 4 or 2-6.")
    plies = int(low), int(high if dash else low)
    if plies[0] > plies[1]:
        raise GameError(f"opening plies '{text}' end before they begin: give the smaller number first.")
    return plies


def openings(start: State, count: int, plies: Plies, seed: int = 0, apart_from: Sequence[Line] = ()) -> Openings:
    """`count` openings of `plies[0]` to `plies[1]` random legal plies from `start`, none of which ends the game.

    Two openings that reach the same board with the same player to move count as the same. Where the
    game has too few, those found are used again in their order. None is the same as one of `apart_from`. GameError if
    none was found.
    """
    rng = generator(seed)
    found: dict[tuple[int, str], Line] = {}
    taken = {_position(play_line(start, line)) for line in apart_from}
    missed = 0
    while len(found) < count and missed < PATIENCE:
        drawn = _draw_opening(start, plies[0] + below(rng, plies[1] + 1 - plies[0]), rng)
        before = len(found)
        if drawn is not None and _position(drawn[0]) not in taken:
            found.setdefault(_position(drawn[0]), drawn[1])
        missed = 0 if len(found) > before else missed + 1
    if not found and apart_from:
        raise GameError(
            f"Beyond the openings that were played already the game has none of {plies[0]} to {plies[1]} random plies: "
            "give longer --opening-plies, or fewer --games."
        )
    if not found:
        raise GameError(f"{plies[0]} random plies always end this game: choose shorter openings.")
    lines = list(found.values())
    return Openings(tuple(lines[number % len(lines)] for number in range(count)), len(lines))


def _position(state: State) -> tuple[int, str]:
    """By which two openings count as the same."""
    return state.to_move, state.board_text()


def _draw_opening(start: State, plies: int, rng: np.random.Generator) -> tuple[State, Line] | None:
    """A position after `plies` random plies and its actions; None if the game ends before."""
    state, actions = start, []
    for _ in range(plies):
        if state.is_terminal:
            return None
        actions.append(random_action(state, rng))
        state = state.apply(actions[-1])
    return None if state.is_terminal else (state, tuple(actions))

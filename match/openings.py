"""Varied openings of a match: random legal plies, drawn from a seed, with distinct positions as far as possible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import GameError
from ..games.random_play import below, generator, random_action
from ..games.state import State, play_line
from .games import Line

Plies = tuple[int, int]
# After this number of draws without a new position the game counts as having no more.
PATIENCE = 1_000


@dataclass(frozen=True)
class Openings:
    """`lines` are the actions of each opening; the first `distinct` ones differ, then they repeat from the start."""

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
    """`count` openings of `plies[0]` to `plies[1]` random legal plies from `start`; none of them ends the game.

    Two openings that reach the same board with the same player to move count as the same. If the game has too few,
    the openings repeat in their order. None of them equals one of `apart_from`. GameError if no opening could be
    drawn.
    """
    rng = generator(seed)
    by_position: dict[tuple[int, str], Line] = {}
    taken = {_position(play_line(start, line)) for line in apart_from}
    missed = 0
    while len(by_position) < count and missed < PATIENCE:
        opening = _draw_opening(start, plies[0] + below(rng, plies[1] + 1 - plies[0]), rng)
        before = len(by_position)
        if opening is not None and _position(opening[0]) not in taken:
            by_position.setdefault(_position(opening[0]), opening[1])
        missed = 0 if len(by_position) > before else missed + 1
    if not by_position and apart_from:
        raise GameError(
            f"Beyond the openings that were played already the game has none of {plies[0]} to {plies[1]} random plies: "
            "give longer --opening-plies, or fewer --games."
        )
    if not by_position:
        raise GameError(f"{plies[0]} random plies always end this game: choose shorter openings.")
    lines = list(by_position.values())
    return Openings(tuple(lines[number % len(lines)] for number in range(count)), len(lines))


def _position(state: State) -> tuple[int, str]:
    """The board and the player to move: openings with equal ones count as the same."""
    return state.to_move, state.board_text()


def _draw_opening(start: State, plies: int, rng: np.random.Generator) -> tuple[State, Line] | None:
    """A position after `plies` random plies, and its actions; None if the game ends earlier."""
    state, actions = start, []
    for _ in range(plies):
        if state.is_terminal:
            return None
        actions.append(random_action(state, rng))
        state = state.apply(actions[-1])
    return None if state.is_terminal else (state, tuple(actions))

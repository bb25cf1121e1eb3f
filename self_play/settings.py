"""The settings for training each game from nothing, in one table."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from ..errors import GameError
from ..games.game import Game
from ..games.search_settings import is_within

TINY, LARGEST = math.ulp(0.0), sys.float_info.max
# The least and the largest value of each number of a recipe.
LIMITS: Mapping[str, tuple[float, float]] = {
    **dict.fromkeys(("games", "simulations", "considered", "batch"), (1, math.inf)),
    **dict.fromkeys(("opening", "noisy"), (0, math.inf)),
    **dict.fromkeys(("epochs", "rate"), (TINY, LARGEST)),
    "searched": (0.0, 1.0),
}
# More plies than any game has.
ALWAYS = 1 << 20
# The learning rate (Adam) of a network with batch normalisation, and of one without. In two processor minutes on the
# games of one window, towers of Reversi 6x6 came to a cross-entropy of 0.977, 0.949, 0.928 and 0.956 nats on other
# games by rates of 0.002, 0.005, 0.01 and 0.02; dense layers of Dots and Boxes to 0.943 and 0.939 by the first two.
NORMALISED_RATE, RATE = 1e-2, 2e-3


@dataclass(frozen=True)
class Recipe:
    """The settings of each generation.

    `net` is a tower "BLOCKSxFILTERS", one that scores each cell alike, "cells:BLOCKSxFILTERS", or "dense:LAYERSxUNITS";
    with "counting:" in place of "dense:" it also sees whether the number of drawn edges is odd.
    A generation plays `games`; each search makes `simulations` among at most `considered` moves. A game begins with up
    to `opening` random plies, and until its ply `noisy` the searches have all of their noise. The value learns the
    result and, with the share `searched`, what the search thought. The learner makes `epochs` passes, each over as many
    positions as were played, drawn from the replay window. Its steps have `batch` positions. The rate is `rate` for
    half of the time, then falls to a tenth.
    """

    net: str
    games: int = 200
    simulations: int = 32
    considered: int = 16
    opening: int = 6
    noisy: int = ALWAYS
    searched: float = 0.25
    epochs: float = 6.0
    batch: int = 256
    rate: float = RATE

    def as_data(self) -> dict[str, Any]:
        """The recipe as JSON types."""
        return asdict(self)

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> Recipe:
        """The recipe that `as_data` wrote; TypeError or ValueError if it is none."""
        recipe = Recipe(**data)
        wrong = [name for name, limits in LIMITS.items() if not is_within(getattr(recipe, name), *limits)]
        if wrong or not isinstance(recipe.net, str):
            raise ValueError(f"the recipe's {next(iter(wrong), 'net')} is none.")
        return recipe


# How the recipes were chosen, by a rate of 0.002. Minutes are of processor time.
# Tic-tac-toe: random openings, and 24 simulations instead of 16, made a trial run perfect.
# Connect4: three changes together raised the share of 2,000 solved positions kept after 3.7 minutes from 75.5 % to
# 80.5 %. They are openings of up to 14 random plies instead of 6, 6 epochs instead of 4, and averaged weights
# (learning/averaged.py).
# Dots and Boxes: the planes have the horizontal edges above the vertical ones, so a convolution sees no box. 4x32
# stayed at 94 % of the solved positions from minute 3 to 8; dense layers were better after one minute. Their steps are
# cheap. 12 epochs gave 49 of 1,000 positions away after 0.36 minutes, 6 epochs gave 82 after 0.39; after 1.25 minutes
# both gave 29. Told whether the number of edges is odd (learning/counting.py), three seeds gave 18 to 34 of 2,000 away
# after 20 minutes, dense layers alone 42 to 50.
# Hex: 6 and 12 epochs were alike.
# Gomoku 9x9: a policy that scores all cells by the same weights won 77 of 100 games against one with a dense layer,
# after 6.5 minutes of training each. The value explained a sixth of the results' variance, since a result has the luck
# of all its moves. So half of its target is the search's value: after 10 minutes the policy alone scored 20.9 %
# against the one-ply player of training/gomoku, with a quarter 11.1 %. With a quarter and less noise after ply 8 it
# scored 17.6 %, with less noise and lambda-returns of 0.8 (Sutton 1988) 23.4 %, and with positions weighted by their
# surprise, as in KataGo, 8.8 %. Each is of seed 0 and 400 games.
# Reversi 6x6: the policy lags behind the searches, whose first choice it shares in 65 % of the positions, of its own
# games and of others alike. So it makes 12 epochs: after 15 minutes the policy alone scored 43.5 % of 400 games against
# alpha-beta of depth 4, with 6 epochs 39.1 %. With 6, and 96 simulations for a quarter of the searches, 16 without
# noise for the others (KataGo's playout cap), it scored 34.9 %. Networks of 6x64, cells:4x32 and 4x32, fitted to the
# same games, scored 43.1 %, 44.5 % and 43.8 %.
# The rate is not theirs but the network's, see `recipe_for`.
RECIPES: Mapping[str, Recipe] = {
    "tictactoe": Recipe("dense:2x96", games=300, simulations=24, considered=9, epochs=4.0, batch=128),
    "connect4": Recipe("4x32", considered=7, opening=14),
    "dots_and_boxes": Recipe("counting:4x256", opening=16, epochs=12.0),
    "gomoku": Recipe("cells:4x32", noisy=8, searched=0.5),
    "go": Recipe("4x32"),
    "reversi": Recipe("4x32", opening=10, noisy=16, searched=0.5, epochs=12.0),
    "hex": Recipe("4x32", opening=12, epochs=12.0),
}
# This share of games continues after a proven result, else the network never sees decided positions.
TO_THE_END = 0.25
# Of Gumbel's noise, this share remains after the noisy plies of a game.
QUIET = 0.3
# Games played side by side; they share the network's batches.
SIDE_BY_SIDE = 256


def recipe_for(game: Game, **chosen: Any) -> Recipe:
    """The game's recipe with the values in `chosen`; None keeps the recipe's value, for the rate that of the `net`.

    GameError if the game has no recipe.
    """
    if game.name not in RECIPES:
        raise GameError(f"{game.title} has no recipe for training: give one in self_play/settings.py.")
    own, named = RECIPES[game.name], {name: value for name, value in chosen.items() if value is not None}
    usual = RATE if named.get("net", own.net).startswith(("dense:", "counting:")) else NORMALISED_RATE
    return replace(own, **{"rate": usual, **named})

"""Pairs of games between two networks with equal searches; each opening is played by both sides."""

from __future__ import annotations

from dataclasses import dataclass

from ..games.evaluator import Evaluator
from ..games.game import Game
from ..games.search_settings import Gumbel, SearchSettings
from ..games.state import State
from .games import LARGEST_BLOCK, Block, Line, Rules, play_block
from .openings import openings


@dataclass(frozen=True)
class Pairs:
    """Pairs of games from `start` on: two of each of the `lines`, by searches of `simulations` simulations."""

    start: State
    lines: tuple[Line, ...]
    simulations: int


def draw_pairs(start: State, game: Game, games: int, simulations: int, seed: int) -> Pairs:
    """The pairs that make up this number of games, from random openings."""
    return Pairs(start, tuple(openings(start, max(1, games // 2), game.plies, seed).lines), simulations)


def play_pairs(pairs: Pairs, new: Evaluator, best: Evaluator) -> list[float]:
    """The share of the points that `new` made in each pair, in their order; without noise and without proofs."""
    rules = Rules(pairs.simulations, search=SearchSettings(Gumbel()))
    scores = [0.0] * len(pairs.lines)
    for at in range(0, len(pairs.lines), LARGEST_BLOCK * 4):
        block = Block((0, 1), tuple(enumerate(pairs.lines[at : at + LARGEST_BLOCK * 4], at)))
        for record in play_block(pairs.start, (new, best), block, rules):
            scores[record.opening] += record.score(0) / 2
    return scores

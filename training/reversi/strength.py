"""How strong a Reversi network is: games against three players, and ends of games against their exact solution."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from ...games.evaluator import Evaluator
from ...games.random_play import below, generator, random_action
from ...games.rules.reversi import Reversi, start
from ...games.rules.reversi_kind import SHAPES
from ...games.state import State
from ..strength import Game, moves, row, score_against
from .alpha_beta import solve
from .players import AlphaBeta, Corners, OnePly

GAMES, SEED, SIMULATIONS = 200, 78, 100
OPENING_PLIES = (4, 6, 8)
ENDS, EMPTY = 400, 12
PLAYERS: tuple[tuple[str, Callable[[int], OnePly]], ...] = (
    ("the one-ply player", OnePly),
    ("corners and mobility", Corners),
    ("alpha-beta of depth 4", AlphaBeta),
)


def draw_opening(seed: int, size: int) -> Reversi:
    """A few random plies; each opening is played by both sides."""
    rng, state = generator(SEED * 10_000 + seed), start(size)
    for _ in range(OPENING_PLIES[below(rng, len(OPENING_PLIES))]):
        state = state.apply(random_action(state, rng))
    return state


def draw_ends(count: int, size: int, empty: int = EMPTY) -> list[Reversi]:
    """Positions of random games with `empty` empty cells, in which the choice of the move matters."""
    rng, ends = generator(SEED), list[Reversi]()
    while len(ends) < count:
        state = start(size)
        while not state.is_terminal and size**2 - sum(state.scores) > empty:
            state = state.apply(random_action(state, rng))
        if size**2 - sum(state.scores) == empty and len(state.legal_actions()) > 1:
            ends.append(state)
    return ends


def values_of_moves(state: Reversi) -> dict[int, int]:
    """For each legal move, the discs by which its player wins if both play perfectly afterwards."""
    return {action: -solve(state.apply(action)) for action in state.legal_actions()}


def strength(evaluator: Evaluator, scale: float = 1.0, size: int = SHAPES.size) -> Iterator[str]:
    """The table's lines; `scale` below 1 plays fewer games."""
    for name, player in PLAYERS:

        def begin(at: int, stack: object, player: Callable[[int], OnePly] = player) -> Game:
            return Game(draw_opening(at // 2, size), at % 2, player(at))

        yield from score_against(name, int(GAMES * scale), evaluator, SIMULATIONS, begin)
    yield from _ends(evaluator, int(ENDS * scale), size)


def _ends(evaluator: Evaluator, count: int, size: int) -> Iterator[str]:
    ends = draw_ends(count, size)
    values = [values_of_moves(state) for state in ends]
    open_ends: Sequence[State] = ends
    for each in (0, SIMULATIONS):
        played = moves(open_ends, evaluator, each)
        how = f"{EMPTY} empty cells, {f'{each} simulations' if each else 'policy alone'}"
        pairs = list(zip(values, played, strict=True))
        yield from row(f"best move, {how}", np.array([known[move] == max(known.values()) for known, move in pairs]))
        keeps = [np.sign(known[move]) == np.sign(max(known.values())) for known, move in pairs]
        yield from row(f"result kept, {how}", np.array(keeps))

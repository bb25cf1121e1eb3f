"""Positions with exact answers, for games that are small enough, to count how often the policy keeps the value.

A move keeps the value when a win stays a win and a draw a draw. In lost positions every move does.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..games.evaluator import Evaluator
from ..games.random_play import generator, positions_of_a_game
from ..games.rules.connect4 import Connect4
from ..games.rules.dots_and_boxes import DotsAndBoxes
from ..games.rules.hex import SWAP, Hex
from ..games.rules.reversi import Reversi
from ..games.rules.reversi_end import solve_end
from ..games.state import State

# Enough to show progress, and solved in some seconds, once per command.
POSITIONS, MORE_POSITIONS, SEED = 200, 1_000, 77
# Most cells of a Hex board, and most empty cells of Reversi; more take too long.
MOST_OPEN, MOST_EMPTY = 19, 8
# Most games drawn per position: a small board has few positions.
GAMES_EACH = 20
NORMAL_95 = 1.959964
# Returns the actions of a position that keep its value; None if unknown.
Keeping = Callable[[State], frozenset[int] | None]


@dataclass(frozen=True)
class KeptShare:
    """The percentage of `positions` solved positions whose value is kept, with its 95 % interval."""

    percent: float
    low: float
    high: float
    positions: int


class SolvedPositions:
    """Positions of random games, each with the actions that keep its value."""

    def __init__(self, states: Sequence[State], keeping: Sequence[frozenset[int]]) -> None:
        self._states, self._keeping = states, keeping

    def __len__(self) -> int:
        return len(self._states)

    def hits(self, network: Evaluator) -> int:
        """The number of positions in which the network's first choice keeps the value, without any search."""
        answers = network.evaluate(self._states)
        choices = (answer.best(state.legal_actions()) for state, answer in zip(self._states, answers, strict=True))
        return sum(choice in keeping for choice, keeping in zip(choices, self._keeping, strict=True))

    def measure(self, network: Evaluator) -> KeptShare:
        """The hits as a share of all positions, with its interval."""
        hits, count = self.hits(network), len(self)
        low, high = _wilson(hits, count)
        return KeptShare(round(100 * hits / count, 1), round(100 * low, 1), round(100 * high, 1), count)


_SOLVED: dict[State, SolvedPositions | None] = {}


def solved_positions(start: State) -> SolvedPositions | None:
    """The positions to judge a network of this game on; None if no solver here knows the board."""
    if start not in _SOLVED:
        keeping, count = _solver_of(start), MORE_POSITIONS if is_solved(start) else POSITIONS
        _SOLVED[start] = None if keeping is None else _draw(start, keeping, count)
    return _SOLVED[start]


def is_solved(start: State) -> bool:
    """Whether azx itself can solve positions from every stage of the game."""
    if isinstance(start, DotsAndBoxes):
        from .solvers.dots_and_boxes import SOLVED

        return start.size in SOLVED
    if isinstance(start, Hex):
        from .solvers.hex import LARGEST

        return start.size <= LARGEST and start.kind.rule != SWAP
    return False


def _solver_of(start: State) -> Keeping | None:
    if isinstance(start, Connect4):
        return _connect4(start)
    if isinstance(start, Reversi):
        return _reversi
    if not is_solved(start):
        return None
    if isinstance(start, DotsAndBoxes):
        from .solvers.dots_and_boxes import keeps_result, solve

        table = solve(start.size)
        return lambda state: frozenset(keeps_result(table, state))  # type: ignore[arg-type]
    from .solvers.hex import HexSolver

    solver = HexSolver(start)  # type: ignore[arg-type]
    return lambda state: solver.keeping(state) if len(state.legal_actions()) <= MOST_OPEN else None  # type: ignore[arg-type]


def _connect4(start: Connect4) -> Keeping | None:
    if start != Connect4():
        return None
    from .solvers.connect4 import Connect4Solver

    try:
        return Connect4Solver().keeping  # type: ignore[return-value]
    except ImportError:
        return None


def _reversi(state: State) -> frozenset[int] | None:
    """By the end of the game; None with more than `MOST_EMPTY` empty cells."""
    assert isinstance(state, Reversi)  # noqa: S101
    if state.size**2 - sum(state.scores) > MOST_EMPTY:
        return None
    value = _sign(_margin(state))
    return frozenset(action for action in state.legal_actions() if _sign(-_margin(state.apply(action))) == value)


def _margin(state: Reversi) -> int:
    solved = solve_end(state)
    assert solved is not None  # noqa: S101
    return solved.margin


def _draw(start: State, keeping: Keeping, count: int) -> SolvedPositions:
    """Distinct positions of random games in which some move loses value."""
    rng, moves_by_state = generator(SEED), dict[State, frozenset[int]]()
    for _ in range(GAMES_EACH * count):
        (state,) = positions_of_a_game(start, rng, 1)
        if state not in moves_by_state and len(state.legal_actions()) > 1:
            good = keeping(state)
            if good is not None:
                moves_by_state[state] = good
        if len(moves_by_state) == count:
            break
    return SolvedPositions(list(moves_by_state), list(moves_by_state.values()))


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _wilson(hits: int, count: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson, "Probable Inference", 1927)."""
    square = NORMAL_95**2
    middle, share = (hits + square / 2) / (count + square), hits / count
    half = NORMAL_95 / (count + square) * math.sqrt(count * share * (1 - share) + square / 4)
    return middle - half, middle + half

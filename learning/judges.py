"""Judges a network: by exact answers if the game has them, else by a contest with the best network.

Proofs by the rules do not count: a judge asks the policy alone, or both sides search alike.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ..games.evaluator import Evaluator
from ..games.rules.tictactoe import TicTacToe
from ..games.state import State
from ..match.rating.elo import elo_interval, score_interval
from .solved import SolvedPositions, is_solved, solved_positions


@dataclass(frozen=True)
class Contest:
    """The new network's `points` of `games`, the Elo difference and the ends of its 95 % interval."""

    points: float
    games: int
    elo: float
    low: float
    high: float


def contest_of(scores: Sequence[float]) -> Contest:
    """The contest with these shares of all pairs."""
    score = score_interval(scores)
    interval = elo_interval(score)
    return Contest(2 * sum(scores), 2 * len(scores), interval.value, interval.low, interval.high)


class EveryLine:
    """Tic-tac-toe: counts the lines of play in which the policy alone loses, as either player."""

    about = "lines of play lost by the policy alone"

    def chance(self, figure: float) -> float:
        """0: no line of play is left out."""
        return 0.0

    def measure(self, network: Evaluator, start: State) -> float:
        """The number of lost lines of play, both sides together; 0 is perfect."""
        return float(sum(self._lost(network, start, player) for player in (0, 1)))

    def _lost(self, network: Evaluator, start: State, player: int) -> int:
        lost, layer = 0, [start]
        while layer:
            layer = [state for state in layer if not state.is_terminal]
            mine = [state for state in layer if state.to_move == player]
            moves = _choices(network, mine)
            following: list[State] = [state.apply(moves[state]) for state in mine]
            for state in layer:
                if state.to_move != player:
                    following += [state.apply(action) for action in state.legal_actions()]
            lost += sum(state.is_terminal and state.returns() * (1 - 2 * player) < 0 for state in following)
            layer = following
        return lost


def _choices(network: Evaluator, states: Sequence[State]) -> dict[State, int]:
    """The network's first choice in each of the states."""
    distinct = list(dict.fromkeys(states))
    answers = network.evaluate(distinct) if distinct else []
    return {state: answer.best(state.legal_actions()) for state, answer in zip(distinct, answers, strict=True)}


class LostValues:
    """A solved game: counts the positions in which the policy alone gives a win or a draw away."""

    def __init__(self, solved: SolvedPositions) -> None:
        self._solved = solved
        self.about = f"of {len(solved)} solved positions given away by the policy alone"

    def chance(self, figure: float) -> float:
        """The standard error of the count, since other positions would have been as good (Poisson)."""
        return math.sqrt(figure)

    def measure(self, network: Evaluator, start: State) -> float:
        """The number of such positions; 0 is perfect."""
        return float(len(self._solved) - self._solved.hits(network))


class Judge(Protocol):
    """Measures a network's strength as one figure: lower is better, 0 is perfect; `about` says what it counts."""

    about: str

    def chance(self, figure: float) -> float:
        """How much larger than `figure` another one may be by chance alone."""

    def measure(self, network: Evaluator, start: State) -> float:
        """The figure of a network that plays from `start` on."""


def exact_judge(start: State) -> Judge | None:
    """The exact judge for the game on this board; None if azx has none."""
    if isinstance(start, TicTacToe):
        return EveryLine()
    solved = solved_positions(start) if is_solved(start) else None
    return LostValues(solved) if solved else None

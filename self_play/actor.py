"""Self-play: games of a network against itself, side by side, so that their searches share the network's batches.

A Gumbel root with noise chooses each move, and the next network learns the improved policy (Danihelka et al., "Policy
improvement by planning with Gumbel", ICLR 2022). A game ends when the rules prove its result, except for a share of the
games.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..games.evaluator import Evaluator
from ..games.random_play import below, generator, random_action
from ..games.search import Search, run_together
from ..games.search.gumbel import Noise
from ..games.search_settings import Gumbel, SearchSettings
from ..games.state import State
from .played import PlayedGame
from .settings import QUIET, SIDE_BY_SIDE, TO_THE_END, Recipe


@dataclass(frozen=True)
class Task:
    """Games to play: `count` games by a recipe, with seeds from `seed` on, from the first state of the run's game."""

    start: State
    recipe: Recipe
    seed: int
    count: int


class _Game:
    """A game under way."""

    def __init__(self, task: Task, number: int, evaluator: Evaluator) -> None:
        rng = generator(task.seed * 1_000_003 + number)
        state, self._moves = _open(task, rng)
        self._opening, self._goes_on = len(self._moves), rng.random() < TO_THE_END
        self._noise, self._noisy = Noise(rng), task.recipe.noisy
        self._policies: list[NDArray[np.float32]] = []
        self._values: list[float] = []
        self._proven: tuple[int, float] | None = None
        settings = SearchSettings(Gumbel(task.recipe.considered))
        self.search = Search(state, evaluator, proves=True, settings=settings, noise=self._noise)

    def move(self) -> bool:
        """Record the search's result and play its move; returns whether the game continues."""
        search, state = self.search, self.search.state
        policy = np.zeros(state.actions, np.float32)
        for action, share in search.improved_policy().items():
            policy[action] = share
        self._policies.append(policy)
        self._values.append(search.report().win_rate * 2 - 1)
        result, mover = search.result, state.to_move
        if result is not None and self._proven is None:
            self._proven = (len(self._moves), float(result if mover == 0 else -result))
        action = search.best_action()
        self._moves.append(action)
        if len(self._moves) >= self._noisy:
            self._noise.scale = QUIET
        search.play(action)
        if search.state.is_terminal:
            return False
        return self._proven is None or self._goes_on

    def record(self) -> PlayedGame:
        """The finished game; one that ended early has the proven result."""
        state = self.search.state
        ended = state.returns() if state.is_terminal else self._proven[1] if self._proven else 0.0
        at, result = self._proven or (len(self._moves), ended)
        policies, values = np.stack(self._policies), np.array(self._values, np.float32)
        return PlayedGame(tuple(self._moves), self._opening, policies, values, result, at)


def _open(task: Task, rng: np.random.Generator) -> tuple[State, list[int]]:
    """A position after up to `opening` random plies, not over, and the plies."""
    while True:
        state, moves = task.start, []
        for _ in range(below(rng, task.recipe.opening + 1)):
            moves.append(random_action(state, rng))
            state = state.apply(moves[-1])
            if state.is_terminal:
                break
        if not state.is_terminal:
            return state, moves


def play_games(
    task: Task, evaluator: Evaluator, on_game: Callable[[PlayedGame], None] = lambda game: None
) -> list[PlayedGame]:
    """The finished games of a task in order; an equal seed and network give equal games.

    `on_game` receives each as it ends. AnswerError if the network answers NaN or infinity.
    """
    waiting = list(range(task.count))[::-1]
    under_way: dict[int, _Game] = {}
    done: dict[int, PlayedGame] = {}
    while waiting or under_way:
        while waiting and len(under_way) < SIDE_BY_SIDE:
            number = waiting.pop()
            under_way[number] = _Game(task, number, evaluator)
        searches = [game.search for game in under_way.values()]
        for search in searches:
            search.plan(task.recipe.simulations)
        run_together(searches, evaluator, task.recipe.simulations)
        for number, game in list(under_way.items()):
            if not game.move():
                done[number] = under_way.pop(number).record()
                on_game(done[number])
    return [done[number] for number in range(task.count)]

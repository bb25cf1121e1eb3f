"""The AI's side of a game: a search whose progress is shown and that can be stopped."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from ...games.evaluator import Evaluator
    from ...games.levels.choice import Level
    from ...games.search import Report
    from ...games.search_settings import SearchSettings
    from ...games.state import State

DEFAULT_SIMULATIONS = 200
# Simulations between two looks at the clock and the screen; fewer once they take longer than these seconds.
STEP, LONGEST_STEP = 16, 0.1
Progress = Callable[[str], None]
Trace = Callable[[list[int], int], None]


@dataclass(frozen=True)
class Effort:
    """How the AI chooses: `simulations` None runs for `seconds`; 0 plays the policy alone.

    If there is a `level`, it draws the moves; the other settings then apply to hints only.
    """

    simulations: int | None = DEFAULT_SIMULATIONS
    seconds: float | None = None
    temperature: float = 0.0
    level: Level | None = None


@dataclass(frozen=True)
class Advice:
    """The network's policy and the search's result for a state; `report` is None without a search.

    If the rules prove the result, `value` is that result: 1, 0 or -1 for the player to move.
    """

    action: int
    policy: Mapping[int, float]
    value: float
    report: Report | None
    proven: bool = False


class Thinker:
    """A network and its search, which follow the game; `settings` are those of its bundle.

    Ctrl-C ends a search and nothing else, unless `heeds_ctrl_c` is false.
    """

    def __init__(
        self,
        state: State,
        network: Evaluator,
        effort: Effort,
        rng: np.random.Generator,
        trace: Trace | None = None,
        settings: SearchSettings | None = None,
        heeds_ctrl_c: bool = True,
    ) -> None:
        from ...games.search import Search
        from ...games.search_settings import USUAL

        self.network, self.effort, self._rng = network, effort, rng
        self._trace = trace
        self._seed = self._draw_seed()
        # A level's strength was measured without proofs by the rules.
        proves, traced = effort.level is None, None if trace is None else self._report_trace
        # Drawn moves are drawn by visits, and only the visits of PUCT measure a move.
        draws = effort.temperature > 0 or (effort.level is not None and effort.level.temperature > 0)
        chosen = USUAL if draws or settings is None else settings
        self.search: Search = Search(state, network, trace=traced, proves=proves, settings=chosen)
        self._stopped, self._heeds_ctrl_c, self._step = False, heeds_ctrl_c, STEP

    def _report_trace(self, path: list[int]) -> None:
        """Report a simulation's path, and its first move's visits so far."""
        if self._trace is not None:
            self._trace(path, self.search.visits().get(path[0], 0) if path else 0)

    def _draw_seed(self) -> int:
        """The seed for a level's draws; without a level the generator stays unused, because it draws other moves."""
        return 0 if self.effort.level is None else int(self._rng.random() * 2**53)

    def follow(self, action: int) -> None:
        """A move was played."""
        self.search.play(action)

    def reset(self, state: State) -> None:
        """Continue the game from another state, with a new seed for a level."""
        self.search.reset(state)
        self._seed = self._draw_seed()

    def think(self, progress: Progress, ply: int) -> Advice:
        """The AI's choice for the present state, after `ply` moves; Ctrl-C makes it choose from its results so far."""
        if self.effort.level is not None:
            return self._at_level(self.effort.level, progress, ply)
        return self._advice(progress, self.effort.temperature)

    def _at_level(self, level: Level, progress: Progress, ply: int) -> Advice:
        """The level's choice: its search starts anew at each move, so that its strength is that of its simulations."""
        from ...games.levels.choice import choose_action, find_pass

        state = self.search.state
        self.search.reset(state)
        advice = self._advice(progress, 0.0, level.simulations)
        if level.temperature == 0:
            return advice
        weights = self.search.visits() if advice.report else advice.policy
        action = choose_action(weights.items(), level, self._seed, ply, find_pass(state))
        return replace(advice, action=action)

    def hint(self, progress: Progress) -> Advice:
        """The policy and the best move, without random draws."""
        return self._advice(progress, 0.0)

    def _advice(self, progress: Progress, temperature: float, simulations: int | None = None) -> Advice:
        from ...games.evaluator import ask
        from ...games.random_play import draw

        state = self.search.state
        legal = state.legal_actions()
        limit = self.effort.simulations if simulations is None else simulations
        with self._stoppable():
            answer = ask(self.network, (state,))[0]
            if limit != 0:
                self._search(progress, limit)
        priors = answer.priors(legal)
        policy = dict(zip(legal, priors.tolist(), strict=True))
        result, proven = self.search.result, self.search.result is not None
        value = answer.value if result is None else float(result)
        if any(self.search.visits().values()) or proven:
            report = None if self.effort.simulations == 0 else self.search.report()
            return Advice(self.search.best_action(temperature, self._rng), policy, value, report, proven)
        left = tuple(self.search.visits())
        return Advice(left[draw(answer.priors(left), temperature, self._rng)], policy, value, None)

    def _search(self, progress: Progress, limit: int | None) -> None:
        begun, done = time.perf_counter(), 0
        self.search.plan(limit if self.effort.seconds is None else None)
        while not self._stopped and not self.search.is_done and (limit is None or done < limit):
            step = self._step if limit is None else min(self._step, limit - done)
            before = time.perf_counter()
            self.search.run(step)
            done += step
            if time.perf_counter() - before > LONGEST_STEP:
                self._step = max(1, self._step // 2)
            progress(f"{done} simulations" if limit is None else f"{done} of {limit} simulations")
            if self.effort.seconds is not None and time.perf_counter() - begun >= self.effort.seconds:
                return

    @contextmanager
    def _stoppable(self) -> Iterator[None]:
        """Let Ctrl-C end the search and nothing else."""
        self._stopped = False
        if not self._heeds_ctrl_c or threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGINT, self._stop)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self.stop()

    def stop(self) -> None:
        """End the search that runs; the move is chosen from its results so far. Any thread may call this."""
        self._stopped = True
        self.search.stop()

"""Monte-Carlo tree search with PUCT, as AlphaZero uses it: one network call for each new leaf.

    search = Search(Connect4(), evaluator)
    search.run(200)
    search.best_action()
    search.play(38)          # the tree below the move is kept

From the root each simulation follows the child with the largest Q + ((C*P)*sqrt(N)) / (1+n) to a node not visited yet.
That node's value is added up on the way back, negated at every ply. C = ln((1 + N + 19652) / 19652) + 1.25 (Silver et
al., "A general reinforcement learning algorithm that masters chess, shogi, and Go through self-play", 2018,
pseudocode).

A search that `proves`, as every playing search does, also uses results that the rules alone decide. It plays an
immediate win. It searches a move that lets the opponent win at once only if all moves do. Results at the ends of lines
go up the tree as far as they decide. The search ends when nothing more can be found (`is_done`).

`settings` may change four things. The root's simulations are shared out in another way (`gumbel.py`). The search ends
once the move is decided (`early_stop.py`). The move is not chosen by its visits alone (`lower_bound.py`). The formula
has other numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from ...errors import GameError
from ..evaluator import Evaluator
from ..random_play import draw
from ..search_settings import USUAL, SearchSettings
from ..state import State
from .forms import PLAIN, compiled_form
from .growing import GrowingTree
from .gumbel import Noise
from .lower_bound import SHARE, lower_bound
from .nodes import DEEPEST, OPEN, OVER, ROOT
from .report import Candidate, Report


class Search(GrowingTree):
    """A tree above one state of a game, which grows with `run` and follows the game with `play`.

    `constant` gives C for a node's visits; if it is None, the settings decide. `trace`, if given, is called with the
    actions of every simulation's path. With `proves`, the search uses what the rules prove, as described above. Without
    `compiled` the same search takes longer but begins at once, which is faster for few simulations. `settings` are
    those of the network's bundle. `noise` makes every search with a root that shares out its simulations different.
    """

    def __init__(
        self,
        state: State,
        evaluator: Evaluator,
        constant: Callable[[int], float] | None = None,
        trace: Callable[[list[int]], None] | None = None,
        proves: bool = False,
        compiled: bool = True,
        settings: SearchSettings = USUAL,
        noise: Noise | None = None,
    ) -> None:
        self.evaluator, self.trace, self._errors = evaluator, trace, settings.lower_bound
        form = compiled_form() if compiled else PLAIN
        super().__init__(state, form, settings, proves, constant, noise)

    def run(self, simulations: int) -> None:
        """Make `simulations` new ones; nothing if it `is_done`. `stop` ends it early.

        GameError, naming the network, if it answers NaN or infinity.
        """
        even = self._form is not PLAIN and self.trace is None and getattr(self.evaluator, "is_even", False)
        game = getattr(self.state, "as_cells", lambda: None)() if even else None
        try:
            if game is not None:
                self._run_even(simulations, game)
            else:
                self.begin(simulations, self.evaluator.evaluate)
        finally:
            self.end()

    def candidates(self) -> list[Candidate]:
        """The root's actions, ascending; none before the second simulation."""
        return [
            Candidate(action, visits, ((total / visits if visits else 0.0) + 1) / 2, prior)
            for prior, total, _, visits, _, _, action, _ in self._rows.children.tolist()
        ]

    def line(self, action: int, most: int = 16) -> list[int]:
        """A line of at most `most` moves: `action`, then the most visited moves."""
        moves, row, nodes = [action], self._rows.row_of(action), self._rows.nodes
        while row is not None and len(moves) < most and nodes[row]["kind"] == OPEN:
            first, count = int(nodes[row]["first"]), int(nodes[row]["children"])
            best = first + int(np.argmax(nodes["visits"][first : first + count]))
            if not nodes[best]["visits"]:
                break
            moves.append(int(nodes[best]["action"]))
            row = best
        return moves

    def lowest(self, action: int, errors: float = 1.96) -> float:
        """The lower bound of a visited action's chance of winning, 0 to 1: its mean less `errors` standard errors."""
        return (self._bound(action, errors) + 1) / 2

    def visits(self) -> dict[int, int]:
        """The visit count of every legal action at the root, earlier moves' visits included; 0 before any."""
        children = self._rows.children.tolist()
        if not children:
            return dict.fromkeys(self._forced.moves if self._forced else self.state.legal_actions(), 0)
        return {action: visits for _, _, _, visits, _, _, action, _ in children}

    def best_action(self, temperature: float = 0.0, rng: np.random.Generator | None = None) -> int:
        """The most visited action, the lowest of equals; with a temperature T, drawn in proportion to n^(1/T).

        Two settings choose differently without a temperature. A root that shares out its simulations plays the best of
        the moves that remained longest. With `lower_bound`, the often visited move with the largest bound is played. A
        search that proves chooses only among the actions with the proven result, or else those not proven lost.
        GameError if the game is over, or if a temperature is given without `rng`.
        """
        counts = self._choice()
        if not counts:
            raise GameError("search: the game is over, there is no move to choose.")
        children = self._rows.children
        if self._root is not None and not temperature and len(children) > 0 and ROOT in self._rows.values:
            among = [at for at, action in enumerate(children["action"].tolist()) if action in counts]
            return int(children["action"][self._root.best(children, self._rows.values[ROOT], among)])
        if self._errors is not None and self._root is None and not temperature and (most := max(counts.values())):
            much = [action for action, count in counts.items() if count >= SHARE * most]
            return max(much, key=partial(self._bound, errors=self._errors))
        return list(counts)[draw(np.array(list(counts.values()), dtype=np.float64), temperature, rng)]

    def improved_policy(self) -> dict[int, float]:
        """The policy to learn from this search, by action, with sum 1; for a root that shares out its simulations.

        If the rules prove the result, the moves that keep it share equally, and a move that is proven lost has none.
        GameError if the game is over, or if no simulation was made.
        """
        counts = self._choice()
        children = self._rows.children
        if self.result is not None and counts:
            return dict.fromkeys(counts, 1 / len(counts))
        if self._root is None or not counts or ROOT not in self._rows.values:
            raise GameError("search: a policy improves by simulations that a root shares out, and none was made.")
        improved = self._root.improve(children, self._rows.values[ROOT])
        shares = zip(children["action"].tolist(), improved.tolist(), strict=True)
        allowed = {action: share for action, share in shares if action in counts}
        total = sum(allowed.values())
        return {action: share / total for action, share in allowed.items()}

    def _bound(self, action: int, errors: float) -> float:
        row = self._rows.nodes[self._rows.row_of(action)]
        return lower_bound(int(row["visits"]), float(row["total"]), float(row["squares"]), errors)

    def _choice(self) -> dict[int, int]:
        """The visit counts of the actions that may be played."""
        if self._forced is not None and self._forced.result is not None:
            return {self._forced.moves[0]: 0}
        if not self.proves:
            return self.visits()
        result, rows = self.result, self._rows.children.tolist()
        known = {action: total / visits for _, total, _, visits, _, _, action, kind in rows if kind == OVER}
        counts = self.visits().items()
        if result is not None:
            return {action: count for action, count in counts if known.get(action) == result}
        return {action: count for action, count in counts if known.get(action) != -1}

    def report(self) -> Report:
        """The result so far; may be read while `run` runs in another thread."""
        action = self.best_action()
        rows = self._rows.children.tolist()
        total, visits = next(((total, visits) for _, total, _, visits, _, _, at, _ in rows if at == action), (0.0, 0))
        mean = total / visits if visits else 0.0
        depth = int(self._walk[DEEPEST])
        simulations, result = self._rows.visits - self._before, self.result
        rate = ((mean if result is None else result) + 1) / 2
        return Report(action, simulations, visits, depth, rate, self._seconds, proven=result is not None)

"""Monte-Carlo tree search with PUCT, as AlphaZero uses it: one network call for each new leaf.

    search = Search(Connect4(), evaluator)
    search.run(200)
    search.best_action()
    search.play(38)          # the tree below the move is kept

From the root each simulation follows the child with the largest Q + ((C*P)*sqrt(N)) / (1+n) to a node not visited yet.
That node's value is added up on the way back, negated at every ply. C = ln((1 + N + 19652) / 19652) + 1.25 (Silver et
al., "A general reinforcement learning algorithm that masters chess, shogi, and Go through self-play", 2018,
pseudocode).

A search that `proves`, as every playing search does, also uses what the rules alone decide. A win at once is played. A
move that lets the opponent win at once is searched only if all do. Results at the ends of lines go up the tree as far
as they decide. It ends where there is nothing more to be found (`is_done`).

`settings` may have the root's simulations shared out in another way (`gumbel.py`), end the search once the move is
decided (`early_stop.py`), choose the move by more than its visits (`lower_bound.py`), and have other numbers in the
formula.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError
from .early_stop import EarlyStop
from .evaluator import AnswerError, Evaluation, Evaluator
from .gumbel import GumbelRoot
from .lower_bound import SHARE, lower_bound
from .nodes import (
    BEFORE,
    DEEPEST,
    FAULTY,
    FRESH,
    IDLE,
    LAST,
    LEAF,
    MOST_IDLE,
    NO_SHARE,
    NODE,
    OVER,
    PATH,
    ROOT,
    SHARE_OUT,
    TO_GO,
    USED,
    Share,
    transplant,
)
from .random_play import draw
from .search_settings import USUAL, SearchSettings
from .state import State
from .tables import read_table
from .tactics import Forced, forced_moves

ROOM = 1 << 12
# The rows at which a tree that `proves` is full: 60 MB of numbers.
MOST_NODES = 1 << 20
# How many candidates a hint shows.
MOST: int = read_table("thresholds")["candidates"]
Simulations = Generator[State, Evaluation, None]


def exploration(visits: int, c_init: float = USUAL.c_init) -> float:
    """C of a node with `visits` visits."""
    return math.log((1 + visits + 19652) / 19652) + c_init


@cache
def _exploration_from(c_init: float) -> Callable[[int], float]:
    """C by visits; the same function for the same number, as tables of it are kept."""
    return exploration if c_init == USUAL.c_init else partial(exploration, c_init=c_init)


def _functions(compiled: bool) -> ModuleType:
    """What walks through the tree, in one form or the other."""
    if compiled:
        from . import tree

        return tree
    from . import tree_in_numpy

    return tree_in_numpy


@lru_cache(maxsize=16)
def _table(constant: Callable[[int], float], count: int) -> NDArray[np.float64]:
    """C by visit count, float64 (count,), for the compiled walk."""
    return np.array([constant(visits) for visits in range(count)])


@lru_cache(maxsize=1 << 12)
def _as_array(actions: tuple[int, ...]) -> NDArray[np.int64]:
    """The actions as the compiled walk takes them, int64 (len(actions),); callers never change it."""
    return np.array(actions, np.int64)


@dataclass(frozen=True)
class Report:
    """The result of a search: `action` is the best one, `win_rate` its expected result as a chance, 0 to 1.

    `simulations` counts those of this move; `visits` those of the best action, kept ones included. `depth` is the
    longest line in plies; `seconds` is the time spent on this move. Where the result is `proven`, `win_rate` is that
    result: 1, 0.5 or 0.
    """

    action: int
    simulations: int
    visits: int
    depth: int
    win_rate: float
    seconds: float
    proven: bool = False


@dataclass(frozen=True)
class Candidate:
    """One of the root's actions: its visits, its chance of winning for its player (0 to 1), and its prior.

    The chance is a half where it was never visited.
    """

    action: int
    visits: int
    win_rate: float
    prior: float


def rank_candidates(candidates: Iterable[Candidate], most: int = MOST) -> list[Candidate]:
    """The `most` best of those that were visited: by visits, then by prior, then the lowest action first."""
    visited = [candidate for candidate in candidates if candidate.visits > 0]
    return sorted(visited, key=lambda each: (-each.visits, -each.prior, each.action))[:most]


class Search:
    """A tree above one state of a game, which grows with `run` and follows the game with `play`.

    `constant` gives C for a node's visits; None: as the settings say. `trace`, where given, is called with the actions
    of every simulation's path. `proves`: what the rules prove counts, as said above. Without `compiled` the same search
    takes longer and begins at once: for few simulations. `settings` are those of the network's bundle. `noise`, of a
    root that shares its simulations out, makes each search another one.
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
        noise: np.random.Generator | None = None,
    ) -> None:
        self.proves, self._tree = proves, _functions(compiled)
        self._root = GumbelRoot(settings.root, noise) if settings.root else None
        self._early = EarlyStop() if settings.early_stop and settings.chooses_by_visits else None
        self._errors = settings.lower_bound
        self.evaluator, self.trace = evaluator, trace
        self._constant = constant or _exploration_from(settings.c_init)
        self._first_play = -1.0 if settings.first_play is None else settings.first_play
        self._walk = np.zeros(ROOM, np.int64)
        self._constants = _table(self._constant, 1)
        # Simulations that are to come behind those of the walk.
        self._stopped, self._behind = False, 0
        self.reset(state)

    def reset(self, state: State) -> None:
        """Forget the tree and stand at `state`."""
        self.state = state
        self._nodes = np.empty(ROOM, NODE)
        self._nodes[ROOT] = 0
        self._states: dict[int, State] = {ROOT: state}
        self._answers: dict[int, Evaluation] = {}
        # The network's values of the nodes that have children, where a root is to know them.
        self._values: dict[int, float] = {}
        self._begin(used=1)

    def _begin(self, used: int) -> None:
        """Count simulations and time anew, with `used` rows in the tree."""
        self._used = used
        self._walk[:PATH] = (used, 0, 0, 0, 0, self.proves, 0)  # the slots as nodes.py names them
        self._walk[PATH] = ROOT
        self._kept, self._seconds, self._is_planned = self._root_visits(), 0.0, False
        if self._root is not None:
            self._root.forget()
        if self._early is not None:
            self._early.forget()
        self._forced: Forced | None = forced_moves(self.state) if self.proves else None
        if self._forced is not None and len(self._children()) > len(self._forced.moves):
            self._leave_out(self._forced.moves)

    def _leave_out(self, moves: tuple[int, ...]) -> None:
        """Keep only the root's children for `moves`; what is below the others stays in the tree, and is not reached."""
        old = [row for row in map(self._row_of, moves) if row is not None]
        first = self._take_rows(len(old))
        self._nodes[first : first + len(old)] = self._nodes[old]
        priors = self._nodes["prior"][first : first + len(old)]
        # The sum in this order, as `expand` has it.
        total = float(np.cumsum(priors)[-1])
        priors[:] = priors / total if total > 0 else 1 / len(old)
        root = self._nodes[ROOT]
        root["first"], root["children"] = first, len(old)
        for new, row in enumerate(old, first):
            if row in self._states:
                self._states[new] = self._states.pop(row)
            if row in self._answers:
                self._answers[new] = self._answers.pop(row)
            if row in self._values:
                self._values[new] = self._values.pop(row)
        self._walk[USED] = self._used
        # What is left may be known already: asked as at the end of a path of one move, which there is none of now.
        self._walk[BEFORE] = 1
        self._tree.close_above(self._nodes, self._walk)
        self._walk[BEFORE] = 0

    def _take_rows(self, count: int) -> int:
        """Make room for `count` rows; the first of them."""
        first = self._used
        self._used += count
        while self._used > len(self._nodes):
            self._nodes = np.concatenate([self._nodes, np.empty(len(self._nodes), NODE)])
        return first

    @property
    def result(self) -> int | None:
        """The game's result for the player to move, 1, 0 or -1, if it is proven; None if it is not."""
        if self._forced is not None and self._forced.result is not None:
            return self._forced.result
        root = self._nodes[ROOT]
        # The root's total is seen by who moved into it.
        return -round(root["total"] / root["visits"]) if self._is_over(root) else None

    @property
    def is_done(self) -> bool:
        """Whether no simulation is made any more: the game is over, or nothing is to be found.

        That is so if the settings stop early and the move is decided. In a search that proves it is so if the result is
        known or the tree is full (MOST_NODES), or if MOST_IDLE simulations in a row have met only known results.
        """
        idle = int(self._walk[IDLE])
        ended = self.proves and (self._used >= MOST_NODES or idle >= MOST_IDLE)
        decided = self._early is not None and self._early.is_over
        return self.state.is_terminal or decided or ended or self.result is not None

    def plan(self, simulations: int | None) -> None:
        """Say that the next `simulations` belong together, in however many runs; None: as many as there will be.

        For settings that share simulations out or stop early: without a plan each run is one by itself.
        """
        self._belong(simulations)
        self._is_planned = True

    def _belong(self, simulations: int | None) -> None:
        if self._root is not None:
            self._root.begin(simulations, self._root_visits())
        if self._early is not None:
            self._early.begin(self._root_visits(), simulations)
            self._look(self._early)

    def run(self, simulations: int) -> None:
        """Make `simulations` new ones; nothing if it `is_done`. `stop` ends it early.

        GameError, naming the network, if it answers NaN or infinity.
        """
        for _ in self.simulate(simulations, self.evaluator):
            pass

    def simulate(self, simulations: int, evaluator: Evaluator | None = None) -> Simulations:
        """As `run`; without an evaluator, yield each state and take its evaluation: searches can share batches."""
        if not self._is_planned:
            self._belong(simulations)
        if self.is_done:
            return
        start = time.perf_counter()
        self._make_room(simulations)
        self._walk[TO_GO], self._behind = simulations, 0
        try:
            whole = self.trace is None and self._early is None
            yield from self._steps(evaluator) if whole else self._in_parts(evaluator)
        finally:
            # A walk that was left while it asked (an error, Ctrl-C) begins again at the root.
            self._walk[LAST] = 0
            self._seconds += time.perf_counter() - start

    def _in_parts(self, evaluator: Evaluator | None) -> Simulations:
        """Run one simulation at a time, so that its path can be printed.

        If the search only stops early: as many as there must be before the move can be decided.
        """
        to_come, self._stopped = int(self._walk[TO_GO]), False
        while to_come > 0 and not self._stopped and not self.is_done:
            early = self._early if self.trace is None else None
            part = early.part(self._root_visits(), to_come) if early else 1
            self._walk[TO_GO], self._behind = part, to_come - part
            yield from self._steps(evaluator)
            if self._early is not None:
                self._look(self._early)
            if self.trace is not None:
                self.trace(self._path())
            to_come -= part

    def _look(self, early: EarlyStop) -> None:
        early.look(self._root_visits(), lambda: self._choice().values())

    def _steps(self, evaluator: Evaluator | None) -> Simulations:
        """All that happens between the compiled steps; every line here is paid for in each simulation."""
        states, answers, nodes, walk, constants = self._states, self._answers, self._nodes, self._walk, self._constants
        advance, first_play = self._tree.advance, self._first_play
        evaluate = evaluator.evaluate if evaluator else None
        share = self._root.share if self._root is not None else NO_SHARE
        node, parent, action = advance(nodes, walk, share, constants, first_play, 0.0, FRESH)
        while node >= 0 or node == SHARE_OUT:
            if node == SHARE_OUT:
                share = self._share_out()
                node, parent, action = advance(nodes, walk, share, constants, first_play, 0.0, FRESH)
                continue
            # What was evaluated has no children yet (they are made on the second visit: most leaves never have one).
            if node in answers:
                legal, weights = self._children_of(node)
                nodes = self._nodes  # which may have grown into another array
                node, parent, action = self._tree.expand_and_advance(
                    nodes, walk, share, constants, first_play, node, legal, weights
                )
                continue
            state = states[parent].apply(action) if parent >= 0 else self.state
            if state.is_terminal:
                # `returns` is seen by player 0, a value by the player to move.
                value, kind = state.returns() * (1 - 2 * state.to_move), OVER
            else:
                answer = (yield state) if evaluate is None else evaluate((state,))[0]
                states[node], answers[node] = state, answer
                value, kind = answer.value, LEAF
            node, parent, action = advance(nodes, walk, share, constants, first_play, value, kind)
        if node == FAULTY:
            # Not kept: who goes on with this search asks again.
            self._answers.pop(int(walk[PATH + walk[LAST]]), None)
            raise AnswerError(self.evaluator)

    def _share_out(self) -> Share:
        """The root's plan for its next simulations, of a root that shares them out and has children."""
        root = self._root
        if root is None:
            return NO_SHARE
        root.share_out(self._nodes[ROOT], self._children(), self._values[ROOT], int(self._walk[TO_GO]) + self._behind)
        return root.share

    def _make_room(self, simulations: int) -> None:
        """Let the walk and the table of constants reach any visit count that `simulations` more can give."""
        most = self._root_visits() + simulations + 2
        if len(self._walk) < most + PATH:
            self._walk = np.concatenate([self._walk, np.zeros(most + PATH, np.int64)])
        if len(self._constants) < most:
            self._constants = _table(self._constant, 1 << most.bit_length())

    def _children_of(self, node: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Make room to expand a node: its n legal actions, int64 (n,), and their weights, float64 (n,)."""
        at_root = self._forced is not None and node == ROOT
        legal = _as_array(self._forced.moves if self._forced and at_root else self._states[node].legal_actions())
        self._take_rows(len(legal))
        if self.proves and self._used >= MOST_NODES:
            # The simulation that is under way is the last one, if nobody has stopped it.
            self._walk[TO_GO] = min(1, self._walk[TO_GO])
        answer = self._answers.pop(node)
        if self._root is not None:
            self._values[node] = answer.value
        return legal, answer.weights(legal)

    def _root_visits(self) -> int:
        return int(self._nodes[ROOT]["visits"])

    def _path(self) -> list[int]:
        """The actions of the latest simulation, from the root to its leaf."""
        last = int(self._walk[BEFORE])
        rows = self._walk[PATH + 1 : PATH + 1 + last]
        return [int(action) for action in self._nodes[rows]["action"]]

    def stop(self) -> None:
        """End a running `run` after the simulation that it is in; may be called from another thread."""
        self._stopped = True
        self._walk[TO_GO] = 0

    def candidates(self) -> list[Candidate]:
        """The root's actions, ascending; none before the second simulation."""
        found = []
        for row in self._children():
            visits = int(row["visits"])
            mean = float(row["total"]) / visits if visits else 0.0
            found.append(Candidate(int(row["action"]), visits, (mean + 1) / 2, float(row["prior"])))
        return found

    def visits(self) -> dict[int, int]:
        """The visit count of every legal action at the root, kept ones counted; all 0 before the first simulation."""
        children = self._children()
        if len(children) == 0:
            return dict.fromkeys(self._forced.moves if self._forced else self.state.legal_actions(), 0)
        return {int(row["action"]): int(row["visits"]) for row in children}

    def best_action(self, temperature: float = 0.0, rng: np.random.Generator | None = None) -> int:
        """The most visited action, the lowest of equals; with a temperature T, drawn in proportion to n^(1/T).

        Without a temperature, where the root's simulations are shared out the best of the moves visited longest, and
        where the settings say so the one with the largest lower bound of those visited much.
        Only among the actions that a search that proves has left: those with the proven result, or those not lost.
        GameError if the game is over or, with a temperature, where `rng` is missing.
        """
        counts = self._choice()
        if not counts:
            raise GameError("search: the game is over, there is no move to choose.")
        children = self._children()
        if self._root is not None and not temperature and len(children) > 0 and ROOT in self._values:
            among = np.flatnonzero(np.isin(children["action"], list(counts))).tolist()
            return int(children["action"][self._root.best(children, self._values[ROOT], among)])
        if self._errors is not None and self._root is None and not temperature and (most := max(counts.values())):
            much = [action for action, count in counts.items() if count >= SHARE * most]
            return max(much, key=partial(self._bound, errors=self._errors))
        return list(counts)[draw(np.array(list(counts.values()), dtype=np.float64), temperature, rng)]

    def improved_policy(self) -> dict[int, float]:
        """What a policy is to learn from this search, by action, with sum 1; of a root that shares its simulations out.

        Where the rules prove the result the moves that keep it share alike, and a move that is proven lost has nothing.
        GameError if the game is over, or if no simulation was made.
        """
        counts = self._choice()
        children = self._children()
        if self.result is not None and counts:
            return dict.fromkeys(counts, 1 / len(counts))
        if self._root is None or not counts or ROOT not in self._values:
            raise GameError("search: a policy improves by simulations that a root shares out, and none was made.")
        improved = self._root.improve(children, self._values[ROOT])
        kept = {int(action): float(share) for action, share in zip(children["action"], improved, strict=True)}
        kept = {action: share for action, share in kept.items() if action in counts}
        total = sum(kept.values())
        return {action: share / total for action, share in kept.items()}

    def _bound(self, action: int, errors: float) -> float:
        row = self._nodes[self._row_of(action)]
        return lower_bound(int(row["visits"]), float(row["total"]), float(row["squares"]), errors)

    def _choice(self) -> dict[int, int]:
        """The visit counts of the actions that may be played."""
        if self._forced is not None and self._forced.result is not None:
            return {self._forced.moves[0]: 0}
        if not self.proves:
            return self.visits()
        result = self.result
        known = {int(row["action"]): row["total"] / row["visits"] for row in self._children() if self._is_over(row)}
        counts = self.visits().items()
        if result is not None:
            return {action: count for action, count in counts if known.get(action) == result}
        return {action: count for action, count in counts if known.get(action) != -1}

    def _is_over(self, row: np.void) -> bool:
        return bool(row["kind"] == OVER)

    def report(self) -> Report:
        """The result so far; may be read while `run` runs in another thread."""
        action = self.best_action()
        row = next((row for row in self._children() if row["action"] == action), None)
        visits = int(row["visits"]) if row is not None else 0
        mean = float(row["total"]) / visits if row is not None and visits else 0.0
        depth = int(self._walk[DEEPEST])
        simulations, result = self._root_visits() - self._kept, self.result
        rate = ((mean if result is None else result) + 1) / 2
        return Report(action, simulations, visits, depth, rate, self._seconds, proven=result is not None)

    def play(self, action: int) -> None:
        """Follow the game by `action` and keep the tree below it; GameError if it is illegal."""
        state = self.state.apply(action)
        row = self._row_of(action)
        if row is None or self._nodes[row]["kind"] in (FRESH, OVER):
            self.reset(state)
            return
        rows = self._tree.subtree(self._nodes, row)
        self.state = self._states[row]
        self._keep(transplant(self._nodes, rows), rows)

    def _keep(self, kept: NDArray[np.void], rows: NDArray[np.int64]) -> None:
        """Replace the tree by `kept` (n,) of NODE, whose node k was row `rows[k]`; `rows` is int64 (n,)."""
        room = max(ROOM, 2 * len(kept))
        if len(self._nodes) == room:  # most trees are small, and memory that is there costs nothing
            self._nodes[: len(kept)] = kept
        else:
            self._nodes = np.concatenate([kept, np.empty(room - len(kept), NODE)])
        moved = dict(zip(rows.tolist(), range(len(rows)), strict=True))
        # States and answers are kept by row: they move with their nodes, the others are forgotten.
        self._states = {moved[row]: state for row, state in self._states.items() if row in moved}
        self._answers = {moved[row]: answer for row, answer in self._answers.items() if row in moved}
        self._values = {moved[row]: value for row, value in self._values.items() if row in moved}
        self._begin(used=len(kept))

    def _children(self) -> NDArray[np.void]:
        root = self._nodes[ROOT]
        return self._nodes[root["first"] : root["first"] + root["children"]]

    def _row_of(self, action: int) -> int | None:
        """The row of the root's child for `action`, None if the root was not expanded."""
        children = self._children()
        at = np.flatnonzero(children["action"] == action)
        return int(self._nodes[ROOT]["first"] + at[0]) if len(at) else None


def run_together(searches: Iterable[Search], evaluator: Evaluator, simulations: int) -> None:
    """Run every search for `simulations`, all their leaves of one round evaluated in one batch."""
    asking = {}
    for search in searches:
        walk = search.simulate(simulations)
        if (state := next(walk, None)) is not None:
            asking[walk] = state
    while asking:
        answers = evaluator.evaluate(list(asking.values()))
        following = ((walk, _send(walk, answer)) for walk, answer in zip(list(asking), answers, strict=True))
        asking = {walk: state for walk, state in following if state is not None}


def _send(walk: Simulations, answer: Evaluation) -> State | None:
    """The next state to be evaluated, None at the end."""
    try:
        return walk.send(answer)
    except StopIteration:
        return None

"""How a search grows its tree: it asks for a state's evaluation, takes the answer, and walks to the next state."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..evaluator import AnswerError, Evaluation, Evaluator
from ..search_settings import SearchSettings
from ..state import State
from ..tactics import ForcedMoves, forced_moves
from .early_stop import EarlyStop
from .even import EVEN, NO_ROOM, compiled_grow
from .exploration import exploration_from, table_of
from .forms import Form
from .gumbel import GumbelRoot, Noise
from .nodes import (
    BEFORE,
    FAULTY,
    FRESH,
    IDLE,
    LAST,
    LEAF,
    MOST_IDLE,
    NO_SHARE,
    OVER,
    PATH,
    ROOM,
    ROOT,
    SHARE_OUT,
    TO_GO,
    USED,
    Share,
)
from .rows import Rows

# The rows at which a tree that `proves` is full: 60 MB of numbers.
MOST_NODES = 1 << 20
# After this many simulations other threads get a turn, even if none of the simulations asks for an evaluation.
PART = 1 << 12


Ask = Callable[[Sequence[State]], list[Evaluation]]


@lru_cache(maxsize=1 << 12)
def _as_array(actions: tuple[int, ...]) -> NDArray[np.int64]:
    """The actions as the walk takes them, int64 (len(actions),); callers never change it."""
    return np.array(actions, np.int64)


class GrowingTree:
    """A tree above `state` that grows by simulations: call `begin`, `answer` every request, then `end`."""

    trace: Callable[[list[int]], None] | None = None
    evaluator: Evaluator

    def __init__(
        self,
        state: State,
        form: Form,
        settings: SearchSettings,
        proves: bool = False,
        constant: Callable[[int], float] | None = None,
        noise: Noise | None = None,
    ) -> None:
        self.proves, self._form, self._rows = proves, form, Rows(form)
        self._root = GumbelRoot(settings.root, form, noise) if settings.root else None
        self._early = EarlyStop() if settings.early_stop and settings.chooses_by_visits else None
        self._constant = constant or exploration_from(settings.c_init)
        self._first_play = -1.0 if settings.first_play is None else settings.first_play
        # The arrays. Those whose names begin with `_seen` are in the form that the tree's functions take.
        self._walk = np.zeros(ROOM, np.int64)
        self._seen_walk, self._seen_share = form.numbers(self._walk), form.numbers(NO_SHARE)
        self._seen_constants = form.numbers(table_of(self._constant, 1))
        # `_behind` counts the simulations left after those of the walk; `_since` is when this run began.
        self._stopped, self._behind = False, 0
        self._since: float | None = None
        self._asked: State | None = None
        self._is_even = False
        self.reset(state)

    def reset(self, state: State) -> None:
        """Forget the tree and stand at `state`."""
        self.state, self._is_even = state, False
        self._rows.forget(state)
        self._start_anew()

    def _start_anew(self) -> None:
        """Reset the counts of simulations and time; the tree stays."""
        rows, walk = self._rows, self._walk
        walk[:PATH] = (rows.used, 0, 0, 0, 0, self.proves, 0)  # the slots as nodes.py names them
        walk[PATH] = ROOT
        self._before, self._seconds, self._is_planned = rows.visits, 0.0, False
        if self._root is not None:
            self._root.forget()
        if self._early is not None:
            self._early.forget()
        self._forced: ForcedMoves | None = forced_moves(self.state) if self.proves else None
        if self._forced is not None and len(rows.children) > len(self._forced.moves):
            rows.leave_out(self._forced.moves)
            walk[USED] = rows.used
            # The rest may be known already: close the root as if a path of one move had just ended.
            walk[BEFORE] = 1
            self._form.close_above(rows.seen, self._seen_walk)
            walk[BEFORE] = 0

    @property
    def result(self) -> int | None:
        """The game's result for the player to move, 1, 0 or -1, if it is proven; None if it is not."""
        if self._forced is not None and self._forced.result is not None:
            return self._forced.result
        root = self._rows.nodes[ROOT]
        # The root's total is from the view of the player who moved into it.
        return -round(root["total"] / root["visits"]) if root["kind"] == OVER else None

    @property
    def is_done(self) -> bool:
        """Whether no more simulations are made: the game is over, or nothing more can be found.

        With early stopping that is so once the move is decided. In a search that proves there are three cases: the
        result is known, the tree is full (MOST_NODES), or MOST_IDLE simulations in a row have met only known results.
        """
        ended = self.proves and (self._rows.used >= MOST_NODES or int(self._walk[IDLE]) >= MOST_IDLE)
        decided = self._early is not None and self._early.is_over
        return self.state.is_terminal or decided or ended or self.result is not None

    def plan(self, simulations: int | None) -> None:
        """Plan the next `simulations` as one whole, in any number of runs; None if their number is unknown.

        It matters for settings that share simulations out or stop early. Without a plan each run is one of its own.
        """
        self._belong(simulations)
        self._is_planned = True

    def _belong(self, simulations: int | None) -> None:
        if self._root is not None:
            self._root.begin(simulations, self._rows.visits)
            self._seen_share = self._form.numbers(self._root.share)
        if self._early is not None:
            self._early.begin(self._rows.visits, simulations)
            self._look(self._early)

    def begin(self, simulations: int, ask: Ask | None = None) -> State | None:
        """Begin `simulations` new ones; returns the first state to evaluate, None if there is nothing to ask.

        Give each evaluation to `answer`, and call `end` in any case. With `ask`, an evaluator's `evaluate`, all
        simulations are made here.
        """
        if self._is_even:
            self._rows.catch_up(EVEN)
            self._is_even = False
        return self._seek(0.0, FRESH, ask) if self._set_out(simulations) else None

    def _set_out(self, simulations: int) -> bool:
        """Prepare `simulations` new ones; False if none is needed."""
        if not self._is_planned:
            self._belong(simulations)
        if self.is_done:
            return False
        self._since = time.perf_counter()
        self._make_room(simulations)
        # A walk that was interrupted while it asked (an error, Ctrl-C) begins again at the root.
        self._walk[LAST] = 0
        self._stopped, self._behind = False, simulations
        self._begin_part()
        return True

    def _run_even(self, simulations: int, game: tuple[NDArray[np.int64], NDArray[np.int64]]) -> None:
        """Make `simulations` new ones by compiled rules alone; every state counts as even."""
        rows, walk, grow = self._rows, self._walk, compiled_grow()
        if not self._set_out(simulations):
            return
        self._is_even, goes_on = True, True
        moves = _as_array(self._forced.moves if self._forced else self.state.legal_actions())
        while goes_on:
            end = grow(
                rows.seen, walk, self._seen_share, self._seen_constants, self._first_play, game, moves, MOST_NODES
            )
            rows.used = int(walk[USED])
            if len(rows.children) > 0:
                rows.values[ROOT] = EVEN.value
            if end == NO_ROOM:
                rows.grow(len(moves))
            elif end == SHARE_OUT:
                self._seen_share = self._form.numbers(self._share_out())
            else:
                goes_on = self._goes_on()

    def answer(self, evaluation: Evaluation) -> State | None:
        """Take the evaluation that was asked for; returns the next state to evaluate, None at the end.

        AnswerError, naming the network, if it answers NaN or infinity.
        """
        state = self._asked
        if state is None:
            raise ValueError("nothing was asked")
        at = self._asked_at
        self._rows.states[at], self._rows.answers[at] = state, evaluation
        return self._seek(evaluation.value, LEAF)

    def end(self) -> None:
        """Count the time since `begin`."""
        self._asked = None
        if self._since is not None:
            self._seconds += time.perf_counter() - self._since
            self._since = None

    def _begin_part(self) -> None:
        """Let the walk make PART of the simulations that are left, or one if its path is to be printed.

        If the search stops early, make as many as are needed before the move can be decided.
        """
        part = min(self._behind, PART) if self.trace is None else 1
        if self.trace is None and self._early is not None:
            part = self._early.part(self._rows.visits, part)
        self._walk[TO_GO], self._behind = part, self._behind - part

    def _goes_on(self) -> bool:
        """Whether another part follows the one that just ended."""
        if self._early is not None:
            self._look(self._early)
        if self.trace is not None:
            self.trace(self._path())
        if self._behind <= 0 or self._stopped or self.is_done:
            return False
        self._begin_part()
        return True

    def _look(self, early: EarlyStop) -> None:
        early.look(self._rows.visits, lambda: self._choice().values())

    def _seek(self, value: float, kind: int, ask: Ask | None = None) -> State | None:
        """Answer the walk and continue to the next state to evaluate; every simulation runs these lines.

        If `ask` is given, it evaluates the states, and the walk continues to its end.
        """
        rows, walk, constants, first_play = self._rows, self._seen_walk, self._seen_constants, self._first_play
        form, states, answers = self._form, rows.states, rows.answers
        advance, expand_and_advance = form.advance, form.expand_and_advance
        node, parent, action = advance(rows.seen, walk, self._seen_share, constants, first_play, value, kind)
        while True:
            if node < 0:
                if node == SHARE_OUT:
                    self._seen_share = form.numbers(self._share_out())
                elif node == FAULTY:
                    self._refuse()
                elif not self._goes_on():
                    return None
                value, kind = 0.0, FRESH
            elif node in answers:
                # An evaluated node has no children yet: they are made on its second visit, which most leaves never get.
                legal, weights = self._children_of(node)
                node, parent, action = expand_and_advance(
                    rows.seen, walk, self._seen_share, constants, first_play, node, legal, weights
                )
                continue
            else:
                state = states[parent].apply(action) if parent >= 0 else self.state
                if state.is_terminal:
                    # `returns` is from player 0's view, a value from that of the player to move.
                    value, kind = state.returns() * (1 - 2 * state.to_move), OVER
                elif ask is None:
                    self._asked, self._asked_at = state, node
                    return state
                else:
                    answer = ask((state,))[0]
                    states[node], answers[node] = state, answer
                    value, kind = answer.value, LEAF
            node, parent, action = advance(rows.seen, walk, self._seen_share, constants, first_play, value, kind)

    def _refuse(self) -> None:
        # The answer is not stored: if the search is resumed, it asks again.
        self._rows.answers.pop(int(self._walk[PATH + self._walk[LAST]]), None)
        raise AnswerError(self.evaluator)

    def _share_out(self) -> Share:
        """The share of the next simulations, for a root that shares them out and has children."""
        root, rows = self._root, self._rows
        if root is None:
            return NO_SHARE
        to_come = int(self._walk[TO_GO]) + self._behind
        root.share_out(rows.nodes[ROOT], rows.children, rows.values[ROOT], to_come)
        return root.share

    def _make_room(self, simulations: int) -> None:
        """Let the walk and the table of constants reach any visit count after `simulations` more."""
        most = self._rows.visits + simulations + 2
        if len(self._walk) < most + PATH:
            self._walk = np.concatenate([self._walk, np.zeros(most + PATH, np.int64)])
            self._seen_walk = self._form.numbers(self._walk)
        if len(self._seen_constants) < most:
            self._seen_constants = self._form.numbers(table_of(self._constant, 1 << most.bit_length()))

    def _children_of(self, node: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Make room to expand a node: its n legal actions, int64 (n,), and their weights, float64 (n,)."""
        rows, at_root = self._rows, self._forced is not None and node == ROOT
        legal = _as_array(self._forced.moves if self._forced and at_root else rows.states[node].legal_actions())
        rows.add(len(legal))
        if self.proves and rows.used >= MOST_NODES:
            # The simulation under way is the last one, unless `stop` has ended the search.
            self._walk[TO_GO] = min(1, self._walk[TO_GO])
        answer = rows.answers.pop(node)
        if self._root is not None:
            rows.values[node] = answer.value
        return legal, answer.weights(legal)

    def _path(self) -> list[int]:
        """The actions of the latest simulation, from the root to its leaf."""
        rows = self._walk[PATH + 1 : PATH + 1 + int(self._walk[BEFORE])]
        return [int(action) for action in self._rows.nodes[rows]["action"]]

    def stop(self) -> None:
        """End a running `run` after its present simulation; may be called from another thread."""
        self._stopped = True
        self._walk[TO_GO] = 0

    def play(self, action: int) -> None:
        """Follow the game by `action` and keep the tree below it; GameError if it is illegal."""
        state = self.state.apply(action)
        row = self._rows.row_of(action)
        if row is None or self._rows.nodes[row]["kind"] in (FRESH, OVER):
            self.reset(state)
            return
        self.state = self._rows.states.get(row, state)
        self._rows.climb(row)
        self._rows.states[ROOT] = self.state
        self._start_anew()

    def _choice(self) -> dict[int, int]:
        """The visit counts of the actions that may be played."""
        raise NotImplementedError

"""The rows of a search's tree, with tables by row of states, values, and answers whose children are not made yet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..evaluator import Evaluation
from ..state import State
from .forms import Form
from .nodes import LEAF, NODE, OPEN, ROOM, ROOT, Nodes, transplant

Beside = TypeVar("Beside", State, Evaluation, float)


class Rows:
    """A tree that grows, and whose root can change.

    `nodes` (room,) of NODE has `used` rows; `seen` is the same memory in the form that `form`'s functions take. Three
    tables are by row: `states` of the evaluated nodes, the network's `answers` for nodes whose children are not made
    yet, and its `values` for the others.
    """

    def __init__(self, form: Form) -> None:
        self._form = form
        self.forget(None)

    def forget(self, state: State | None) -> None:
        """Forget all but the root, which is `state`."""
        self._take(np.empty(ROOM, NODE))
        self.nodes[ROOT] = 0
        self.states: dict[int, State] = {} if state is None else {ROOT: state}
        self.answers: dict[int, Evaluation] = {}
        self.values: dict[int, float] = {}
        self.used = 1

    def _take(self, nodes: Nodes) -> None:
        self.nodes, self.seen = nodes, self._form.nodes(nodes)

    def add(self, count: int) -> int:
        """Make room for `count` more rows; returns the first of them."""
        first = self.used
        self.used += count
        if self.used > len(self.nodes):
            self.grow(count)
        return first

    def grow(self, least: int = 0) -> None:
        """Double the memory, and add at least `least` rows."""
        self._take(np.concatenate([self.nodes, np.empty(max(len(self.nodes), least), NODE)]))

    def catch_up(self, answer: Evaluation) -> None:
        """Note the states of the nodes that a search without a network made, and its one answer to them all."""
        waiting = [ROOT]
        for row in waiting:
            node, state = self.nodes[row], self.states[row]
            self.values[row] = answer.value
            if node["kind"] == LEAF:
                self.answers[row] = answer
            for child in range(node["first"], node["first"] + node["children"]):
                if self.nodes[child]["kind"] in (LEAF, OPEN):
                    self.states[child] = state.apply(int(self.nodes[child]["action"]))
                    waiting.append(child)

    @property
    def visits(self) -> int:
        """The root's visits."""
        return int(self.nodes[ROOT]["visits"])

    @property
    def children(self) -> Nodes:
        """The root's children, (n,) of NODE: a view, so that changes reach the tree."""
        root = self.nodes[ROOT]
        return self.nodes[root["first"] : root["first"] + root["children"]]

    def row_of(self, action: int) -> int | None:
        """The row of the root's child for `action`, None if the root was not expanded."""
        at = np.flatnonzero(self.children["action"] == action)
        return int(self.nodes[ROOT]["first"] + at[0]) if len(at) else None

    def leave_out(self, moves: tuple[int, ...]) -> None:
        """Keep only the root's children for `moves`; the nodes below the others stay in the tree, out of reach."""
        old = [row for row in map(self.row_of, moves) if row is not None]
        first = self.add(len(old))
        self.nodes[first : first + len(old)] = self.nodes[old]
        priors = self.nodes["prior"][first : first + len(old)]
        # Summed in this order, as in `expand`.
        total = float(np.cumsum(priors)[-1])
        priors[:] = priors / total if total > 0 else 1 / len(old)
        root = self.nodes[ROOT]
        root["first"], root["children"] = first, len(old)
        moved = dict(zip(old, range(first, first + len(old)), strict=True))
        self.states = _moved(self.states, moved) | self.states
        self.answers = _moved(self.answers, moved) | self.answers
        self.values = _moved(self.values, moved) | self.values

    def climb(self, top: int) -> None:
        """Make the row `top` the root, and forget every node that is not below it."""
        rows: NDArray[np.int64] = np.empty(self.used, np.int64)
        rows[0] = top
        rows = rows[: self._form.subtree(self.seen, self._form.numbers(rows))]
        copied = transplant(self.nodes, rows)
        room = max(ROOM, 2 * len(copied))
        if len(self.nodes) == room:  # most trees are small, and memory in use already costs nothing
            self.nodes[: len(copied)] = copied
        else:
            self._take(np.concatenate([copied, np.empty(room - len(copied), NODE)]))
        moved = dict(zip(rows.tolist(), range(len(rows)), strict=True))
        # The tables by row move with their nodes; the other entries are dropped.
        self.states, self.answers = _moved(self.states, moved), _moved(self.answers, moved)
        self.values = _moved(self.values, moved)
        self.used = len(copied)


def _moved(beside: Mapping[int, Beside], moved: Mapping[int, int]) -> dict[int, Beside]:
    """The entries of the rows that have `moved`, by their new numbers."""
    return {moved[row]: each for row, each in beside.items() if row in moved}

"""The search tree as one array of nodes, and the functions that walk it, compiled by Numba or run by Python.

A node is a row of `NODE`. It holds what its parent knows of it (action, prior, visits, total) and the row `first` of
its children, which lie side by side. `total` is the sum of its visits' values, seen by the player to move in the
parent, and `squares` that of their squares. The functions here know nothing of games or networks: `advance` walks until
it needs something that only the caller has, a state's value or an expanded node's children, and says at which node.

Each number comes out as IEEE double arithmetic in the order written, so that visit counts are the same in every
language. `forms.py` has both forms of the functions. They read a tree by column, which works in both.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .nodes import (
    BEFORE,
    C_SCALE,
    C_VISIT,
    DEEPEST,
    END,
    FAULTY,
    FRESH,
    IDLE,
    LAST,
    LEAF,
    LEAST_PRIOR,
    LEAST_SPAN,
    MOST_IDLE,
    OPEN,
    OVER,
    PATH,
    PROVES,
    ROOT,
    SHARE_OUT,
    SHARED,
    STEP,
    STEPS,
    TO_GO,
    USED,
    VALUE,
    Nodes,
    Share,
    Walk,
)


def best_child(nodes: Nodes, node: int, exploration: NDArray[np.float64], first_play: float) -> int:
    """The child with the largest Q + ((C*P)*sqrt(N)) / (1+n); the first of equals has the lowest action.

    Q of a child without a visit is 0 or, unless `first_play` is negative, the node's own less `first_play`.
    """
    counts, totals, priors = nodes["visits"], nodes["total"], nodes["prior"]
    visits = counts[node]
    # C by visit count comes as a table: it is any Python function, which compiled code cannot call.
    constant, root = exploration[visits], math.sqrt(visits)
    # The node's total is from the view of the player who moved into it. No move is worth less than a loss.
    unseen = 0.0 if first_play < 0 else max(-1.0, -totals[node] / visits - first_play)
    best, best_score = -1, -np.inf
    first = nodes["first"][node]
    for child in range(first, first + nodes["children"][node]):
        count = counts[child]
        mean = totals[child] / count if count else unseen
        # In exactly this order: one different rounding may choose another child, and so change every later visit.
        score = mean + ((constant * priors[child]) * root) / (1 + count)
        if score > best_score:
            best, best_score = child, score
    return best


def score_moves(nodes: Nodes, first: int, count: int, share: Share) -> None:
    """Write the scores of the root's children, `count` rows from `first` on, into the share.

    A child without a visit gets the mean of the root's value and of the visited children's values, weighted by their
    priors. All values are then scaled to the range 0 to 1.
    """
    counts, totals, priors = nodes["visits"], nodes["total"], nodes["prior"]
    visits, most, weights = 0, 0, 0.0
    for child in range(first, first + count):
        visits, most = visits + counts[child], max(most, counts[child])
        if counts[child] > 0:
            weights += max(LEAST_PRIOR, priors[child])
    weighted = 0.0
    for child in range(first, first + count):
        if counts[child] > 0:
            weighted += max(LEAST_PRIOR, priors[child]) * (totals[child] / counts[child]) / weights
    mixed = (share[VALUE] + visits * weighted) / (visits + 1)
    low, high = np.inf, -np.inf
    for at in range(count):
        child = first + at
        score = totals[child] / counts[child] if counts[child] > 0 else mixed
        share[SHARED + 3 * at + 2] = score
        low, high = min(low, score), max(high, score)
    scale, span = (share[C_VISIT] + most) * share[C_SCALE], max(high - low, LEAST_SPAN)
    for slot in range(SHARED, SHARED + 3 * count, 3):
        share[slot + 2] = share[slot + 1] + scale * ((share[slot + 2] - low) / span)


def shared_child(nodes: Nodes, share: Share) -> int:
    """The row of the root's child for the share's next step; -1 if all steps are made, or no child fits.

    It has as many new visits as the step says, and of these children the best score; of equals, the lowest action.
    """
    if share[STEP] >= share[STEPS]:
        return -1
    counts, first, count = nodes["visits"], nodes["first"][ROOT], nodes["children"][ROOT]
    step = share[SHARED + 3 * count + int(share[STEP])]
    share[STEP] += 1
    score_moves(nodes, first, count, share)
    best, best_score = -1, -np.inf
    for at in range(count):
        slot = SHARED + 3 * at
        if counts[first + at] - share[slot] == step and (best < 0 or share[slot + 2] > best_score):
            best, best_score = first + at, share[slot + 2]
    return best


def back_up(nodes: Nodes, walk: Walk, value: float) -> None:
    """Count one simulation along the path, whose last node is worth `value` to its player to move."""
    counts, totals, squares = nodes["visits"], nodes["total"], nodes["squares"]
    # From the leaf up: its `total` is from the view of the player who moved into it, so its value is negated too.
    for at in range(PATH + walk[LAST], PATH - 1, -1):
        value = -value
        node = walk[at]
        counts[node] += 1
        totals[node] += value
        squares[node] += value * value
    walk[DEEPEST] = max(walk[DEEPEST], walk[LAST])
    walk[TO_GO] -= 1
    walk[BEFORE], walk[LAST] = walk[LAST], 0


def close_above(nodes: Nodes, walk: Walk) -> None:
    """Close each node of the latest path whose children decide it: one wins for its mover, or all are known.

    Every visit of a closed node counts as its result, also earlier visits. The walk ends when the root is closed.
    """
    kinds, counts, totals, squares = nodes["kind"], nodes["visits"], nodes["total"], nodes["squares"]
    for at in range(PATH + walk[BEFORE] - 1, PATH - 1, -1):
        node = walk[at]
        best, is_open = -1.0, False
        first = nodes["first"][node]
        for child in range(first, first + nodes["children"][node]):
            if kinds[child] == OVER:
                best = max(best, totals[child] / counts[child])
            else:
                is_open = True
        if is_open and best < 1:
            return
        kinds[node] = OVER
        totals[node] = -best * counts[node]
        squares[node] = best * best * counts[node]
    walk[TO_GO] = 0


def advance(
    nodes: Nodes,
    walk: Walk,
    share: Share,
    exploration: NDArray[np.float64],
    first_play: float,
    value: float,
    kind: int,
) -> tuple[int, int, int]:
    """Take the requested answer (`kind`, `value`) and walk to the next request: (node, its parent, the action between).

    `kind` LEAF or OVER: the node asked about is worth `value` to its player to move. OPEN: it has its children now.
    FRESH: nothing was asked yet. The next request is for the node's value if the node is FRESH, for its children if it
    is a LEAF. Instead of a node the result may have END (the walk has ended), FAULTY (`value` is no finite number) or
    SHARE_OUT (the root has no simulation left in `share`).
    """
    kinds = nodes["kind"]
    if kind in (LEAF, OVER):
        if not math.isfinite(value):
            return FAULTY, -1, -1
        node = walk[PATH + walk[LAST]]
        kinds[node] = kind
        walk[IDLE] = 0
        back_up(nodes, walk, value)
        if kind == OVER and walk[PROVES]:
            close_above(nodes, walk)
    while walk[TO_GO] > 0:
        node = walk[PATH + walk[LAST]]
        known = kinds[node]
        if known == OPEN:
            is_free = walk[LAST] or share[STEPS] < 0
            child = best_child(nodes, node, exploration, first_play) if is_free else shared_child(nodes, share)
            if child < 0:
                return SHARE_OUT, -1, -1
            walk[LAST] += 1
            walk[PATH + walk[LAST]] = child
        elif known == OVER:
            # Every visit gave the result, as the player who moved into it sees it, so their mean is the result again.
            back_up(nodes, walk, -nodes["total"][node] / nodes["visits"][node])
            if walk[PROVES]:
                walk[IDLE] += 1
                if walk[IDLE] >= MOST_IDLE:
                    walk[TO_GO] = 0
        else:
            parent = walk[PATH + walk[LAST] - 1] if walk[LAST] else -1
            return node, parent, nodes["action"][node]
    return END, -1, -1


def expand(nodes: Nodes, walk: Walk, node: int, legal: NDArray[np.int64], weights: NDArray[np.float64]) -> bool:
    """Give `node` a child for each legal action, with the weights, divided by their sum, as priors.

    `legal` is ascending and `weights` (len(legal),) float64, summed in that order. A sum of 0 means uniform.
    The rows from USED on must have room. Returns False, with nothing done, if the sum is no finite number.
    """
    total = 0.0
    # Not weights.sum(), which adds in pairs: the sum must be the same in every language.
    for weight in weights:
        total += weight
    if not math.isfinite(total):
        return False
    first, even = walk[USED], 1.0 / len(legal)
    actions, priors, children = nodes["action"], nodes["prior"], nodes["children"]
    totals, squares, counts, kinds, firsts = (
        nodes["total"],
        nodes["squares"],
        nodes["visits"],
        nodes["kind"],
        nodes["first"],
    )
    for at in range(len(legal)):
        child = first + at
        actions[child] = legal[at]
        priors[child] = weights[at] / total if total > 0 else even
        totals[child], squares[child], counts[child] = 0.0, 0.0, 0
        kinds[child], children[child], firsts[child] = FRESH, 0, 0
    firsts[node], children[node], kinds[node] = first, len(legal), OPEN
    walk[USED] += len(legal)
    return True


def expand_and_advance(
    nodes: Nodes,
    walk: Walk,
    share: Share,
    exploration: NDArray[np.float64],
    first_play: float,
    node: int,
    legal: NDArray[np.int64],
    weights: NDArray[np.float64],
) -> tuple[int, int, int]:
    """Both in one call, because the call itself is costly; `legal` int64 and `weights` float64 are (len(legal),)."""
    if not expand(nodes, walk, node, legal, weights):
        return FAULTY, -1, -1
    return advance(nodes, walk, share, exploration, first_play, 0.0, OPEN)


def subtree(nodes: Nodes, rows: NDArray[np.int64]) -> int:
    """Write the rows of `rows[0]` and of all nodes below it into `rows`, int64 (as many as the tree has); their number.

    Parents come before children, and siblings side by side.
    """
    # `rows` is both queue and result: the loop adds a node's children while it visits the nodes in front of them.
    used, at = 1, 0
    while at < used:
        node = rows[at]
        if nodes["kind"][node] == OPEN:
            first = nodes["first"][node]
            for child in range(first, first + nodes["children"][node]):
                rows[used] = child
                used += 1
        at += 1
    return used

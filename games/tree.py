"""The search tree as one array of nodes, walked by compiled functions.

A node is a row of `NODE`. It holds what its parent knows of it (action, prior, visits, total) and the row `first` of
its children, which lie side by side. `total` is the sum of its visits' values, seen by the player to move in the
parent, and `squares` that of their squares. The functions here know nothing of games or networks: `advance` walks until
it needs something that only the caller has, a state's value or an expanded node's children, and says at which node.

Each number comes out as IEEE double arithmetic in the order written, so that visit counts are the
same in every language. `tree_in_numpy` has the same functions without a compiler.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .compiled import compile_function
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


@compile_function
def best_child(nodes: Nodes, node: int, exploration: NDArray[np.float64], first_play: float) -> int:
    """The child with the largest Q + ((C*P)*sqrt(N)) / (1+n); the first of equals has the lowest action.

    Q of a child without a visit is 0 or, unless `first_play` is negative, the node's own less `first_play`.
    """
    visits = nodes[node].visits
    # C by visit count comes as a table: it is any Python function, which compiled code cannot call.
    constant, root = exploration[visits], math.sqrt(visits)
    # The node's total is seen by who moved into it. No move is worth less than a loss.
    unseen = 0.0 if first_play < 0 else max(-1.0, -nodes[node].total / visits - first_play)
    best, best_score = -1, -np.inf
    first = nodes[node].first
    for child in range(first, first + nodes[node].children):
        count = nodes[child].visits
        mean = nodes[child].total / count if count else unseen
        # In this order and no other: a rounding that differs may choose another child, and every visit after it.
        score = mean + ((constant * nodes[child].prior) * root) / (1 + count)
        if score > best_score:
            best, best_score = child, score
    return best


@compile_function
def score_moves(children: Nodes, share: Share) -> None:
    """Write the scores of the root's children, (n,) of NODE, into the share.

    A child without a visit counts as worth the mean of the root's value and of the visited ones' values, weighted by
    their priors. All values are stretched to reach from 0 to 1.
    """
    visits, most, priors = 0, 0, 0.0
    for child in children:
        visits, most = visits + child.visits, max(most, child.visits)
        if child.visits > 0:
            priors += max(LEAST_PRIOR, child.prior)
    weighted = 0.0
    for child in children:
        if child.visits > 0:
            weighted += max(LEAST_PRIOR, child.prior) * (child.total / child.visits) / priors
    mixed = (share[VALUE] + visits * weighted) / (visits + 1)
    low, high = np.inf, -np.inf
    for at in range(len(children)):
        count = children[at].visits
        score = children[at].total / count if count > 0 else mixed
        share[SHARED + 3 * at + 2] = score
        low, high = min(low, score), max(high, score)
    scale, span = (share[C_VISIT] + most) * share[C_SCALE], max(high - low, LEAST_SPAN)
    for slot in range(SHARED, SHARED + 3 * len(children), 3):
        share[slot + 2] = share[slot + 1] + scale * ((share[slot + 2] - low) / span)


@compile_function
def shared_child(nodes: Nodes, share: Share) -> int:
    """The row of the root's child that the share's next step goes to; -1 if the steps are made, or none fits.

    Of the children with as many new visits as the step says it is the one with the best score, the lowest action of
    equals.
    """
    if share[STEP] >= share[STEPS]:
        return -1
    first, count = nodes[ROOT].first, nodes[ROOT].children
    step = share[SHARED + 3 * count + int(share[STEP])]
    share[STEP] += 1
    score_moves(nodes[first : first + count], share)
    best, best_score = -1, -np.inf
    for at in range(count):
        slot = SHARED + 3 * at
        if nodes[first + at].visits - share[slot] == step and (best < 0 or share[slot + 2] > best_score):
            best, best_score = first + at, share[slot + 2]
    return best


@compile_function
def back_up(nodes: Nodes, walk: Walk, value: float) -> None:
    """Count one simulation along the path, whose last node is worth `value` to its player to move."""
    # From the leaf up: its `total` is seen by who moved into it, so the first value is negated too.
    for at in range(PATH + walk[LAST], PATH - 1, -1):
        value = -value
        nodes[walk[at]].visits += 1
        nodes[walk[at]].total += value
        nodes[walk[at]].squares += value * value
    walk[DEEPEST] = max(walk[DEEPEST], walk[LAST])
    walk[TO_GO] -= 1
    walk[BEFORE], walk[LAST] = walk[LAST], 0


@compile_function
def close_above(nodes: Nodes, walk: Walk) -> None:
    """Close each node of the latest path whose children decide it: one wins for its mover, or all are known.

    A closed node is worth its result in every visit, also in those that were. The walk ends where the root is closed.
    """
    for at in range(PATH + walk[BEFORE] - 1, PATH - 1, -1):
        node = walk[at]
        best, is_open = -1.0, False
        first = nodes[node].first
        for child in range(first, first + nodes[node].children):
            if nodes[child].kind == OVER:
                best = max(best, nodes[child].total / nodes[child].visits)
            else:
                is_open = True
        if is_open and best < 1:
            return
        nodes[node].kind = OVER
        nodes[node].total = -best * nodes[node].visits
        nodes[node].squares = best * best * nodes[node].visits
    walk[TO_GO] = 0


@compile_function
def advance(
    nodes: Nodes,
    walk: Walk,
    share: Share,
    exploration: NDArray[np.float64],
    first_play: float,
    value: float,
    kind: int,
) -> tuple[int, int, int]:
    """Take the requested answer (`kind`, `value`) and walk on: (node, its parent, the action between).

    In the node's place stands END where the walk has ended, FAULTY where `value` is no finite number, SHARE_OUT where
    the root has no simulation left in `share`.
    `kind` LEAF or OVER: the node asked about is worth `value` to its player to move; OPEN: it has
    its children now. FRESH: nothing was asked yet. What is asked next is a value where the node is
    FRESH, children where it is a LEAF.
    """
    if kind in (LEAF, OVER):
        if not math.isfinite(value):
            return FAULTY, -1, -1
        node = walk[PATH + walk[LAST]]
        nodes[node].kind = kind
        walk[IDLE] = 0
        back_up(nodes, walk, value)
        if kind == OVER and walk[PROVES]:
            close_above(nodes, walk)
    while walk[TO_GO] > 0:
        node = walk[PATH + walk[LAST]]
        known = nodes[node].kind
        if known == OPEN:
            is_free = walk[LAST] or share[STEPS] < 0
            child = best_child(nodes, node, exploration, first_play) if is_free else shared_child(nodes, share)
            if child < 0:
                return SHARE_OUT, -1, -1
            walk[LAST] += 1
            walk[PATH + walk[LAST]] = child
        elif known == OVER:
            # Every visit of it gave the result, seen by who moved into it, so their mean is the result again.
            back_up(nodes, walk, -nodes[node].total / nodes[node].visits)
            if walk[PROVES]:
                walk[IDLE] += 1
                if walk[IDLE] >= MOST_IDLE:
                    walk[TO_GO] = 0
        else:
            parent = walk[PATH + walk[LAST] - 1] if walk[LAST] else -1
            return node, parent, nodes[node].action
    return END, -1, -1


@compile_function
def expand(nodes: Nodes, walk: Walk, node: int, legal: NDArray[np.int64], weights: NDArray[np.float64]) -> bool:
    """Give `node` a child for each legal action, with the weights, divided by their sum, as priors.

    `legal` is ascending and `weights` (len(legal),) float64, summed in that order. A sum of 0 means uniform.
    The rows from USED on must have room. False, and nothing done, where the sum is no finite number.
    """
    total = 0.0
    # Not weights.sum(), which adds in pairs: the sum is to be the same in every language.
    for weight in weights:
        total += weight
    if not math.isfinite(total):
        return False
    first = walk[USED]
    for at in range(len(legal)):
        child = nodes[first + at]
        child.action = legal[at]
        child.prior = weights[at] / total if total > 0 else 1.0 / len(legal)
        child.total, child.squares, child.visits, child.kind, child.children, child.first = 0.0, 0.0, 0, FRESH, 0, 0
    nodes[node].first, nodes[node].children, nodes[node].kind = first, len(legal), OPEN
    walk[USED] += len(legal)
    return True


@compile_function
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


@compile_function
def subtree(nodes: Nodes, top: int) -> NDArray[np.int64]:
    """The rows of `top` and all nodes below it, int64 (n,), parents before children, siblings side by side."""
    rows = np.empty(len(nodes), np.int64)
    rows[0], used, at = top, 1, 0
    # `rows` is the queue and the result: a node's children are added while the nodes before it are gone through.
    while at < used:
        node = nodes[rows[at]]
        if node.kind == OPEN:
            for child in range(node.first, node.first + node.children):
                rows[used] = child
                used += 1
        at += 1
    return rows[:used]

"""The functions of `tree` in NumPy: the same numbers, slower, but without the second that Numba takes to load.

For a few hundred simulations, as a proof has them. What each function does, and why, is said there.
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
    """The row of the child with the best score; `exploration` is C by visit count, `first_play` as there."""
    parent = nodes[node]
    first, visits = int(parent["first"]), int(parent["visits"])
    children = nodes[first : first + int(parent["children"])]
    counts = children["visits"]
    unseen = 0.0 if first_play < 0 else max(-1.0, -float(parent["total"]) / visits - first_play)
    means = np.where(counts > 0, children["total"] / np.maximum(counts, 1), unseen)
    scores = means + ((exploration[visits] * children["prior"]) * math.sqrt(visits)) / (1 + counts)
    return first + int(np.argmax(scores))


def score_moves(children: Nodes, share: Share) -> None:
    """Write the scores of the root's children, (n,) of NODE, into the share."""
    counts, slots = children["visits"], share[SHARED : SHARED + 3 * len(children)]
    seen = counts > 0
    means = children["total"] / np.maximum(counts, 1)
    priors = np.maximum(LEAST_PRIOR, children["prior"])
    # Added up in this order, as compiled.
    total = np.cumsum(priors[seen])[-1] if seen.any() else 0.0
    weighted = np.cumsum(priors[seen] * means[seen] / total)[-1] if seen.any() else 0.0
    visits = int(counts.sum())
    scores = np.where(seen, means, (share[VALUE] + visits * weighted) / (visits + 1))
    low, high = scores.min(), scores.max()
    scale, span = (share[C_VISIT] + counts.max()) * share[C_SCALE], max(high - low, LEAST_SPAN)
    slots[2::3] = slots[1::3] + scale * ((scores - low) / span)


def shared_child(nodes: Nodes, share: Share) -> int:
    """The row of the root's child that the share's next step goes to; -1 if the steps are made, or none fits."""
    if share[STEP] >= share[STEPS]:
        return -1
    root = nodes[ROOT]
    first, count = int(root["first"]), int(root["children"])
    children, slots = nodes[first : first + count], share[SHARED : SHARED + 3 * count]
    step = share[SHARED + 3 * count + int(share[STEP])]
    share[STEP] += 1
    score_moves(children, share)
    fits = np.flatnonzero(children["visits"] - slots[0::3] == step)
    return first + int(fits[np.argmax(slots[2::3][fits])]) if len(fits) else -1


def back_up(nodes: Nodes, walk: Walk, value: float) -> None:
    """Count one simulation along the path, whose last node is worth `value` to its player to move."""
    last = int(walk[LAST])
    for row in walk[PATH : PATH + last + 1][::-1]:
        value = -value
        node = nodes[row]
        node["visits"] += 1
        node["total"] += value
        node["squares"] += value * value
    walk[DEEPEST] = max(walk[DEEPEST], last)
    walk[TO_GO] -= 1
    walk[BEFORE], walk[LAST] = last, 0


def close_above(nodes: Nodes, walk: Walk) -> None:
    """Close each node of the latest path whose children decide it, and end the walk if the root is closed."""
    for at in range(PATH + int(walk[BEFORE]) - 1, PATH - 1, -1):
        node = nodes[walk[at]]
        children = nodes[node["first"] : node["first"] + node["children"]]
        over = children[children["kind"] == OVER]
        best = max(-1.0, float((over["total"] / over["visits"]).max(initial=-1.0)))
        if len(over) < len(children) and best < 1:
            return
        node["kind"], node["total"] = OVER, -best * node["visits"]
        node["squares"] = best * best * node["visits"]
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
    """Take the requested answer (`kind`, `value`) and walk on: (node, its parent, the action between)."""
    if kind in (LEAF, OVER):
        if not math.isfinite(value):
            return FAULTY, -1, -1
        nodes[walk[PATH + walk[LAST]]]["kind"] = kind
        walk[IDLE] = 0
        back_up(nodes, walk, value)
        if kind == OVER and walk[PROVES]:
            close_above(nodes, walk)
    while walk[TO_GO] > 0:
        row = int(walk[PATH + walk[LAST]])
        node = nodes[row]
        known = node["kind"]
        if known == OPEN:
            is_free = walk[LAST] or share[STEPS] < 0
            child = best_child(nodes, row, exploration, first_play) if is_free else shared_child(nodes, share)
            if child < 0:
                return SHARE_OUT, -1, -1
            walk[LAST] += 1
            walk[PATH + walk[LAST]] = child
        elif known == OVER:
            back_up(nodes, walk, -node["total"] / node["visits"])
            if walk[PROVES]:
                walk[IDLE] += 1
                if walk[IDLE] >= MOST_IDLE:
                    walk[TO_GO] = 0
        else:
            parent = int(walk[PATH + walk[LAST] - 1]) if walk[LAST] else -1
            return row, parent, int(node["action"])
    return END, -1, -1


def expand(nodes: Nodes, walk: Walk, node: int, legal: NDArray[np.int64], weights: NDArray[np.float64]) -> bool:
    """Give `node` a child for each legal action, its weight divided by their sum as prior; False if that is no number.

    `legal` is int64 (n,), ascending, and `weights` float64 (n,).
    """
    total = float(np.cumsum(weights)[-1])  # added up in this order, as compiled
    if not math.isfinite(total):
        return False
    first = int(walk[USED])
    children = nodes[first : first + len(legal)]
    children[:] = 0
    children["action"], children["prior"] = legal, weights / total if total > 0 else 1.0 / len(legal)
    parent = nodes[node]
    parent["first"], parent["children"], parent["kind"] = first, len(legal), OPEN
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
    """Both, one after the other; `legal` int64 and `weights` float64 are (n,)."""
    if not expand(nodes, walk, node, legal, weights):
        return FAULTY, -1, -1
    return advance(nodes, walk, share, exploration, first_play, 0.0, OPEN)


def subtree(nodes: Nodes, top: int) -> NDArray[np.int64]:
    """The rows of `top` and all nodes below it, int64 (n,), parents before children, siblings side by side."""
    rows = [top]
    for row in rows:
        node = nodes[row]
        if node["kind"] == OPEN:
            rows.extend(range(node["first"], node["first"] + node["children"]))
    return np.array(rows, np.int64)

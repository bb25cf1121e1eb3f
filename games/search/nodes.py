"""The arrays of a search tree's nodes, and those of a walk through it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

NODE = np.dtype(
    [
        ("prior", np.float64),
        ("total", np.float64),
        ("squares", np.float64),
        ("visits", np.int64),
        ("first", np.int64),
        ("children", np.int32),
        ("action", np.int32),
        ("kind", np.int64),
    ]
)
# What is known of a node: nothing (FRESH), its value (LEAF), its children too (OPEN), or the game's result (OVER). The
# result is known if the game is over there or, in a walk that proves, if the children decide it.
FRESH, LEAF, OPEN, OVER = 0, 1, 2, 3
# A walk is one array of integers: compiled code can write to it and Python can read it, and one argument is passed
# faster than six. It begins with the slots below. The rows of the path follow, from the root to the node that is asked
# about.
#   USED     the rows of the tree in use; children are added behind them
#   TO_GO    simulations still to be made; another thread sets it to 0 to stop the walk
#   LAST     where in the path the walk is, 0 at the root: it continues from there when an answer comes
#   BEFORE   LAST at the end of the previous simulation, whose path is still there and can be printed
#   DEEPEST  the largest LAST so far
#   PROVES   1 if results go up the tree, 0 if each node is worth the mean of its visits
#   IDLE     how many simulations in a row have ended at a node whose result was known before
USED, TO_GO, LAST, BEFORE, DEEPEST, PROVES, IDLE, PATH = 0, 1, 2, 3, 4, 5, 6, 7
ROOT = 0
# The rows that a tree begins with, and the slots of a walk.
ROOM = 1 << 12
# A walk that proves ends when IDLE reaches this number: the rest of the tree is visited too seldom to wait for.
MOST_IDLE = 1000
# What `advance` returns instead of a node. END: the walk has ended. FAULTY: the answer was no finite number. SHARE_OUT:
# all simulations that the root shared out (`gumbel.py`) are made, and the next ones must be shared out.
END, FAULTY, SHARE_OUT = -1, -2, -3
# A share, also one array (float64), says how a root shares its simulations out. It begins with the slots below. Three
# numbers for each of the root's children follow: its earlier visits, the logarithm of its prior, and room for its
# score. The steps are last: for each simulation, how many visits its child has had since the plan began.
#   STEP, STEPS   the next step, and the number of steps; -1 if the root does not share out
#   VALUE         the network's value of the root
#   C_VISIT, C_SCALE   the settings
STEP, STEPS, VALUE, C_VISIT, C_SCALE, SHARED = 0, 1, 2, 3, 4, 5
# A smaller prior counts as this one, so that it has a logarithm; values that lie nearer to each other count as equal.
LEAST_PRIOR, LEAST_SPAN = 1e-300, 1e-8

Nodes = NDArray[np.void]
Walk = NDArray[np.int64]
Share = NDArray[np.float64]
NO_SHARE: Share = np.array([0.0, -1.0, 0.0, 0.0, 0.0])


def transplant(nodes: Nodes, rows: NDArray[np.int64]) -> Nodes:
    """The `rows` (n,) of a `subtree` as a separate tree (n,) of NODE, its first row the root."""
    # After the root each open node's children follow in turn: a running sum says where they begin.
    copied = nodes[rows]
    opened = copied["kind"] == OPEN
    sizes = np.where(opened, copied["children"], 0)
    copied["first"] = 1 + np.cumsum(sizes) - sizes
    return copied

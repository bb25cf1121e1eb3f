"""A search without a network, compiled as a whole: every state counts as even, and all moves as equally good.

It makes the same visits as a search that asks `Uniform`, and uses the rules of `games/rules/cells.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..evaluator import Evaluation
from ..rules import cells
from ..rules.cells import GOES_ON, MOVER, Numbers, cells_of, ended, moves, put
from . import tree
from .forms import compile_module
from .nodes import FRESH, LAST, LEAF, OPEN, OVER, PATH, PROVES, ROOT, TO_GO, USED, Nodes, Share, Walk
from .tree import advance, expand

# What `grow` returns when the tree's memory is full.
NO_ROOM = -9
# The answer for every state.
EVEN = Evaluation(0.0)


def grower(stamp: str) -> Callable[..., int]:
    """`grow`, compiled anew for each `stamp` of the sources, because Numba itself checks only one file for changes."""

    def grow(
        nodes: Nodes,
        walk: Walk,
        share: Share,
        exploration: NDArray[np.float64],
        first_play: float,
        game: tuple[Numbers, Numbers],
        root_moves: Numbers,
        most: int,
    ) -> int:
        """Walk until END, SHARE_OUT or NO_ROOM; `game` has the rules and the root's position.

        A tree that proves is full at `most` rows.
        """
        rules, root = game
        behind = cells_of(rules)
        position, legal, spare = root.copy(), np.empty(behind + 1, np.int64), np.empty(2 * behind, np.int64)
        even = np.ones(behind + 1)
        node, _, action = advance(nodes, walk, share, exploration, first_play, 0.0, FRESH)
        while node >= 0 and stamp:
            position[:] = root
            for at in range(PATH + 1, PATH + 1 + walk[LAST]):
                put(rules, position, nodes["action"][walk[at]])
            if nodes["kind"][node] == FRESH:
                result = ended(rules, position, action, spare) if walk[LAST] > 0 else GOES_ON
                value, kind = 0.0, LEAF
                if result != GOES_ON:
                    value, kind = float(result * (1 - 2 * position[behind + MOVER])), OVER
            else:
                if node == ROOT:
                    count = len(root_moves)
                    legal[:count] = root_moves
                else:
                    count = moves(rules, position, legal)
                if walk[USED] + count > len(nodes):
                    return NO_ROOM
                expand(nodes, walk, node, legal[:count], even[:count])
                if walk[PROVES] and walk[USED] >= most:
                    walk[TO_GO] = min(1, walk[TO_GO])
                value, kind = 0.0, OPEN
            node, _, action = advance(nodes, walk, share, exploration, first_play, value, kind)
        return int(node)

    return grow


@cache
def compiled_grow() -> Callable[..., int]:
    """`grow`, compiled; the first call loads Numba."""
    from ..compiled import compile_function

    files = [Path(str(module.__file__)) for module in (tree, cells)]
    stamp = sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
    names: dict[str, Any] = {**globals(), **compile_module(cells), **compile_module(tree)}
    made: Callable[..., int] = FunctionType(grower.__code__, names, "grower")(stamp)
    return compile_function(made)

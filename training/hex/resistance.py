"""The player that Hex networks are measured against: it looks one ply ahead and measures electric resistance.

A board is a circuit for each player: the player's stones conduct, empty cells resist, the other player's stones
insulate. The resistance between the player's two sides is low if many short ways are left (C. Shannon's machine; V.
Anshelevich, "A hierarchical approach to computer Hex", Artificial Intelligence 134, 2002). The player makes the move
with the lowest ratio of its own resistance to the opponent's. It never looks at a reply.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...games.rules.hex import Hex
from ...games.rules.position import places_in

# Resistances of an empty cell, of the player's stone, and of the other's stone, which is practically a wall.
EMPTY, OWN, OTHER = 1.0, 1e-4, 1e6


def resistances(cells: NDArray[np.float64], state: Hex, player: int) -> NDArray[np.float64]:
    """The resistance between a player's sides, float64 (N,); `cells`, float64 (N, cells), has each cell's own."""
    kind, count = state.kind, state.actions
    ohms = np.zeros((len(cells), count, count))
    for cell, near in enumerate(kind.touching):
        for other in near:
            ohms[:, cell, other] = 1 / (cells[:, cell] + cells[:, other])
    matrix = -ohms
    diagonal = ohms.sum(axis=2)
    first, second = (np.array(list(places_in(side))) for side in kind.sides[player])
    # One volt on the first side, none on the second; every cell of a side leads to it through its own resistance.
    current = np.zeros((len(cells), count))
    current[:, first] = 1 / cells[:, first]
    diagonal[:, first] += 1 / cells[:, first]
    diagonal[:, second] += 1 / cells[:, second]
    matrix[:, range(count), range(count)] = diagonal
    volts = np.linalg.solve(matrix, current[..., None])[..., 0]
    flow = (volts[:, second] / cells[:, second]).sum(axis=1)
    values: NDArray[np.float64] = 1 / np.maximum(flow, 1e-12)
    return values


def choose(state: Hex, rng: np.random.Generator) -> int:
    """The player's move; `rng` chooses among equal ones."""
    legal = list(places_in(state.empty))
    wins = state.sudden()[0]
    if wins:
        return int(rng.choice(wins))
    own, other = (np.full((len(legal), state.actions), EMPTY) for _ in range(2))
    for cell in range(state.actions):
        for player, stones in enumerate(state.stones):
            if stones >> cell & 1:
                own[:, cell], other[:, cell] = (OWN, OTHER) if player == state.to_move else (OTHER, OWN)
    rows = np.arange(len(legal))
    own[rows, legal], other[rows, legal] = OWN, OTHER
    mine = resistances(own, state, state.to_move)
    theirs = resistances(other, state, 1 - state.to_move)
    scores = np.round(np.log(theirs) - np.log(mine), 9)
    return int(legal[int(rng.choice(np.flatnonzero(scores == scores.max())))])

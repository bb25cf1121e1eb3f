"""Solved positions of Connect4 in the golden files: BitBully's scores, which the apps' own solver must match."""

from __future__ import annotations

from typing import Any

from azx.games.random_play import generator, random_action
from azx.games.rules.connect4 import COLUMNS, Connect4, start

# Discs on the board, and how many positions of each.
DISCS, EACH = (12, 14, 16, 18, 20, 24, 28, 34, 40), 5


def solved() -> dict[str, Any]:
    """Random positions that are not over: the outcome, the moves that keep it, and the plies to the end."""
    rng = generator(54)
    cases = []
    for discs in DISCS:
        found = 0
        while found < EACH:
            actions: list[int] = []
            state = start()
            while not state.is_terminal and len(actions) < discs:
                actions.append(random_action(state, rng))
                state = state.apply(actions[-1])
            if not state.is_terminal:
                cases.append(_solve(state, actions))
                found += 1
    return {"game": "connect4", "cases": cases}


def _solve(state: Connect4, actions: list[int]) -> dict[str, Any]:
    from azx.training.connect4.strength import solve

    found = solve(state)
    scores = {action: int(found[action % COLUMNS]) for action in state.legal_actions()}
    best = max(scores.values())
    outcome = (best > 0) - (best < 0)
    kept = [action for action, score in scores.items() if (score > 0) - (score < 0) == outcome]
    # A score is 0 for a draw, else 22 less the discs of who wins, negative where the mover loses.
    played = len(actions)
    own, other = played // 2, (played + 1) // 2
    winners = 22 - abs(best)
    distance = 42 - played if best == 0 else 2 * (winners - own) - 1 if best > 0 else 2 * (winners - other)
    return {"actions": actions, "outcome": outcome, "kept": kept, "distance": distance}

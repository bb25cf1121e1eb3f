"""What the golden files say of the levels: the table, numbers of a seed, choices among weights, and whole games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from azx.games.game import Game
from azx.games.known.catalogue import GAMES
from azx.games.levels.choice import Level, choose_action, find_pass, splitmix64
from azx.games.levels.table import LEVELS, NAMES, UNMEASURED, levels_of
from azx.games.search import Search
from azx.games.state import State

from .hash_evaluator import HashEvaluator

SEED, PLIES = 20_261, 16
SEEDS = (0, 1, 7, 1234567, 2**53 - 1)


def levels() -> dict[str, Any]:
    """The levels of each game and those of none, and what is drawn at them; every language must draw the same."""
    table = [{"game": name, "levels": [asdict(level) for level in row]} for name, row in LEVELS.items()]
    unmeasured = {"game": None, "levels": [asdict(level) for level in UNMEASURED]}
    numbers = [
        {"seed": seed, "ply": ply, "number": f"{splitmix64(seed, ply):016x}"}
        for seed in SEEDS
        for ply in (0, 1, 2, 240)
    ]
    return {
        "names": list(NAMES),
        "table": [*table, unmeasured],
        "numbers": numbers,
        "choices": list(_choices()),
        "games": [_play(game) for game in GAMES.values()],
    }


def _choices() -> Iterator[dict[str, Any]]:
    """Weights and the action that is chosen among them, with and without an action that passes."""
    visits = [(0, 10), (3, 40), (4, 0), (7, 20), (9, 40)]
    priors = [(0, 0.125), (2, 0.3), (5, 0.0625), (8, 0.5125)]
    best = [(0, 2), (1, 3), (81, 9)]
    alike = [(1, 0), (4, 0)]
    for weights, pass_action in ((visits, None), (visits, 9), (priors, None), (priors, 8), (best, 81), (alike, None)):
        for number, level in enumerate(_kinds()):
            for ply in range(4):
                seed = 100 * number + len(weights)
                yield {
                    "weights": [list(pair) for pair in weights],
                    "level": asdict(level),
                    "seed": seed,
                    "ply": ply,
                    "passing": pass_action,
                    "action": choose_action(weights, level, seed, ply, pass_action),
                }


def _kinds() -> Iterator[Level]:
    for temperature in (0, 0.125, 0.5, 1, 2, 8):
        # Of the visits above one is a quarter of the most: what is just at the threshold is kept.
        for threshold in (0.0, 0.25):
            yield Level(16, threshold, temperature)


def _play(game: Game) -> dict[str, Any]:
    """A game that the hash evaluator plays against itself: level 1 makes the first move, level 2 the next one, ..."""
    state: State = game.begin()
    actions: list[int] = []
    while len(actions) < PLIES and not state.is_terminal:
        level = levels_of(game.name)[len(actions) % len(NAMES)]
        actions.append(_move(state, level, len(actions)))
        state = state.apply(actions[-1])
    return {"game": game.name, "seed": SEED, "actions": actions}


def _move(state: State, level: Level, ply: int) -> int:
    search = Search(state, HashEvaluator())
    search.run(level.simulations)
    legal = state.legal_actions()
    weights: Any = search.visits().items()
    if not any(search.visits().values()):
        weights = zip(legal, HashEvaluator().evaluate([state])[0].priors(legal).tolist(), strict=True)
    return choose_action(weights, level, SEED, ply, find_pass(state))

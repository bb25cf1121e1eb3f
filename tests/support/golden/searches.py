"""What the golden files say of searches that share their simulations out at the root, and of settings for them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from azx.games.known.catalogue import GAMES
from azx.games.search import Search
from azx.games.search.gumbel import Halving, logarithms_of
from azx.games.search.lower_bound import lower_bound
from azx.games.search_settings import Gumbel, SearchSettings, fault_in
from azx.games.state import play_line

from .cases import PLAYED, actions_of
from .hash_evaluator import HashEvaluator

CONSTANT = 1.25
EACH_ALONE = "each alone"
USUAL = Gumbel()
# Visits, the sum of their values and of the values' squares, and how many standard errors are taken off.
BOUNDS = (
    (1, 0.3, 0.09, 5.0),
    (7, -2.1, 1.9, 5.0),
    (7, 2.1, 0.63, 1.96),
    (100, 33.3, 47.11, 0.1),
    (1234, -1234.0, 1234.0, 5.0),
    (3, 0.1, 0.0033, 0.0),
    (33, 10.0, 3.0, 100.0),
)
NUMBERS = (1.0, 0.999, 0.7071067811865476, 0.7, 0.5, 1 / 3, 0.1, 0.001, 1 / 361, 3e-17, 1e-300)


@dataclass(frozen=True)
class Shared:
    """A game's position after `ply` of its first random game, and how it is searched: the same for each of `moves`."""

    game: str
    runs: tuple[int, ...]
    root: Gumbel | None = USUAL
    ply: int = 0
    plan: int | str | None = EACH_ALONE
    moves: int = 1
    proves: bool = False
    beside: tuple[tuple[str, Any], ...] = ()

    @property
    def settings(self) -> SearchSettings:
        """As a bundle has them."""
        return SearchSettings(self.root, **dict(self.beside))


def _cases() -> Iterator[Shared]:
    for game in GAMES:
        for simulations, considered in product((1, 2, 8, 32, 50), (4, 16)):
            yield Shared(game, (simulations,), Gumbel(considered), 5)
        yield Shared(game, (32,), Gumbel(16), moves=4)
        yield Shared(game, (50,), Gumbel(8, 20, 0.5), moves=3, proves=True)
    yield Shared("go", (20, 20, 10), Gumbel(16), 5, plan=50, moves=2)
    yield Shared("go", (50, 25, 75), Gumbel(16), 5, plan=None, moves=2)
    yield Shared("hex", (20, 20), Gumbel(16), plan=30)
    yield Shared("connect4", (50,), Gumbel(1))
    yield Shared("connect4", (50,), Gumbel(3, 0, 0))
    yield Shared("tictactoe", (200,), Gumbel(16), 3, moves=6)
    yield Shared("reversi", (120,), Gumbel(5, 0, 1), 5, moves=3, proves=True)
    for game in GAMES:
        yield Shared(game, (60,), None, 5, moves=3, beside=(("first_play", 0.25),))
        yield Shared(game, (60,), None, moves=3, proves=True, beside=(("c_init", 0.5), ("first_play", 0.0)))
        yield Shared(game, (40,), Gumbel(8), 5, moves=2, beside=(("c_init", 3.0), ("first_play", 2.0)))
    yield Shared("go", (300,), None, beside=(("first_play", 0.6),))
    yield Shared("gomoku", (300,), None, 5, beside=(("c_init", 0.0),))
    early = (("early_stop", True),)
    for game in GAMES:
        yield Shared(game, (100,), None, 5, moves=3, beside=early)
        yield Shared(game, (100,), None, 5, moves=3, proves=True, beside=early)
    yield Shared("connect4", (30, 30, 40), None, 5, plan=100, moves=3, proves=True, beside=early)
    yield Shared("hex", (30, 30), None, plan=None, moves=2, beside=early)
    yield Shared("go", (40,), Gumbel(8), 5, moves=2, beside=early)
    for game in GAMES:
        yield Shared(game, (80,), None, 5, moves=4, beside=(("lower_bound", 5.0),))
        yield Shared(game, (80,), None, 3, moves=4, proves=True, beside=(*early, ("lower_bound", 0.5)))
    yield Shared("gomoku", (200,), None, 5, moves=3, beside=(("lower_bound", 0.0), ("first_play", 0.25)))
    yield Shared("hex", (40,), Gumbel(8), 5, moves=2, beside=(("lower_bound", 5.0),))


def searches() -> dict[str, Any]:
    """Logarithms, orders of visits, whole searches with the hash evaluator, and faults of settings."""
    halvings = [
        {"considered": moves, "simulations": simulations, "steps": _steps(moves, simulations)}
        for moves, simulations in ((1, 5), (2, 7), (3, 20), (4, 31), (7, 49), (16, 8), (16, 31), (16, 49), (5, 200))
    ]
    faults = [{"search": search, "fault": fault_in(search)} for search in _settings()]
    return {
        "c": CONSTANT,
        "logarithms": [[number, float(logarithms_of(np.array([number]))[0])] for number in NUMBERS],
        "halvings": halvings,
        "bounds": [[*case, lower_bound(*case)] for case in BOUNDS],
        "settings": faults,
        "cases": [_search(case) for case in _cases()],
    }


def _steps(moves: int, simulations: int) -> list[int]:
    halving = Halving(moves, simulations)
    return [halving.step() for _ in range(simulations)]


def _search(case: Shared) -> dict[str, Any]:
    game = GAMES[case.game]
    played = next(each for each in PLAYED[case.game] if each.about.startswith("random") and not each.settings)
    actions = list(actions_of(game, played))[: case.ply]
    search = Search(
        play_line(game.begin(played.settings), actions),
        HashEvaluator(),
        # What says where C begins has no other constant.
        constant=None if "c_init" in dict(case.beside) else lambda visits: CONSTANT,
        proves=case.proves,
        settings=case.settings,
    )
    moves = []
    for _ in range(case.moves):
        if search.state.is_terminal:
            break
        if case.plan != EACH_ALONE:
            search.plan(case.plan if isinstance(case.plan, int) else None)
        for simulations in case.runs:
            search.run(simulations)
        report = search.report()
        visits = {str(action): count for action, count in search.visits().items() if count}
        moves.append({"visits": visits, "depth": report.depth, "best": report.action})
        search.play(report.action)
    return {
        "game": case.game,
        "actions": actions,
        "search": case.settings.as_data(),
        "proves": case.proves,
        "plan": case.plan,
        "runs": list(case.runs),
        "moves": moves,
    }


def _settings() -> Iterator[Any]:
    root = {"kind": "gumbel", "considered": 16, "c_visit": 50, "c_scale": 0.1}
    yield {"root": root}
    yield {"root": {"kind": "puct"}}
    yield {"root": {"kind": "gumbel"}}
    yield {"root": {**root, "considered": 1, "c_visit": 0, "c_scale": 0}}
    yield {"root": {**root, "considered": 1000, "c_visit": 1000000, "c_scale": 2.5}}
    yield {}
    yield {"root": "gumbel"}
    yield {"root": {"considered": 16}}
    yield {"root": {"kind": "thompson"}}
    yield {"root": {"kind": 3}}
    yield {"root": {**root, "considered": 0}}
    yield {"root": {**root, "considered": 1001}}
    yield {"root": {**root, "considered": 2.5}}
    yield {"root": {**root, "considered": "16"}}
    yield {"root": {**root, "considered": True}}
    yield {"root": {**root, "considered": None}}
    yield {"root": {**root, "c_visit": -1}}
    yield {"root": {**root, "c_visit": 1000001}}
    yield {"root": {**root, "c_scale": -0.1, "c_visit": "50"}}
    yield {"root": {**root, "c_scale": False}}
    yield {"root": {**root, "noise": 1, "beta": 2}}
    yield {"root": {"kind": "puct", "considered": 16}}
    yield {"root": {"kind": "puct"}, "solver": True, "first_play": "zero"}
    yield {"root": {"kind": "puct"}, "solver": True, "first_play": 0}
    yield {"root": root, "c_init": 1.5, "first_play": 0.2}
    yield {"root": {"kind": "puct"}, "c_init": 1000, "first_play": 2}
    yield {"root": {"kind": "puct"}, "c_init": 1000.5, "first_play": 3}
    yield {"root": {"kind": "puct"}, "first_play": -0.1}
    yield {"root": {"kind": "puct"}, "first_play": True}
    yield {"root": {"kind": "puct"}, "c_init": None}
    yield {"root": root, "early_stop": True}
    yield {"root": {"kind": "puct"}, "early_stop": False}
    yield {"root": {"kind": "puct"}, "early_stop": 1}
    yield {"root": {"kind": "puct"}, "early_stop": "yes", "first_play": 3}
    yield {"root": {"kind": "puct"}, "lower_bound": 5}
    yield {"root": root, "lower_bound": 0.5, "early_stop": True}
    yield {"root": {"kind": "puct"}, "lower_bound": -1}
    yield {"root": {"kind": "puct"}, "lower_bound": 100.5, "early_stop": 1}
    yield {"root": {"kind": "puct"}, "lower_bound": True}
    yield {"root": {"kind": "puct", "c_init": 2}}
    yield {"root": {**root, "considered": 0}, "solver": True}

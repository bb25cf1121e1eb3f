"""What the golden files say of reviews: verdicts of games, made up and looked at by a search, and candidates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import Any

from azx.games.game import Settings
from azx.games.known.catalogue import GAMES
from azx.games.random_play import generator, random_action
from azx.games.review.analysis import evaluate_root
from azx.games.review.analysis import review as whole_review
from azx.games.review.known import known_of
from azx.games.review.verdicts import (
    DEEPER,
    FEWEST,
    GOOD,
    LEAST_LOSSES,
    LEAST_MARGINS,
    VERDICTS,
    EvaluatedPosition,
    accuracy,
    counts,
    judge_moves,
    next_mistake,
    positions_in_doubt,
    verdict,
)
from azx.games.search import MOST, Candidate, Search, rank_candidates
from azx.games.state import play_line

from .cases import PLAYED, SEARCHED, Searched, actions_of
from .hash_evaluator import HashEvaluator

# C of every search here: a logarithm may differ in its last bit from one language to another.
CONSTANT = 1.25
LOSSES = (0.0, 0.0499, 0.05, 0.0501, 0.1099, 0.11, 0.2399, 0.24, 0.5, 1.0)
# The number of the played game and the simulations of each game's review.
REVIEWED = {
    "connect4": (2, 60),
    "tictactoe": (2, 100),
    "dots_and_boxes": (8, 40),
    "gomoku": (1, 30),
    "go": (0, 30),
    "reversi": (6, 30),
    "hex": (1, 30),
}
# What is told, a game, player 0's chance as a network has it everywhere, and the actions.
REASONED: tuple[tuple[str, str, float, list[int]], ...] = (
    ("a win in one is missed at 97 %", "connect4", 0.97, [38, 35, 31, 36, 24, 41, 40]),
    ("a win in one is missed, and the opponent wins", "connect4", 0.5, [38, 35, 31, 28, 24, 21, 41, 14]),
    ("a win that cannot be stopped is kept by waiting", "connect4", 0.5, [38, 31, 37, 30, 39, 24, 35, 41, 40]),
    ("a row is not blocked in a game thought lost", "connect4", 0.98, [38, 35, 31, 36, 24, 40, 17]),
    ("a move below the winning cell", "connect4", 0.98, [36, 35, 28, 37, 29, 41, 30, 38, 31]),
    ("an opening whose win is given away three times", "connect4", 0.5, [38, 31, 37, 41, 40, 39, 36]),
    ("an opening whose draw is kept, and given away", "connect4", 0.5, [37, 39, 30, 32, 23, 36, 29]),
    ("a draw is given away, and the opponent wins at once", "connect4", 0.5, [39, 41, 36, 34, 37, 35, 30]),
    ("an opening whose win is kept where a network sees a loss", "connect4", 0.02, [38, 31, 24, 17, 10, 3]),
    ("a lost opening has nothing to give away", "connect4", 0.5, [35, 38, 37, 36, 31, 24]),
    ("a row is blocked", "connect4", 0.6, [38, 35, 31, 36, 24, 17]),
    ("nothing is left to lose", "tictactoe", 0.5, [0, 4, 8, 6, 2, 7, 1]),
    ("drawn with forced moves", "tictactoe", 0.5, [0, 1, 2, 4, 3, 5, 7, 6, 8]),
    ("a four is not blocked, and not completed", "gomoku", 0.99, [210, 0, 211, 2, 212, 4, 213, 100, 150, 214]),
    (
        "a chain of Hex is not blocked, and not completed",
        "hex",
        0.9,
        [3, 0, 10, 1, 17, 2, 24, 4, 31, 5, 38, 6, 48, 45, 44],
    ),
    (
        "five moves that are a choice",
        "connect4",
        0.5,
        [38, 31, 24, 17, 10, 3, 37, 30, 23, 16, 9, 2, 35, 39, 41],
    ),
    ("passes after boxes, no reasons", "dots_and_boxes", 0.5, [0, 3, 12, 13, 24, 1, 4]),
    ("passes in Go, no reasons", "go", 0.5, [40, 81, 41, 81, 81]),
)
# Random games, by game, size and seed, in whose ends boxes or discs are given away.
RANDOM_ENDS = (
    ("dots_and_boxes", 2, 1),
    ("dots_and_boxes", 3, 2),
    ("dots_and_boxes", 3, 5),
    ("dots_and_boxes", 4, 3),
    ("reversi", 4, 1),
    ("reversi", 6, 2),
    ("reversi", 8, 3),
)


def review() -> dict[str, Any]:
    """Thresholds, rankings, candidates and reviews; docs/fixtures.md says what their members are."""
    return {
        "c": CONSTANT,
        "most": MOST,
        "deeper": DEEPER,
        "fewest_moves": FEWEST,
        **{
            f"least_{unit}": {name: least[name] for name in reversed(VERDICTS) if name != GOOD}
            for unit, least in LEAST_MARGINS.items()
        },
        "least_losses": {name: LEAST_LOSSES[name] for name in reversed(VERDICTS) if name != GOOD},
        "verdicts": [{"loss": loss, "verdict": verdict(loss)} for loss in LOSSES],
        "ranked": [_rank(rows) for rows in _rows()],
        "candidates": [_candidates(game, case) for game in GAMES for case in SEARCHED[game]],
        "reviews": [*_invent_cases(), *(_play_and_review(game) for game in GAMES)],
        "reasons": [*(_reason(*case) for case in REASONED), *(_random_end(*case) for case in RANDOM_ENDS)],
        "again": [_again(game) for game in ("connect4", "tictactoe")],
    }


def _rows() -> Iterator[list[Candidate]]:
    yield []
    yield [Candidate(0, 0, 0.5, 1.0)]
    yield [Candidate(0, 3, 0.5, 0.2), Candidate(1, 9, 0.1, 0.1), Candidate(2, 0, 0.5, 0.7)]
    yield [Candidate(4, 7, 0.5, 0.25), Candidate(2, 7, 0.4, 0.25), Candidate(3, 7, 0.9, 0.5)]
    yield [Candidate(at, 10 - at // 3, 0.5, (at % 2 + 1) / 12) for at in range(8)]


def _rank(rows: list[Candidate]) -> dict[str, Any]:
    return {"given": [_row(row) for row in rows], "ranked": [row.action for row in rank_candidates(rows)]}


def _row(found: Candidate) -> dict[str, Any]:
    return {"action": found.action, "visits": found.visits, "win_rate": found.win_rate, "prior": found.prior}


def _search(game: str, settings: Settings, actions: Sequence[int], simulations: int) -> Search:
    search = Search(play_line(GAMES[game].begin(settings), actions), HashEvaluator(), constant=_constant)
    search.run(simulations)
    return search


def _constant(visits: int) -> float:
    return CONSTANT


def _candidates(game: str, case: Searched) -> dict[str, Any]:
    simulations = min(case.simulations, 200)
    found = rank_candidates(_search(game, case.settings, case.actions, simulations).candidates())
    asked = {"game": game, "settings": dict(case.settings), "actions": list(case.actions), "simulations": simulations}
    return {**asked, "candidates": [_row(row) for row in found]}


def _invent_cases() -> Iterator[dict[str, Any]]:
    ones = [(0, 0.5, 4), (1, 0.5, 4), (0, 0.55, 1), (1, 0.5, 2), (0, 0.75, 3), (1, 0.5, 0), (0, 0.5, 5), (1, 0.0, None)]
    yield _make_case("each verdict, and a win at the end", ones, [4, 1, 7, 8, 6, 2, 5])
    yield _make_case("no move", [(0, 0.5, 3)], [])
    yield _make_case("an end that is not looked at yet", [(0, 0.5, 3), (1, 0.9, 2)], [1, 2, 3])
    yield _make_case(
        "the best move has no loss, whatever is seen later", [(0, 0.9, 3), (1, 0.9, 2), (0, 0.2, 1)], [3, 0]
    )
    yield _make_case("a better move than the best has none", [(0, 0.4, 3), (1, 0.1, 2)], [1])
    yield _make_case("the same player twice", [(0, 0.8, 3), (0, 0.3, 2), (1, 0.5, None)], [1, 4])
    twice = [(0, 0.9, 3, True), (1, 0.6, 2), (0, 0.9, 3), (1, 0.5, 1, True), (0, 0.5, None)]
    yield _make_case("some were looked at again", twice, [1, 4, 5, 6])
    long = [(at % 2, (0.5, 0.58, 0.7, 0.5)[at % 4], 9) for at in range(12)]
    yield _make_case("enough moves for an accuracy", long, list(range(20, 31)))
    yield _make_case("a lost game has nothing to lose", [(0, 0.01, 3), (1, 1.0, 2), (0, 0.0, None)], [1, 4])


def _make_case(about: str, rows: Sequence[tuple[Any, ...]], actions: list[int]) -> dict[str, Any]:
    return {"about": about, "game": None, **_review([EvaluatedPosition(*row) for row in rows], actions)}


def _random_end(game: str, size: int, seed: int) -> dict[str, Any]:
    state, rng, actions = GAMES[game].begin({"size": size}), generator(seed), list[int]()
    while not state.is_terminal:
        actions.append(random_action(state, rng))
        state = state.apply(actions[-1])
    return _reason(f"random, {size} x {size}, a margin in the end", game, 0.5, actions, {"size": size})


def _reason(
    about: str, game: str, chance: float, actions: list[int], settings: Settings = MappingProxyType({})
) -> dict[str, Any]:
    """A game whose positions a network thinks alike, but for what the rules prove."""
    seen = []
    for plies in range(len(actions) + 1):
        state = play_line(GAMES[game].begin(settings), actions[:plies])
        known = known_of(state)
        first = (1 + state.returns()) / 2 if state.is_terminal else chance
        own = first if state.to_move == 0 else 1 - first
        is_sure = known.chance is not None and not state.is_terminal
        proven = own if known.chance is None else known.chance
        best = known.left[0] if known.left else None
        seen.append(EvaluatedPosition(state.to_move, proven, best, is_sure=is_sure, known=known))
    return {"about": about, "game": game, "settings": dict(settings), **_review(seen, actions)}


def _play_and_review(game: str) -> dict[str, Any]:
    at, simulations = REVIEWED[game]
    case = PLAYED[game][at]
    actions = list(actions_of(GAMES[game], case))[:24]
    seen = [
        evaluate_root(_search(game, case.settings, actions[:plies], simulations)) for plies in range(len(actions) + 1)
    ]
    asked = {"about": case.about, "game": game, "settings": dict(case.settings), "simulations": simulations}
    return {**asked, **_review(seen, actions)}


def _again(game: str) -> dict[str, Any]:
    """A whole review: what each position was seen as in the end."""
    at, simulations = REVIEWED[game]
    case = PLAYED[game][at]
    states = [GAMES[game].begin(case.settings)]
    for action in list(actions_of(GAMES[game], case))[:24]:
        states.append(states[-1].apply(action))
    found = whole_review(states, HashEvaluator(), simulations, constant=_constant)
    asked = {"game": game, "settings": dict(case.settings), "simulations": simulations}
    actions = [state.last_action for state in states[1:]]
    return {**asked, "actions": actions, "seen": [_seen_as_data(each) for each in found.positions]}


def _review(seen: Sequence[EvaluatedPosition], actions: list[int]) -> dict[str, Any]:
    moves = judge_moves(seen, actions)
    return {
        "actions": actions,
        "seen": [_seen_as_data(each) for each in seen],
        "doubted": positions_in_doubt(seen, actions),
        "counts": [counts(moves, player) for player in (0, 1)],
        "accuracy": [_round(accuracy(moves, player)) for player in (0, 1)],
        "next_mistakes": [next_mistake(moves, shown) for shown in range(len(actions) + 1)],
        "moves": [
            {
                "player": move.player,
                "loss": move.loss,
                "verdict": move.verdict,
                "better": move.better,
                "reason": move.reason._asdict() if move.reason else None,
                "choice": move.is_choice,
                "margin": move.margin,
                "unit": move.unit,
            }
            for move in moves
        ],
    }


def _seen_as_data(seen: EvaluatedPosition) -> dict[str, Any]:
    return {"mover": seen.mover, "chance": seen.chance, "best": seen.best, **({"sure": True} if seen.is_sure else {})}


def _round(rate: float | None) -> float | None:
    return None if rate is None else round(rate, 9)

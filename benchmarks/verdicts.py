"""Compares a review's verdicts with a solver's truth or, without a solver, with a search ten times as deep.

    python -P benchmarks/verdicts.py [GAME...] [--moves 400] [--simulations 200] [--seed 0] [--page] [--json]

In the games, half of the moves are random and half are drawn from the shipped network's policy; one move in three is
judged. It is reviewed as in the apps, by the bundle's .onnx in `build/bundles`. The truth is the result under perfect
play, before and after the move (minimax, BitBully, the table of all edge sets). A move that makes its player's result
worse should be a mistake or a blunder. A move that keeps the result should be neither, with two exceptions. It may
bring a loss nearer or put a win off, by four plies or more in Connect4, by boxes in Dots and Boxes. Or two plies may
prove a reason, such as an immediate win that was missed in a won game.

`--page` adds what the page's own solver proves of Connect4 and tic-tac-toe (`apps/web/bench/solve.mjs`, in Node).

No solver knows the openings and middle games of Gomoku, Go, Reversi and Hex. There the truth is the same network's
search with `DEEPER` times as many simulations, which is not an independent opinion.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from azx.games.evaluator import Evaluator, ask
from azx.games.random_play import draw, generator, random_action
from azx.games.review.analysis import TOGETHER, look, review
from azx.games.review.verdicts import (
    BLUNDER,
    LEAST_LOSSES,
    MISTAKES,
    VERDICTS,
    EvaluatedPosition,
    JudgedMove,
    judge_moves,
)
from azx.games.state import State
from azx.play.network import open_network

BUNDLES = Path(__file__).parents[1] / "build" / "bundles"
PAGE = Path(__file__).parents[1] / "apps" / "web"
# The games that the page solves.
SOLVED = ("connect4", "tictactoe")
EVERY = 3
# A move that brings a loss nearer, or puts a win off, by this many plies is bad in itself.
NEARER = 4
DEEPER = 10
# The true kinds of moves: the result gets worse, or a loss comes nearer, or two plies prove a reason, or none of these.
WORSENS, NEARER_LOSS, REASON, KEEPS = "worsens the result", "brings a loss nearer", "has a reason", "keeps the result"
BLUNDERS, ERRS, IS_GOOD = "loses a blunder's chance", "loses less", "loses nothing worth mentioning"
Worth = tuple[int, int]


def connect4(state: Any) -> Worth:
    """The result for the mover, and how soon: BitBully's score is the greater the sooner the mover wins."""
    from azx.training.connect4.strength import solve

    score = int(solve(state).max())
    return (score > 0) - (score < 0), score


def tictactoe(state: Any) -> Worth:
    """The result for the mover alone."""
    from azx.training.tictactoe.__main__ import value

    return value(state), 0


def dots_and_boxes(state: Any) -> Worth:
    """The result for the mover, and by how many boxes."""
    from azx.learning.solvers.dots_and_boxes import margin

    ahead = margin(_table(), state)
    return (ahead > 0) - (ahead < 0), ahead


@cache
def _table() -> Any:
    from azx.training.dots_and_boxes import values

    return values.table(3)


TRUTHS: dict[str, Callable[[Any], Worth]] = {
    "tictactoe": tictactoe,
    "connect4": connect4,
    "dots_and_boxes": dots_and_boxes,
}


def played_moves(start: State, network: Evaluator, seed: int) -> Iterator[tuple[State, int, list[int]]]:
    """From weak games, one after the other: a position with a choice, the move played there, and all earlier moves."""
    rng = generator(seed)
    number = 0
    while True:
        state, line = start, list[int]()
        while not state.is_terminal:
            legal = state.legal_actions()
            if rng.random() < 0.5:
                action = random_action(state, rng)
            else:
                (answer,) = ask(network, [state])
                action = legal[draw(answer.priors(legal), 1.0, rng)]
            if len(legal) > 1:
                number += 1
                if number % EVERY == 0:
                    yield state, action, list(line)
            line.append(action)
            state = state.apply(action)


def worth_after(truth: Callable[[Any], Worth], before: State, after: State) -> Worth:
    """The worth of the position after a move for the player who made it."""
    if after.is_terminal:
        own = round(after.returns() * (1 - 2 * before.to_move))
        return own, 0
    result, number = truth(after)
    turned = 1 if after.to_move == before.to_move else -1
    return turned * result, turned * number


def kind_of(game: str, before: Worth, after: Worth, judged: JudgedMove, *, is_over: bool) -> str:
    """The true kind of a move."""
    if after[0] < before[0]:
        return WORSENS
    lost = 0 if is_over else before[1] - after[1]
    # BitBully counts the moves of a side: one is two plies.
    if (lost * 2 >= NEARER) if game == "connect4" else lost > 0:
        return NEARER_LOSS
    return REASON if judged.reason else KEEPS


def kind_by_loss(loss: float) -> str:
    """The kind of a move by its loss in a deep search."""
    if loss >= LEAST_LOSSES[BLUNDER]:
        return BLUNDERS
    return ERRS if loss >= LEAST_LOSSES[VERDICTS[1]] else IS_GOOD


def measure_deep(game: str, moves: int, simulations: int, seed: int) -> dict[str, Any]:
    """The verdicts on `moves` moves, counted by their kinds in a search `DEEPER` times as deep."""
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in (BLUNDERS, ERRS, IS_GOOD)}
    with open_network(BUNDLES / game / f"{game}.onnx") as network, network.remembering():
        played = islice(played_moves(network.reading.start(), network, seed), moves)
        while pairs := [([state, state.apply(action)], action) for state, action, _ in islice(played, TOGETHER // 2)]:
            # Searches that run together share batches.
            deep = look([state for states, _ in pairs for state in states], network, DEEPER * simulations)
            for at, (states, action) in enumerate(pairs):
                (judged,) = review(states, network, simulations).moves
                (surer,) = judge_moves(deep[2 * at : 2 * at + 2], [action])
                counts[kind_by_loss(surer.loss)][judged.verdict] += 1
    return {"game": game, **{kind: dict(verdicts) for kind, verdicts in counts.items() if verdicts}}


@contextmanager
def page_solver(game: str) -> Iterator[Callable[[Sequence[int]], dict[str, Any]]]:
    """Asks the page's solver, in Node, for a position given by its actions."""
    command = ["node", "bench/solve.mjs", game]
    with subprocess.Popen(command, cwd=PAGE, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("the page's solver has no pipes")
        reader, writer = process.stdout, process.stdin

        def ask_solver(actions: Sequence[int]) -> dict[str, Any]:
            writer.write(json.dumps(list(actions)) + "\n")
            writer.flush()
            solved: dict[str, Any] = json.loads(reader.readline())
            return solved

        yield ask_solver
        writer.close()


def settled(position: EvaluatedPosition, solved: Mapping[str, Any]) -> EvaluatedPosition:
    """An evaluated position with the result of the page's solver, as the page's `sureOf` adds it."""
    if position.known is None or position.known.result is not None or solved["outcome"] is None:
        return position
    left = tuple(solved["left"])
    best = position.best if position.best in left else left[0]
    known = position.known._replace(left=left, outcome=solved["outcome"], distance=solved["distance"])
    return replace(position, chance=(1 + solved["outcome"]) / 2, best=best, is_sure=True, known=known)


def measure(game: str, moves: int, simulations: int, seed: int, *, is_page: bool = False) -> dict[str, Any]:
    """The verdicts on `moves` moves, counted by their true kinds."""
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in (WORSENS, NEARER_LOSS, REASON, KEEPS)}
    truth = TRUTHS[game]
    with (
        open_network(BUNDLES / game / f"{game}.onnx") as network,
        network.remembering(),
        page_solver(game) if is_page else nullcontext() as solver,
    ):
        for state, action, line in islice(played_moves(network.reading.start(), network, seed), moves):
            after = state.apply(action)
            reviewed = review([state, after], network, simulations)
            (judged,) = reviewed.moves
            if solver is not None:
                positions = [settled(reviewed.positions[0], solver(line))]
                positions.append(
                    reviewed.positions[1]
                    if after.is_terminal
                    else settled(reviewed.positions[1], solver([*line, action]))
                )
                (judged,) = judge_moves(positions, [action])
            worths = truth(state), worth_after(truth, state, after)
            counts[kind_of(game, *worths, judged, is_over=after.is_terminal)][judged.verdict] += 1
    return {"game": game, **{kind: dict(verdicts) for kind, verdicts in counts.items() if verdicts}}


def share(verdicts: Mapping[str, int]) -> float:
    """The share of these moves with the verdict mistake or blunder."""
    return sum(count for name, count in verdicts.items() if name in MISTAKES) / max(1, sum(verdicts.values()))


def main() -> None:
    """Print a line for each game."""
    parser = argparse.ArgumentParser(description="Hold a review's verdicts to exact solvers.")
    parser.add_argument("names", nargs="*", metavar="GAME", default=list(TRUTHS))
    parser.add_argument("--moves", type=int, default=400)
    parser.add_argument("--simulations", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--page", action="store_true")
    parser.add_argument("--json", action="store_true", dest="as_json")
    options = parser.parse_args()
    rows = [
        measure(game, options.moves, options.simulations, options.seed, is_page=options.page and game in SOLVED)
        if game in TRUTHS
        else measure_deep(game, options.moves, options.simulations, options.seed)
        for game in options.names
    ]
    if options.as_json:
        print(json.dumps(rows, indent=1))
        return
    print("called a mistake or a blunder:")
    for row in rows:
        for kind, verdicts in list(row.items())[1:]:
            line = ", ".join(f"{verdicts[name]} {name}" for name in VERDICTS if name in verdicts)
            print(f"{row['game']:15} {kind:25} {sum(verdicts.values()):4}  {share(verdicts):6.1%}   {line}")


if __name__ == "__main__":
    main()

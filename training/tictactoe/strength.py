"""Whether a tic-tac-toe network can be beaten at all: every game that its opponent can steer it into."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ...games.evaluator import Evaluator
from ...games.rules.tictactoe import TicTacToe
from ...games.state import State

# The moves that lead to [-1, 0, 0, 1, -1, -1, 0, 0, 1]: the first player has 0, 4 and 5, the mover 3 and 8.
KNOWN = (0, 3, 4, 8, 5)


def strength(evaluator: Evaluator, scale: float = 1.0) -> Iterator[str]:
    """The table's lines; there is no smaller table, `scale` changes nothing."""
    for side, name in ((0, "first"), (1, "second")):
        results = Counter(_results(TicTacToe(), side, evaluator))
        games = sum(results.values())
        yield (
            f"policy alone, moving {name}: {games} games, every line of play: "
            f"{results[1]} won, {results[0]} drawn, {results[-1]} lost"
        )
    state: State = TicTacToe()
    for action in KNOWN:
        state = state.apply(action)
    answer = evaluator.evaluate([state])[0].best(state.legal_actions())
    yield f"[-1, 0, 0, 1, -1, -1, 0, 0, 1] is answered with {answer} (6 is right)"


def _results(state: State, side: int, evaluator: Evaluator) -> Iterator[int]:
    """The network's result, +1, 0 or -1, in every game in which it plays `side` and the opponent plays anything."""
    if state.is_terminal:
        yield int(state.returns()) * (1 - 2 * side)
        return
    choices = state.legal_actions()
    if state.to_move == side:
        choices = (evaluator.evaluate([state])[0].best(choices),)
    for action in choices:
        yield from _results(state.apply(action), side, evaluator)

"""Whether a tic-tac-toe network can be beaten: it plays every game that an opponent can choose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from ...games.evaluator import Evaluator
from ...games.rules.tictactoe import TicTacToe

# [-1, 0, 0, 1, -1, -1, 0, 0, 1]: all four moves draw. 6 and 7 leave the opponent two losing replies, 1 and 2 none.
ASKED, ANSWER = TicTacToe((0b000110001, 0b100001000)), 6


def strength(evaluator: Evaluator, scale: float = 1.0) -> Iterator[str]:
    """The table's lines; `scale` is ignored, because the table has only one size."""

    def choose(state: TicTacToe) -> int:
        return evaluator.evaluate([state])[0].best(state.legal_actions())

    for side, name in ((0, "first"), (1, "second")):
        results = count_results(choose, side)
        yield (
            f"policy alone, moving {name}: {results.total()} games, every line of play: "
            f"{results[1]} won, {results[0]} drawn, {results[-1]} lost"
        )
    yield f"[-1, 0, 0, 1, -1, -1, 0, 0, 1] is answered with {choose(ASKED)} ({ANSWER} is right)"


def count_results(choose: Callable[[TicTacToe], int], side: int) -> Counter[int]:
    """The number of lines of play by result (+1, 0, -1): `side` plays by `choose`, the opponent plays every move."""
    results, open_states = Counter[int](), [TicTacToe()]
    while open_states:
        state = open_states.pop()
        if state.is_terminal:
            results[int(state.returns()) * (1 - 2 * side)] += 1
        else:
            actions = (choose(state),) if state.to_move == side else state.legal_actions()
            open_states += map(state.apply, actions)
    return results

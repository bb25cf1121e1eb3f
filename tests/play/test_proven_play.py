from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, islice

import numpy as np
import pytest

from azx.games.evaluator import Evaluation
from azx.games.known.catalogue import GAMES
from azx.games.random_play import generator, random_action
from azx.games.search import Search
from azx.games.state import State
from azx.games.tactics import forced_moves
from azx.match.games import Block, Rules, play_block
from azx.play.network import open_network
from azx.play.terminal.thinker import Effort, Thinker

SIMULATIONS = 50


def positions(start: State, result: int | None) -> Iterator[tuple[State, int]]:
    """Positions, each of another random game, in which one move of several wins at once (1) or blocks (None)."""
    for seed in count():
        state, rng = start, generator(seed)
        while not state.is_terminal:
            moves, known = forced_moves(state)
            if known == result and len(moves) == 1 and len(state.legal_actions()) > 2:
                yield state, moves[0]
                break
            state = state.apply(random_action(state, rng))


# A win in one needs no simulation, a block 50 each.
@pytest.mark.parametrize(("result", "many"), [(1, 40), (None, 6)])
@pytest.mark.parametrize("game", ["gomoku", "connect4"])
def test_the_shipped_network_misses_no_win_in_one_and_no_block(game: str, result: int | None, many: int) -> None:
    with open_network(game) as network:
        found = 0
        for state, best in islice(positions(network.reading.start(), result), many):
            search = Search(state, network, proves=True)
            search.run(SIMULATIONS)
            found += search.best_action() == best
    assert found == many


class Worst:
    """A network that puts its hope in the highest actions."""

    def evaluate(self, states: Sequence[State]) -> list[Evaluation]:
        return [Evaluation(0.0, np.arange(state.actions) + 1.0) for state in states]


@pytest.mark.parametrize("effort", [Effort(0), Effort(50), Effort(None, 0.2), Effort(50, None, 1.0)])
@pytest.mark.parametrize(
    ("actions", "action", "value"),
    [
        ((112, 0, 113, 1, 114, 2, 115, 3), 111, 1.0),
        ((112, 111, 113, 0, 114, 1, 115), 116, None),
        ((112, 0, 113, 1, 114, 2, 115), 111, -1.0),
    ],
)
def test_every_effort_plays_what_the_rules_prove(
    effort: Effort, actions: tuple[int, ...], action: int, value: float | None
) -> None:
    state: State = GAMES["gomoku"].begin()
    for each in actions:
        state = state.apply(each)
    advice = Thinker(state, Worst(), effort, generator(0)).think(lambda told: None, 0)
    assert advice.action == action
    assert advice.proven == (value is not None)
    if value is not None:
        assert advice.value == value


@pytest.mark.parametrize("simulations", [0, 20])
def test_a_match_proves_where_it_says_so_and_only_there(simulations: int) -> None:
    # X has 0 and 1, O has 3 and 4: X to move wins with 2.
    opening = (0, (0, 3, 1, 4))
    played = {
        proves: [
            record.moves
            for record in play_block(
                GAMES["tictactoe"].begin(),
                (Worst(), Worst()),
                Block((0, 1), (opening,)),
                Rules(simulations, proves=proves),
            )
        ]
        for proves in (True, False)
    }
    assert all(len(moves) == 5 and moves[-1] == 2 for moves in played[True])
    assert simulations or all(moves[4] != 2 for moves in played[False])

"""Pairs of games in lockstep, and what they amount to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from azx.errors import GameError
from azx.games.evaluator import Evaluation, Evaluator, Uniform
from azx.games.rules.connect4 import Connect4
from azx.games.rules.tictactoe import TicTacToe
from azx.games.search import Search
from azx.games.state import State
from azx.match.games import Block, GameRecord, Rules, blocks, play_block
from azx.match.openings import openings
from azx.match.result import Count, pairings, ratings


class Fixed:
    """A network that always prefers the action named first in `order`, and counts its batches."""

    def __init__(self, order: Sequence[int]) -> None:
        self.policy = np.zeros(42)
        self.policy[list(order)] = np.arange(len(order), 0, -1)
        self.batches: list[int] = []

    def evaluate(self, states: Sequence[State]) -> list[Evaluation]:
        self.batches.append(len(states))
        return [Evaluation(0.0, self.policy[: state.actions], logits=True) for state in states]


def whole(
    start: State, evaluators: Sequence[Fixed | Uniform], lines: Sequence[tuple[int, ...]], rules: Rules
) -> list[GameRecord]:
    return [
        record
        for block in blocks(len(evaluators), lines)
        for record in play_block(start, [evaluators[net] for net in block.nets], block, rules)
    ]


UP, DOWN = Fixed(range(9)), Fixed(range(8, -1, -1))


def test_each_opening_is_played_once_from_either_side() -> None:
    found = whole(TicTacToe(), (UP, DOWN), ((), (4,)), Rules(simulations=0))
    assert sorted(record.key for record in found) == [(0, 0, 1), (0, 1, 0), (1, 0, 1), (1, 1, 0)]
    moves = {record.key: record.moves for record in found}
    assert moves[0, 0, 1] == (0, 8, 1, 7, 2)
    assert moves[0, 1, 0] == (8, 0, 7, 1, 6)
    # After the opening's X in the middle, the second player moves.
    assert moves[1, 0, 1] == (4, 8, 0, 7, 1, 6)
    assert moves[1, 1, 0] == (4, 0, 8, 1, 7, 2)


def test_the_result_is_the_first_players_and_the_score_each_ones() -> None:
    record = whole(TicTacToe(), (UP, DOWN), ((4,),), Rules(simulations=0))[0]
    assert (record.first, record.result, record.score(0), record.score(1)) == (0, -1.0, 0.0, 1.0)


def test_a_full_board_is_a_draw() -> None:
    one, other = Fixed((0, 2, 3, 7, 8)), Fixed((1, 4, 5, 6))
    #  X O X      the moves above, taken in turns
    #  X O O
    #  O X X
    record = next(
        record for record in whole(TicTacToe(), (one, other), ((),), Rules(simulations=0)) if record.first == 0
    )
    assert len(record.moves) == 9
    assert (record.result, record.score(0), record.score(1)) == (0.0, 0.5, 0.5)


@pytest.mark.parametrize("simulations", [0, 12])
def test_identical_players_play_both_games_of_a_pair_alike(simulations: int) -> None:
    lines = openings(Connect4(), 6, (2, 6)).lines
    (found,) = pairings(whole(Connect4(), (Uniform(), Uniform()), lines, Rules(simulations)), 2, Connect4())
    assert (found.pairs, found.same, found.parting) == (6, 6, None)
    assert found.score.value == 0.5
    assert found.as_first == Count(found.as_second.lost, found.as_second.drawn, found.as_second.won)


def test_the_games_are_those_that_two_searches_play_alone() -> None:
    """With trees kept from move to move, the other's moves included."""
    line = openings(Connect4(), 1, (4, 4)).lines[0]
    record = whole(Connect4(), (Uniform(), Fixed(range(41, -1, -1))), (line,), Rules(30))[0]
    state = Connect4()
    for action in line:
        state = state.apply(action)
    players: dict[int, Evaluator] = {0: Uniform(), 1: Fixed(range(41, -1, -1))}
    searches = [Search(state, players[record.first]), Search(state, players[record.second])]
    moves = list(line)
    while not state.is_terminal:
        searches[state.to_move].run(30)
        moves.append(searches[state.to_move].best_action())
        state = state.apply(moves[-1])
        for search in searches:
            search.play(moves[-1])
    assert record.moves == tuple(moves)


def test_the_searches_of_a_round_share_batches() -> None:
    network = Fixed(range(42))
    whole(Connect4(), (network, Uniform()), openings(Connect4(), 8, (4, 4)).lines[:1], Rules(5))
    alone = max(network.batches)
    network.batches.clear()
    block = Block((0, 1), tuple(enumerate(openings(Connect4(), 8, (4, 4)).lines)))
    list(play_block(Connect4(), (network, Uniform()), block, Rules(5)))
    assert (alone, max(network.batches)) == (1, 8)


@pytest.mark.parametrize("simulations", [0, 10])
def test_a_temperature_varies_the_games_and_the_seed_repeats_them(simulations: int) -> None:
    def moves(temperature: float, seed: int) -> list[tuple[int, ...]]:
        rules = Rules(simulations, temperature, seed)
        return [record.moves for record in whole(Connect4(), (Uniform(), Uniform()), ((),) * 4, rules)]

    assert len(set(moves(0.0, 0))) == 1
    assert len(set(moves(1.0, 0))) > 4
    assert moves(1.0, 0) == moves(1.0, 0) != moves(1.0, 1)


def test_blocks_hold_every_game_once_and_are_cut_by_the_openings_alone() -> None:
    lines = ((),) * 50
    found = blocks(3, lines)
    keys = [key for block in found for key in block.keys]
    assert len(keys) == len(set(keys)) == 50 * 3 * 2
    assert {len(block.openings) for block in found} == {4, 2}
    assert max(len(block.openings) for block in blocks(2, ((),) * 1000)) == 8


def test_the_first_divergence_is_where_two_nets_choose_differently() -> None:
    (found,) = pairings(whole(TicTacToe(), (UP, DOWN), ((4,), ()), Rules(simulations=0)), 2, TicTacToe())
    parting = found.parting
    assert parting is not None
    assert (found.same, parting.opening, parting.ply, parting.one, parting.other) == (0, 1, 2, "0", "8")


def test_agreement_asks_both_sides_in_every_position() -> None:
    lines = openings(TicTacToe(), 4, (0, 3)).lines
    records = whole(TicTacToe(), (UP, Fixed((0, 1, 2, 8, 7, 6, 5, 4, 3))), lines, Rules(0, agreement=True))
    (found,) = pairings(records, 2, TicTacToe())
    assert found.agreement is not None
    assert found.agreement.asked == sum(len(r.moves) - len(lines[r.opening]) for r in records)
    assert 0 < found.agreement.agreed < found.agreement.asked
    assert found.agreement.first is not None
    assert int(found.agreement.first.one) < int(found.agreement.first.other)


def test_without_agreement_nobody_is_asked_out_of_turn() -> None:
    (found,) = pairings(whole(TicTacToe(), (UP, DOWN), ((),), Rules(0)), 2, TicTacToe())
    assert found.agreement is None


def test_a_search_agrees_with_itself_everywhere() -> None:
    lines = openings(TicTacToe(), 5, (0, 3)).lines
    (found,) = pairings(whole(TicTacToe(), (UP, UP), lines, Rules(20, agreement=True)), 2, TicTacToe())
    assert found.agreement is not None
    assert found.agreement.asked == found.agreement.agreed > 20


def test_a_round_robin_rates_every_net_by_all_its_games() -> None:
    """Results made by hand: net 0 beats 1, 1 beats 2, 0 and 2 draw."""
    results = {(0, 1): 1.0, (1, 2): 1.0, (0, 2): 0.0}
    records = [
        record
        for (one, other), result in results.items()
        for opening in range(3)
        for record in (
            GameRecord(opening, one, other, (0,), result),
            GameRecord(opening, other, one, (0,), -result),
        )
    ]
    found = pairings(records, 3, TicTacToe())
    assert [(p.one, p.other, p.total.points) for p in found] == [(0, 1, 6.0), (0, 2, 3.0), (1, 2, 6.0)]
    table = ratings(found, 3)
    assert [(rating.net, rating.count) for rating in table] == [
        (0, Count(6, 6, 0)),
        (1, Count(6, 0, 6)),
        (2, Count(0, 6, 6)),
    ]
    assert sum(rating.elo.value for rating in table) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("simulations", [0, 10])
def test_a_network_that_answers_nan_ends_the_match_by_its_name(simulations: int) -> None:
    class Diverged:
        name = "version0007.h5"

        def evaluate(self, states: Sequence[State]) -> list[Evaluation]:
            return [Evaluation(float("nan"))] * len(states)

    with pytest.raises(GameError, match=r"^'version0007\.h5' answered a position with NaN"):
        list(play_block(TicTacToe(), (UP, Diverged()), Block((0, 1), ((0, ()),)), Rules(simulations)))

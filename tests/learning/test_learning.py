"""Networks as graphs, their averages, the replay window, symmetries and the judge of tic-tac-toe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from azx.errors import AzxError
from azx.games.encoding import encode
from azx.games.evaluator import Evaluation, Uniform
from azx.games.known.catalogue import GAMES
from azx.games.random_play import generator, random_action
from azx.games.state import State, play_line
from azx.games.symmetry import symmetries
from azx.learning.averaged import WeightAverage
from azx.learning.judges import EveryLine, contest_of
from azx.learning.networks import Design, build, reading_for
from azx.learning.onnx_graph import write_graph
from azx.learning.window import SymmetryBatches, Window, _compact, examples_of, generations_in
from azx.match.pairs import draw_pairs, play_pairs
from azx.self_play.actor import Task, play_games
from azx.self_play.fast_network import FastNetwork
from azx.self_play.played import PlayedGame
from azx.self_play.settings import Recipe
from azx.training.tictactoe.__main__ import best_move


def some_states(game: str, count: int = 5) -> list[State]:
    rng, found = generator(3), list[State]()
    while len(found) < count:
        state = GAMES[game].begin()
        for _ in range(len(found) + 1):
            state = state.apply(random_action(state, rng))
        found.append(state)
    return found


NETS = [(game, net) for game in GAMES for net in ("1x8", "dense:2x16")]
BY_CELLS = ("tictactoe", "connect4", "gomoku", "hex", "reversi")


OWN_NETS = [*((game, "cells:1x8") for game in BY_CELLS), ("dots_and_boxes", "counting:2x16")]


@pytest.mark.parametrize(("game", "net"), NETS + OWN_NETS)
def test_the_graph_of_a_network_answers_as_keras_does(game: str, net: str) -> None:
    reading = reading_for(GAMES[game], {})
    model = build(Design.read(net), reading)
    rng = np.random.default_rng(1)
    for layer in model.layers:
        layer.set_weights([rng.uniform(0.5, 1.5, w.shape) if "norm" in layer.name else w for w in layer.get_weights()])
    states = some_states(game)
    answers = FastNetwork(write_graph(model), reading, exact=True).evaluate(states)
    policies, values = model.predict(np.stack([encode(state, reading.encoding) for state in states]), verbose=0)
    for row, (state, answer) in enumerate(zip(states, answers, strict=True)):
        assert answer.value == pytest.approx(float(values[row, 0]), abs=1e-5)
        assert answer.policy is not None
        np.testing.assert_allclose(answer.policy, policies[row][reading.indices(state)], atol=2e-5)


@pytest.mark.parametrize("text", ["", "4", "0x8", "dense:", "dense:2", "100x8", "4x32x2"])
def test_what_is_no_design_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(AzxError, match="give BLOCKSxFILTERS such as 4x32"):
        Design.read(text)


@pytest.mark.parametrize("game", [game for game in GAMES if game not in BY_CELLS])
def test_a_policy_of_cells_is_refused_where_a_move_is_no_cell(game: str) -> None:
    with pytest.raises(AzxError, match="is no cell: leave it out"):
        build(Design.read("cells:1x8"), reading_for(GAMES[game], {}))


def test_a_policy_of_cells_moves_with_the_stones() -> None:
    reading = reading_for(GAMES["gomoku"], {"size": 9})
    model = build(Design.read("cells:1x8"), reading)
    boards = np.zeros((2, *reading.encoding.board_shape), np.float32)
    boards[0, 4, 3], boards[1, 4, 4] = 1, 1
    here, there = np.asarray(model(boards)[0]).reshape(2, 9, 9)
    # Away from the edges, which a convolution sees.
    np.testing.assert_allclose(here[4, 3:5], there[4, 4:6], atol=1e-5)
    assert np.ptp(here) > 0


@pytest.mark.parametrize("game", [name for name, game in GAMES.items() if len(game.turns) > 1])
def test_a_turned_example_is_that_of_the_turned_game(game: str) -> None:
    known, reading = GAMES[game], reading_for(GAMES[game], {})
    start, rng = known.begin(), generator(5)
    state, moves = start, []
    for _ in range(4):
        moves.append(random_action(state, rng))
        state = state.apply(moves[-1])
    policy = np.zeros((1, start.actions), np.float32)
    policy[0, state.legal_actions()[0]] = 1
    turned = SymmetryBatches(reading, start.actions)
    turns = symmetries(known.turns, reading.encoding, start.actions)
    assert len(turned._turns) == len(turns)
    played = PlayedGame((*moves, state.legal_actions()[0]), 4, policy, np.zeros(1, np.float32), 1.0, 5)
    example = examples_of([played], start, reading, 0.25)
    for number, turn in enumerate(turns):
        other = play_line(start, [int(turn.actions[move]) for move in moves])
        rows = np.zeros(1, np.int64)
        only = type("Only", (), {"integers": lambda self, n, size, number=number: np.full(size, number)})()
        boards, policies, _ = turned.batch(example, rows, only)
        np.testing.assert_array_equal(boards[0], encode(other, reading.encoding))
        action = int(turn.actions[state.legal_actions()[0]])
        assert policies[0][reading.indices(other)[action]] == 1


def test_hex_is_the_same_for_both_players() -> None:
    reading, start = reading_for(GAMES["hex"], {"size": 5}), GAMES["hex"].begin({"size": 5})
    first: Any = play_line(start, [7, 16, 3, 20])
    # The same for the other player: stones and moves mirrored in the diagonal.
    mirrored = first._replace(stones=tuple(_transposed(each) for each in first.stones[::-1]), to_move=1)
    np.testing.assert_array_equal(encode(first, reading.encoding), encode(mirrored, reading.encoding))
    here, there = reading.indices(first), reading.indices(mirrored)
    assert all(here[5 * row + column] == there[5 * column + row] for row in range(5) for column in range(5))


def _transposed(stones: int) -> int:
    return sum(1 << at % 5 * 5 + at // 5 for at in range(25) if stones >> at & 1)


def test_an_average_follows_its_network_and_is_one_itself() -> None:
    model = build(Design.read("1x8"), reading_for(GAMES["tictactoe"], {}))
    averaged = WeightAverage(model)
    begun = [weights.copy() for weights in model.get_weights()]
    model.set_weights([weights + 1 for weights in begun])
    # A horizon of 8 steps, of which 2 are made; the run is old enough for it.
    averaged.follow(8, 1_000, 2)
    for weights, first in zip(averaged.model.get_weights(), begun, strict=True):
        np.testing.assert_array_equal(weights, first)
    averaged.update()
    for weights, first in zip(averaged.model.get_weights(), begun, strict=True):
        np.testing.assert_allclose(weights, first + 0.25, rtol=1e-5, atol=1e-6)


def test_an_average_forgets_an_untrained_network() -> None:
    model = build(Design.read("dense:1x4"), reading_for(GAMES["tictactoe"], {}))
    averaged = WeightAverage(model)
    model.set_weights([weights + 1 for weights in model.get_weights()])
    averaged.follow(100, 4, 4)
    averaged.update()
    for weights, now in zip(averaged.model.get_weights(), model.get_weights(), strict=True):
        np.testing.assert_allclose(weights, now, atol=1e-6)


def test_equal_positions_are_averaged_and_results_are_the_movers() -> None:
    start = GAMES["tictactoe"].begin()
    reading = reading_for(GAMES["tictactoe"], {})

    def game(move: int, result: float) -> PlayedGame:
        policy = np.zeros((1, 9), np.float32)
        policy[0, move] = 1
        return PlayedGame((4, move), 1, policy, np.zeros(1, np.float32), result, 2)

    found = examples_of([game(0, 1.0), game(8, -1.0), game(8, -1.0)], start, reading, 0.25)
    assert len(found) == 1
    assert found.counts.tolist() == [3]
    np.testing.assert_allclose(found.policies[0][[0, 8]], [1 / 3, 2 / 3], rtol=1e-6)
    # The second player is to move, so their results are -1, +1, +1, of which three quarters count.
    assert found.values[0] == pytest.approx(0.75 / 3)


def test_a_value_is_made_of_the_result_and_the_search() -> None:
    """The first player wins; the search's value is its mover's."""
    start, reading = GAMES["tictactoe"].begin(), reading_for(GAMES["tictactoe"], {})
    policy = np.zeros((1, 9), np.float32)
    policy[0, 8] = 1
    game = PlayedGame((4, 8), 1, policy, np.array([0.5], np.float32), 1.0, 2)
    assert examples_of([game], start, reading, 0.25).values[0] == pytest.approx(-0.75 + 0.125)


def test_a_window_has_the_last_half_and_at_least_four() -> None:
    assert list(generations_in(0)) == []
    assert list(generations_in(3)) == [1, 2, 3]
    assert list(generations_in(20)) == list(range(11, 21))


def test_a_generation_is_encoded_once_and_a_resumed_run_learns_the_same() -> None:
    start, reading = GAMES["connect4"].begin(), reading_for(GAMES["connect4"], {})
    played = {each: play_games(Task(start, Recipe("2x8", simulations=4), each, 3), Uniform()) for each in range(1, 13)}
    asked: list[int] = []

    def games_of(generation: int) -> list[PlayedGame]:
        asked.append(generation)
        return [] if generation == 11 else played[generation]

    window = Window(start, reading, 0.25)
    for generation in range(1, 12):
        window.examples(generation, games_of)
    assert asked == list(range(1, 12))
    here = window.examples(12, games_of)
    assert asked[11:] == [11, 12]  # a generation without games costs nothing
    resumed = Window(start, reading, 0.25).examples(12, games_of)
    assert asked[13:] == [7, 8, 9, 10, 11, 12]
    for name in ("boards", "policies", "values", "counts"):
        np.testing.assert_array_equal(getattr(here, name), getattr(resumed, name))
    assert here.counts.sum() == sum(len(game.policies) for each in (7, 8, 9, 10, 12) for game in played[each])
    with pytest.raises(ValueError, match="no position"):
        window.examples(1, lambda generation: [])


@pytest.mark.parametrize(
    ("number", "kind"), [(-1.0, np.int8), (127.0, np.int8), (7.5, np.float32), (200.0, np.float32)]
)
def test_boards_are_kept_in_a_byte_each_if_that_holds_their_numbers(number: float, kind: type) -> None:
    boards = np.zeros((2, 3, 3, 1), np.float32)
    boards[1, 0, 2] = number
    kept = _compact(boards)
    assert kept.dtype == kind
    np.testing.assert_array_equal(kept, boards)


class Minimax:
    """A perfect policy of tic-tac-toe."""

    def evaluate(self, states: Sequence[State]) -> list[Evaluation]:
        def answer(state: Any) -> Evaluation:
            policy = np.zeros(9)
            policy[best_move(state)] = 1
            return Evaluation(0.0, policy)

        return [answer(state) for state in states]


def test_the_judge_of_tictactoe_counts_the_lines_that_are_lost() -> None:
    start = GAMES["tictactoe"].begin()
    assert EveryLine().measure(Minimax(), start) == 0
    assert EveryLine().measure(Uniform(), start) > 50


def test_a_contest_of_a_network_with_itself_is_even() -> None:
    game = GAMES["tictactoe"]
    pairs = draw_pairs(game.begin(), game, 8, 4, 0)
    found = contest_of(play_pairs(pairs, Minimax(), Minimax()))
    assert (found.points, found.games) == (4.0, 8)
    assert found.low < 0 < found.high

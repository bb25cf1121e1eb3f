from __future__ import annotations

from functools import cache

import pytest
from golden.hash_evaluator import HashEvaluator

from azx.games.evaluator import Evaluation, Uniform
from azx.games.game import Settings
from azx.games.known.catalogue import GAMES
from azx.games.random_play import generator, random_action
from azx.games.rules.tictactoe import TicTacToe
from azx.games.search import Search, growing, nodes
from azx.games.state import State
from azx.games.tactics import ForcedMoves, forced_moves


def after(game: str, actions: tuple[int, ...], **settings: int | str | float) -> State:
    state = GAMES[game].begin(settings)
    for action in actions:
        state = state.apply(action)
    return state


def wins(state: State) -> tuple[int, ...]:
    mover = 1 - 2 * state.to_move
    return tuple(action for action in state.legal_actions() if state.apply(action).returns() * mover > 0)


def tried(state: State) -> ForcedMoves:
    """`forced` without what a game knows: each action and each answer to it is tried."""
    if won := wins(state):
        return ForcedMoves(won, 1)
    answers = {}
    for action in state.legal_actions():
        then = state.apply(action)
        answers[action] = len(wins(then)) + 1000 * (then.returns() * (1 - 2 * state.to_move) < 0)
    fewest = min(answers.values(), default=0)
    return ForcedMoves(tuple(a for a, count in answers.items() if count == fewest), -1 if fewest else None)


@pytest.mark.parametrize(
    ("game", "settings", "games", "every"),
    [
        ("connect4", {}, 10, 1),
        ("tictactoe", {}, 20, 1),
        ("gomoku", {"size": 7}, 6, 1),
        ("gomoku", {"size": 7, "rule": "renju"}, 6, 1),
        ("gomoku", {"size": 5, "rule": "renju"}, 10, 1),
        ("gomoku", {"size": 15}, 1, 9),
        ("hex", {"size": 5}, 8, 1),
        ("hex", {"size": 4, "rule": "swap"}, 8, 1),
        ("go", {}, 1, 12),
        ("go", {"komi": 7}, 1, 12),
        ("reversi", {"size": 4}, 30, 1),
        ("reversi", {"size": 6}, 6, 1),
        ("reversi", {}, 1, 3),
        ("reversi", {"size": 10}, 1, 40),
    ],
)
def test_what_is_forced_is_what_trying_each_move_and_answer_finds(
    game: str, settings: Settings, games: int, every: int
) -> None:
    found = set()
    for seed in range(games):
        state, rng = GAMES[game].begin(settings), generator(seed)
        for ply in range(120):
            if state.is_terminal:
                break
            if ply % every == 0:
                known = forced_moves(state)
                assert known == tried(state), state.board_text()
                found.add((known.result, len(known.moves) < len(state.legal_actions())))
            state = state.apply(random_action(state, rng))
    if every == 1 and settings.get("size") != 5:
        # In Reversi the move that ends the game is nearly always the only one.
        assert {(1, game != "reversi"), (None, True), (None, False)} <= found


def test_white_wins_at_once_where_black_is_left_without_a_move() -> None:
    found = 0
    for seed in range(150):
        state, rng = after("gomoku", (), size=5, rule="renju"), generator(seed)
        while not state.is_terminal:
            before, state = state, state.apply(random_action(state, rng))
        stuck = state.returns() < 0 and before.to_move == 1 and len(before.legal_actions()) > 1
        if stuck and state.last_action is not None:
            found += 1
            assert state.last_action in forced_moves(before).moves
    assert found


def test_go_is_won_by_a_pass_that_answers_a_pass_and_lost_by_a_pass_too_early() -> None:
    one_stone = after("go", (40,))
    assert forced_moves(one_stone) == ForcedMoves(tuple(a for a in range(81) if a != 40), None)
    assert forced_moves(one_stone.apply(81)) == ForcedMoves((81,), 1)
    # White is ahead on the empty board, by the komi: black does not pass, and white, who may, does.
    assert 81 not in forced_moves(after("go", ())).moves
    assert forced_moves(after("go", (81,))) == ForcedMoves((81,), 1)
    even = after("go", (81,), komi=0)
    assert forced_moves(even) == ForcedMoves(even.legal_actions(), None)


def test_dots_and_boxes_has_nothing_sudden() -> None:
    state = after("dots_and_boxes", ())
    assert forced_moves(state) == ForcedMoves(state.legal_actions(), None)


class Silent:
    """A network that must not be asked."""

    def evaluate(self, states: object) -> list[Evaluation]:
        raise AssertionError(states)


def test_a_win_at_once_is_played_and_no_network_asked() -> None:
    search = Search(after("gomoku", (112, 0, 113, 1, 114, 2, 115, 3)), Silent(), proves=True)
    search.run(50)
    report = search.report()
    assert (report.action, report.win_rate, report.proven, report.simulations) == (111, 1.0, True, 0)
    assert search.is_done
    assert search.best_action(temperature=1.0, rng=generator(0)) == 111


def test_the_only_block_is_searched_alone() -> None:
    search = Search(after("gomoku", (112, 111, 113, 0, 114, 1, 115)), HashEvaluator(), proves=True)
    search.run(50)
    assert search.visits() == {116: 49}
    assert not search.report().proven


def test_a_lost_position_is_told_and_one_of_the_ways_is_barred() -> None:
    search = Search(after("gomoku", (112, 0, 113, 1, 114, 2, 115)), Silent(), proves=True)
    search.run(50)
    report = search.report()
    assert (report.action, report.win_rate, report.proven) == (111, 0.0, True)


def test_a_kept_tree_leaves_out_the_moves_that_lose() -> None:
    proving = Search(after("connect4", (38, 35, 38 - 7, 36)), Uniform(), proves=True)
    plain = Search(proving.state, Uniform())
    for search in (proving, plain):
        search.run(400)
        search.play(24)
    assert plain.visits().keys() == set(plain.state.legal_actions())
    kept = {action: plain.visits()[action] for action in proving.visits()}
    assert list(kept) == [17]
    assert proving.visits()[17] > 0
    proving.run(100)
    assert proving.best_action() == 17
    assert proving.report().simulations == 100


@cache
def minimax(state: TicTacToe) -> float:
    """The value for the player to move."""
    if state.is_terminal:
        return state.returns() * (1 - 2 * state.to_move)
    return max(-minimax(state.apply(action)) for action in state.legal_actions())


def test_proven_results_are_those_of_minimax_and_reached_by_the_move() -> None:
    proven = set()
    for seed in range(60):
        state, rng = TicTacToe(), generator(seed)
        while not state.is_terminal:
            search = Search(state, HashEvaluator(), proves=True)
            search.run(300)
            if (result := search.result) is not None:
                proven.add(result)
                assert result == minimax(state)
                assert -minimax(state.apply(search.best_action())) == result
                assert search.report().win_rate == (result + 1) / 2
            state = state.apply(random_action(state, rng))
    assert proven == {1, 0, -1}


def test_a_solved_tree_stops_and_an_idle_one_too() -> None:
    search = Search(after("tictactoe", (4, 0, 8, 2)), HashEvaluator(), proves=True)
    search.run(100_000)
    assert search.is_done
    assert search.report().simulations < 10_000
    idle = Search(after("tictactoe", (4, 0)), HashEvaluator(), proves=True)
    idle.run(100_000)
    assert idle.is_done
    assert idle.result is None
    made = idle.report().simulations
    assert nodes.MOST_IDLE < made < 20_000
    idle.run(1000)
    assert idle.report().simulations == made


def test_a_tree_that_proves_has_a_largest_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing, "MOST_NODES", 2000)
    search = Search(after("gomoku", ()), HashEvaluator(), proves=True)
    search.run(500)
    # 1 + 225 + 224 ... rows: the ninth position that is expanded fills it.
    assert search.is_done
    made = search.report().simulations
    assert 9 <= made < 30
    search.run(500)
    assert search.report().simulations == made
    plain = Search(after("gomoku", ()), HashEvaluator())
    plain.run(100)
    assert plain.report().simulations == 100


def test_each_path_is_told_until_the_result_is_known() -> None:
    paths: list[list[int]] = []
    search = Search(after("tictactoe", (4, 0, 8, 2)), HashEvaluator(), trace=paths.append, proves=True)
    search.run(5000)
    assert len(paths) == search.report().simulations < 5000

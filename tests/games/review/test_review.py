from __future__ import annotations

import pytest
from golden.hash_evaluator import HashEvaluator

from azx.games.evaluator import Uniform
from azx.games.known.catalogue import GAMES
from azx.games.review.analysis import look, review
from azx.games.review.known import NOT_BLOCKED, ProvenFacts, Reason, reason_of
from azx.games.review.verdicts import (
    BLUNDER,
    DEEPER,
    FEWEST,
    GOOD,
    EvaluatedPosition,
    accuracy,
    judge_moves,
    positions_in_doubt,
)
from azx.games.search import MOST, Search, rank_candidates
from azx.games.state import State


def line(game: str, *actions: int) -> list[State]:
    states = [GAMES[game].begin()]
    for action in actions:
        states.append(states[-1].apply(action))
    return states


def test_candidates_are_what_the_search_visited_most() -> None:
    search = Search(GAMES["connect4"].begin(), HashEvaluator())
    search.run(200)
    found = rank_candidates(search.candidates())
    assert len(found) == MOST
    assert [each.visits for each in found] == sorted(search.visits().values(), reverse=True)[:MOST]
    assert found[0].win_rate == search.report().win_rate
    assert all(0 <= each.win_rate <= 1 and 0 < each.prior < 1 for each in found)


def test_there_are_no_candidates_before_a_move_is_visited_or_after_the_end() -> None:
    states = line("tictactoe", 0, 3, 1, 4, 2)
    searches = [Search(states[0], Uniform()), Search(states[-1], Uniform())]
    searches[1].run(10)
    assert [rank_candidates(search.candidates()) for search in searches] == [[], []]


def test_a_win_that_is_not_taken_is_a_blunder_and_the_better_move_is_told() -> None:
    # X may win at 2; it plays 8, and O, who then may win at 5, does.
    found = review(line("tictactoe", 0, 3, 1, 4, 8, 5), Uniform(), 400)
    missed, answer = found.moves[4], found.moves[5]
    assert (missed.verdict, missed.better) == (BLUNDER, 2)
    assert (answer.verdict, answer.better, answer.loss) == (GOOD, None, 0.0)
    assert found.positions[-1] == EvaluatedPosition(0, 0.0, None, known=ProvenFacts((), (), None))


def test_a_row_left_open_and_a_win_not_taken_are_exact_losses() -> None:
    # Red has three in the middle column; yellow leaves it open, and red does not see it either.
    left_open = line("connect4", 38, 35, 31, 36, 24, 40, 41)
    found = review(left_open, Uniform(), 20)
    assert (found.moves[5].verdict, found.moves[5].better) == (BLUNDER, 17)
    assert (found.positions[6].chance, found.positions[6].best, found.positions[6].is_sure) == (1.0, 17, True)
    assert (found.moves[6].better, found.moves[6].loss) == (17, 1.0 - (1.0 - found.positions[7].chance))
    # What was lost already loses no more.
    lost = line("tictactoe", 0, 4, 8, 6, 2, 7)
    assert review(lost, Uniform(), 20).positions[5].chance == 0.0


def test_a_blunder_is_said_once_deeper_searches_of_both_positions_agree() -> None:
    states = line("tictactoe", 0, 3, 1, 4, 8, 5)
    found = review(states, Uniform(), 400)
    blunders = [at for at, move in enumerate(found.moves) if move.verdict == BLUNDER]
    assert 4 in blunders
    # What O won with in the end is a result, which needs no second look.
    beside = {position for at in blunders for position in (at, at + 1)} - {6}
    for at, seen in enumerate(found.positions):
        assert seen.is_sure == (at in beside)
        times = DEEPER if seen.is_sure else 1
        assert seen.chance == look([states[at]], Uniform(), times * 400)[0].chance


def test_a_win_that_is_proven_afterwards_too_is_not_missed() -> None:
    before = ProvenFacts((0, 1, 2), (2,), 1)
    for outcome, is_missed in ((-1, False), (0, True), (1, True), (None, True)):
        after = ProvenFacts((1, 2), (1, 2), None, outcome=outcome)
        assert (reason_of(before, after, 0) is not None) == is_missed


@pytest.mark.parametrize(("distance", "is_marked"), [(2, False), (4, False), (6, True), (20, True), (None, True)])
def test_a_proven_loss_has_to_come_nearer_by_four_plies(distance: int | None, is_marked: bool) -> None:
    before = ProvenFacts((0, 1, 2), (1,), None, outcome=-1, distance=distance)
    after = ProvenFacts((1, 2), (1,), 1)
    assert reason_of(before, after, 0) == (Reason(NOT_BLOCKED, 1) if is_marked else None)
    # Whatever was to come of a game that was not lost, not blocking loses it.
    assert reason_of(before._replace(outcome=0), after, 0) == Reason(NOT_BLOCKED, 1)


def test_mistakes_are_doubted_unless_a_proof_gives_the_reason() -> None:
    seen = [EvaluatedPosition(0, 0.6, 3), EvaluatedPosition(1, 0.55, 2), EvaluatedPosition(0, 0.44, 3)]
    assert [move.verdict for move in judge_moves(seen, [1, 0])] == ["mistake", GOOD]
    assert positions_in_doubt(seen, [1, 0]) == [0, 1]
    facts = ProvenFacts((0, 1, 3), (3,), None), ProvenFacts((0, 3), (3,), 1)
    proven = [EvaluatedPosition(0, 0.1, 3, known=facts[0]), EvaluatedPosition(1, 1.0, 3, is_sure=True, known=facts[1])]
    assert [(move.verdict, move.reason) for move in judge_moves(proven, [1])] == [("mistake", Reason(NOT_BLOCKED, 3))]
    assert positions_in_doubt(proven, [1]) == []


def test_what_is_doubted_is_beside_a_blunder_and_was_looked_at_once() -> None:
    seen = [
        EvaluatedPosition(0, 0.9, 3),
        EvaluatedPosition(1, 0.6, 2),
        EvaluatedPosition(0, 0.4, 3),
        EvaluatedPosition(1, 1.0, None),
    ]
    assert positions_in_doubt(seen, [1, 2, 5]) == [0, 1, 2]
    sure = [EvaluatedPosition(each.mover, each.chance, each.best, is_sure=True) for each in seen]
    assert positions_in_doubt([sure[0], seen[1], sure[2], seen[3]], [1, 2, 5]) == [1]
    assert positions_in_doubt(sure, [1, 2, 5]) == positions_in_doubt(seen, [3, 2, 3]) == []


def test_a_blunder_that_deeper_searches_do_not_see_is_not_said() -> None:
    """Searches of 4 simulations of a network that knows nothing say much that those of 16 do not."""
    states = line("connect4", 38, 31, 37, 36, 35, 30, 24, 29, 28, 39)
    seen = look(states, HashEvaluator(), 4)
    actions = [state.last_action or 0 for state in states[1:]]
    shallow = sum(move.verdict == BLUNDER for move in judge_moves(seen, actions))
    found = review(states, HashEvaluator(), 4)
    said = [at for at, move in enumerate(found.moves) if move.verdict == BLUNDER]
    assert shallow > len(said)
    assert positions_in_doubt(found.positions, actions) == []


def test_a_result_is_exact_and_a_draw_is_half_a_win() -> None:
    drawn = line("tictactoe", 0, 1, 2, 4, 3, 5, 7, 6, 8)
    assert look(drawn[-1:], Uniform(), 10) == [EvaluatedPosition(1, 0.5, None, known=ProvenFacts((), (), None))]


def test_the_positions_of_a_game_are_searched_alike_in_one_batch_and_alone() -> None:
    states = line("connect4", 38, 31, 37, 36, 35)
    assert look(states, HashEvaluator(), 50) == [look([state], HashEvaluator(), 50)[0] for state in states]


def test_a_game_is_judged_as_far_as_it_was_looked_at() -> None:
    seen = [EvaluatedPosition(0, 0.5, 1), EvaluatedPosition(1, 0.5, 2)]
    assert len(judge_moves(seen, [1, 2, 3])) == 1
    assert judge_moves(seen[:1], [1, 2, 3]) == ()


def test_accuracy_is_between_0_and_100_and_nothing_without_a_move() -> None:
    lost = FEWEST * judge_moves([EvaluatedPosition(0, 1.0, 1), EvaluatedPosition(1, 1.0, None)], [0])
    kept = FEWEST * judge_moves([EvaluatedPosition(0, 1.0, 1), EvaluatedPosition(1, 0.0, None)], [1])
    assert accuracy(lost, 0) == 0
    assert accuracy(kept, 0) == pytest.approx(100, abs=1e-3)
    assert accuracy(kept, 1) is None

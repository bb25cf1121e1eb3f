from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from azx.errors import GameError
from azx.games.rules.go import Go, start
from azx.games.rules.go_board import tables
from azx.games.state import NO_SUCH_ACTION, OCCUPIED, OVER, Refusal

BLACK, WHITE = 0, 1


def action_of(label: str, size: int = 9) -> int:
    return [start(9)._replace(size=size).label(action) for action in range(size * size + 1)].index(label)


def drawn(board: str, to_move: int = BLACK, komi: float = 7.5) -> Go:
    """The position of a drawing, in a game that begins there; of any size, which `start` would not allow."""
    rows = board.split()
    table = tables(len(rows))
    stone = {"X": 1, "O": 1 << table.width, ".": 0}
    stones = sum(bit * stone[sign] for bit, sign in zip(table.bits, "".join(rows), strict=True))
    return Go(to_move=to_move, boards=(stones,), size=len(rows), komi=komi)


def shown(state: Go) -> list[str]:
    """The rows of the board as they would be drawn."""
    signs = ["."] * state.size**2
    for player, sign in enumerate("XO"):
        for at in state.stones(player):
            signs[at] = sign
    return ["".join(signs[row * state.size :][: state.size]) for row in range(state.size)]


def play(state: Go, *labels: str) -> Go:
    for label in labels:
        state = state.apply(action_of(label, state.size))
    return state


def why(state: Go, label: str) -> Refusal | None:
    """Why a stone is illegal, once legal_actions and apply have agreed."""
    action = action_of(label, state.size)
    reason = state.why_illegal(action)
    assert (action in state.legal_actions()) == (reason is None)
    if reason is not None:
        with pytest.raises(GameError, match=rf"^go: action {action} is illegal here, choose action .*\.$"):
            state.apply(action)
    return reason


CAPTURES = {
    "a stone in the corner": (BLACK, "OX... ..... ..... ..... .....", "A4", ".X... X.... ..... ..... ....."),
    "two stones on the edge": (BLACK, ".XOO. ..XX. ..... ..... .....", "E5", ".X..X ..XX. ..... ..... ....."),
    "a stone in the centre": (WHITE, "..... ..O.. .OX.. ..O.. .....", "D3", "..... ..O.. .O.O. ..O.. ....."),
    "three groups at once": (WHITE, "..O.. .OXO. OX.XO .OOO. .....", "C3", "..O.. .O.O. O.O.O .OOO. ....."),
    "four groups at once": (
        BLACK,
        "...X... ..XOX.. .XXOXX. XOO.OOX .XXOXX. ..XOX.. ...X...",
        "D4",
        "...X... ..X.X.. .XX.XX. X..X..X .XX.XX. ..X.X.. ...X...",
    ),
    "a group, by its one eye": (WHITE, ".OOO. OXXXO OX.XO OXXXO .OOO.", "C3", ".OOO. O...O O.O.O O...O .OOO."),
    "by a stone between enemies": (BLACK, ".OX.. OX... X.... ..... .....", "A5", "X.X.. .X... X.... ..... ....."),
}


@pytest.mark.parametrize("name", CAPTURES)
def test_a_stone_takes_off_what_it_leaves_without_liberty(name: str) -> None:
    to_move, before, label, after = CAPTURES[name]
    state = drawn(before, to_move)
    assert why(state, label) is None
    played = play(state, label)
    assert shown(played) == after.split()
    assert shown(state) == before.split()
    pairs = list(zip("".join(shown(state)), "".join(shown(played)), strict=True))
    gone = tuple(at for at, (old, new) in enumerate(pairs) if old != "." and new == ".")
    assert [at for at, (old, new) in enumerate(pairs) if old == "." != new] == [action_of(label, state.size)]
    assert played.prisoners()[to_move] == len(gone)
    assert played.prisoners()[1 - to_move] == 0


SUICIDES = {
    "corner": (".O... O.... ..... ..... .....", "A5"),
    "one point": ("..... ..O.. .O.O. ..O.. .....", "C3"),
    "the last eye of a group on the edge": ("XXO.. .XO.. XXO.. OOO.. .....", "A4"),
    "the last eye of a group in the centre": (".OOO. OXXXO OX.XO OXXXO .OOO.", "C3"),
}


@pytest.mark.parametrize("name", SUICIDES)
def test_suicide_is_illegal(name: str) -> None:
    board, label = SUICIDES[name]
    assert why(drawn(board, BLACK), label) == Refusal("suicide")
    assert why(drawn(board, WHITE), label) is None


def test_an_occupied_point_is_illegal_for_both() -> None:
    board = "..... ..... ..X.. ..... ....."
    assert why(drawn(board, BLACK), "C3") == OCCUPIED
    assert why(drawn(board, WHITE), "C3") == OCCUPIED


def test_a_snapback_takes_more_than_was_thrown_in() -> None:
    state = play(drawn("OX..O OXXXO .OOO. ..... .....", WHITE), "C5", "D5")
    assert shown(state)[0] == "OX.XO"
    assert shown(play(state, "C5")) == ["O.O.O", "O...O", ".OOO.", ".....", "....."]


def test_a_ko_may_be_retaken_only_after_a_move_elsewhere() -> None:
    taken = play(drawn(".XO.. XO.O. .XO.. ..... ....."), "C4")
    assert shown(taken)[1] == "X.XO."
    assert why(taken, "B4") == Refusal("superko", 0)
    assert why(play(taken, "E1", "A1"), "B4") is None


def test_the_reason_counts_passes_as_moves() -> None:
    taken = play(start(), "B9", "C9", "A8", "D8", "B7", "C7", "pass", "B8", "C8")
    assert "O" not in shown(taken)[1][:2]
    assert why(taken, "B8") == Refusal("superko", 8)
    assert why(play(taken, "J1", "pass"), "B8") is None


def test_a_triple_ko_cannot_go_round() -> None:
    kos = ".XO...... XO.O..... .XO...... .XO...... X.XO..... .XO...... .XO...... XO.O..... .XO......"
    state = play(drawn(kos), "C8", "B5", "C2", "B8", "C5")
    assert why(state, "B2") == Refusal("superko", 0)
    assert why(play(state, "J9", "J1"), "B2") is None


def test_sending_two_stones_and_taking_one_back_is_illegal_though_another_is_to_move() -> None:
    state = drawn(".O.O. XXOO. .X... ..... .....", WHITE)
    sent = play(state, "A5", "C5")
    assert shown(sent)[0] == "..XO."
    assert sent.to_move == WHITE
    assert why(sent, "B5") == Refusal("superko", 0)


def test_a_stone_that_takes_nothing_may_not_recreate_a_board_either() -> None:
    state = play(drawn("O.OO XOXX .XXX OX.X", WHITE), "A2", "A3")
    assert shown(state) == ["O.OO", "XOXX", ".XXX", ".X.X"]
    assert why(state, "A1") == Refusal("superko", 0)
    assert why(state._replace(boards=state.boards[1:]), "A1") is None


def test_two_passes_in_a_row_end_the_game() -> None:
    state = play(start(), "pass", "E5", "pass")
    assert not state.is_terminal
    over = play(state, "pass")
    assert over.is_terminal
    assert over.legal_actions() == ()
    assert over.why_illegal(0) == OVER
    with pytest.raises(GameError, match=r"^go: action 81 is illegal here, the game is over\.$"):
        over.apply(81)
    assert play(start(), "pass", "pass").is_terminal


@pytest.mark.parametrize(("komi", "result"), [(4.5, 1.0), (5.0, 0.0), (5.5, -1.0)])
def test_area_and_komi_decide(komi: float, result: float) -> None:
    state = drawn("..XO. ..XO. ..XO. ..XO. ..XO.", komi=komi)
    assert state.score() == 5 - komi
    assert state.returns() == 0.0
    assert play(state, "pass", "pass").returns() == result


AREAS = {
    "nobody": ("..... ..... ..... ..... .....", 0),
    "one stone has everything": ("..... ..... ..X.. ..... .....", 25),
    "points between both are nobody's": ("..X.O ..X.O ..X.O ..X.O ..X.O", 15 - 5),
    "a stone in the other's area is alive": ("O.XO. ..XO. ..XO. ..XO. ..XO.", 5 - 11),
    "eyes": (".XO.O XXOOO OOOOO XXXXX .X.X.", 4 + 10 - 11),
}


@pytest.mark.parametrize("name", AREAS)
def test_area_is_stones_and_what_only_they_reach(name: str) -> None:
    board, difference = AREAS[name]
    assert drawn(board, komi=0.0).score() == difference


def test_komi_counts_for_white_on_the_empty_board() -> None:
    assert play(start(), "pass", "pass").returns() == -1.0
    assert play(start(komi=-0.5), "pass", "pass").returns() == 1.0
    assert start().score() == -7.5


def random_game(seed: int, state: Go) -> list[Go]:
    """The states of a game in which nobody passes who can play."""
    rng, states = np.random.default_rng(seed), [state]
    while not states[-1].is_terminal:
        legal = states[-1].legal_actions()
        states.append(states[-1].apply(int(rng.choice(legal[:-1] or legal))))
    return states


def test_a_game_is_stopped_and_scored_after_three_times_as_many_plies_as_points() -> None:
    games = [random_game(seed, start()) for seed in range(12)]
    stopped = [states for states in games if states[-1].last_action != 81 or states[-2].last_action != 81]
    assert stopped
    for states in stopped:
        assert len(states) - 1 == 3 * 81
        assert states[-1].legal_actions() == ()
        assert states[-1].returns() == np.sign(states[-1].score()) != 0
    late = stopped[0][-2]
    assert late.apply(81).is_terminal


@pytest.mark.parametrize("action", [-1, 82, 10**30, True, False, "40", 40.0, None, np.True_, [1]])
def test_what_is_no_action_is_an_error_and_changes_nothing(action: Any) -> None:
    state = play(start(), "E5")
    before = tuple(state)
    with pytest.raises(GameError, match=r"^go: action .* is illegal here, choose action 0, 1, .*, 81\.$"):
        state.apply(action)
    assert state.why_illegal(action) == NO_SUCH_ACTION
    assert tuple(state) == before


def test_numpy_integers_are_actions_and_leave_no_trace() -> None:
    state = start().apply(np.int64(40)).apply(np.int32(81))  # type: ignore[arg-type]
    assert state == start().apply(40).apply(81)
    assert {type(board) for board in state.boards} == {int}
    assert state.why_illegal(np.int64(40)) == OCCUPIED  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [4, 20, 0, -9, "9", True, 9.5, None])
def test_other_sizes_are_refused(size: Any) -> None:
    with pytest.raises(GameError, match=r"^go: size .* is not played, choose a number from 5 to 19\.$"):
        start(size)


@pytest.mark.parametrize("komi", [float("nan"), float("inf"), "7.5", None, True])
def test_a_komi_that_is_no_number_is_refused(komi: Any) -> None:
    with pytest.raises(GameError, match=r"^go: komi .* is no number of points, choose one such as 7\.5\.$"):
        start(9, komi)


@pytest.mark.parametrize("size", [9, 13, 19])
def test_every_size_begins_with_all_points_and_the_pass(size: int) -> None:
    state = start(size)
    assert state.legal_actions() == tuple(range(size * size + 1))
    assert state.actions == size * size + 1
    assert state.encode().shape == start(size).encoding.shape == (size, size, 17)
    assert len(random_game(1, state)) - 1 <= 3 * size * size

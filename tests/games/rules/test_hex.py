from __future__ import annotations

import itertools
import pickle

import numpy as np
import pytest

from azx.errors import GameError
from azx.games.encoding import Encoding, encode, turned_actions
from azx.games.known.catalogue import GAMES
from azx.games.rules.hex import SIZES, Hex, kind_of, start
from azx.games.symmetry import HALF_TURN, symmetries

Cells = list[list[int]]


def play(*labels: str, size: int = 7, rule: str = "plain") -> Hex:
    """The position after moves given as people write them, d4."""
    state = start(size, rule)
    cells = {state.label(cell): cell for cell in range(state.actions)}
    for label in labels:
        state = state.apply(cells[label])
    return state


def joins(owners: Cells, player: int) -> bool:
    """Independent of the rules: a walk over pairs of numbers, by the neighbours that touch at an edge of a hexagon.

    Hexagons in rows, each half a cell further to the right: the middle of (r, c) lies at (c + r / 2, r * 0.866), and
    two touch where their middles are one apart.
    """
    size = len(owners)
    middles = {(r, c): (c + r / 2, r * 3**0.5 / 2) for r in range(size) for c in range(size)}
    own = [at for at in middles if owners[at[0]][at[1]] == player]
    reached = [at for at in own if at[player] == 0]
    for at in reached:
        x, y = middles[at]
        near = [one for one in own if abs(np.hypot(middles[one][0] - x, middles[one][1] - y) - 1) < 1e-6]
        reached += [one for one in near if one not in reached]
    return any(at[player] == size - 1 for at in reached)


def owners_of(state: Hex) -> Cells:
    size = state.size
    owner = [0 if state.stones[0] >> at & 1 else 1 if state.stones[1] >> at & 1 else -1 for at in range(size * size)]
    return [owner[row * size : (row + 1) * size] for row in range(size)]


@pytest.mark.parametrize("size", [3, 4, 6])
def test_random_games_end_exactly_when_another_implementation_sees_a_chain(size: int) -> None:
    rng = np.random.default_rng(size)
    won = set()
    for _ in range({3: 60, 4: 30, 6: 6}[size]):
        state = start(size)
        while not state.is_terminal:
            assert not joins(owners_of(state), 0)
            assert not joins(owners_of(state), 1)
            state = state.apply(int(rng.choice(state.legal_actions())))
        assert joins(owners_of(state), int(state.winner or 0))
        assert state.returns() == (1 if state.winner == 0 else -1)
        won.add(state.winner)
    assert won == {0, 1}


def test_ten_thousand_full_boards_have_exactly_one_winner_each() -> None:
    rng = np.random.default_rng(1)
    won = [0, 0]
    for number in range(10_000):
        kind = kind_of(SIZES[number % len(SIZES)], "plain")
        first = sum(1 << int(cell) for cell in rng.permutation(kind.size**2)[: (kind.size**2 + 1) // 2])
        stones = (first, kind.full & ~first)
        joined = [bool(kind.joined(stones[player], kind.sides[player][0]) & kind.sides[player][1]) for player in (0, 1)]
        assert sum(joined) == 1
        won[joined.index(True)] += 1
    assert min(won) > 1_000


def test_every_full_board_of_three_by_three_has_the_winner_that_the_other_implementation_sees() -> None:
    kind = kind_of(3, "plain")
    for first in range(1 << 9):
        owners = [[0 if first >> 3 * row + column & 1 else 1 for column in range(3)] for row in range(3)]
        joined = bool(kind.joined(first, kind.sides[0][0]) & kind.sides[0][1])
        assert joined == joins(owners, 0) != joins(owners, 1)


def test_two_cells_touch_where_hexagons_do() -> None:
    kind = kind_of(3, "plain")
    assert kind.touching[4] == (1, 2, 3, 5, 6, 7)
    assert kind.touching[0] == (1, 3)
    assert kind.touching[2] == (1, 4, 5)
    assert kind.touching[8] == (5, 7)
    for size in (5, 13):
        touching = kind_of(size, "plain").touching
        assert all(one in touching[other] for one, near in enumerate(touching) for other in near)


def test_the_first_player_joins_top_and_bottom_and_the_second_left_and_right() -> None:
    down = play("b1", "a1", "b2", "c1", "b3", size=3)
    assert (down.winner, down.chain()) == (0, (1, 4, 7))
    across = play("a1", "a2", "b1", "b2", "a3", "c2", size=3)
    assert (across.winner, across.chain(), across.returns()) == (1, (3, 4, 5), -1)
    assert across.legal_actions() == ()
    with pytest.raises(GameError, match="hex: action 8 is illegal here, the game is over"):
        across.apply(8)


@pytest.mark.parametrize("size", [3, 7, 11])
def test_the_chain_is_a_shortest_one_of_touching_stones_of_the_winner(size: int) -> None:
    rng = np.random.default_rng(size)
    for _ in range(10):
        state = start(size)
        while not state.is_terminal:
            state = state.apply(int(rng.choice(state.legal_actions())))
        chain, kind, winner = state.chain(), state.kind, int(state.winner or 0)
        first, last = kind.sides[winner]
        assert first >> chain[0] & 1
        assert last >> chain[-1] & 1
        assert all(state.stones[winner] >> cell & 1 for cell in chain)
        assert all(other in kind.touching[one] for one, other in itertools.pairwise(chain))
        # Nothing shorter: within fewer steps from the first side no stone of the last one is reached.
        reached = state.stones[winner] & first
        for _ in range(len(chain) - 2):
            reached |= kind.beside(reached) & state.stones[winner]
        assert not reached & last
    assert start(size).chain() == ()


def test_the_second_player_may_take_the_first_stone_over() -> None:
    state = play("b1", rule="swap")
    assert state.is_swap_open
    assert state.legal_actions() == tuple(range(49))
    taken = state.apply(1)
    assert (taken.stones, taken.to_move, taken.last_action, taken.last_stone) == ((0, 1 << 7), 0, 1, 7)
    assert taken.legal_actions() == tuple(at for at in range(49) if at != 7)
    assert not taken.apply(8).is_swap_open
    # On the diagonal it stays where it is.
    assert play("c3", "c3", rule="swap").stones == (0, 1 << 16)


def test_nobody_swaps_later_or_without_the_rule() -> None:
    assert 1 not in play("b1").legal_actions()
    assert play("b1", "c1", rule="swap").legal_actions() == tuple(at for at in range(49) if at not in (1, 2))
    state = play("b1", "b1", "c1", rule="swap")
    assert not state.is_swap_open
    with pytest.raises(GameError, match="hex: action 2 is illegal here"):
        state.apply(2)
    refusal = state.why_illegal(2)
    assert refusal is not None
    assert refusal.code == "occupied"


def test_exchanging_the_players_changes_no_rule() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        # The exchanged game begins with the other player, whose stones lie on the other side of the diagonal.
        state = start(5)
        while not state.is_terminal:
            assert state.mirrored().mirrored() == state
            action = int(rng.choice(state.legal_actions()))
            other = state.mirrored().apply(state.kind.mirror[action])
            state = state.apply(action)
            assert other == state.mirrored()
            assert other.returns() == -state.returns()


def test_wins_at_once_are_known_without_trying() -> None:
    rng = np.random.default_rng(4)
    seen = 0
    for _ in range(30):
        state = start(5)
        while not state.is_terminal:
            wins, answers = state.sudden()
            tried = [action for action in state.legal_actions() if state.apply(action).is_terminal]
            assert list(wins) == tried
            for action, count in zip(state.legal_actions(), answers, strict=True):
                after = state.apply(action)
                if not after.is_terminal:
                    assert count == sum(after.apply(reply).is_terminal for reply in after.legal_actions())
            seen += bool(wins)
            state = state.apply(int(rng.choice(state.legal_actions())))
    assert seen > 20


def test_planes_show_the_stones_and_those_that_hang_on_a_side() -> None:
    state = play("b1", "a2", "b2", "b3", "c3", size=3)
    assert state.to_move == 1
    planes = {name: state.plane(name).astype(int).tolist() for name in ("mover", "opponent")}
    assert planes == {"mover": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "opponent": [[0, 1, 0], [0, 1, 0], [0, 0, 1]]}
    assert state.plane("mover_joined").astype(int).tolist() == [[0, 0, 0], [1, 0, 0], [0, 0, 0]]
    assert state.plane("opponent_joined").astype(int).tolist() == [[0, 1, 0], [0, 1, 0], [0, 0, 1]]
    assert play("c2", size=3).plane("opponent_joined").sum() == 0
    assert play("c3", size=3).plane("opponent_joined").sum() == 1
    with pytest.raises(GameError, match="hex: there is no plane 'edges'"):
        state.plane("edges")


def test_a_turned_encoding_shows_every_player_joining_top_and_bottom() -> None:
    signed = Encoding("sum", (7, 7), ("signed",), turned=True)
    rng = np.random.default_rng(5)
    for _ in range(5):
        state = start()
        while not state.is_terminal:
            # The exchanged position has the same mover in the same place, so that its tensor is the same.
            assert np.array_equal(encode(state, signed), encode(state.mirrored(), signed))
            plain = encode(state, Encoding("sum", (7, 7), ("signed",)))
            assert np.array_equal(encode(state, signed), plain.T if state.to_move else plain)
            state = state.apply(int(rng.choice(state.legal_actions())))
    assert turned_actions((3, 3), 10).tolist() == [0, 3, 6, 1, 4, 7, 2, 5, 8, 9]
    with pytest.raises(GameError, match="cannot be turned, give as many rows as columns"):
        Encoding("sum", (6, 7), ("signed",), turned=True)


def test_a_half_turn_is_the_only_symmetry_that_keeps_the_sides() -> None:
    assert GAMES["hex"].turns == HALF_TURN
    _, turned = symmetries(HALF_TURN, Encoding("sum", (5, 5), ("signed",)), 25)
    assert turned.actions.tolist() == list(range(25))[::-1]


def test_moves_have_the_names_that_people_write() -> None:
    state = start(13)
    assert [state.label(action) for action in (0, 12, 13, 168)] == ["a1", "m1", "a2", "m13"]
    with pytest.raises(GameError, match="hex: action 169 is no cell of this board, choose 0 to 168"):
        state.label(169)


def test_the_board_is_drawn_as_a_rhombus() -> None:
    assert play("b1", "a2", "c3", size=3).board_text().splitlines() == [
        "   a b c",
        " 1 . X .",
        "  2 O . .",
        "   3 . .[X]",
    ]
    assert "[O]" in play("b1", "b1", rule="swap", size=3).board_text().splitlines()[2]


def test_what_is_not_possible_is_one_sentence() -> None:
    for size in (2, 14, "7", 7.0):
        with pytest.raises(GameError, match="is not possible, choose a number from 3 to 13"):
            start(size)  # type: ignore[arg-type]
    with pytest.raises(GameError, match="hex: rule 'pie' is unknown, use plain or swap"):
        start(7, "pie")


def test_a_position_comes_back_from_another_process() -> None:
    state = play("d4", "d4", "e3", rule="swap")
    again = pickle.loads(pickle.dumps(state))  # noqa: S301
    assert again == state
    assert again.kind is state.kind

"""What every game's states have in common: the last action, the board, and why an action is illegal."""

from __future__ import annotations

import pickle
from collections.abc import Iterator

import numpy as np
import pytest

from azx.errors import GameError
from azx.games.known.catalogue import GAMES
from azx.games.state import NO_SUCH_ACTION, OVER, State

RENJU = ("gomoku", {"rule": "renju", "size": 7})


def random_states(start: State, games: int) -> Iterator[State]:
    """Every state of some random games, the last ones too."""
    rng = np.random.Generator(np.random.PCG64(5))
    for _ in range(games):
        state = start
        while not state.is_terminal:
            yield state
            legal = state.legal_actions()
            state = state.apply(legal[int(rng.random() * len(legal))])
        yield state


@pytest.mark.parametrize(("name", "settings"), [*((name, {}) for name in GAMES), RENJU])
def test_what_is_illegal_has_a_reason_and_what_is_legal_has_none(name: str, settings: dict[str, str | int]) -> None:
    start = GAMES[name].begin(settings)
    for number, state in enumerate(random_states(start, 2 if start.actions > 50 else 20)):
        if number % 7 == 0 or state.is_terminal:
            free = [action for action in range(state.actions) if state.why_illegal(action) is None]
            assert tuple(free) == state.legal_actions()
        if state.is_terminal:
            assert {state.why_illegal(action) for action in range(state.actions)} == {OVER}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    "action", [-1, 1000, True, False, 0.0, 1.5, np.True_, np.float64(0), np.array(0), "0", None, [0]]
)
def test_what_is_no_action_has_a_reason_and_is_refused(name: str, action: object) -> None:
    start = GAMES[name].begin()
    assert start.why_illegal(action) == NO_SUCH_ACTION  # type: ignore[arg-type]
    with pytest.raises(GameError, match="is illegal here"):
        start.apply(action)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", GAMES)
def test_a_state_knows_what_was_played_last_as_a_plain_number(name: str) -> None:
    state = GAMES[name].begin()
    assert state.last_action is None
    for _ in range(6):
        action = state.legal_actions()[-1]
        assert state.why_illegal(np.int64(action)) is None  # type: ignore[arg-type]
        state = state.apply(np.int64(action))  # type: ignore[arg-type]
        assert state.last_action == action
        assert type(state.last_action) is int
        if state.is_terminal:
            break
    assert pickle.loads(pickle.dumps(state)).last_action == state.last_action  # noqa: S301


@pytest.mark.parametrize("name", GAMES)
def test_the_board_is_that_of_the_planes(name: str) -> None:
    for shape in GAMES[name].shapes:
        state = GAMES[name].begin(shape.settings)
        assert {encoding.board for encoding in shape.encodings} == {state.board}


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("connect4", (35, 36, 37), (37, 36, 35)),
        ("tictactoe", (0, 1, 2), (2, 1, 0)),
        ("dots_and_boxes", (0, 5, 9), (9, 5, 0)),
    ],
)
def test_a_position_is_the_same_however_it_was_reached(name: str, one: tuple[int, ...], other: tuple[int, ...]) -> None:
    reached = []
    for line in (one, other):
        state = GAMES[name].begin()
        for action in line:
            state = state.apply(action)
        reached.append(state)
    there, here = reached
    assert there.last_action != here.last_action
    assert (there == here, there != here, hash(there) == hash(here)) == (True, False, True)
    assert there != GAMES[name].begin()

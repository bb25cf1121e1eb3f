"""The content of a game's record, and its moves by the game's rules."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import NamedTuple

from ...errors import RecordError
from ..game import Settings
from ..rules.go import Go
from ..rules.reversi import Reversi
from ..state import Refusal, State

LARGEST = 1_000_000  # bytes of UTF-8; a game of Go is a thousandth of that
MOST_MOVES = 2_000
# SGF's number for each of its games.
SGF_GAMES = {
    "go": "1",
    "gomoku": "4",
    "reversi": "2",
    "hex": "11",
}
# SGF's words in Hex if the second player takes the first stone over; the board names that move after the stone.
SWAPS = ("swap-pieces", "swap")


class Move(NamedTuple):
    """A move by its name on the board; `player` made it according to the record, None if unknown."""

    name: str
    player: int | None = None


@dataclass(frozen=True)
class Record:
    """A game as a text records it. `settings` are those in the text, `ignored` counts the omitted variations.

    `game` is None if the text does not name it. `names` are those of player 0 and player 1, and `result` is SGF's RE;
    both come from the text and may be false. The first `set_up` moves were not played: they
    place stones before the game.
    """

    game: str | None
    settings: Settings
    moves: tuple[Move, ...]
    names: tuple[str, str] = ("", "")
    result: str = ""
    ignored: int = 0
    set_up: int = 0

    def states(self, start: State) -> tuple[State, ...]:
        """Every position from `start` on; RecordError, with the move's number, if one cannot be played.

        Passes missing from a record are added: those that Reversi's rules force, and in Go the other side's
        pass if one side moves twice without having just passed.
        """
        by_name = defaultdict(list)
        for action in range(start.actions):
            by_name[start.label(action).lower()].append(action)
        states = [start]
        for number, move in enumerate(self.moves, start=1 - self.set_up):
            if (left_out := _pass_left_out(states[-1], move)) is not None:
                states.append(states[-1].apply(left_out))
            try:
                action = _action(states[-1], number, move, by_name.get(move.name.lower(), []))
            except RecordError as error:
                raise error if number > 0 else no_set_up() from error
            states.append(states[-1].apply(action))
        return tuple(states)


def no_set_up() -> RecordError:
    """The error for stones that no moves can place."""
    return RecordError(
        "record_setup",
        "the stones that stand before the first move cannot be placed: give a handicap's points (AB), set nothing up "
        "later, and of games other than Go give only what moves in turn lead to.",
    )


def _pass_left_out(state: State, move: Move) -> int | None:
    """The pass that is missing before a move; None if there is none."""
    is_due = False
    if isinstance(state, Reversi):
        is_due = state.must_pass and move.name.lower() != state.label(state.actions - 1)
    elif isinstance(state, Go):
        is_due = move.player == 1 - state.to_move and state.last_action != state.actions - 1
    return state.actions - 1 if is_due else None


def _action(state: State, number: int, move: Move, actions: list[int]) -> int:
    """The action that can be played, among those with the move's name: a column of Connect4 has six."""
    if state.is_terminal:
        raise RecordError(
            "record_after_end",
            f"move {number} comes after the end of the game: take out what follows move {number - 1}.",
            number,
        )
    if not actions:
        raise RecordError(
            "record_unknown_move",
            f"move {number}, '{move.name}', names no move of this game: give moves as azx play shows them.",
            number,
        )
    if move.player not in (None, state.to_move):
        raise RecordError(
            "record_turn",
            f"move {number} is the other side's: azx reads games in which both sides move in turn.",
            number,
        )
    refusals = list[Refusal]()
    for action in actions:
        refusal = state.why_illegal(action)
        if refusal is None:
            return action
        refusals.append(refusal)
    # If a column is full, its topmost cell gives the reason.
    raise RecordError(
        "record_illegal",
        f"move {number} is illegal ({refusals[-1].text}): correct it, or cut the record before it.",
        number,
    )

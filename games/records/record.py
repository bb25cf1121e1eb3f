"""The content of a game's record, and its moves by the game's rules."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import NamedTuple

from ...errors import RecordError
from ..game import Settings
from ..rules.reversi import Reversi
from ..state import Refusal, State

LARGEST = 1_000_000  # bytes of UTF-8; a game of Go is a thousandth of that
MOST_MOVES = 2_000
# SGF's number of each game that it has.
SGF_GAMES = {
    "go": "1",
    "gomoku": "4",
    "reversi": "2",
    "hex": "11",
}
# What SGF of Hex has where the second player takes the first stone over; the board's own name is the stone's.
SWAPS = ("swap-pieces", "swap")


class Move(NamedTuple):
    """A move by its name on the board; `player` made it according to the record, None if unknown."""

    name: str
    player: int | None = None


@dataclass(frozen=True)
class Record:
    """A game as a text records it. `settings` are those in the text, `ignored` the number of omitted variations.

    `game` is None if the text does not name it. `names` are those of player 0 and player 1 and `result` SGF's RE,
    as the text has them: nothing says that they are true.
    """

    game: str | None
    settings: Settings
    moves: tuple[Move, ...]
    names: tuple[str, str] = ("", "")
    result: str = ""
    ignored: int = 0

    def states(self, start: State) -> tuple[State, ...]:
        """Every position from `start` on; RecordError, with the move's number, if one cannot be played.

        Many records of Reversi leave out the passes that its rules force: they are made here.
        """
        by_name = defaultdict(list)
        for action in range(start.actions):
            by_name[start.label(action).lower()].append(action)
        states = [start]
        for number, move in enumerate(self.moves, start=1):
            last = states[-1]
            if isinstance(last, Reversi) and last.must_pass and move.name.lower() != last.label(last.actions - 1):
                states.append(last.apply(last.actions - 1))
            states.append(states[-1].apply(_action(states[-1], number, move, by_name.get(move.name.lower(), []))))
        return tuple(states)


def _action(state: State, number: int, move: Move, actions: list[int]) -> int:
    """The one of the `actions` of a move's name that can be played: a column of Connect4 has six."""
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
    # Of a full column the topmost cell says it.
    raise RecordError(
        "record_illegal",
        f"move {number} is illegal ({refusals[-1].text}): correct it, or cut the record before it.",
        number,
    )

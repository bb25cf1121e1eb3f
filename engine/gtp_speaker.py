"""What all of GTP's commands share: answers with their numbers, whose turn it is, and what `undo` takes back."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import GameError
from ..games.rules.go import Go
from .brain import Brain
from .moves import PASS, pass_of, vertex_of
from .protocol import Protocol

COLOURS = {"b": 0, "black": 0, "x": 0, "w": 1, "white": 1, "o": 1}


class Speaker(Protocol):
    """GTP without its commands; `game` is the game's name, `number` that of the present command, as text."""

    def __init__(self, brain: Brain) -> None:
        super().__init__(brain)
        self.game, self.number = brain.game.name, ""
        # The number of plies before each command that added some: a move of the wrong player adds a pass as well.
        self._steps: list[int] = []

    def answer(self, text: str) -> None:
        """Write a successful answer and its end."""
        self.write(f"={self.number} {text}".rstrip() if not text else f"={self.number} {text}", "")

    def begin(self) -> None:
        """Write the first line of an answer that continues while a search runs."""
        self.write(f"={self.number}")

    def refuse(self, reason: str) -> None:
        """Write an error as the answer, and its end."""
        self.write(f"?{self.number} {' '.join(reason.split())}", "")

    def colour(self, words: Sequence[str]) -> int:
        """The player that the first word names; GameError if it names none."""
        if not words or words[0].lower() not in COLOURS:
            raise GameError("syntax error: a colour is b or w")
        return COLOURS[words[0].lower()]

    def give_turn(self, player: int) -> None:
        """Make it `player`'s turn: the other one passes if necessary; GameError if that is not possible."""
        self.reopen()
        state = self.brain.state
        if state.to_move == player or state.is_terminal:
            return
        passing = pass_of(state)
        if passing is None:
            raise GameError(f"it is {'black' if state.to_move == 0 else 'white'}'s turn, and there is no pass here")
        self.brain.play(passing)
        self.reopen()

    def reopen(self) -> None:
        """In Go: continue after two passes, as people do if they disagree about dead stones."""
        state = self.brain.state
        if isinstance(state, Go) and state.is_terminal and state.boards[-1:] == state.boards[-2:-1]:
            self.brain.set_states([*self.brain.states[:-1], state._replace(is_terminal=False)])

    def note_step(self, before: int) -> None:
        """Note that the game had `before` plies before this command: `undo` takes back all that it added."""
        while self._steps and self._steps[-1] >= before:
            self._steps.pop()
        self._steps.append(before)

    def vertex(self, action: int) -> str:
        """An action's vertex."""
        return vertex_of(self.game, self.brain.state, action)

    def choose(self, words: Sequence[str]) -> int | None:
        """The move of the player that `words` name; None if the game is over. It is not played."""
        self.give_turn(self.colour(words))
        return None if self.brain.state.is_terminal else self.brain.think().action

    def at_the_end(self) -> str:
        """The answer to genmove once the game is over; GameError in a game without a pass."""
        if self.game in ("go", "reversi"):
            return PASS
        raise GameError("the game is over")

    def undo_step(self) -> None:
        """Take back what the latest command added; GameError if there is nothing."""
        ply = self.brain.ply
        if not ply:
            raise GameError("cannot undo")
        while self._steps and self._steps[-1] >= ply:
            self._steps.pop()
        self.brain.set_states(self.brain.states[: 1 + (self._steps.pop() if self._steps else ply - 1)])

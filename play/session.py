"""A game between a person and a network up to the present move, as an immutable value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..games.state import State

Event = Mapping[str, Any]
# Who makes a move: the person, the network, or the rules, if they leave no choice.
YOU, AI, RULE = "you", "ai", "rule"


@dataclass(frozen=True)
class Session:
    """`states` are all positions, the first one first; `players` says who made each move between them.

    `begin` and `end` are the log's events: the identity of the game, and its end if it has ended.
    """

    begin: Event
    states: tuple[State, ...]
    players: tuple[str, ...] = ()
    end: Event | None = None

    @property
    def human(self) -> int:
        """The person's player, 0 or 1."""
        return int(self.begin["human"])

    @property
    def set_up(self) -> int:
        """The number of first moves that placed stones before the game."""
        set_up = self.begin.get("set_up")
        return set_up if isinstance(set_up, int) and set_up > 0 else 0

    @property
    def state(self) -> State:
        """The present position."""
        return self.states[-1]

    @property
    def actions(self) -> tuple[int, ...]:
        """The moves from the first position on."""
        return tuple(state.last_action for state in self.states[1:] if state.last_action is not None)

    @property
    def is_resigned(self) -> bool:
        """Whether the person has resigned."""
        return self.end is not None and not self.state.is_terminal

    @property
    def who_resigned(self) -> int | None:
        """The player who has resigned, None if neither has."""
        return self.human if self.is_resigned else None

    @property
    def agreed_score(self) -> float | None:
        """Player 0's lead without the agreed dead stones; None if nothing was agreed."""
        score = self.end.get("score") if self.end else None
        return float(score) if isinstance(score, (int, float)) else None

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by the rules or by resignation."""
        return self.end is not None or self.state.is_terminal

    def play(self, action: int, by: str) -> Session:
        """The session after `action`; GameError if it is illegal."""
        return replace(self, states=(*self.states, self.state.apply(action)), players=(*self.players, by), end=None)

    def shorten(self, plies: int) -> Session:
        """The session before its last `plies` moves; its game is not over."""
        left = len(self.players) - plies
        return replace(self, states=self.states[: left + 1], players=self.players[:left], end=None)

    def undo(self) -> Session:
        """The session before the resignation, else before the person's last move; unchanged if there was neither."""
        if self.is_resigned:
            return self.shorten(0)
        mine = [ply for ply, by in enumerate(self.players) if by == YOU]
        return self.shorten(len(self.players) - mine[-1]) if mine else self

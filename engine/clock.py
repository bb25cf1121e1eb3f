"""Time controls: how long a move may take, by the clock that a protocol or the command line sets."""

from __future__ import annotations

from dataclasses import dataclass, replace

# A reserve for the pipes and for the last simulations, in seconds and as a share.
MARGIN, SHARE = 0.05, 0.05
# A move never gets more than this share of the main time, nor less than these seconds.
LARGEST_PART, LEAST = 0.25, 0.01


@dataclass(frozen=True)
class Clock:
    """One player's clock: `main` seconds, then `periods` periods of `period` seconds for `stones` moves each.

    `left` are the seconds left of the main time, or of the present period if `stones_left` is not 0. `increment` is
    added at each move. `per_move` bounds every move. A clock without main time, period and bound does not run.
    """

    main: float = 0.0
    period: float = 0.0
    stones: int = 0
    increment: float = 0.0
    per_move: float | None = None
    left: float | None = None
    stones_left: int = 0

    @property
    def runs(self) -> bool:
        """Whether the clock limits the time at all."""
        return self.main > 0 or self.per_move is not None or (self.period > 0 and self.stones > 0)

    def reset(self) -> Clock:
        """The clock at the beginning of a game."""
        return replace(self, left=None, stones_left=0)

    def set_left(self, left: float, stones_left: int = 0) -> Clock:
        """The clock after a protocol's report of the time left; a clock that did not run begins with it."""
        left, stones = max(0.0, left), max(0, stones_left)
        clock = replace(self, left=left, stones_left=stones)
        if self.main > 0 or self.period > 0 or left == 0:
            return clock
        return replace(clock, period=left, stones=stones) if stones else replace(clock, main=left)

    def spend(self, seconds: float) -> Clock:
        """The clock after a move that took `seconds`: for protocols that do not say what is left."""
        if self.main <= 0:
            return self
        left = (self.main if self.left is None else self.left) - seconds + self.increment
        return replace(self, left=max(0.0, left))

    def budget(self, moves_to_go: int) -> float | None:
        """Seconds for the next move if this player has about `moves_to_go` moves left; None without a limit."""
        seconds = self._budget(max(1, moves_to_go))
        if self.per_move is not None:
            bound = max(LEAST, self.per_move * (1 - SHARE) - MARGIN)
            seconds = bound if seconds is None else min(seconds, bound)
        return seconds

    def _budget(self, moves_to_go: int) -> float | None:
        has_periods = self.period > 0 and self.stones > 0
        if self.main <= 0 and not has_periods:
            return None
        if self.stones_left and self.left is not None:
            return max(LEAST, self.left / self.stones_left * (1 - SHARE) - MARGIN)
        left = self.main if self.left is None else self.left
        by_period = self.period / self.stones * (1 - SHARE) - MARGIN if has_periods else 0.0
        # In byo-yomi a move may take the rest of the main time and a period, so it never takes less than a period.
        part = min(left * LARGEST_PART, left / moves_to_go + self.increment * 0.8)
        if self.increment:
            part = min(part, max(0.0, left - MARGIN))
        return max(LEAST, by_period, part * (1 - SHARE) - (MARGIN if part > 2 * MARGIN else 0.0))


NO_CLOCK = Clock()


def moves_to_go(plies: int, cells: int) -> int:
    """A guess of how many moves a player has left after `plies` of a game on `cells` cells."""
    return max(8, (cells * 3 // 4 - plies) // 2)

"""When a search ends before its last simulation: as soon as no other move can still be visited as often as the leader.

With r simulations left a move that is d visits behind catches up only if d <= r. Leela Zero and KataGo, among others,
stop thinking at that point. The whole search would have played the same move, unless it had proven by the rules that
another one must be played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable


class EarlyStop:
    """Whether a root's visits decide the move already (`is_over`); `visits` are the root's, kept ones included."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Forget the plan: the root has changed."""
        self.is_over = False
        # The root's visits at the end, None if that is unknown, and the visits from which the next look is worthwhile.
        self._ends: int | None = None
        self._looks_at = 0

    def begin(self, visits: int, simulations: int | None) -> None:
        """Begin a plan of this number of simulations; None if it is unknown."""
        self._ends, self._looks_at = None if simulations is None else visits + simulations, visits
        self.is_over = False

    def look(self, visits: int, counts: Callable[[], Iterable[int]]) -> None:
        """Find out whether the move is decided; `counts` gives the visits of the moves that may be played."""
        if self.is_over or self._ends is None or visits < self._looks_at:
            return
        leader, second, *_ = *sorted(counts(), reverse=True), 0, 0
        left = self._ends - visits
        self.is_over = leader - second > left
        # Each simulation adds at most 1 to the lead and takes 1 from what is left.
        self._looks_at = visits + (left - (leader - second)) // 2 + 1

    def part(self, visits: int, simulations: int) -> int:
        """The number of the next `simulations` to make before the next look is worthwhile; at least one."""
        return simulations if self._ends is None else max(1, min(simulations, self._looks_at - visits))

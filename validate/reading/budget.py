"""The number of boards that a network answers, limited by its multiply-adds and never by time.

So the result is the same on slow, busy and fast machines.
"""

from __future__ import annotations

# The multiply-adds of all answers together. A person who only looks waits about 5 seconds for them on one core, an
# export about 20. A network of up to 50 million multiply-adds per board answers all its boards in both cases.
GLANCE, WHOLE = 250_000_000_000, 1_250_000_000_000
# The least per board, however small the network is: drawing and encoding the board, and calling every layer.
LEAST = 2_000_000
# No limit.
ANY = 1 << 40


def boards_within(budget: int, multiply_adds: int) -> int:
    """The number of boards that a network may answer; `multiply_adds` is the cost of one board."""
    return budget // max(LEAST, multiply_adds)

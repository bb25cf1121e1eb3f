"""The number of boards that a network answers, by its multiply-adds and never by time.

So the result is the same on a slow, a busy and a quick machine.
"""

from __future__ import annotations

# Multiply-adds of all answers together. A person who only looks waits some 5 seconds for them on one core, an export
# 20. A network of up to 50 million multiply-adds a board is asked for all its boards in either case.
GLANCE, WHOLE = 250_000_000_000, 1_250_000_000_000
# A board is drawn and encoded, and every layer called, however small the network is.
LEAST = 2_000_000
# No limit.
ANY = 1 << 40


def boards_within(budget: int, multiply_adds: int) -> int:
    """How many boards a network may be asked for; `multiply_adds` is what one board takes."""
    return budget // max(LEAST, multiply_adds)

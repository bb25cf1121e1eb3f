"""Which way up a network reads its board: asked of its policy, where networks of the same shapes are known to differ.

Positions in which one move is plainly the best (`games/tactics.py`) are shown to the network in each way. Who sees the
board as it is finds many of them, who sees it upside down hardly more than one who does not look.

The rule. A way is taken where, of the positions of one tactic (a win, a block), it finds more than every other way and
more than blindly, which is with the answer that the network gave to another of them; and where no other way does. Each
comparison is McNemar's exact test on the same positions, two-sided, p < 0.001: Q. McNemar, Note on the sampling error
of the difference between correlated proportions, Psychometrika 12 (1947). A strong network tells after a sixth of the
positions, where p < 0.0001 is asked: that first look adds no more than that to the chance of an error. Without the
blind answers an untrained network that likes the middle column would be taken for a reader; tactics are looked at one
by one because some networks block and do not win.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..games.catalogue import GAMES
from ..games.encoding import encode
from ..games.game import Reading
from ..games.recognition import ways
from ..games.state import State
from ..games.tactics import drawn

# (N, *shape) float32 to the policy's answers, (N, width).
Policy = Callable[[NDArray[np.float32]], NDArray[Any]]
Hits = NDArray[np.bool_]
# A state and its one right move.
Position = tuple[State, int]

# Positions of each tactic, and the p that is asked of them. The last look is enough for 45 % against 30 % to be no
# chance, and takes two or three seconds; the first one takes some tenths of a second.
LOOKS = ((25, 1e-4), (150, 1e-3))
SAY = "say otherwise with --encoding FILE.json"


def settled(reading: Reading, policy: Policy) -> Reading:
    """`reading` in the way that the network itself reads the board, with a note on how it was told.

    The usual way, with a note that says so, where the answers do not tell; unchanged where only one way is known.
    Whatever `policy` raises is passed on.
    """
    known = ways(reading)
    if len(known) == 1:
        return reading
    if reading.numbering is None:
        return unsettled(reading, "it has no policy to ask")
    for count, level in LOOKS:
        positions = _positions(reading.game.name, tuple(reading.settings.items()), count)
        asked = {way: _asked(read, policy, positions) for way, read in known.items()}
        shares = ", ".join(f"{found.mean():.0%} with {way}" for way, (found, _) in asked.items())
        told = f"of {len(positions)} positions with one right move its policy finds {shares}"
        readers = [way for way in asked if _reads(way, asked, count, level)]
        if len(readers) == 1:
            return replace(known[readers[0]], note=told)
    blindly = asked[next(iter(asked))][1].mean()
    return unsettled(reading, f"{told}, {blindly:.0%} without looking")


def unsettled(reading: Reading, why: str) -> Reading:
    """`reading` in the usual way, with a note that this is not known; unchanged where only one way is known."""
    known = ways(reading)
    if len(known) == 1:
        return reading
    usual, *others = known
    doubt = f"not known whether with {usual} or {', or '.join(others)}, taken with {usual}"
    return replace(reading, note=f"{doubt}: {why}; {SAY}")


def _asked(reading: Reading, policy: Policy, positions: Sequence[Position]) -> tuple[Hits, Hits]:
    """Which positions the policy finds, and which it finds blindly, bool (N,) each."""
    boards = np.stack([encode(state, reading.encoding) for state, _ in positions])
    answers = np.asarray(policy(boards)).reshape(len(boards), -1)
    return _found(positions, reading, answers), _found(positions, reading, np.roll(answers, 1, axis=0))


def _reads(way: str, asked: Mapping[str, tuple[Hits, Hits]], count: int, level: float) -> bool:
    """Whether `way` finds clearly more of one tactic than each other way does, and than it finds blindly itself."""
    found, blindly = asked[way]
    rivals = [blindly, *(other for name, (other, _) in asked.items() if name != way)]
    parts = [slice(at, at + count) for at in range(0, len(found), count)]
    return any(all(clearly_more(found[part], rival[part], level) for rival in rivals) for part in parts)


@cache
def _positions(game: str, settings: tuple[tuple[str, Any], ...], count: int) -> list[Position]:
    """`count` of each of the game's tactics, one tactic after the other; the same every time."""
    start = GAMES[game].begin(dict(settings))
    return [found for tactic in GAMES[game].tactics for found in drawn(start, tactic, count)]


def _found(positions: Sequence[Position], reading: Reading, answers: NDArray[Any]) -> Hits:
    """Whether the largest answer of a legal move is the best move's."""
    assert reading.numbering is not None  # noqa: S101
    index = reading.numbering.index
    return np.array(
        [
            max(state.legal_actions(), key=lambda action, row=row: row[index(action)]) == best  # type: ignore[misc]
            for (state, best), row in zip(positions, answers, strict=True)
        ]
    )


def clearly_more(mine: Hits, other: Hits, level: float) -> bool:
    """Whether `mine` finds more of the same positions (N,) than `other`, by McNemar's exact two-sided test."""
    gained, lost = int((mine & ~other).sum()), int((other & ~mine).sum())
    return gained > lost and mcnemar(gained, lost) < level


def mcnemar(gained: int, lost: int) -> float:
    """How probable so uneven a split, or one more so, of the positions that one alone finds is by chance."""
    differing = gained + lost
    tail = sum(comb(differing, count) for count in range(min(gained, lost) + 1))
    return min(1.0, float(2 * tail / 2**differing))

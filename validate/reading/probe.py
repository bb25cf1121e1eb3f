"""Detects a network's encoding by showing it positions, if networks of the same shapes are known to differ.

Of Go it is the order of the planes (`frontier_probe.py`), of Connect4 which way up. There positions in which one move
is plainly the best (`games/tactics.py`) are shown to the network in each way. Who sees the board as it is finds many of
them, who sees it upside down hardly more than one who does not look.

The rule. An encoding is accepted if, for one tactic (a win, a block), it finds more of the positions than every other
one. It must also find more than blind answers, which the network gave to other positions. No other encoding may meet
both conditions. Each comparison is McNemar's exact test on the same positions (`sign_test.py`), p < 0.001. A strong
network reveals its encoding after a sixth of the positions, with p < 0.0001. That first look adds no more than that to
the chance of an error. Without the blind answers an untrained network that likes the middle column would seem to read
the board. Tactics are looked at one by one because some networks block and do not win.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import Undecided
from ...export.checkpoint.head import POLICY, VALUE
from ...games.encoding import encode
from ...games.game import Convention, Reading
from ...games.known.catalogue import GAMES
from ...games.known.recognition import ways
from ...games.state import State
from ...games.tactics import draw_positions
from .frontiers import by_frontiers
from .sign_test import Network, clearly_more

Hits = NDArray[np.bool_]
# A state and its one right move.
Position = tuple[State, int]

# Positions of each tactic, and the p that is asked of them. The last look is enough for 45 % against 30 % to be no
# chance, and takes two or three seconds; the first one takes some tenths of a second.
LOOKS = ((25, 1e-4), (150, 1e-3))


def detect_encoding(reading: Reading, network: Network, has: Sequence[str] = (POLICY, VALUE)) -> Reading:
    """`reading` in the way that the network itself reads the board, with a note on how it was told.

    `has` are the roles of the outputs that it can be asked for; a value is one of one number. If the answers settle
    nothing, the result is `without_detection`'s; with a single known way it is unchanged. Errors of `network` pass on.
    """
    known = ways(reading)
    if not known:
        return reading
    if reading.numbering is None or POLICY not in has:
        return without_detection(reading, "it has no policy to ask")
    if reading.game.frontiers is None:
        found, told = _by_tactics(known, network)
    elif VALUE in has:
        found, told = by_frontiers(known, network)
    else:
        return without_detection(reading, "it has no value of one number to ask")
    return (
        replace(known[found[0]], note=_sentence(told)) if len(found) == 1 else without_detection(reading, told, found)
    )


def without_detection(reading: Reading, why: str, among: Iterable[Convention] = ()) -> Reading:
    """`reading` in the usual way, with a note that this is not known; unchanged if only one way is known.

    Undecided, naming the ways, `among` them all, where the game's networks are not to be read in a way that is guessed.
    """
    known = ways(reading)
    if not known:
        return reading
    if reading.game.must_tell:
        named = _either([way.name for way in among or known])
        raise Undecided(
            f"its shapes are {reading.game.title}'s, but the order of its planes is not known ({why}): "
            f"say --encoding {named}"
        )
    _, *others = known
    doubt = f"The network may read the board with {_either([way.says for way in others])}"
    named = _either([way.name for way in others])
    return replace(reading, note=f"{doubt}. {_sentence(why)}. Choose with `--encoding {named}`")


def _sentence(clause: str) -> str:
    return clause[:1].upper() + clause[1:]


def _either(words: Sequence[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def _by_tactics(known: Mapping[Convention, Reading], network: Network) -> tuple[list[Convention], str]:
    """The one of the known ways in which the policy finds the moves, or all of them, and the figures, as a clause."""
    some, told = next(iter(known.values())), ""
    for count, level in LOOKS:
        positions = _positions(some.game.name, tuple(some.settings.items()), count)
        asked = {way: _count_hits(read, network, positions) for way, read in known.items()}
        shares = ", ".join(f"{way.says} {found.mean():.0%}" for way, (found, _) in asked.items())
        told = f"tested on {len(positions)} positions with one right move: {shares}"
        readers = [way for way in asked if _reads(way, asked, count, level)]
        if len(readers) == 1:
            return readers, told
    return list(known), f"{told} (chance {asked[next(iter(asked))][1].mean():.0%})"


def _count_hits(reading: Reading, network: Network, positions: Sequence[Position]) -> tuple[Hits, Hits]:
    """Which positions the policy finds, and which it finds blindly, bool (N,) each."""
    boards = np.stack([encode(state, reading.encoding) for state, _ in positions])
    answers = np.asarray(network(boards)[POLICY]).reshape(len(boards), -1)
    return _find_hits(positions, reading, answers), _find_hits(positions, reading, np.roll(answers, 1, axis=0))


def _reads(way: Convention, asked: Mapping[Convention, tuple[Hits, Hits]], count: int, level: float) -> bool:
    """Whether `way` finds clearly more of one tactic than each other way does, and than it finds blindly itself."""
    found, blindly = asked[way]
    rivals = [blindly, *(other for name, (other, _) in asked.items() if name != way)]
    parts = [slice(at, at + count) for at in range(0, len(found), count)]
    return any(all(clearly_more(found[part], rival[part], level) for rival in rivals) for part in parts)


@cache
def _positions(game: str, settings: tuple[tuple[str, Any], ...], count: int) -> list[Position]:
    """`count` of each of the game's tactics, one tactic after the other; the same every time."""
    start = GAMES[game].begin(dict(settings))
    return [found for tactic in GAMES[game].tactics for found in draw_positions(start, tactic, count)]


def _find_hits(positions: Sequence[Position], reading: Reading, answers: NDArray[Any]) -> Hits:
    """Whether the best move has the largest answer of all legal ones, bool (N,), from `answers` (N, width)."""
    assert reading.numbering is not None  # noqa: S101
    index = reading.numbering.index
    return np.array(
        [
            max(state.legal_actions(), key=lambda action, row=row: row[index(action)]) == best  # type: ignore[misc]
            for (state, best), row in zip(positions, answers, strict=True)
        ]
    )

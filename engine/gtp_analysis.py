"""GTP's commands that report while a search runs, as Leela Zero and KataGo have them and clients show them.

Chances are those of the player to move. The networks state no score, so KataGo's members of the score are left out.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import GameError
from .brain import Line, win_rate
from .gtp_speaker import COLOURS, Speaker
from .moves import vertex_of
from .words import number, whole

if TYPE_CHECKING:
    from ..games.state import State

# Seconds between two reports if the command names none.
EVERY = 0.5
WITH_VALUE = ("minmoves", "maxmoves", "ownership", "ownershipStdev", "movesOwnership", "pvVisits", "rootInfo")


@dataclass(frozen=True)
class Wish:
    """What an analysis command asks for."""

    player: int | None
    every: float
    most: int
    root: bool


class Analysis:
    """The commands, bound to a protocol at work."""

    def __init__(self, gtp: Speaker) -> None:
        self._gtp = gtp
        self.commands: Mapping[str, Callable[[Sequence[str]], str | None]] = {
            "lz-analyze": lambda words: self._analyse(words, is_kata=False),
            "kata-analyze": lambda words: self._analyse(words, is_kata=True),
            "lz-genmove_analyze": lambda words: self._genmove(words, is_kata=False),
            "kata-genmove_analyze": lambda words: self._genmove(words, is_kata=True),
        }

    def _read(self, words: Sequence[str]) -> Wish:
        left = list(words)
        player = COLOURS[left.pop(0).lower()] if left and left[0].lower() in COLOURS else None
        every, most, root = EVERY, 0, False
        if left and left[0].replace(".", "", 1).isdecimal():
            every = number([left.pop(0)]) / 100
        while left:
            name = left.pop(0)
            if name == "interval":
                every = number([left.pop(0)] if left else []) / 100
            elif name in WITH_VALUE and left:
                value = left.pop(0)
                most = whole([value]) if name == "maxmoves" else most
                root = value.lower() == "true" if name == "rootInfo" else root
            else:
                raise GameError(f"{name} is no part of an analysis that azx knows")
        return Wish(player, max(0.05, every), most, root)

    def _analyse(self, words: Sequence[str], is_kata: bool) -> None:
        gtp, wish = self._gtp, self._read(words)
        before = list(gtp.brain.states)
        try:
            if wish.player is not None:
                gtp.give_turn(wish.player)
            else:
                gtp.reopen()
            gtp.begin()
            for lines in gtp.brain.analyse(wish.every):
                self._report(lines, wish, is_kata)
            gtp.write("")
        finally:
            if len(before) != len(gtp.brain.states):
                gtp.brain.set_states(before)

    def _genmove(self, words: Sequence[str], is_kata: bool) -> str | None:
        gtp, wish = self._gtp, self._read(words)
        if wish.player is None:
            raise GameError("syntax error: a colour is b or w")
        before = gtp.brain.ply
        gtp.give_turn(wish.player)
        if gtp.brain.state.is_terminal:
            return f"\nplay {gtp.at_the_end()}"
        gtp.begin()
        last = time.monotonic()

        def look() -> None:
            nonlocal last
            if time.monotonic() - last >= wish.every:
                last = time.monotonic()
                self._report(gtp.brain.lines(), wish, is_kata)

        advice = gtp.brain.think(look=look)
        lines = gtp.brain.lines()
        if not lines:
            rate = win_rate(advice)
            lines = [Line((advice.action,), 1, rate, rate, advice.policy.get(advice.action, 0.0))]
        self._report(lines, wish, is_kata)
        vertex = gtp.vertex(advice.action)
        gtp.brain.play(advice.action)
        gtp.note_step(before)
        gtp.write(f"play {vertex}", "")
        return None

    def _report(self, lines: Sequence[Line], wish: Wish, is_kata: bool) -> None:
        shown = lines[: wish.most] if wish.most else lines
        if not shown:
            return
        state, game = self._gtp.brain.state, self._gtp.game
        write = _kata if is_kata else _lz
        text = " ".join(write(line, order, game, state) for order, line in enumerate(shown))
        if is_kata and wish.root:
            best, visits = lines[0], sum(line.visits for line in lines)
            text += f" rootInfo visits {visits} utility {2 * best.win_rate - 1:.6f} winrate {best.win_rate:.6f}"
        self._gtp.write(text)


def _lz(line: Line, order: int, game: str, state: State) -> str:
    rate, lowest, prior = (round(10_000 * each) for each in (line.win_rate, line.lowest, line.prior))
    first = vertex_of(game, state, line.moves[0])
    return (
        f"info move {first} visits {line.visits} winrate {rate} prior {prior} lcb {lowest} order {order} "
        f"pv {_moves(line, game, state)}"
    )


def _kata(line: Line, order: int, game: str, state: State) -> str:
    first = vertex_of(game, state, line.moves[0])
    return (
        f"info move {first} visits {line.visits} edgeVisits {line.visits} utility {2 * line.win_rate - 1:.6f} "
        f"winrate {line.win_rate:.6f} prior {line.prior:.6f} lcb {line.lowest:.6f} "
        f"utilityLcb {2 * line.lowest - 1:.6f} weight {line.visits} order {order} pv {_moves(line, game, state)}"
    )


def _moves(line: Line, game: str, state: State) -> str:
    return " ".join(vertex_of(game, state, action) for action in line.moves)

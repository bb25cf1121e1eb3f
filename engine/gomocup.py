"""The protocol of Gomocup's engines, as Piskvork speaks it to them through pipes, for Gomoku.

Cells are column and row from 0, the row from the top. Stones that BOARD lists are played in turn, in the order in which
they are listed, because a network may read the last moves too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from ..errors import GameError
from ..version import __version__
from .brain import Brain, win_rate
from .clock import Clock
from .moves import by_pair, pair_of
from .protocol import NAME, Protocol
from .words import number, whole

RENJU = 4
# Other rules, by their bits in INFO rule, that azx does not play.
OTHER_RULES = {1: "exactly five in a row", 8: "Caro"}
OWN, OTHER = "1", "2"


class Gomocup(Protocol):
    """Gomocup's protocol at work."""

    def __init__(self, brain: Brain) -> None:
        super().__init__(brain)
        self._has_begun = False
        self._infos: dict[str, float] = {}
        self._commands: Mapping[str, Callable[[str], None]] = {
            "START": self._start,
            "RECTSTART": self._rectstart,
            "RESTART": self._restart,
            "BEGIN": self._begin,
            "TURN": self._turn,
            "PLAY": self._play,
            "BOARD": self._board,
            "YXBOARD": self._yxboard,
            "TAKEBACK": self._take_back,
            "INFO": self._info,
            "ABOUT": self._about,
            "END": self._end,
            "STOP": lambda _: None,
            "YXSTOP": lambda _: None,
        }

    def obey(self, line: str) -> None:
        """Answer one command."""
        name, _, rest = line.strip().partition(" ")
        if not name:
            return
        command = self._commands.get(name.upper())
        if command is None:
            self.write(f"UNKNOWN {NAME} has no command {name[:40]}")
            return
        command(rest.strip())

    def refuse(self, reason: str) -> None:
        """Say that a command could not be obeyed."""
        self.write(f"ERROR {' '.join(reason.split())}")

    def _start(self, rest: str) -> None:
        self.brain.begin({"size": whole(rest.split()), "rule": self._rule})
        self._has_begun = True
        self.write("OK")

    def _rectstart(self, rest: str) -> None:
        sides = rest.replace(",", " ").split()
        if len(sides) != 2 or sides[0] != sides[1]:
            raise GameError("rectangular board is not supported or other error")
        self._start(sides[0])

    def _restart(self, rest: str) -> None:
        self.brain.begin({"rule": self._rule})
        self._has_begun = True
        self.write("OK")

    @property
    def _rule(self) -> str:
        return "renju" if int(self._infos.get("rule", 0)) & RENJU else "freestyle"

    def _begin(self, rest: str) -> None:
        self._check_begun()
        self._answer()

    def _turn(self, rest: str) -> None:
        self._check_begun()
        self.brain.play(by_pair(self.brain.state, rest))
        self._answer()

    def _play(self, rest: str) -> None:
        self._check_begun()
        self.brain.play(by_pair(self.brain.state, rest))
        self.write(rest.replace(" ", ""))

    def _board(self, rest: str) -> None:
        self._check_begun()
        self._read_board()
        self._answer()

    def _yxboard(self, rest: str) -> None:
        self._check_begun()
        self._read_board()

    def _read_board(self) -> None:
        """Read the lines of BOARD up to DONE, all of them even if one is bad."""
        lines: list[str] = []
        while (line := self.inbox.next()) is not None and line.strip().upper() != "DONE":
            lines.append(line.strip())
        own: list[str] = []
        other: list[str] = []
        for line in filter(None, lines):
            column, row, side = (*(part.strip() for part in line.split(",")), "", "", "")[:3]
            if side not in (OWN, OTHER, "3") or line.count(",") != 2:
                raise GameError(f"'{line[:40]}' is no stone: give column, row and 1 or 2")
            (own if side != OTHER else other).append(f"{column},{row}")
        if not 0 <= len(other) - len(own) <= 1:
            raise GameError(f"{len(own)} own stones and {len(other)} of the opponent leave azx no turn")
        # The side with one stone more began. With equal numbers azx is to move, so azx began.
        first, second = (other, own) if len(other) > len(own) else (own, other)
        cells = [cell for pair in zip(first, [*second, ""], strict=False) for cell in pair if cell]
        state, states = self.brain.start, [self.brain.start]
        for cell in cells:
            state = state.apply(by_pair(state, cell))
            states.append(state)
        self.brain.set_states(states)

    def _take_back(self, rest: str) -> None:
        self._check_begun()
        state = self.brain.state
        last = state.last_action
        if last is not None and pair_of(state, last) != rest.replace(" ", ""):
            raise GameError(f"only the last move, {pair_of(state, last)}, can be taken back")
        self.brain.undo()
        self.write("OK")

    def _info(self, rest: str) -> None:
        key, _, value = rest.partition(" ")
        key, words = key.lower(), value.split()
        if key in ("timeout_turn", "timeout_match", "time_left", "rule"):
            self._infos[key] = number(words)
            if key == "rule":
                self._change_rule(int(self._infos[key]))
        elif key == "level":
            self.brain.choose_level(None if value.strip() == "none" else value.strip())
        elif key == "simulations":
            self.brain.choose_simulations(None if value.strip() == "none" else whole(words))

    def _change_rule(self, bits: int) -> None:
        for bit, title in OTHER_RULES.items():
            if bits & bit:
                self.write(f"MESSAGE azx does not play {title}: it continues with {self._rule}")
        if self.brain.ply == 0:
            self.brain.begin({"rule": self._rule})

    def _about(self, rest: str) -> None:
        self.write(
            f'name="{NAME}", version="{__version__}", author="azx", country="-", network="{self.brain.network.name}"'
        )

    def _end(self, rest: str) -> None:
        self.left = True

    def _check_begun(self) -> None:
        if not self._has_begun:
            raise GameError("no game has begun: send START first")

    def _answer(self) -> None:
        """Think, report the result, and play."""
        self._set_clock()
        advice = self.brain.think()
        report = advice.report
        effort = f"depth {report.depth} simulations {report.simulations} " if report else ""
        state = self.brain.state
        self.write(f"MESSAGE {effort}winrate {win_rate(advice):.3f} move {state.label(advice.action)}")
        answer = pair_of(state, advice.action)
        self.brain.play(advice.action)
        self.write(answer)

    def _set_clock(self) -> None:
        """Set the clock from the INFO lines: milliseconds per turn, per match, and left."""
        turn, match = self._infos.get("timeout_turn"), self._infos.get("timeout_match", 0)
        if turn is None and not match:
            return
        # 0 means: as fast as possible.
        per_move = None if turn is None else max(0.001, turn / 1000)
        clock = Clock(main=max(0.0, match / 1000), per_move=per_move)
        left = self._infos.get("time_left")
        if clock.main and left is not None:
            clock = clock.set_left(left / 1000)
        self.brain.choose_clock(replace(clock, per_move=_least(clock.per_move, self.brain.choices.clock.per_move)))


def _least(one: float | None, other: float | None) -> float | None:
    limits = [each for each in (one, other) if each is not None]
    return min(limits) if limits else None

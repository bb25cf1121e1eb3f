"""The protocol of the NBoard viewer, versions 1 and 2, for Reversi: Edax and NTest speak it too.

An evaluation is 64 times the expected result of the player to move, from -64 to 64. It does not count discs.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from ..errors import GameError
from ..games.rules.reversi import Reversi
from ..games.rules.reversi_kind import kind_of
from .brain import Brain, Line, win_rate
from .moves import by_vertex, pass_of
from .protocol import Protocol
from .words import number, whole

if TYPE_CHECKING:
    from ..games.state import State

# All other lines wait. `ping` has to be answered at once, and ends the thought before it.
WORDS = frozenset({"ping", "quit", "stop", "nboard"})
PASSES = ("pa", "pass", "ps")
# How long a hint is thought about without other bounds, in seconds.
HINT, EVERY = 5.0, 0.3
_NODE = re.compile(r"\b([A-Z]{1,2})\[([^\]]*)\]")


class NBoard(Protocol):
    """NBoard's protocol at work."""

    def __init__(self, brain: Brain) -> None:
        super().__init__(brain)
        self._commands: Mapping[str, Callable[[str], None]] = {
            "nboard": lambda _: self.write(f"set myname {self.name}"),
            "set": self._set,
            "move": self._move,
            "go": self._go,
            "hint": self._hint,
            "ping": lambda rest: self.write(f"pong {rest}"),
            "learn": lambda _: self.write("learned"),
            "analyze": lambda _: self.write("status azx does not analyse whole games"),
            "quit": self._quit,
            "stop": lambda _: None,
        }

    def obey(self, line: str) -> None:
        """Answer one command; unknown commands are ignored, as the protocol demands."""
        name, _, rest = line.strip().partition(" ")
        command = self._commands.get(name.lower())
        if command is not None:
            command(rest.strip())
        elif re.fullmatch(r"[A-Ja-j]\d{1,2}|[Pp][Aa]", name):
            self._move(name)

    def refuse(self, reason: str) -> None:
        """Write the reason in the status line: the protocol has no errors."""
        self.write(f"status azx: {' '.join(reason.split())}")

    def _quit(self, rest: str) -> None:
        self.left = True

    def _set(self, rest: str) -> None:
        name, _, value = rest.partition(" ")
        if name == "game":
            self.brain.set_states(states_of(self.brain.start, value))
        elif name == "depth":
            # A search has no depth: it is taken as a level from 1 to 8 only through `set level`.
            whole(value.split())
            self.write(f"set myname {self.name}")
        elif name == "level":
            self.brain.choose_level(None if value == "none" else value)
        elif name == "simulations":
            self.brain.choose_simulations(None if value == "none" else whole(value.split()))

    def _move(self, rest: str) -> None:
        self.brain.play(_action(self.brain.state, rest.split("/")[0]))

    def _go(self, rest: str) -> None:
        self.write("status azx is thinking")
        begun = time.monotonic()
        state = self.brain.state
        passing = pass_of(state)
        if state.is_terminal:
            self.write("=== PA", "status the game is over")
            return
        if passing is not None and len(state.legal_actions()) == 1:
            self.write("=== PA", "status")
            return
        advice = self.brain.think(words=WORDS)
        seconds = time.monotonic() - begun
        visits = advice.report.simulations if advice.report else 0
        self.write(f"nodestats {visits} {seconds:.2f}")
        self.write(f"=== {_name(state, advice.action)}/{_evaluation(win_rate(advice)):.2f}/{seconds:.2f}", "status")

    def _hint(self, rest: str) -> None:
        most = max(1, whole(rest.split()) if rest else 1)
        begun = time.monotonic()
        self.write("status azx is analysing")
        lines: list[Line] = []
        for lines in self.brain.analyse(
            EVERY, self.brain.choices.simulations, self._seconds(), lambda: not self.inbox.ends(WORDS, is_patient=False)
        ):
            self._search_lines(lines[:most])
        if not lines and not self.brain.state.is_terminal:
            advice = self.brain.think(words=WORDS)
            rate = win_rate(advice)
            self._search_lines([Line((advice.action,), 1, rate, rate, 1.0)])
        visits = sum(line.visits for line in lines)
        self.write(f"nodestats {visits} {time.monotonic() - begun:.2f}", "status")

    def _seconds(self) -> float:
        per_move = self.brain.clocks[self.brain.state.to_move].per_move
        return HINT if per_move is None else per_move

    def _search_lines(self, lines: Sequence[Line]) -> None:
        for line in lines:
            state, names = self.brain.state, ""
            for action in line.moves:
                names += _name(state, action)
                state = state.apply(action)
            self.write(f"search {names} {_evaluation(line.win_rate):.2f} 0 {len(line.moves)} {line.visits} visits")


def _evaluation(rate: float) -> float:
    return 64 * (2 * rate - 1)


def _name(state: State, action: int) -> str:
    name = state.label(action)
    return "PA" if name.lower() == "pass" else name.upper()


def _action(state: State, text: str) -> int:
    passing = pass_of(state)
    if text.strip().lower() in PASSES:
        if passing is None:
            raise GameError("a pass is illegal, because the player to move can turn discs.")
        return passing
    return by_vertex("reversi", state, text)


def states_of(start: State, text: str) -> list[State]:
    """The positions of a game in GGF; GameError if the text is no GGF, or its board is not that of `start`."""
    nodes = _NODE.findall(text)
    if not nodes:
        raise GameError("the game is no GGF: it has no members such as BO[...].")
    properties = dict(reversed([(name, value) for name, value in nodes if name not in ("B", "W")]))
    state = _board(start, properties["BO"]) if "BO" in properties else start
    states = [state]
    for name, value in nodes:
        if name in ("B", "W"):
            move = value.split("/")[0]
            if state.to_move != "BW".index(name) and move.strip().lower() not in PASSES and pass_of(state) is not None:
                state = state.apply(state.legal_actions()[-1])
                states.append(state)
            state = state.apply(_action(state, move))
            states.append(state)
    return states


def _board(start: State, text: str) -> State:
    """The position of GGF's BO: the size, the cells row by row (* black, O white), and who is to move."""
    size, *parts = text.split()
    cells = "".join(parts)
    side = start.board[0]
    if number([size]) != side or len(cells) != side * side + 1 or set(cells) - set("*O-") or cells[-1] == "-":
        raise GameError(f"the board BO[{text[:90]}] is none of {side} x {side} cells.")
    black, white = (sum(1 << at for at, mark in enumerate(cells[:-1]) if mark == each) for each in "*O")
    player = "*O".index(cells[-1])
    if isinstance(start, Reversi) and (black, white) == start.discs and player == 0:
        return start
    kind = kind_of(side)
    own, other = (black, white) if player == 0 else (white, black)
    moves = kind.moves(own, other)
    is_over = not moves and not kind.moves(other, own)
    return Reversi(kind, (black, white), player, moves, is_over)

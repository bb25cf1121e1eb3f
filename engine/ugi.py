"""The Universal Game Interface: UCI without chess, which cutegames and others speak, for every game that azx knows.

Moves have the names of azx' own board: columns from 0 in Connect4, cells from 0 in tic-tac-toe, edges from 0 and `pass`
in Dots and Boxes, points elsewhere. `score cp` is 100 times the expected result of the player to move.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

from ..errors import GameError
from ..version import __version__
from .brain import MOST_SIMULATIONS, Brain, Line, win_rate
from .clock import Clock
from .moves import name_of, named
from .protocol import Protocol
from .words import number, whole

WORDS = frozenset({"stop", "quit"})
# These also end a search without a limit: a program that sends them does not wait for its result.
NEXT = WORDS | {"go", "position", "uginewgame"}
EVERY = 0.5
RESULTS = {1.0: "p1win", -1.0: "p2win", 0.0: "draw"}


class Ugi(Protocol):
    """UGI at work."""

    def __init__(self, brain: Brain) -> None:
        super().__init__(brain)
        # Whether azx refused the other side's last position: a move would belong to another game.
        self._is_lost = False
        self._commands: Mapping[str, Callable[[list[str]], None]] = {
            "ugi": self._ugi,
            "isready": lambda _: self.write("readyok"),
            "uginewgame": self._new_game,
            "setoption": self._setoption,
            "position": self._position,
            "go": self._go,
            "stop": lambda _: None,
            "query": self._query,
            "quit": self._quit,
        }

    def obey(self, line: str) -> None:
        """Answer one command; an unknown one is ignored, as in UCI."""
        words = line.split()
        command = self._commands.get(words[0].lower()) if words else None
        if command is not None:
            command(words[1:])
        elif words:
            self.refuse(f"there is no command {words[0][:40]}")

    def refuse(self, reason: str) -> None:
        """Write the reason as information: the protocol has no errors."""
        self.write(f"info string {' '.join(reason.split())}")

    def _ugi(self, words: list[str]) -> None:
        self.write(
            f"id name {self.name} {__version__}",
            "id author azx",
            f"option name Game type string default {self.brain.game.name}",
            "option name Level type spin default 0 min 0 max 8",
            f"option name Simulations type spin default {self.brain.choices.simulations or 0} min 0 "
            f"max {MOST_SIMULATIONS}",
            "ugiok",
        )

    def _quit(self, words: list[str]) -> None:
        self.left = True

    def _setoption(self, words: list[str]) -> None:
        text = " ".join(words)
        name, has_value, value = text.removeprefix("name ").partition(" value ")
        if not has_value:
            raise GameError("setoption takes name NAME value VALUE")
        key = name.strip().lower()
        if key == "level":
            self.brain.choose_level(None if value.strip() in ("0", "none") else value)
        elif key == "simulations":
            self.brain.choose_simulations(whole([value]) or None)
        elif key == "game":
            if value.strip() != self.brain.game.name:
                raise GameError(f"this network plays {self.brain.game.name}")
        elif key in self.brain.settings:
            self.brain.begin({key: value.strip()})
        else:
            raise GameError(f"there is no option {name[:40]}")

    def _new_game(self, words: list[str]) -> None:
        self.brain.begin()
        self._is_lost = False

    def _position(self, words: list[str]) -> None:
        self._is_lost = True
        if not words or words[0] != "startpos":
            raise GameError("azx takes positions as their moves: position startpos moves ...")
        if len(words) > 1 and words[1] != "moves":
            raise GameError("position startpos moves ...")
        state, states = self.brain.start, [self.brain.start]
        for name in words[2:]:
            state = state.apply(named(state, name))
            states.append(state)
        self.brain.set_states(states)
        self._is_lost = False

    def _query(self, words: list[str]) -> None:
        state, name = self.brain.state, words[0] if words else ""
        answers = {
            "gameover": str(state.is_terminal).lower(),
            "p1turn": str(state.to_move == 0).lower(),
            "result": RESULTS[state.returns()] if state.is_terminal else "none",
        }
        if name not in answers:
            raise GameError(f"there is no query {name[:40]}: ask gameover, p1turn or result")
        self.write(f"response {answers[name]}")

    def _go(self, words: list[str]) -> None:
        """Think and write the move, or `bestmove none` without one, because the other side waits for an answer."""
        try:
            if self._is_lost:
                raise GameError("the last position was refused: send another one")
            if self.brain.state.is_terminal:
                raise GameError("the game is over")
            self._think(words)
        except GameError as error:
            self.refuse(str(error))
            self.write("bestmove none")

    def _think(self, words: list[str]) -> None:
        brain = self.brain
        state = brain.state
        numbers = {
            name: number(words, at + 1)
            for at, name in enumerate(words)
            if name in ("p1time", "p2time", "p1inc", "p2inc", "movetime", "nodes", "movestogo")
        }
        simulations, begun = brain.choices.simulations, time.monotonic()
        if "infinite" in words:
            self._analyse()
            return
        try:
            if "nodes" in numbers:
                brain.choose_simulations(int(numbers["nodes"]))
            advice = brain.think(self._budget(numbers), WORDS, self._answer_isready)
        finally:
            brain.choose_simulations(simulations)
        lines = brain.lines()
        if not lines or lines[0].moves[0] != advice.action:
            rate = win_rate(advice)
            lines = [Line((advice.action,), 1, rate, rate, 1.0)]
        self._info(lines, time.monotonic() - begun)
        self.write(f"bestmove {name_of(state, advice.action)}")

    def _budget(self, numbers: Mapping[str, float]) -> float | None:
        """The seconds that `go` gives for the move; None if it does not mention time."""
        if "movetime" in numbers:
            return Clock(per_move=numbers["movetime"] / 1000).budget(1)
        player = f"p{self.brain.state.to_move + 1}"
        if f"{player}time" not in numbers:
            return None
        rows, columns = self.brain.state.board
        left, increment = numbers[f"{player}time"] / 1000, numbers.get(f"{player}inc", 0.0) / 1000
        to_go = int(numbers.get("movestogo", max(8, (rows * columns - self.brain.ply) // 2)))
        return Clock(main=max(0.001, left), increment=increment).budget(to_go)

    def _analyse(self) -> None:
        """Search until `stop`, then write the move."""
        begun, lines, brain = time.monotonic(), list[Line](), self.brain
        for lines in brain.analyse(EVERY, goes_on=self._goes_on):
            self._info(lines, time.monotonic() - begun)
        action = lines[0].moves[0] if lines else brain.think(0.01, WORDS).action
        self.write(f"bestmove {name_of(brain.state, action)}")

    def _goes_on(self) -> bool:
        """Whether a search without a limit continues."""
        self._answer_isready()
        return not self.inbox.ends(NEXT, is_patient=False)

    def _answer_isready(self) -> None:
        """Answer `isready` while a search runs, as the protocol demands; the search continues."""
        for _ in range(self.inbox.take("isready")):
            self.write("readyok")

    def _info(self, lines: Sequence[Line], seconds: float) -> None:
        if not lines:
            return
        best, state, names = lines[0], self.brain.state, []
        for action in best.moves:
            names.append(name_of(state, action))
            state = state.apply(action)
        score, visits = round(100 * (2 * best.win_rate - 1)), sum(line.visits for line in lines)
        self.write(
            f"info depth {len(names)} score cp {score} nodes {visits} time {round(1000 * seconds)} pv {' '.join(names)}"
        )

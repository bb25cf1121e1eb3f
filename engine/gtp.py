"""The Go Text Protocol, version 2, for Go, Hex, Reversi and Gomoku: GoGui, Sabaki, Lizzie, twogtp and others speak it.

An answer begins with = or ? and the command's number, and ends with an empty line. `gtp_analysis.py` has the commands
that report while a search runs, `gtp_board.py` those that set stones up and count points.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from ..errors import GameError
from ..version import __version__
from .brain import Brain
from .clock import LEAST, Clock
from .gtp_analysis import Analysis
from .gtp_board import Board
from .gtp_speaker import Speaker
from .moves import by_vertex
from .protocol import NAME
from .words import number, whole

Answer = str | None


class Gtp(Speaker):
    """GTP at work."""

    def __init__(self, brain: Brain, version: str | None = None) -> None:
        super().__init__(brain)
        self._analysis, self._board = Analysis(self), Board(self)
        self._commands: dict[str, Callable[[Sequence[str]], Answer]] = {
            "protocol_version": lambda _: "2",
            "name": lambda _: NAME,
            "version": lambda _: version or f"{__version__} {brain.network.name}",
            "known_command": lambda words: str(bool(words) and words[0] in self._commands).lower(),
            "list_commands": lambda _: "\n".join(self._commands),
            "quit": self._quit,
            "stop": lambda _: "",
            "boardsize": self._boardsize,
            "clear_board": self._clear,
            "komi": self._komi,
            "get_komi": lambda _: f"{brain.settings.get('komi', 0):g}",
            "play": self._play,
            "genmove": self._genmove,
            "reg_genmove": self._reg_genmove,
            "undo": self._undo,
            "time_settings": self._time_settings,
            "kgs-time_settings": self._kgs_time_settings,
            "kata-list_time_settings": lambda _: "none absolute byoyomi canadian fischer",
            "kata-time_settings": self._kgs_time_settings,
            "time_left": self._time_left,
            "level": self._level,
            "azx-level": self._level,
            "azx-simulations": self._simulations,
            "kata-set-param": self._set_param,
            "kata-get-param": self._get_param,
            "lz-setoption": self._lz_setoption,
            **self._analysis.commands,
            **self._board.commands,
        }

    def obey(self, line: str) -> None:
        """Answer one command."""
        text = "".join(" " if mark == "\t" else mark for mark in line if mark == "\t" or mark >= " ").split("#")[0]
        match = re.match(r"\s*(\d+)?\s*(\S*)\s*(.*?)\s*$", text)
        number, name, rest = match.groups() if match else ("", "", "")
        self.number = number or ""
        if not name:
            if number:
                self.refuse("unknown command")
            return
        command = self._commands.get(name)
        if command is None:
            self.refuse("unknown command")
            return
        answer = command(rest.split())
        if answer is not None:
            self.answer(answer)

    # The commands, as the protocol lists them.

    def _quit(self, words: Sequence[str]) -> Answer:
        self.left = True
        return ""

    def _boardsize(self, words: Sequence[str]) -> Answer:
        sizes = [int(word) for word in words if word.isascii() and word.isdecimal() and len(word) < 4]
        if not sizes or len(sizes) != len(words):
            raise GameError("syntax error: boardsize takes a number")
        if len(sizes) > 1 and sizes[0] != sizes[1]:
            raise GameError("unacceptable size: the board is square")
        try:
            self.brain.begin({"size": sizes[0]})
        except GameError as error:
            raise GameError(f"unacceptable size: {error}") from error
        return ""

    def _clear(self, words: Sequence[str]) -> Answer:
        self.brain.begin()
        return ""

    def _komi(self, words: Sequence[str]) -> Answer:
        komi = number(words)
        if "komi" in self.brain.settings:
            self.brain.replace_settings({"komi": komi})
        return ""

    def _play(self, words: Sequence[str]) -> Answer:
        player = self.colour(words)
        if len(words) < 2:
            raise GameError("syntax error: play takes a colour and a vertex")
        before = list(self.brain.states)
        try:
            self.give_turn(player)
            action = by_vertex(self.game, self.brain.state, words[1])
        except GameError as error:
            self.brain.set_states(before)
            raise GameError(f"illegal move: {error}") from error
        self.brain.play(action)
        self.note_step(len(before) - 1)
        return ""

    def _genmove(self, words: Sequence[str]) -> Answer:
        before = self.brain.ply
        action = self.choose(words)
        if action is None:
            return self.at_the_end()
        vertex = self.vertex(action)
        self.brain.play(action)
        self.note_step(before)
        return vertex

    def _reg_genmove(self, words: Sequence[str]) -> Answer:
        before = list(self.brain.states)
        try:
            action = self.choose(words)
            return self.at_the_end() if action is None else self.vertex(action)
        finally:
            self.brain.set_states(before)

    def _undo(self, words: Sequence[str]) -> Answer:
        self.undo_step()
        return ""

    def _time_settings(self, words: Sequence[str]) -> Answer:
        main, period, stones = (number(words, at) for at in range(3))
        # A period without stones means no limit, as the protocol defines it.
        unlimited = period > 0 and stones == 0
        self._set_clock(Clock() if unlimited else Clock(main=main, period=period, stones=int(stones)))
        return ""

    def _set_clock(self, clock: Clock) -> None:
        self.brain.choose_clock(replace(clock, per_move=self.brain.choices.clock.per_move))

    def _kgs_time_settings(self, words: Sequence[str]) -> Answer:
        kind, numbers = (words[0] if words else ""), words[1:]
        if kind == "none":
            self._set_clock(Clock())
        elif kind == "absolute":
            self._set_clock(Clock(main=max(LEAST, number(numbers))))
        elif kind == "byoyomi":
            main, period = number(numbers), number(numbers, 1)
            self._set_clock(Clock(main=main if period > 0 else max(LEAST, main), period=period, stones=1))
        elif kind == "canadian":
            self._set_clock(Clock(main=number(numbers), period=number(numbers, 1), stones=whole(numbers, 2)))
        elif kind in ("fischer", "fischer-capped"):
            self._set_clock(Clock(main=number(numbers), increment=number(numbers, 1)))
        else:
            raise GameError("unknown time settings: use none, absolute, byoyomi, canadian or fischer")
        return ""

    def _time_left(self, words: Sequence[str]) -> Answer:
        player = self.colour(words)
        left = number(words, 1)
        stones = number(words, 2) if len(words) > 2 else 0
        self.brain.clocks[player] = self.brain.clocks[player].set_left(left, int(stones))
        return ""

    def _level(self, words: Sequence[str]) -> Answer:
        if not words:
            return str(self.brain.choices.level or "none")
        self.brain.choose_level(None if words[0] == "none" else words[0])
        return ""

    def _simulations(self, words: Sequence[str]) -> Answer:
        if not words:
            return str("none" if self.brain.choices.simulations is None else self.brain.choices.simulations)
        self.brain.choose_simulations(None if words[0] == "none" else whole(words))
        return ""

    def _set_param(self, words: Sequence[str]) -> Answer:
        if len(words) != 2:
            raise GameError("syntax error: kata-set-param takes a name and a value")
        if words[0] in ("maxVisits", "maxPlayouts"):
            self.brain.choose_simulations(whole(words, 1))
        elif words[0] == "maxTime":
            clock = replace(self.brain.choices.clock, per_move=number(words, 1))
            self.brain.choices = replace(self.brain.choices, clock=clock)
            self.brain.choose_clock(replace(self.brain.clocks[0], per_move=clock.per_move))
        elif words[0] != "ponderingEnabled" or words[1].lower() != "false":
            raise GameError(
                f"invalid parameter {words[0]}: azx knows maxVisits, maxPlayouts and maxTime, and never ponders"
            )
        return ""

    def _get_param(self, words: Sequence[str]) -> Answer:
        name = words[0] if words else ""
        if name in ("maxVisits", "maxPlayouts"):
            return self._simulations([])
        if name == "ponderingEnabled":
            return "false"
        raise GameError(f"invalid parameter {name}")

    def _lz_setoption(self, words: Sequence[str]) -> Answer:
        text = " ".join(words)
        match = re.fullmatch(r"name (.+?) value (\S+)", text)
        if match is None:
            raise GameError("syntax error: lz-setoption name NAME value VALUE")
        name, value = match[1].lower(), match[2]
        if name in ("visits", "playouts"):
            simulations = whole([value])
            self.brain.choose_simulations(simulations or None)
        elif name != "pondering" or value.lower() != "false":
            raise GameError(f"unknown option {match[1]}: azx knows Visits and Playouts, and never ponders")
        return ""

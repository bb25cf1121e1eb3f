"""What all protocols share: the game so far, the network that thinks about it, and the limits of its thinking."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..errors import GameError
from ..games.game import Settings, Value
from ..games.levels.table import level_number, levels_of
from ..games.records.record import Record
from ..games.state import State, play_line
from ..play.terminal.thinker import DEFAULT_SIMULATIONS, Advice, Effort, Thinker
from .clock import NO_CLOCK, Clock, moves_to_go
from .pipes import Inbox, Outbox

if TYPE_CHECKING:
    from ..games.search import Search
    from ..play.network import NetworkEvaluator

# Lines that end a search early in every protocol.
QUIT = frozenset({"quit", "end", "stop", "exit"})
# Simulations of an analysis between two looks at the pipes; fewer once they take longer than these seconds.
STEP, LONGEST_STEP = 16, 0.05
# A search plans its simulations in advance, and a plan takes memory. Programs that mean no limit name larger numbers.
MOST_SIMULATIONS = 100_000


@dataclass(frozen=True)
class Choices:
    """How strong the engine plays. If `simulations` is None, the clock decides; without one it is the usual number."""

    simulations: int | None = None
    level: int | None = None
    clock: Clock = NO_CLOCK


@dataclass(frozen=True)
class Line:
    """A move that an analysis considers: chances from 0 to 1 for the player to move, and the moves expected after it.

    `lowest` is the lower end of the chance. The first move of `moves` is the one considered.
    """

    moves: tuple[int, ...]
    visits: int
    win_rate: float
    lowest: float
    prior: float


class Brain:
    """A network at a board that a protocol sets up; `start` and `actions` are the game so far."""

    def __init__(
        self, network: NetworkEvaluator, settings: Mapping[str, Value], choices: Choices, inbox: Inbox, outbox: Outbox
    ) -> None:
        import numpy as np

        self.network, self.game = network, network.reading.game
        self.choices, self.inbox, self.outbox = choices, inbox, outbox
        self._settings: dict[str, Value] = {**network.reading.settings, **settings}
        self.start: State = self.game.begin(self._settings)
        self.states: list[State] = [self.start]
        self.clocks = [choices.clock, choices.clock]
        self._rng = np.random.default_rng()
        self._thinker = self._new_thinker()
        self._analysis: Search | None = None
        self.choose_simulations(choices.simulations)
        self.stopped = False

    @property
    def state(self) -> State:
        """The present position."""
        return self.states[-1]

    @property
    def actions(self) -> list[int]:
        """The moves so far."""
        return [state.last_action for state in self.states[1:] if state.last_action is not None]

    @property
    def settings(self) -> dict[str, Value]:
        """All settings of the game."""
        return {each.name: self._settings.get(each.name, each.default) for each in self.game.settings}

    @property
    def ply(self) -> int:
        """The number of moves so far."""
        return len(self.states) - 1

    def begin(self, settings: Settings | None = None) -> None:
        """Begin on an empty board, perhaps with other settings; GameError if the network does not read such a board."""
        changed = {**self._settings, **(settings or {})}
        reads = self.game.board_settings(self.network.reading.settings)
        for name, value in reads.items():
            if name in changed and changed[name] != value:
                raise GameError(
                    f"'{self.network.name}' reads a board of {name} {value}: it cannot play {changed[name]}."
                )
        start = self.game.begin(changed)
        self._settings, self.start = changed, start
        self.states = [start]
        self.clocks = [clock.reset() for clock in self.clocks]
        self._reset()

    def replace_settings(self, settings: Settings) -> None:
        """Keep the moves and change settings, such as the komi; GameError if that is not possible."""
        changed = {**self._settings, **settings}
        states = _states(self.game.begin(changed), self.actions)
        self._settings, self.start, self.states = changed, states[0], states
        self._reset()

    def set_states(self, states: Sequence[State]) -> None:
        """Continue from the last of `states`; the search stays if they follow the present position."""
        shared = len(self.states)
        goes_on = len(states) >= shared and states[shared - 1] == self.states[-1] and states[0] == self.start
        self.states, before = list(states), shared
        if not goes_on:
            self.start = states[0]
            self._reset()
            return
        for state in self.states[before:]:
            if state.last_action is not None:
                self._thinker.follow(state.last_action)

    def set_record(self, record: Record) -> None:
        """Continue from the last position of a record of this game; GameError if it cannot be played here."""
        if record.game not in (None, self.game.name):
            raise GameError(f"the record is of another game ({record.game}).")
        self.begin(record.settings)
        self.set_states(record.states(self.start))

    def play(self, action: int) -> None:
        """Make a move for the player to move; GameError, with the legal ones, if it is illegal."""
        state = self.state.apply(action)
        self._thinker.follow(action)
        self.states.append(state)

    def undo(self) -> None:
        """Take the last move back; GameError if there is none."""
        if self.ply == 0:
            raise GameError("there is no move to take back.")
        self.states.pop()
        self._reset()

    def choose_level(self, text: str | None) -> None:
        """Play at a level, by number or name; None plays as strong as the simulations and the clock allow."""
        self.choices = replace(self.choices, level=None if text is None else level_number(text))
        self._thinker = self._new_thinker()

    def choose_simulations(self, simulations: int | None) -> None:
        """Make at most this number of simulations a move; 0 plays the policy alone, None follows the clock.

        More than MOST_SIMULATIONS count as that number.
        """
        if simulations is not None and simulations < 0:
            raise GameError(f"simulations {simulations} are not possible, use 0 to {MOST_SIMULATIONS}.")
        simulations = simulations if simulations is None else min(simulations, MOST_SIMULATIONS)
        self.choices = replace(self.choices, simulations=simulations)

    def choose_clock(self, clock: Clock) -> None:
        """Use this clock for both players from now on."""
        self.clocks = [clock, clock]

    def think(
        self, seconds: float | None = None, words: frozenset[str] = QUIT, look: Callable[[], None] | None = None
    ) -> Advice:
        """The move for the player to move, in `seconds` or as the clock says; GameError if the game is over.

        `look` is called now and then while it thinks. The search ends early, with its best move so far, if the pipe
        closes or a line that begins with one of `words` arrives.
        """
        if self.state.is_terminal:
            raise GameError("the game is over, there is no move to choose.")
        player, begun = self.state.to_move, time.monotonic()
        rows, columns = self.state.board
        budget = seconds
        if budget is None:
            budget = self.clocks[player].budget(moves_to_go(self.ply, rows * columns))
        simulations = self.choices.simulations
        if simulations is None and budget is None:
            simulations = DEFAULT_SIMULATIONS
        thinker = self._thinker
        thinker.effort = replace(thinker.effort, simulations=simulations, seconds=budget)
        self.stopped = False

        def progress(_: str) -> None:
            self.outbox.check()
            if look is not None:
                look()
            if self.inbox.ends(words):
                self.stopped = True
                thinker.stop()

        advice = thinker.think(progress, self.ply)
        self.clocks[player] = self.clocks[player].spend(time.monotonic() - begun)
        return advice

    def analyse(
        self,
        every: float,
        simulations: int | None = None,
        seconds: float | None = None,
        goes_on: Callable[[], bool] | None = None,
    ) -> Iterator[list[Line]]:
        """Continue to search; yield the moves considered, best first, each `every` seconds and once at the end.

        It ends when another line comes or the pipe closes; if `goes_on` is given, when that returns false instead. The
        search is the usual one, whatever the bundle asks for and however the engine plays, because only its visits
        measure a move.
        """
        if self.state.is_terminal:
            return
        search = self._analysis = self._search_again()
        goes_on = goes_on or (lambda: not self.inbox.has_more())
        begun, done, step = time.monotonic(), 0, STEP
        last = begun
        while simulations is None or done < simulations:
            before = time.monotonic()
            part = step if simulations is None else min(step, simulations - done)
            search.run(part)
            done += part
            now = time.monotonic()
            step = max(1, step // 2) if now - before > LONGEST_STEP else step
            self.outbox.check()
            if not goes_on() or (seconds is not None and now - begun >= seconds):
                break
            if now - last >= every:
                last = now
                yield _lines(search)
        yield _lines(search)

    def lines(self, most: int | None = None) -> list[Line]:
        """The moves that the latest search considers, its choice first; empty if there was no search."""
        return _lines(self._thinker.search)[:most]

    def _search_again(self) -> Search:
        """The search of an earlier analysis of this position, or a new one."""
        from ..games.search import Search

        if self._analysis is not None and self._analysis.state is self.state and len(self._analysis.visits()) > 0:
            return self._analysis
        return Search(self.state, self.network)

    def _reset(self) -> None:
        self._thinker.reset(self.state)

    def _new_thinker(self) -> Thinker:
        number = self.choices.level
        levels = levels_of(self.game.name, self.network.reading.numbering is not None)
        effort = Effort(level=None if number is None else levels[number - 1])
        return Thinker(self.state, self.network, effort, self._rng, settings=self.network.search, heeds_ctrl_c=False)


def _lines(search: Search) -> list[Line]:
    visited = [each for each in search.candidates() if each.visits > 0]
    if not visited:
        return []
    best = search.best_action()
    visited.sort(key=lambda each: (each.action != best, -each.visits, -each.prior, each.action))
    return [
        Line(
            tuple(search.line(each.action)),
            each.visits,
            each.win_rate,
            min(1.0, max(0.0, search.lowest(each.action))),
            each.prior,
        )
        for each in visited
    ]


def win_rate(advice: Advice) -> float:
    """The chance of winning, 0 to 1, of the player to move."""
    return advice.report.win_rate if advice.report else (advice.value + 1) / 2


def _states(start: State, actions: Sequence[int]) -> list[State]:
    states = [start]
    for action in actions:
        states.append(play_line(states[-1], (action,)))
    return states

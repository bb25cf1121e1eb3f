"""A game between a person and a network: turns, commands, log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import GameError
from ...games.records.reading import SGF_TITLES
from ...games.rules.go import Go
from ..records import record_text, save_record
from ..session import AI, RULE, YOU, Session
from .board import CountedBoard
from .scoring import SCORING_HELP, Scoring, estimate_score, may_pass, scoring_of
from .screen import View, brief, ranges
from .thinker import Advice, Thinker

if TYPE_CHECKING:
    from ...games.game import Game
    from ...games.state import State
    from ..game_log import GameLog

HELP = f"""Type a move as it is named on the board, or:
  undo    take back your last move and the answer
  hint    the network's policy on the board, and the search's favourite
  moves   all legal moves
  new     begin another game
  log     where the game is logged
  save F  write the game to file F: SGF (game.sgf; {", ".join(SGF_TITLES)}) or a line of moves
  estimate    who is ahead, and whose each point is (Go)
  resign  give up
  quit    leave; --resume continues the game"""


@dataclass
class Table:
    """A person and a network at a table: the game so far, the thinker, the display and the log."""

    game: Game
    session: Session
    thinker: Thinker
    view: View
    log: GameLog
    left: bool = False
    # The number of moves on the board that was shown last; None if it must be shown again.
    _shown: int | None = None
    # The scoring to agree on after two passes in Go; None if the game continues, is over or is another game.
    _scoring: Scoring | None = None
    # After the person disagreed, the AI plays on until dead stones are really captured.
    _played_on: bool = False

    @property
    def state(self) -> State:
        """The present position."""
        return self.session.state

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by the rules or by resignation."""
        return self.session.is_over

    def run(self) -> None:
        """Play until the person leaves."""
        self._show()
        self._propose()
        while not self.left:
            if not self.is_over and _must_pass(self.state):
                self._play(self.state.legal_actions()[0], RULE, {})
            elif self._scoring is not None:
                self._settle(self._scoring, self.view.ask("Dead stones (a stone, agree, on; ? for help): "))
            elif not self.is_over and self.state.to_move != self.session.human:
                self._answer()
            else:
                self._obey(self.view.ask(self._prompt()))

    def _prompt(self) -> str:
        if self.is_over:
            return "The game is over (new, undo, log, quit): "
        return f"Your move ({brief(self.game.noun, self.state)}; ? for help): "

    def _obey(self, line: str | None) -> None:
        """Do the command or move in a line; the end of the input leaves the game."""
        text = "quit" if line is None else line.strip().lower()
        command = _COMMANDS.get(text)
        if command:
            command(self)
        elif line is not None and text.startswith("save "):
            self.save(Path(line.strip()[5:].strip()))
        elif self.is_over:
            self._error("The game is over: type new, undo, log or quit.")
        elif text:
            self._try(text)

    def _try(self, text: str) -> None:
        try:
            action = action_named(self.game.noun, self.state, text)
        except MoveError as error:
            self._error(str(error))
            return
        self._play(action, YOU, {})
        self._show()

    def _propose(self) -> None:
        """After two passes in Go, propose the dead stones and ask."""
        self._scoring = scoring_of(self.state) if self.session.end is None else None
        if self._scoring:
            self._show_scoring(self._scoring)

    def _show_scoring(self, scoring: Scoring) -> None:
        self.view.show_count(scoring.state, CountedBoard(scoring.dead, scoring.areas))
        self.view.event(scoring.event(), scoring.sentence())

    def _settle(self, scoring: Scoring, line: str | None) -> None:
        """Handle the person's answer about the marked dead stones."""
        text = "quit" if line is None else line.strip().lower()
        points = {scoring.state.label(at).lower(): at for at in range(scoring.state.actions - 1)}
        if text == "agree":
            self._scoring = None
            agreed = {"dead": sorted(scoring.dead), "score": scoring.score}
            self._end("agreed", float((scoring.score > 0) - (scoring.score < 0)), agreed)
        elif text == "on":
            self._play_on()
        elif text in points:
            toggled = scoring.toggle(points[text])
            if toggled is None:
                self._error(f"There is no stone on {text.upper()}: name one, agree, or on.")
            else:
                self._scoring = toggled
                self._show_scoring(toggled)
        elif text in ("undo", "new", "log", "quit", "exit", "q") or text.startswith("save "):
            self._obey(line)
        elif text in ("?", "help"):
            self.view.event({"event": "help"}, SCORING_HELP)
        elif text:
            self._error(f"'{text}' is no stone: name one such as D4, agree, or on to play on.")

    def _play_on(self) -> None:
        """Take both passes back, and let the AI play on until dead stones are really captured."""
        self._played_on = True
        self._turn_to(
            self.session.shorten(2), {"event": "undo", "plies": 2}, "You play on: both passes are taken back."
        )

    def _turn_to(self, session: Session, event: Mapping[str, Any], sentence: str) -> None:
        """Continue from another session."""
        self.log.add(event)
        self.session, self._shown, self._scoring = session, None, None
        self.thinker.reset(self.state)
        self.view.event(event, sentence)
        self._show()

    def _answer(self) -> None:
        if not self._played_on and may_pass(self.state):
            self._play(self.state.actions - 1, AI, {"simulations": 0, "settled": True})
            self._show()
            return
        ply = len(self.session.players)
        with self.view.show_thinking() as progress:
            advice = self.thinker.think(progress, ply)
            if isinstance(self.state, Go) and not self._played_on and advice.action == self.state.actions - 1:
                # Otherwise it would pass on an unfinished board.
                self.thinker.search.reset(self.state.without_pass())
                advice = self.thinker.think(progress, ply)
        self._play(advice.action, AI, _figures(advice))
        self._show()

    def _play(self, action: int, by: str, figures: Mapping[str, Any]) -> None:
        state = self.state
        label, player = state.label(action), state.to_move
        event = {"event": "move", "ply": len(self.session.players), "player": player, "by": by, "action": action}
        event |= {"label": label, **figures}
        after = self.session.play(action, by)
        self.log.add(event)
        self.session = after
        self.thinker.follow(action)
        self.view.event(event, _event_text(event, after.human))
        self._propose()
        if after.is_over and not self._scoring:
            self._end("rules", after.state.returns())

    def _end(self, reason: str, returns: float, agreed: Mapping[str, Any] | None = None) -> None:
        """Log the end; `returns` is player 0's result, `agreed` the agreement after two passes."""
        mine = returns if self.session.human == 0 else -returns
        result = "You won" if mine > 0 else "AI won" if mine < 0 else "Draw"
        event = {"event": "end", "result": result, "returns": returns, "reason": reason, **(agreed or {})}
        self.log.add(event)
        self.session = replace(self.session, end=event)
        if reason == "rules":
            self._show()
        score = agreed["score"] if agreed else 0.0
        by = f" ({'black' if score > 0 else 'white'} by {abs(score):g})" if agreed else self.state.margin()
        self.view.event(event, f"You resigned: {result}." if reason == "resigned" else f"{result}{by}.")

    def _show(self) -> None:
        """Show the board, but not twice at the end of a game, nor before a forced pass."""
        plies = len(self.session.players)
        if self._scoring is None and not (self.is_over and self._shown == plies) and not _must_pass(self.state):
            self._shown = plies
            self.view.position(self.state)

    def _error(self, sentence: str) -> None:
        self.view.event({"event": "error"}, sentence)

    def help(self) -> None:
        """The commands."""
        self.view.event({"event": "help"}, HELP)

    def undo(self) -> None:
        """Take back the person's last move and what followed it."""
        undone = self.session.undo()
        if undone is self.session:
            self._error("There is no move of yours to take back.")
            return
        plies = len(self.session.players) - len(undone.players)
        self._turn_to(undone, {"event": "undo", "plies": plies}, f"Taken back: {_moves(plies)}.")

    def hint(self) -> None:
        """Show what the network and the search think of the person's position."""
        if self.is_over:
            self._error("The game is over: type new, undo, log or quit.")
            return
        with self.view.show_thinking() as progress:
            advice = self.thinker.hint(progress)
        self.view.heat(self.state, advice.policy)
        label = self.state.label(advice.action)
        event = {"event": "hint", "action": advice.action, "label": label, "value": advice.value, **_figures(advice)}
        self.view.event(event, f"Its favourite here: {label}{_figures_text(event)}.")

    def moves(self) -> None:
        """All legal moves."""
        labels = [self.state.label(action) for action in self.state.legal_actions()] if not self.is_over else []
        numbers = bool(labels) and all(label.isdecimal() for label in labels)
        listed = ranges(labels) if numbers else " ".join(labels) or "none"
        self.view.event({"event": "moves", "labels": labels}, f"Legal moves: {listed}.")

    def where(self) -> None:
        """The log's place."""
        self.view.event({"event": "log", "path": str(self.log.path)}, f"The game is logged in '{self.log.path}'.")

    def save(self, path: Path, replace: bool = False) -> None:
        """Write the game's record; an existing file stays, unless `replace` is true."""
        if path.exists() and not replace:
            self._error(f"'{path}' is there already: save the game to another file.")
            return
        session = self.session
        try:
            net = Path(str(session.begin.get("net", "AI"))).name  # readers of the record need not know the folder
            names = ("You", net) if session.human == 0 else (net, "You")
            settings, score = session.begin["settings"], session.agreed_score
            resigned, set_up = session.who_resigned, session.set_up
            text = record_text(path, self.game, settings, session.states, resigned, score, names, set_up)
            save_record(path, text)
        except GameError as error:
            self._error(str(error))
            return
        self.view.event({"event": "save", "path": str(path)}, f"The game is saved in '{path}'.")

    def new(self) -> None:
        """Begin again, with the same sides, in the same log."""
        begin = {key: value for key, value in self.session.begin.items() if key != "set_up"}
        self._played_on = False
        self._turn_to(Session(begin, self.session.states[:1]), begin, "A new game.")

    def estimate(self) -> None:
        """Show who is ahead in Go, and each point's owner."""
        if not isinstance(self.state, Go):
            self._error("Only Go has a score to estimate: hint tells your chances.")
            return
        event, sentence, scoring, areas = estimate_score(self.state)
        self.view.show_count(self.state, CountedBoard(scoring.dead, areas))
        self.view.event(event, sentence)

    def resign(self) -> None:
        """Give the game up."""
        if self.is_over:
            self._error("The game is over: type new, undo, log or quit.")
            return
        self._end("resigned", -1.0 if self.session.human == 0 else 1.0)

    def quit(self) -> None:
        """Leave; the log keeps the game."""
        self.left = True
        saved = "" if self.is_over else f" To continue: azx play --resume '{self.log.path}'."
        self.view.event({"event": "quit", "log": str(self.log.path)}, f"Goodbye.{saved}")


_COMMANDS: Mapping[str, Callable[[Table], None]] = {
    **dict.fromkeys(("?", "help"), Table.help),
    "undo": Table.undo,
    "hint": Table.hint,
    "moves": Table.moves,
    "log": Table.where,
    "new": Table.new,
    "estimate": Table.estimate,
    "resign": Table.resign,
    **dict.fromkeys(("quit", "exit", "q"), Table.quit),
}


class MoveError(Exception):
    """The text names no legal move; the message is a sentence that says why."""


def action_named(noun: str, state: State, text: str) -> int:
    """The legal action labelled `text`, in any case; MoveError if there is none."""
    legal = {state.label(action).lower(): action for action in state.legal_actions()}
    if text in legal:
        return legal[text]
    known = {state.label(action).lower(): action for action in range(state.actions)}
    if text not in known:
        example = state.label(state.legal_actions()[len(legal) // 2])
        raise MoveError(f"'{text}' is neither a move nor a command: type a {noun} such as {example}, or ?.")
    refusal = state.why_illegal(known[text])
    raise MoveError(f"{noun.capitalize()} {state.label(known[text])} cannot be played: {refusal and refusal.text}.")


def _must_pass(state: State) -> bool:
    """Whether a pass is the only legal action."""
    if state.is_terminal:
        return False
    legal = state.legal_actions()
    return len(legal) == 1 and state.label(legal[0]) == "pass"


def _moves(plies: int) -> str:
    return "the resignation" if not plies else "1 move" if plies == 1 else f"{plies} moves"


def _figures(advice: Advice) -> dict[str, Any]:
    """The search's figures for the log."""
    report, proven = advice.report, {"proven": True} if advice.proven else {}
    if report is None:
        rate = (advice.value + 1) / 2
        return {"simulations": 0, "win_rate": rate, "policy": advice.policy[advice.action], **proven}
    return {
        "simulations": report.simulations,
        "visits": report.visits,
        "depth": report.depth,
        "win_rate": round(report.win_rate, 6),
        "seconds": round(report.seconds, 3),
        **proven,
    }


def _event_text(event: Mapping[str, Any], human: int) -> str:
    who = "You" if event["player"] == human else "AI"
    if event["by"] == RULE:
        return f"{who} must pass: the other side moves again."
    if event.get("settled"):
        return "AI passes: nothing is left that playing on would win."
    verb = "play" if who == "You" else "plays"
    return f"{who} {verb} {event['label']}{_figures_text(event) if who == 'AI' else ''}."


def _figures_text(event: Mapping[str, Any]) -> str:
    """The search's figures in words."""
    rate = f"win rate {100 * event['win_rate']:.0f} %" + (", proven" if event.get("proven") else "")
    if not event["simulations"] and "proven" in event:
        return f" ({rate})"
    if not event["simulations"]:
        return f" (policy alone: {100 * event['policy']:.0f} %)"
    return f" ({event['simulations']} simulations, depth {event['depth']}, {rate}, {event['seconds']:.1f} s)"

"""The display and the questions of `azx play`: on a terminal, as plain text, or as JSON lines."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

import click

from ...system.streams import can_show
from .board import LEAST, CountedBoard, Heat, Look, draw, notes, percent
from .thinker import Progress

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from ...games.game import Game
    from ...games.state import State

LONGEST_LIST = 48
# The most sentences below a board: Gomoku's 15 rows and a prompt then still fit into 80 x 24.
MOST_SAID = 3
# The number of the policy's best moves shown.
BEST = 5


class View(Protocol):
    """The display of a game. Every event is a mapping with plain values; sentences are ready to be read."""

    def event(self, event: Mapping[str, Any], sentence: str) -> None:
        """Something happened."""

    def position(self, state: State) -> None:
        """Show the board after an event."""

    def heat(self, state: State, policy: Heat) -> None:
        """Show the board under the network's policy."""

    def show_count(self, state: State, marks: CountedBoard) -> None:
        """Show the board with marks for counting."""

    def ask(self, prompt: str) -> str | None:
        """A line from the person, None at the end of the input or after Ctrl-C."""

    def show_thinking(self) -> Any:
        """A context that shows progress; it yields a function that receives the search's progress."""


class TextView:
    """Text on standard output: with colours and a progress line on a terminal, plain otherwise."""

    def __init__(self, game: Game) -> None:
        from rich.console import Console

        terminal = sys.stdout.isatty()
        self._console: Console = Console(markup=False, highlight=False, emoji=False, soft_wrap=not terminal)
        # With NO_COLOR rich keeps its colour system but uses no colours.
        colours = terminal and self._console.color_system is not None and not self._console.no_color
        self.look = Look(game, colours and can_show("●○·━┃"))
        # Whether a board replaces the previous one, with the latest sentences below it.
        self._in_place = terminal and not self._console.is_dumb_terminal
        self._said: list[tuple[str, str]] = []

    def event(self, event: Mapping[str, Any], sentence: str) -> None:
        """Print one sentence: errors in red, the end in bold."""
        style = {"error": "red", "end": "bold", "trace": "dim"}.get(str(event["event"]), "")
        # A trace must stay readable as it scrolls by.
        self._in_place = self._in_place and event["event"] != "trace"
        style = style if self.look.coloured else ""
        self._said = [*self._said, (sentence, style)][-MOST_SAID:]
        self._console.print(sentence, style=style, soft_wrap=True)

    def position(self, state: State) -> None:
        """Print the board between empty lines; on a terminal from the first line on, with the last sentences below."""
        self._print(draw(state, self.look), notes(state))
        if self._in_place:
            for sentence, style in self._said:
                self._console.print(sentence, style=style, soft_wrap=True)
        # From here on sentences belong to the next board.
        self._said = self._said[-1:]

    def _print(self, board: Text, below: str) -> None:
        if self._in_place:
            self._console.clear()
        else:
            self._console.print()
        self._console.print(board)
        if below:
            self._console.print(below, style=self.look.faint)
        self._console.print()

    def heat(self, state: State, policy: Heat) -> None:
        """Print the board with per cents, and the best moves below."""
        self._print(draw(state, self.look, policy), "")
        likely = [action for action in policy if policy[action] >= LEAST]
        best = sorted(likely, key=lambda action: (-policy[action], action))[:BEST]
        shares = ", ".join(f"{state.label(action)} {percent(policy[action]).strip()} %" for action in best)
        self._console.print(f"The network's policy: {shares}.")

    def show_count(self, state: State, marks: CountedBoard) -> None:
        """Print the board with its dead stones and each point's owner."""
        self._print(draw(state, self.look, counted=marks), "  (X) (O) dead; x o points of black and white")

    def ask(self, prompt: str) -> str | None:
        """Standard input's next line; if input is not a terminal, the prompt and the line are printed."""
        try:
            if sys.stdin.isatty():
                return input(prompt)
            click.echo(prompt, nl=False)
            line = sys.stdin.readline()
        except (EOFError, KeyboardInterrupt):
            line = ""
        click.echo(line.strip())
        return line if line else None

    @contextmanager
    def show_thinking(self) -> Iterator[Progress]:
        """Show a spinner with the count of simulations, on a terminal only."""
        if not self._console.is_terminal:
            yield lambda text: None
            return
        with self._console.status("AI thinks ...") as status:
            yield lambda text: status.update(f"AI thinks: {text} (Ctrl-C: move now)")


class JsonView:
    """Writes one JSON object per line to standard output; reads lines of standard input as they arrive."""

    def event(self, event: Mapping[str, Any], sentence: str) -> None:
        """Print the event with its sentence."""
        click.echo(json.dumps({**event, "text": sentence}, ensure_ascii=False))

    def position(self, state: State) -> None:
        """Print board, player to move, and legal actions with their labels."""
        legal = state.legal_actions()
        self._print("position", state, legal=legal, labels=[state.label(action) for action in legal])

    def heat(self, state: State, policy: Heat) -> None:
        """Print the policy by label."""
        self._print("policy", state, policy={state.label(action): share for action, share in policy.items()})

    def show_count(self, state: State, marks: CountedBoard) -> None:
        """Print dead stones, and the points of each side, by label."""
        named = [[state.label(at) for at in sorted(points)] for points in (marks.dead, *marks.areas)]
        self._print("counted", state, dead=named[0], black=named[1], white=named[2])

    def _print(self, event: str, state: State, **more: Any) -> None:
        about = {"event": event, "board": state.board_text().split("\n"), "to_move": state.to_move}
        about |= {"last": state.last_action, "over": state.is_terminal}
        click.echo(json.dumps({**about, **more}, ensure_ascii=False))

    def ask(self, prompt: str) -> str | None:
        """Standard input's next line."""
        try:
            return sys.stdin.readline() or None
        except KeyboardInterrupt:
            return None

    @contextmanager
    def show_thinking(self) -> Iterator[Progress]:
        """Nothing is shown."""
        yield lambda text: None


def brief(noun: str, state: State) -> str:
    """The legal moves in short: `columns 0-6`, `edges 0-4, 9`, `a point such as H8, 224 free`."""
    labels = [state.label(action) for action in state.legal_actions()]
    listed = ranges(labels) if all(label.isdecimal() for label in labels) else ""
    if listed and len(listed) <= LONGEST_LIST:
        return f"{noun}{'s' if len(labels) > 1 else ''} {listed}"
    points = [label for label in labels if label != "pass"]
    middle = points[len(points) // 2] if points else "pass"
    return f"{noun} such as {middle}{' or pass' if 'pass' in labels else ''}, {len(points)} open"


def ranges(labels: Sequence[str]) -> str:
    """Numbers in ascending order, neighbours joined: 0-3, 6."""
    groups: list[list[int]] = []
    for number in sorted(map(int, labels)):
        if groups and groups[-1][-1] == number - 1:
            groups[-1].append(number)
        else:
            groups.append([number])
    return ", ".join(str(group[0]) if len(group) == 1 else f"{group[0]}-{group[-1]}" for group in groups)

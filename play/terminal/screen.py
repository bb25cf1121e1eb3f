"""What `azx play` shows and asks: on a terminal, as plain text elsewhere, or as JSON lines."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

import click

from .board import LEAST, Counted, Heat, Look, draw, notes, percent
from .thinker import Progress

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from ...games.game import Game
    from ...games.state import State

LONGEST_LIST = 48
# How many sentences stay below a board: of Gomoku's 15 rows and a prompt they leave 80 x 24 whole.
MOST_SAID = 3
# How many of the policy's moves are shown.
BEST = 5


class View(Protocol):
    """Where a game is shown. Every event is a mapping with plain values; sentences are ready to be read."""

    def event(self, event: Mapping[str, Any], sentence: str) -> None:
        """Something happened."""

    def position(self, state: State) -> None:
        """The board after what happened."""

    def heat(self, state: State, policy: Heat) -> None:
        """The board under the network's policy."""

    def show_count(self, state: State, marks: Counted) -> None:
        """The board as it is counted."""

    def ask(self, prompt: str) -> str | None:
        """A line from the person, None at the end of the input or after Ctrl-C."""

    def show_thinking(self) -> Any:
        """A context that shows progress; it gives a function that takes the search's progress."""


class TextView:
    """Text on standard output: with colours and a progress line on a terminal, plain otherwise."""

    def __init__(self, game: Game) -> None:
        from rich.console import Console

        terminal = sys.stdout.isatty()
        self._console: Console = Console(markup=False, highlight=False, emoji=False, soft_wrap=not terminal)
        # With NO_COLOR rich keeps its colour system and leaves the colours away.
        colours = terminal and self._console.color_system is not None and not self._console.no_color
        self.look = Look(game, colours and _encodes("●○·━┃"))
        # Whether a board takes the place of the one before, with the sentences said since below it.
        self._in_place = terminal and not self._console.is_dumb_terminal
        self._said: list[tuple[str, str]] = []

    def event(self, event: Mapping[str, Any], sentence: str) -> None:
        """One sentence; what went wrong in red, the end in bold."""
        style = {"error": "red", "end": "bold", "trace": "dim"}.get(str(event["event"]), "")
        # A trace is to be read as it runs by.
        self._in_place = self._in_place and event["event"] != "trace"
        style = style if self.look.coloured else ""
        self._said = [*self._said, (sentence, style)][-MOST_SAID:]
        self._console.print(sentence, style=style, soft_wrap=True)

    def position(self, state: State) -> None:
        """The board between empty lines, or on a terminal from its first line on, what was said last below."""
        self._print(draw(state, self.look), notes(state))
        if self._in_place:
            for sentence, style in self._said:
                self._console.print(sentence, style=style, soft_wrap=True)
        # One board more: what is said after it are the next one's.
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
        """The board with per cents, and the best moves below."""
        self._print(draw(state, self.look, policy), "")
        likely = [action for action in policy if policy[action] >= LEAST]
        best = sorted(likely, key=lambda action: (-policy[action], action))[:BEST]
        shares = ", ".join(f"{state.label(action)} {percent(policy[action]).strip()} %" for action in best)
        self._console.print(f"The network's policy: {shares}.")

    def show_count(self, state: State, marks: Counted) -> None:
        """The board with its dead stones and whose each point is."""
        self._print(draw(state, self.look, counted=marks), "  (X) (O) dead; x o points of black and white")

    def ask(self, prompt: str) -> str | None:
        """Standard input's next line; if it is no terminal, what was read is shown behind the prompt."""
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
        """A spinner with the count of simulations, on a terminal alone."""
        if not self._console.is_terminal:
            yield lambda text: None
            return
        with self._console.status("AI thinks ...") as status:
            yield lambda text: status.update(f"AI thinks: {text} (Ctrl-C: move now)")


class JsonView:
    """One JSON object a line on standard output; lines of standard input are taken as they come."""

    def event(self, event: Mapping[str, Any], sentence: str) -> None:
        """The event with its sentence."""
        click.echo(json.dumps({**event, "text": sentence}, ensure_ascii=False))

    def position(self, state: State) -> None:
        """Board, player to move and legal actions with their labels."""
        legal = state.legal_actions()
        self._print("position", state, legal=legal, labels=[state.label(action) for action in legal])

    def heat(self, state: State, policy: Heat) -> None:
        """The policy by label."""
        self._print("policy", state, policy={state.label(action): share for action, share in policy.items()})

    def show_count(self, state: State, marks: Counted) -> None:
        """Dead stones, and the points of each side, by label."""
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


def _encodes(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True

"""Boards as a terminal shows them: with colours and discs, without either, and what tells the sides apart."""

from __future__ import annotations

import io
import sys

import pytest

from azx.games.known.catalogue import GAMES
from azx.games.state import State
from azx.play.terminal.board import Look, draw, notes
from azx.play.terminal.screen import TextView


class Terminal(io.TextIOWrapper):
    """A standard output that calls itself a terminal and keeps what is written."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf8")

    def isatty(self) -> bool:
        return True

    def text(self) -> str:
        self.flush()
        buffer = self.buffer
        assert isinstance(buffer, io.BytesIO)
        return buffer.getvalue().decode()


def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """From here on standard output is a terminal with colours, 80 by 24."""
    for name, value in {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("NO_COLOR", raising=False)
    made = Terminal()
    monkeypatch.setattr(sys, "stdout", made)
    return made


def played(game: str, *labels: str) -> State:
    """The position after these moves."""
    state = GAMES[game].begin()
    for label in labels:
        state = state.apply(next(action for action in state.legal_actions() if state.label(action) == label))
    return state


@pytest.mark.parametrize("game", ["gomoku", "go", "connect4"])
def test_discs_differ_by_their_shape_with_colours_too(game: str) -> None:
    look = Look(GAMES[game], coloured=True)
    assert {look.sign(0), look.sign(1)} == {"●", "○"}
    assert look.side(0) == f"{GAMES[game].sides[0]} (●)"
    labels = ("3", "3") if game == "connect4" else ("D4", "E4")
    text = draw(played(game, *labels), look).plain
    assert (text.count("●"), text.count("○")) == (1, 1)


def test_without_colours_the_sides_are_x_and_o(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = terminal(monkeypatch)
    monkeypatch.setenv("NO_COLOR", "1")
    view = TextView(GAMES["gomoku"])
    view.position(played("gomoku", "H8", "G7"))
    assert view.look.side(1) == "white (O)"
    assert " X " in screen.text()
    assert "[O]" in screen.text()
    assert not {"●", "○"} & set(screen.text())


def test_with_colours_a_terminal_shows_discs(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = terminal(monkeypatch)
    TextView(GAMES["gomoku"]).position(played("gomoku", "H8", "G7"))
    assert {"●", "○"} <= set(screen.text())


def test_on_a_terminal_each_board_takes_the_place_of_the_last_with_what_was_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    screen = terminal(monkeypatch)
    view = TextView(GAMES["gomoku"])
    for labels in (("H8",), ("H8", "G7")):
        view.event({"event": "move"}, f"Played {labels[-1]}.")
        view.position(played("gomoku", *labels))
    *_, last = screen.text().split("\x1b[2J")
    shown = last.splitlines()
    assert shown[-2:] == ["Played H8.", "Played G7."]
    assert len(shown) <= 22


def test_a_trace_stays_on_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = terminal(monkeypatch)
    view = TextView(GAMES["tictactoe"])
    view.event({"event": "trace"}, "  4 (1 visits)")
    view.position(played("tictactoe", "4"))
    assert "\x1b[2J" not in screen.text()


def test_go_tells_captures_komi_and_that_all_stones_are_alive() -> None:
    state = played("go", "A9", "B9", "E5", "A8")
    assert notes(state) == "  captured: black 0, white 1; komi 7.5; after two passes you agree on dead stones"
    assert notes(played("gomoku", "H8")) == ""


def test_reversi_shows_where_a_disc_may_go_and_counts_the_discs() -> None:
    state = played("reversi", "D3")
    assert notes(state) == "  discs: black 4, white 1; + is where one may go"
    lines = draw(state, Look(GAMES["reversi"], coloured=False)).plain.splitlines()
    assert lines[2] == "  3  .  . " + " + [X] +  .  .  . "
    assert lines[8].split() == list("ABCDEFGH")

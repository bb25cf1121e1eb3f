"""A tiny game, added by the first two steps of docs/adding-a-game.md and nothing else: rules and an entry."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

from azx.cli import cli
from azx.errors import GameError
from azx.games.encoding import Encoding
from azx.games.evaluator import Uniform
from azx.games.game import Game, Numbering, Setting, Shape
from azx.games.known.catalogue import GAMES
from azx.games.known.recognition import by_name, recognise
from azx.games.random_play import generator, random_states
from azx.games.rules.position import Position
from azx.games.search import Search
from azx.games.state import OCCUPIED, Refusal, illegal, unknown_plane
from azx.games.symmetry import MIRROR, symmetries
from azx.match.games import Rules, blocks, play_block
from azx.match.openings import openings
from azx.match.result import pairings
from azx.play.game_log import new_log, read_log
from azx.play.session import Session
from azx.play.terminal.screen import TextView
from azx.play.terminal.table import Table
from azx.play.terminal.thinker import Effort, Thinker
from azx.validate.positions import positions


class _Row(NamedTuple):
    cells: tuple[int | None, ...]
    winner: int | None = None
    last_action: int | None = None


class Row(Position, _Row):
    """Three in a row on one row of cells."""

    __slots__ = ()

    @property
    def actions(self) -> int:
        return len(self.cells)

    @property
    def to_move(self) -> int:
        return sum(owner is not None for owner in self.cells) % 2

    @property
    def is_terminal(self) -> bool:
        return self.winner is not None or None not in self.cells

    @property
    def board(self) -> tuple[int, int]:
        return 1, len(self.cells)

    def legal_actions(self) -> tuple[int, ...]:
        return () if self.is_terminal else tuple(at for at, owner in enumerate(self.cells) if owner is None)

    @property
    def encoding(self) -> Encoding:
        return encoding(len(self.cells))

    def refuse(self, action: int) -> Refusal | None:
        return None if self.cells[action] is None else OCCUPIED

    def apply(self, action: int) -> Row:
        if self.why_illegal(action) is not None:
            raise illegal("row", action, self.legal_actions())
        mover, at = self.to_move, int(action)
        cells = (*self.cells[:at], mover, *self.cells[at + 1 :])
        won = any(cells[first : first + 3] == (mover,) * 3 for first in range(len(cells) - 2))
        return Row(cells, mover if won else None, at)

    def plane(self, name: str) -> NDArray[np.float32]:
        if name not in ("mover", "opponent"):
            raise unknown_plane("row", name, ("mover", "opponent"))
        player = self.to_move if name == "mover" else 1 - self.to_move
        return np.array([[owner == player for owner in self.cells]], dtype=np.float32)

    def label(self, action: int) -> str:
        return str(int(action))

    def board_text(self) -> str:
        return " ".join("." if owner is None else "XO"[owner] for owner in self.cells)

    def margin(self) -> str:
        return f" after {len(self.cells) - self.cells.count(None)} moves"


def encoding(size: int) -> Encoding:
    return Encoding("channels_first", (1, size), ("mover", "opponent"))


def start(size: int = 6) -> Row:
    return Row((None,) * size)


ROW = Game(
    name="row",
    title="Three in a row",
    start=start,
    shapes=tuple(
        Shape(
            {"size": size},
            (encoding(size),),
            (Numbering("cell", size, lambda action: action),),
            frozenset({((2, 1, size), size)}),
        )
        for size in (6, 8)
    ),
    settings=(Setting("size", 6, (6, 8), "cells"),),
    noun="cell",
    turns=MIRROR,
    plies=(0, 3),
)


@pytest.fixture(autouse=True)
def added(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "row", ROW)


def test_it_is_told_from_the_shapes_and_named() -> None:
    found = recognise([(2, 1, 8)], 8)
    assert found is not None
    assert (found.game.name, found.settings, found.actions) == ("row", {"size": 8}, "cell")
    assert found.start() == start(8)
    with pytest.raises(GameError, match=r"game 'rows' is unknown: did you mean row\?"):
        by_name("rows")


def test_it_is_listed_with_what_its_networks_read() -> None:
    told = CliRunner().invoke(cli, ["games", "row"])
    assert told.exit_code == 0
    assert "Three in a row (row)" in told.stdout
    assert "size: cells; 6, 8; 6 if not given" in told.stdout
    assert "(2, 1, 8)" in told.stdout


def test_positions_to_prove_a_network_on_are_drawn() -> None:
    reading = recognise([(2, 1, 6)], 6)
    assert reading is not None
    drawn = positions(reading, "board", count=40)
    assert drawn.feeds["board"].shape == (40, 2, 1, 6)
    assert drawn.legal is not None
    assert drawn.description == "40 distinct legal positions of Three in a row, seed 0"
    assert not next(random_states(ROW, 1)).is_terminal


def test_it_is_searched() -> None:
    state = start().apply(2).apply(0).apply(3).apply(5)
    search = Search(state, Uniform())
    search.run(100)
    assert search.best_action() in (1, 4)
    assert search.best_action(1.0, generator(0)) in state.legal_actions()


def test_it_is_read_turned() -> None:
    same, mirrored = symmetries(ROW.turns, ROW.encoding, 6)
    assert same.actions.tolist() == list(range(6))
    assert mirrored.actions.tolist() == list(range(6))[::-1]


class Typed(TextView):
    """A terminal at which these lines are typed."""

    def __init__(self, game: Game, lines: str) -> None:
        super().__init__(game)
        self.lines = lines.split()

    def ask(self, prompt: str) -> str | None:
        click.echo(prompt)
        return self.lines.pop(0) if self.lines else None


def sit_down(path: Path, lines: str) -> Table:
    begin: dict[str, Any] = {"event": "begin", "game": "row", "settings": {}, "human": 0}
    log = new_log(path, "row")
    log.add(begin)
    thinker = Thinker(start(), Uniform(), Effort(simulations=0), generator(0))
    return Table(ROW, Session(begin, (start(),)), thinker, Typed(ROW, lines), log)


def test_it_is_played_at_a_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = sit_down(tmp_path / "row.jsonl", "3 0 9 undo 4 hint moves 3 5")
    table.run()
    shown = capsys.readouterr().out
    assert "Your move (cells 0-5; ? for help): \nYou play 3.\n\n  0  1  2 [X] 4  5\n" in shown
    assert "AI plays 0 (policy alone: 20 %)." in shown
    assert "Cell 0 cannot be played: that place is occupied." in shown
    assert "'9' is neither a move nor a command: type a cell such as" in shown
    assert "Taken back: 2 moves." in shown
    assert "The network's policy: 1 25 %, 2 25 %, 3 25 %, 5 25 %." in shown
    assert "Legal moves: 1-3, 5." in shown
    assert "You won after 5 moves.\n" in shown
    assert read_log(tmp_path / "row.jsonl") == table.session
    assert table.session.actions == (4, 0, 3, 2, 5)  # the AI stops one of two threats


def test_a_noun_of_its_own_is_shown_by_the_states_text(capsys: pytest.CaptureFixture[str]) -> None:
    heap = Game("heap", "Heap", start, ROW.shapes, noun="heap")
    TextView(heap).position(start().apply(2))
    assert capsys.readouterr().out == "\n. . X . . .\n\n"


def test_it_is_matched() -> None:
    drawn = openings(ROW.begin(), 4, ROW.plies)
    two, rules = (Uniform(), Uniform()), Rules(simulations=20)
    records = [record for block in blocks(2, drawn.lines) for record in play_block(ROW.begin(), two, block, rules)]
    (pairing,) = pairings(records, 2, ROW.begin())
    assert pairing.total.games == 8

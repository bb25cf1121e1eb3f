"""Black's forbidden points: the cases drawn in renju_cases.txt, and a slow judge that knows only the definitions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from azx.errors import GameError
from azx.games.rules.gomoku import Gomoku, kind_of, start

Grid = list[list[str]]
Cell = tuple[int, int]

SIZE = 15
AROUND = ((0, 1), (1, 0), (1, 1), (1, -1))


def placed(drawing: list[str]) -> tuple[Grid, Cell]:
    """The board that a drawing stands for, and the cell of the move, which is empty on it."""
    top = len(drawing) > 1 and set(drawing[0]) == {"#"}
    left = all(line[0] == "#" for line in drawing)
    rows = [line[left:] for line in drawing[top:]]
    down = 0 if top else (SIZE - len(rows)) // 2
    right = 0 if left else (SIZE - len(rows[0])) // 2
    grid = [["."] * SIZE for _ in range(SIZE)]
    for row, line in enumerate(rows):
        grid[down + row][right : right + len(line)] = line
    move = next((r, c) for r in range(SIZE) for c in range(SIZE) if grid[r][c] == "*")
    grid[move[0]][move[1]] = "."
    return grid, move


def case_of(block: str) -> tuple[str, str, list[str]]:
    title, *drawing = block.splitlines()
    verdict, name = title.split(": ", 1)
    return name, verdict.replace(" ", "_"), drawing


TABLE = Path(__file__).with_name("renju_cases.txt").read_text(encoding="utf-8")
CASES = [case_of(block) for block in TABLE.strip().split("\n\n")[1:]]


def position(grid: Grid, white_to_move: bool = False) -> Gomoku:
    """The position on a board, by the rule "renju"; its last moves are unknown."""
    size = len(grid)
    cells = [mark for row in grid for mark in row]
    black, white = (sum(1 << at for at, mark in enumerate(cells) if mark == colour) for colour in "XO")
    empty = tuple(at for at, mark in enumerate(cells) if mark == ".")
    stones = (white, black) if white_to_move else (black, white)
    return Gomoku(kind_of(size, "renju"), *stones, empty, to_move=int(white_to_move))


class Slow:
    """The definitions one by one, by putting stones on a board and looking."""

    def __init__(self, grid: Grid) -> None:
        self.grid = [list(row) for row in grid]

    def at(self, cell: Cell) -> str:
        row, column = cell
        return self.grid[row][column] if min(cell) >= 0 and max(cell) < len(self.grid) else "#"

    def put(self, cell: Cell, mark: str) -> None:
        self.grid[cell[0]][cell[1]] = mark

    def row_through(self, cell: Cell, step: Cell) -> frozenset[Cell]:
        """The unbroken row of black stones that `cell`, one of them, is in."""
        row = {cell}
        for sign in (1, -1):
            there = cell
            while self.at(there) == "X":
                row.add(there)
                there = (there[0] + sign * step[0], there[1] + sign * step[1])
        return frozenset(row)

    def along(self, cell: Cell, step: Cell, reach: int) -> list[Cell]:
        """The cells of a line up to `reach` from `cell`, on the board or not."""
        return [(cell[0] + k * step[0], cell[1] + k * step[1]) for k in range(-reach, reach + 1)]

    def fives(self, four: frozenset[Cell], step: Cell) -> int:
        """In how many ways one more stone makes these four, and no other, a row of exactly five."""
        ways = 0
        for cell in self.along(min(four), step, 5):
            if self.at(cell) == ".":
                self.put(cell, "X")
                ways += self.row_through(cell, step) == four | {cell}
                self.put(cell, ".")
        return ways

    def fours(self, cell: Cell) -> set[frozenset[Cell]]:
        """All sets of four stones in a line, `cell` one of them, that one more stone makes a five."""
        found = set()
        for step in AROUND:
            line = self.along(cell, step, 4)
            for first in range(5):
                black = frozenset(c for c in line[first : first + 5] if self.at(c) == "X")
                if len(black) == 4 and cell in black and self.fives(black, step):
                    found.add(black)
        return found

    def threes(self, cell: Cell) -> set[frozenset[Cell]]:
        """All sets of three stones, `cell` one of them, that one more, allowed, stone makes a straight four."""
        found = set()
        for step in AROUND:
            for more in self.along(cell, step, 4):
                if self.at(more) != ".":
                    continue
                self.put(more, "X")
                row = self.row_through(more, step)
                straight = len(row) == 4 and cell in row and self.fives(row, step) == 2
                self.put(more, ".")
                if straight and self.judge(more) == "free":
                    found.add(row - {more})
        return found

    def judge(self, cell: Cell) -> str:
        """What a black stone on an empty cell would be."""
        self.put(cell, "X")
        try:
            lengths = [len(self.row_through(cell, step)) for step in AROUND]
            if 5 in lengths:
                return "five"
            if max(lengths) >= 6:
                return "overline"
            if len(self.fours(cell)) >= 2:
                return "double_four"
            return "double_three" if len(self.threes(cell)) >= 2 else "free"
        finally:
            self.put(cell, ".")

    def forbidden(self) -> dict[int, str]:
        size = len(self.grid)
        empty = [(r, c) for r in range(size) for c in range(size) if self.grid[r][c] == "."]
        verdicts = {r * size + c: self.judge((r, c)) for r, c in empty}
        return {point: verdict for point, verdict in verdicts.items() if verdict not in ("free", "five")}


def turned(grid: Grid, way: int) -> Grid:
    """One of the eight symmetries of the square."""
    turned = [list(row) for row in grid]
    for _ in range(way % 4):
        turned = [list(row) for row in zip(*reversed(turned), strict=True)]
    return turned if way < 4 else [row[::-1] for row in turned]


def verdict(state: Gomoku, point: int) -> str:
    """What the game does with a black stone on `point`."""
    if point in state.forbidden():
        assert point not in state.legal_actions()
        with pytest.raises(GameError, match=f"action {point} is illegal here"):
            state.apply(point)
        return state.forbidden()[point]
    return "five" if state.apply(point).returns() == 1 else "free"


IDS = [name for name, _, _ in CASES]


def test_the_table_has_enough_cases_of_every_kind() -> None:
    kinds = [kind for _, kind, _ in CASES]
    assert len(set(IDS)) == len(CASES) >= 48
    assert all(kinds.count(kind) >= 5 for kind in ("double_three", "double_four", "overline", "five", "free"))


@pytest.mark.parametrize(("name", "expected", "drawing"), CASES, ids=IDS)
def test_a_drawn_case_has_its_verdict_however_the_board_is_turned(name: str, expected: str, drawing: list[str]) -> None:
    grid, move = placed(drawing)
    for way in range(8):
        marked = [[("*" if (r, c) == move else mark) for c, mark in enumerate(row)] for r, row in enumerate(grid)]
        board_, there = placed(["".join(row) for row in turned(marked, way)])
        assert verdict(position(board_), SIZE * there[0] + there[1]) == expected


@pytest.mark.parametrize(("name", "expected", "drawing"), CASES, ids=IDS)
def test_the_definitions_word_for_word_give_the_drawn_verdict(name: str, expected: str, drawing: list[str]) -> None:
    grid, move = placed(drawing)
    assert Slow(grid).judge(move) == expected


@pytest.mark.parametrize(("name", "expected", "drawing"), CASES, ids=IDS)
def test_white_may_make_what_black_may_not(name: str, expected: str, drawing: list[str]) -> None:
    grid, move = placed(drawing)
    other = {"X": "O", "O": "X", ".": "."}
    state = position([[other[mark] for mark in row] for row in grid], white_to_move=True)
    point = SIZE * move[0] + move[1]
    assert state.forbidden() == {}
    assert state.legal_actions() == state.open
    assert (state.apply(point).returns() == -1) == (expected in ("five", "overline"))


def random_board(rng: np.random.Generator) -> Grid:
    """A small, crowded board on which no five or longer row of black stands."""
    size, black, white = int(rng.integers(6, 9)), rng.uniform(0.15, 0.45), rng.uniform(0, 0.15)
    judge = Slow(rng.choice(list("XO."), size=(size, size), p=(black, white, 1 - black - white)).tolist())
    for cell in ((r, c) for r in range(size) for c in range(size)):
        if judge.at(cell) == "X" and max(len(judge.row_through(cell, step)) for step in AROUND) >= 5:
            judge.put(cell, str(rng.choice(list("O."))))
    return judge.grid


@pytest.mark.whole
def test_forbidden_points_of_crowded_boards_are_those_of_the_definitions() -> None:
    rng = np.random.default_rng(20)
    seen = dict.fromkeys(("overline", "double_four", "double_three"), 0)
    for _ in range(2000):
        grid = random_board(rng)
        expected = Slow(grid).forbidden()
        assert position(grid).forbidden() == expected, "\n".join("".join(row) for row in grid)
        for kind in expected.values():
            seen[kind] += 1
    assert min(seen.values()) >= 150


def test_legal_actions_and_apply_agree_in_random_games() -> None:
    rng = np.random.default_rng(21)
    refused = 0
    for _ in range(40):
        state = start(9, "renju")
        while not state.is_terminal:
            legal = state.legal_actions()
            assert list(legal) == sorted(set(state.open) - state.forbidden().keys())
            for point in state.forbidden():
                refused += 1
                with pytest.raises(GameError):
                    state.apply(point)
            state = state.apply(int(rng.choice(legal)))
    assert refused >= 100


def test_black_without_a_legal_move_loses() -> None:
    # The one point left to black is an overline; white has just taken the other.
    drawing = """
        XXX.XX.
        OXOXOOX
        OOXOXOX
        XOXOXOO
        OXOOOXX
        OXOXOXO
        XOXOXXO
    """
    grid = [list(line) for line in drawing.split()]
    before = position(grid, white_to_move=True)
    assert before.open == (3, 6)
    assert position(grid).forbidden() == {3: "overline"}
    after = before.apply(6)
    assert after.is_terminal
    assert after.winner == 1
    assert after.returns() == -1
    assert after.legal_actions() == ()
    with pytest.raises(GameError, match="the game is over"):
        after.apply(3)


def test_white_s_last_stone_on_a_full_board_is_a_draw_under_renju_too() -> None:
    grid = [list("XXOXXO"), list("OOXOOX"), list("XXOXXO"), list("OOXOOX"), list("XXOXXO"), list("OOXOO.")]
    after = position(grid, white_to_move=True).apply(35)
    assert after.is_terminal
    assert after.returns() == 0


def test_freestyle_forbids_nothing() -> None:
    grid, move = placed(["XXX*XX"])
    state = position(grid)._replace(kind=kind_of(SIZE, "freestyle"))
    assert state.forbidden() == {}
    assert state.legal_actions() == state.open
    assert state.apply(SIZE * move[0] + move[1]).returns() == 1


def test_nothing_is_forbidden_once_the_game_is_over() -> None:
    grid, move = placed(["XX*XX.XX"])
    over = position(grid).apply(SIZE * move[0] + move[1])
    assert over.winner == 0
    assert over.forbidden() == {}

"""The boards of the five games as text for a terminal, with colours or without, with a heat map or without."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.text import Text

    from ...games.state import State

Heat = Mapping[int, float]
# The two players' colours and the board's, where the terminal has colours.
COLOURS = {
    "connect4": ("bold #ff5f5f", "bold #ffd75f", "on #1c3f7c"),
    "gomoku": ("bold #000000", "bold #ffffff", "on #b98d4a"),
    "go": ("bold #000000", "bold #ffffff", "on #b98d4a"),
    "tictactoe": ("bold cyan", "bold magenta", ""),
    "dots_and_boxes": ("bold cyan", "bold magenta", ""),
}
SIDES = {"connect4": ("red", "yellow"), "gomoku": ("black", "white"), "go": ("black", "white")}
DISC = "●"
# From no share of the policy to all of it.
SHADES = ("#3a3a3a", "#4a3b5c", "#6b3a6f", "#96394f", "#c0512f", "#e08a1e")


@dataclass(frozen=True)
class Look:
    """How one game is drawn: `coloured` with colours and discs, otherwise with X, O and brackets."""

    game: str
    coloured: bool

    def sign(self, player: int) -> str:
        """What stands on the board for a player."""
        return DISC if self.coloured and self.game in SIDES else "XO"[player]

    def style(self, player: int) -> str:
        """The player's colour."""
        return COLOURS[self.game][player] if self.coloured and self.game in COLOURS else ""

    @property
    def board(self) -> str:
        """The board's colour."""
        return COLOURS[self.game][2] if self.coloured and self.game in COLOURS else ""

    def side(self, player: int) -> str:
        """What a person calls the player's side."""
        sides = SIDES.get(self.game)
        if sides is None:
            return "XO"[player]
        return sides[player] if self.coloured else f"{sides[player]} ({'XO'[player]})"


@dataclass
class _Grid:
    """A board of cells while it is drawn."""

    state: Any
    look: Look
    last: int | None
    heat: Heat | None
    owners: list[int | None] = field(default_factory=list)
    forbidden: Mapping[int, str] = field(default_factory=dict)

    def cell(self, at: int, columns: int) -> tuple[str, str]:
        """Three characters and their style."""
        owner = self.owners[at]
        if owner is not None:
            sign = self.look.sign(owner)
            if at != self.last:
                return f" {sign} ", f"{self.look.style(owner)} {self.look.board}".strip()
            return (f"[{sign}]", f"{self.look.style(owner)} {self.look.board}".strip())
        if self.heat is not None and self.heat.get(at, 0.0) >= 0.005:
            return percent(self.heat[at]), shade(self.heat[at]) if self.look.coloured else ""
        return f" {self._empty(at, columns)} ", f"dim {self.look.board}".strip() if self.look.coloured else ""

    def _empty(self, at: int, columns: int) -> str:
        if at in self.forbidden:
            return "x"
        if self.look.game == "tictactoe" and self.heat is None:
            return str(at)
        star = self.look.game in ("go", "gomoku") and is_star(*divmod(at, columns), columns)
        return "+" if star else "·" if self.look.coloured else "."


def draw(state: State, look: Look, last: int | None = None, heat: Heat | None = None) -> Text:
    """The position, the `last` action marked; with `heat`, the share of each action in per cent."""
    if look.game == "dots_and_boxes":
        return _boxes(state, look, last, heat)
    from rich.text import Text

    mover, opponent = state.plane("mover"), state.plane("opponent")
    rows, columns = mover.shape
    me = state.to_move
    pairs = zip(mover.ravel(), opponent.ravel(), strict=True)
    owners = [me if mine else 1 - me if theirs else None for mine, theirs in pairs]
    forbidden = state.forbidden() if hasattr(state, "forbidden") else {}
    grid = _Grid(state, look, last, heat, owners, forbidden)
    named = look.game in ("go", "gomoku")
    text = Text()
    for row in range(rows):
        text.append(f" {state.label(row * columns)[1:]:>2} " if named else " ", "dim" if look.coloured else "")
        for column in range(columns):
            text.append(*grid.cell(row * columns + column, columns))
        text.append("\n")
    text.append(_below(state, look, columns), "dim" if look.coloured else "")
    text.rstrip()
    return text


def _below(state: State, look: Look, columns: int) -> str:
    """The names of the columns."""
    if look.game == "tictactoe":
        return ""
    if look.game == "connect4":
        return " " + "".join(f" {column} " for column in range(columns))
    return "    " + "".join(f" {state.label(column)[0]} " for column in range(columns))


def is_star(row: int, column: int, size: int) -> bool:
    """Whether boards mark the point: near the corners, in the centre, and on 19 lines in between."""
    if size < 9:
        return False
    near, middle = (3 if size > 12 else 2), size // 2
    lines = {near, size - 1 - near, *([middle] if size % 2 else [])}
    return {row, column} <= lines and (size > 15 or (row == middle) == (column == middle))


def percent(share: float) -> str:
    """A share in three characters, such as ` 42`."""
    return f"{round(100 * share):3d}"


def shade(share: float) -> str:
    """The style of a share of the policy."""
    return f"bold white on {SHADES[min(int(share**0.5 * len(SHADES)), len(SHADES) - 1)]}"


def _boxes(state: Any, look: Look, last: int | None, heat: Heat | None) -> Text:
    """Dots, drawn edges, numbers or shares at the free ones, and who has each box."""
    from rich.text import Text

    text, size = Text(), state.size
    dot, line, bar = ("●", "━━━━", "┃") if look.coloured else ("+", "----", "|")
    for row in range(size + 1):
        for at in range(row * size, (row + 1) * size):
            text.append(f"  {dot}" if at == row * size else dot)
            text.append(*_edge(state, at, line, look, last, heat))
        text.append(f"{dot}\n")
        if row == size:
            break
        left = size * (size + 1) + row * (size + 1)
        for column, at in enumerate(range(left, left + size + 1)):
            text.append("" if column else " ").append(*_edge(state, at, bar, look, last, heat, narrow=True))
            if column < size:
                owner = state.owners[row * size + column]
                text.append(" " if owner is None else "XO"[owner], "" if owner is None else look.style(owner))
                text.append(" ")
        text.append("\n")
    first, second = state.scores
    return text.append(f"\n  boxes: X {first}, O {second}")


def _edge(
    state: Any, at: int, drawn: str, look: Look, last: int | None, heat: Heat | None, *, narrow: bool = False
) -> tuple[str, str]:
    """An edge as drawn, or its number or share."""
    width = 3 if narrow else 4
    if state.edges >> at & 1:
        return drawn.center(width), "bold yellow" if at == last and look.coloured else ""
    if heat is not None:
        share = heat.get(at, 0.0)
        shown = percent(share) if share >= 0.005 else "·" if look.coloured else "."
        return shown.center(width), shade(share) if look.coloured and share >= 0.005 else ""
    return str(at).center(width), "dim" if look.coloured else ""

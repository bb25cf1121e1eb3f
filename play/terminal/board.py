"""Boards as text for a terminal, with or without colours, with or without a heat map.

The look of a game's board follows from its `noun`, its `sides` and its states.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from rich.text import Text

    from ...games.game import Game
    from ...games.rules.dots_and_boxes import DotsAndBoxes
    from ...games.rules.go import Go
    from ...games.rules.hex import Hex
    from ...games.state import State

Heat = Mapping[int, float]
# By the names of the sides: the colours of the players and of the board, on a terminal with colours.
PIECES = {
    ("red", "yellow"): ("bold #ff5f5f", "bold #ffd75f", "on #1c3f7c"),
    ("black", "white"): ("bold #000000", "bold #ffffff", "on #b98d4a"),
    ("red", "blue"): ("bold #ff5f5f", "bold #5fafff", "on #303030"),
}
LETTERS = ("bold cyan", "bold magenta", "")
# Full and hollow, so that the shapes differ for people who cannot tell the colours apart.
DISCS = "●○"
# The share that rounds to 1 %; smaller shares are not shown.
LEAST = 0.005
# Colours for shares of the policy, from 0 to 1.
SHADES = ("#3a3a3a", "#4a3b5c", "#6b3a6f", "#96394f", "#c0512f", "#e08a1e")


@dataclass(frozen=True)
class Look:
    """The look of one game: `coloured` means colours and two shapes of discs, otherwise X and O are used."""

    game: Game
    coloured: bool

    def sign(self, player: int) -> str:
        """The sign of a player's piece on the board."""
        return (DISCS if self.coloured and self.game.sides in PIECES else "XO")[player]

    def style(self, player: int) -> str:
        """The player's colour."""
        return PIECES.get(self.game.sides, LETTERS)[player] if self.coloured else ""

    @property
    def board(self) -> str:
        """The board's colour."""
        return PIECES.get(self.game.sides, LETTERS)[2] if self.coloured else ""

    @property
    def faint(self) -> str:
        """The style of letters and numbers for orientation."""
        return "dim" if self.coloured else ""

    def side(self, player: int) -> str:
        """The name of the player's side for people."""
        side, sign = self.game.sides[player], self.sign(player)
        return side if side == sign else f"{side} ({sign})"


@dataclass(frozen=True)
class CountedBoard:
    """Marks for counting a board: the dead stones, and the points of each player."""

    dead: Collection[int]
    areas: tuple[Collection[int], Collection[int]]


def draw(state: State, look: Look, heat: Heat | None = None, counted: CountedBoard | None = None) -> Text:
    """The position with the last action marked; with `heat`, each action's share in per cent.

    With `counted`, dead stones stand in round brackets, and a small x or o marks an empty point of a player.
    """
    if look.game.noun == "edge":
        return _boxes(cast("DotsAndBoxes", state), look, heat)
    if look.game.noun in ("column", "cell", "point"):
        return _grid(state, look, heat, counted)
    if look.game.noun == "hexagon":
        return _rhombus(cast("Hex", state), look, heat)
    from rich.text import Text

    return Text(state.board_text())


def _rhombus(state: Hex, look: Look, heat: Heat | None) -> Text:
    """Rows of cells, each half a cell further to the right; letters and numbers have their side's colour."""
    from rich.text import Text

    size, owners, chain = state.size, _owners(state), state.chain()
    letters = "   ".join(state.label(column)[0] for column in range(size))
    text = Text()
    text.append(f"    {letters}\n", look.style(0))
    for row in range(size):
        number = f"{row + 1:>2}"
        text.append("  " * row)
        text.append(number, look.style(1))
        for at in range(row * size, (row + 1) * size):
            owner, share = owners[at], heat.get(at, 0.0) if heat is not None else 0.0
            if owner is not None:
                around = "[]" if at == state.last_stone else "()" if at in chain else "  "
                text.append(f"{look.sign(owner).join(around):^4}", f"{look.style(owner)} {look.board}".strip())
            elif share >= LEAST:
                text.append(f"{percent(share):^4}", shade(share) if look.coloured else "")
            else:
                text.append(" ·  " if look.coloured else " .  ", f"{look.faint} {look.board}".strip())
        text.append(f"{number}\n", look.style(1))
    text.append(f"{'  ' * size}  {letters}", look.style(0))
    text.rstrip()
    return text


def _grid(state: State, look: Look, heat: Heat | None, counted: CountedBoard | None) -> Text:
    """A board of cells, each three characters wide; an action's number is that of its cell."""
    from rich.text import Text

    text, (rows, columns) = Text(), state.board
    owners, signs = _owners(state), state.signs()
    lettered = look.game.noun == "point"
    for row in range(rows):
        text.append(f" {state.label(row * columns)[1:]:>2} " if lettered else " ", look.faint)
        for at in range(row * columns, (row + 1) * columns):
            owner, share = owners[at], heat.get(at, 0.0) if heat is not None else 0.0
            if owner is not None:
                around = "()" if counted and at in counted.dead else "[]" if at == state.last_action else "  "
                style = f"{look.style(owner)} {look.board}".strip()
                text.append(look.sign(owner).join(around), style)
            elif share >= LEAST:
                text.append(percent(share), shade(share) if look.coloured else "")
            else:
                # Beside shares, a cell's number would look like a share.
                numbered = look.game.noun == "cell" and heat is None
                empty = (
                    _owner_mark(at, counted)
                    or signs.get(at)
                    or (state.label(at) if numbered else "·" if look.coloured else ".")
                )
                text.append(f"{empty:^3}", f"{look.faint} {look.board}".strip())
        text.append("\n")
    if lettered:
        text.append("    " + "".join(f" {state.label(column)[0]} " for column in range(columns)), look.faint)
    elif look.game.noun == "column":
        text.append(" " + "".join(f"{state.label(column):^3}" for column in range(columns)), look.faint)
    text.rstrip()
    return text


def _owner_mark(at: int, counted: CountedBoard | None) -> str:
    """The owner's mark on an empty point, if the board is counted."""
    areas = counted.areas if counted else ()
    return next((sign for sign, points in zip("xo", areas, strict=False) if at in points), "")


def notes(state: State) -> str:
    """Facts that players must know and that the board does not show; empty if it shows everything."""
    from ...games.rules.reversi import Reversi

    if isinstance(state, Reversi):
        return f"  discs: black {state.scores[0]}, white {state.scores[1]}; + is where one may go"
    if not hasattr(state, "prisoners"):
        return ""
    scored = cast("Go", state)
    black, white = scored.prisoners()
    return f"  captured: black {black}, white {white}; komi {scored.komi:g}; after two passes you agree on dead stones"


def _owners(state: State) -> list[int | None]:
    """The owner of the piece in each cell."""
    me, planes = state.to_move, (state.plane("mover").ravel(), state.plane("opponent").ravel())
    return [me if mine else 1 - me if theirs else None for mine, theirs in zip(*planes, strict=True)]


def percent(share: float) -> str:
    """A share in three characters, such as ` 42`."""
    return f"{round(100 * share):3d}"


def shade(share: float) -> str:
    """The style of a share of the policy."""
    return f"bold white on {SHADES[min(int(share**0.5 * len(SHADES)), len(SHADES) - 1)]}"


def _boxes(state: DotsAndBoxes, look: Look, heat: Heat | None) -> Text:
    """Dots, drawn edges, numbers or shares on the free ones, and the owner of each box."""
    from rich.text import Text

    text, size = Text(), state.size
    dot, line, bar = ("●", "━━━━", "┃") if look.coloured else ("+", "----", "|")
    for row in range(size + 1):
        for at in range(row * size, (row + 1) * size):
            text.append(f"  {dot}" if at == row * size else dot)
            edge, style = _edge(state, at, line.center(4), look, heat)
            text.append(edge, style)
        text.append(f"{dot}\n")
        if row == size:
            break
        left = size * (size + 1) + row * (size + 1)
        for column, at in enumerate(range(left, left + size + 1)):
            edge, style = _edge(state, at, bar.center(3), look, heat)
            text.append("" if column else " ").append(edge, style)
            if column < size:
                owner = state.owners[row * size + column]
                text.append(" " if owner is None else "XO"[owner], "" if owner is None else look.style(owner))
                text.append(" ")
        text.append("\n")
    first, second = state.scores
    return text.append(f"\n  boxes: X {first}, O {second}")


def _edge(state: DotsAndBoxes, at: int, drawn: str, look: Look, heat: Heat | None) -> tuple[str, str]:
    """An edge as `drawn`, or its number or share in the same width."""
    width = len(drawn)
    if state.edges >> at & 1:
        return drawn, "bold yellow" if at == state.last_action and look.coloured else ""
    if heat is None:
        return str(at).center(width), look.faint
    share = heat.get(at, 0.0)
    text = percent(share) if share >= LEAST else "·" if look.coloured else "."
    return text.center(width), shade(share) if look.coloured and share >= LEAST else ""

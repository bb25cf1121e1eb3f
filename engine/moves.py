"""How protocols name a move: by its point, by numbers of column and row, or by its name on azx' own board."""

from __future__ import annotations

from ..errors import GameError
from ..games.state import State

PASS = "pass"  # noqa: S105 - a move
# Without I, which looks like a 1.
GO_COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


def named(state: State, name: str) -> int:
    """The legal action with this name on the board, in any case; GameError with some legal ones otherwise."""
    wanted = name.strip().lower()
    legal = state.legal_actions()
    for action in legal:
        if state.label(action).lower() == wanted:
            return action
    raise _illegal(state, name)


def name_of(state: State, action: int) -> str:
    """An action's name on the board."""
    return state.label(action)


def vertex_of(game: str, state: State, action: int) -> str:
    """An action as GTP writes it: rows from the bottom and no I in Go and Gomoku; from the top in Hex and Reversi."""
    if game != "gomoku":
        return state.label(action)
    row, column = divmod(action, state.board[1])
    return f"{GO_COLUMNS[column]}{state.board[0] - row}"


def by_vertex(game: str, state: State, vertex: str) -> int:
    """The legal action at a vertex of GTP; GameError if it is none. In Hex `swap-pieces` takes the first stone over."""
    wanted = vertex.strip().lower()
    if game == "hex" and wanted in ("swap", "swap-pieces", "swap-sides"):
        taken = getattr(state, "is_swap_open", False) and state.last_action
        if taken is False or taken is None:
            raise GameError("the first stone cannot be taken over here.")
        return int(taken)
    if game != "gomoku":
        return named(state, vertex)
    for action in state.legal_actions():
        if vertex_of(game, state, action).lower() == wanted:
            return action
    raise _illegal(state, vertex)


def pair_of(state: State, action: int) -> str:
    """A cell as Gomocup writes it: column and row from 0, the row from the top."""
    row, column = divmod(action, state.board[1])
    return f"{column},{row}"


def by_pair(state: State, text: str) -> int:
    """The legal cell at "column,row"; GameError if the text or the cell is none."""
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2 or not all(part.isascii() and part.isdecimal() for part in parts):
        raise GameError(f"'{text}' is no cell: give column and row from 0, such as 7,7.")
    column, row = map(int, parts)
    rows, columns = state.board
    if column >= columns or row >= rows:
        raise GameError(f"{column},{row} is outside the board of {columns} columns and {rows} rows.")
    action = row * columns + column
    if action not in state.legal_actions():
        refusal = state.why_illegal(action)
        raise GameError(f"{column},{row} cannot be played: {refusal.text if refusal else 'it is not legal'}.")
    return action


def pass_of(state: State) -> int | None:
    """The action that passes; None if a pass is not legal."""
    legal = state.legal_actions()
    return legal[-1] if legal and state.label(legal[-1]).lower() == PASS else None


def _illegal(state: State, name: str) -> GameError:
    legal = state.legal_actions()
    if not legal:
        return GameError(f"{name} is illegal: the game is over.")
    some = ", ".join(state.label(action) for action in legal[:12])
    return GameError(f"{name} is illegal, use {some}{' or another one' if len(legal) > 12 else ''}.")

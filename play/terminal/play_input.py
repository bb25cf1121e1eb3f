"""What a person types as an action, or why it is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .screen import noun

if TYPE_CHECKING:
    from ...games.state import State


class MoveError(Exception):
    """The text names no legal move; the message is a sentence that says why."""


def action_named(game: str, state: State, text: str) -> int:
    """The legal action that is labelled `text`, capitals or not; MoveError where there is none."""
    legal = {state.label(action).lower(): action for action in state.legal_actions()}
    if text in legal:
        return legal[text]
    example = state.label(state.legal_actions()[len(legal) // 2])
    known = {state.label(action).lower(): action for action in range(state.actions)}
    if text not in known:
        raise MoveError(f"'{text}' is neither a move nor a command: type a {noun(game)} such as {example}, or ?.")
    raise MoveError(
        f"{noun(game).capitalize()} {state.label(known[text])} cannot be played: {_reason(game, state, known[text])}."
    )


def _reason(game: str, state: Any, action: int) -> str:
    if hasattr(state, "why_illegal"):
        return str(state.why_illegal(action))
    forbidden = state.forbidden() if hasattr(state, "forbidden") else {}
    if action in forbidden:
        return f"a {forbidden[action]} is forbidden to black"
    if state.label(action) == "pass":
        return "a pass is only for the player whose opponent has completed a box"
    return {"connect4": "the column is full", "dots_and_boxes": "the edge is drawn"}.get(game, "it is taken")

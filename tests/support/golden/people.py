"""What the golden files say of two people at one device, and of positions that they set up.

A sequence is drawn by its seed: deeds, and the state that they lead to. An app replays the deeds, ends its process
wherever it likes, and must have the same state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from azx.games.known.catalogue import GAMES
from azx.games.rules import go_scoring
from azx.games.rules.go import Go
from azx.games.state import State

SEQUENCES = 60
DEEDS = 30
# Small boards, so that games end within the deeds.
BOARDS: dict[str, dict[str, Any]] = {
    "connect4": {},
    "tictactoe": {},
    "dots_and_boxes": {"size": 2},
    "gomoku": {"size": 9},
    "reversi": {"size": 4},
    "hex": {"size": 5},
    "go": {"size": 5},
}
Draw = Callable[[State], str]


def is_forced_pass(game: str, state: State) -> bool:
    """Whether the only legal move is a pass that the rules force."""
    if game not in ("dots_and_boxes", "reversi") or state.is_terminal:
        return False
    return state.legal_actions() == (state.actions - 1,)


class Sitting:
    """Two people's game: its positions, who asks to take a move back, who gave up, which stones are dead."""

    def __init__(self, game: str, *, is_undo_asked: bool) -> None:
        self.game, self.is_undo_asked = game, is_undo_asked
        self.states: list[State] = [GAMES[game].begin(BOARDS[game])]
        self.asker: int | None = None
        self.lost: int | None = None
        self.dead: tuple[int, ...] | None = None

    @property
    def last(self) -> State:
        return self.states[-1]

    @property
    def is_scoring(self) -> bool:
        """Whether two passes have ended a game of Go, and the dead stones are not agreed on yet."""
        if not isinstance(self.last, Go) or self.dead is not None or not self.last.is_terminal:
            return False
        return [state.last_action for state in self.states[-2:]] == [self.last.actions - 1] * 2

    @property
    def phase(self) -> str:
        if self.is_scoring:
            return "scoring"
        return "over" if self.lost is not None or self.last.is_terminal else "yours"

    def play(self, action: int) -> None:
        self.states.append(self.last.apply(action))
        while is_forced_pass(self.game, self.last):
            self.states.append(self.last.apply(self.last.actions - 1))

    def undo(self) -> None:
        """Take the last chosen move back, or ask the other player."""
        before = self._before_last_choice()
        if self.is_undo_asked:
            self.asker = self.states[before].to_move
        else:
            self.states = self.states[: before + 1]

    def answer(self, *, agrees: bool) -> None:
        self.asker = None
        if agrees:
            self.states = self.states[: self._before_last_choice() + 1]

    def _before_last_choice(self) -> int:
        return max(at for at, state in enumerate(self.states[:-1]) if not is_forced_pass(self.game, state))

    @property
    def winner(self) -> int | None:
        if self.lost is not None:
            return 1 - self.lost
        if self.phase != "over":
            return None
        score = self.last.returns()
        if isinstance(self.last, Go) and self.dead is not None:
            score = go_scoring.score_without(self.last, self.dead)
        return None if score == 0 else int(score < 0)

    def as_data(self, draw: Draw) -> dict[str, Any]:
        return {
            "actions": [state.last_action for state in self.states[1:]],
            "board": draw(self.last),
            "to_move": self.last.to_move,
            "phase": self.phase,
            "asker": self.asker,
            "winner": self.winner,
        }


def people(draw: Draw) -> dict[str, Any]:
    """Seeded sequences of deeds and of positions; `draw` is a board as text."""
    return {
        "sequences": [_sequence(seed, draw) for seed in range(SEQUENCES)],
        "positions": [row for seed in range(SEQUENCES) if (row := _position(seed, draw))],
    }


def _sequence(seed: int, draw: Draw) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    game = list(BOARDS)[seed % len(BOARDS)]
    sitting = Sitting(game, is_undo_asked=bool(rng.integers(2)))
    deeds = [deed for _ in range(DEEDS) for deed in _deeds(sitting, rng)]
    about = {"seed": seed, "game": game, "settings": BOARDS[game], "is_undo_asked": sitting.is_undo_asked}
    return {**about, "deeds": deeds, "end": sitting.as_data(draw)}


def _deeds(sitting: Sitting, rng: np.random.Generator) -> Iterator[list[Any]]:
    """One deed, done at the sitting; none once the game is over."""
    if sitting.asker is not None:
        agrees = bool(rng.integers(2))
        sitting.answer(agrees=agrees)
        yield ["agree" if agrees else "refuse"]
    elif sitting.is_scoring:
        yield from _settle(sitting, rng)
    elif sitting.phase == "yours":
        drawn = rng.integers(40)
        if drawn == 0:
            sitting.lost = sitting.last.to_move
            yield ["resign"]
        elif drawn < 8 and len(sitting.states) > 1:
            sitting.undo()
            yield ["undo"]
        else:
            action = int(rng.choice(sitting.last.legal_actions()))
            if isinstance(sitting.last, Go) and drawn > 30:
                action = sitting.last.actions - 1
            sitting.play(action)
            yield ["play", action]


def _settle(sitting: Sitting, rng: np.random.Generator) -> Iterator[list[Any]]:
    """Agree on the dead stones: none, or those that random games think dead. Else take both passes back."""
    if rng.integers(3) == 0:
        sitting.states = sitting.states[:-2]
        yield ["play_on"]
        return
    board = sitting.last
    if not isinstance(board, Go):
        raise TypeError(sitting.game)
    dead = go_scoring.dead_stones(board, go_scoring.estimate_ownership(board)) if rng.integers(2) else ()
    sitting.dead = tuple(dead)
    yield ["settle", list(dead)]


def _position(seed: int, draw: Draw) -> dict[str, Any] | None:
    """A position that random moves lead to, and what it says if the other player moves; None if the game has ended."""
    rng = np.random.default_rng(1000 + seed)
    placed = [game for game in BOARDS if game not in ("reversi", "dots_and_boxes")]
    game = placed[seed % len(placed)]
    state = GAMES[game].begin(BOARDS[game])
    for _ in range(int(rng.integers(2, 9))):
        if state.is_terminal:
            return None
        moves = [at for at in state.legal_actions() if not isinstance(state, Go) or at != state.actions - 1]
        state = state.apply(int(rng.choice(moves)))
    if state.is_terminal:
        return None
    cells = draw(state)
    pieces = [[at, "XO".index(mark)] for at, mark in enumerate(cells) if mark != "."]
    # In Go either side may move: the other one passes.
    refused = None if game == "go" else "turn"
    other = {"to_move": 1 - state.to_move, "refused": refused}
    about = {"seed": seed, "game": game, "settings": BOARDS[game], "pieces": pieces}
    return {**about, "board": cells, "to_move": state.to_move, "refused": None, "other": other}

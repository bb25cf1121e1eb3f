"""Games of a network against another player, many at once, so that their positions share batches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ..games.evaluator import Evaluator
from ..games.search import Search, run_together
from ..games.state import State
from .strength_moves import moves


class Opponent(Protocol):
    """The other player of one game."""

    def choose(self, state: State) -> int:
        """Its move."""

    def told(self, state: State, action: int) -> None:
        """Told of every move of the game, its own too, before it is made in `state`."""


@dataclass
class Game:
    """One game: the network plays `side`, from where the opening led."""

    state: State
    side: int
    opponent: Opponent
    search: Search | None = None
    played: list[int] = field(default_factory=list)

    def play(self, action: int) -> None:
        """Make a move, for both players' bookkeeping."""
        self.opponent.told(self.state, action)
        self.played.append(action)
        self.state = self.state.apply(action)
        if self.search is not None:
            self.search.play(action)

    @property
    def score(self) -> float:
        """1 where the network won, 0.5 for a draw, 0 where it lost."""
        return (1 + self.state.returns() * (1 - 2 * self.side)) / 2


def play_out(games: Sequence[Game], evaluator: Evaluator, simulations: int, said: Callable[[int], None]) -> None:
    """Play the games to their ends, in rounds of one ply; `said` is told after each how many are still going on."""
    for game in games:
        game.search = Search(game.state, evaluator) if simulations else None
    while going := [game for game in games if not game.state.is_terminal]:
        said(len(going))
        ours = [game for game in going if game.state.to_move == game.side]
        theirs = [game for game in going if game.state.to_move != game.side]
        _move(ours, evaluator, simulations)
        for game in theirs:
            game.play(game.opponent.choose(game.state))


def _move(games: Sequence[Game], evaluator: Evaluator, simulations: int) -> None:
    """The network's move in each game."""
    searches = [game.search for game in games if game.search is not None]
    run_together(searches, evaluator, simulations)
    if searches:
        chosen = [search.best_action() for search in searches]
    else:
        chosen = moves([game.state for game in games], evaluator, 0)
    for game, action in zip(games, chosen, strict=True):
        game.play(action)

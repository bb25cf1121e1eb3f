"""A sample position of a bundle's game, for pictures of it."""

from __future__ import annotations

from ..errors import GameError
from ..games.known.catalogue import GAMES
from ..games.known.recognition import reading_from
from ..games.state import State
from ..games.tables import read_table
from ..manifest import Manifest


def show_game(manifest: Manifest) -> State:
    """A position that shows what the game is about, the same as on the web app's first page."""
    game = GAMES[str(manifest.game)]
    try:
        width = next((output.shape[-1] for output in manifest.outputs if output.role == "policy"), None)
        state = reading_from(manifest.reading, width).start()
    except (GameError, KeyError, TypeError, ValueError):
        state = game.begin()
    return under_way(state, game.name)


def under_way(state: State, game: str) -> State:
    """The position after the game's sample moves; on another board, after those before the first that it lacks."""
    for label in read_table("positions").get(game, "").split():
        action = next((each for each in state.legal_actions() if state.label(each) == label), None)
        if action is None:
            break
        state = state.apply(action)
        forced = state.legal_actions()
        if len(forced) == 1 and state.label(forced[0]) == "pass":
            state = state.apply(forced[0])
    return state

"""Choices and defaults that a function shares with its command, which must load nothing for them."""

from __future__ import annotations

# Whose turn a person takes in `azx play`.
SIDES = ("first", "second", "random")
# Another program's time for a move.
ENGINE_SECONDS = 10.0
# Of `azx serve`.
PORT = 8520
# Of `azx watch`. AlphaGo Zero let a new network through that scored 55 % in 400 games: 35 Elo.
WATCH_GATE, WATCH_GAMES = (0.0, 35.0), 400
# Seconds between two looks at a folder.
WATCH_INTERVAL = 0.25

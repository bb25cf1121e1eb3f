"""Thinking about a game with the board: the moves that a search considers, and what it says of those played."""

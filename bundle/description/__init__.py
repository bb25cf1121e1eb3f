"""How a network sees its board, described by a user's answers."""

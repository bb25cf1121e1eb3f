"""Review of a game: the moves that a search considers, and verdicts on the played ones."""

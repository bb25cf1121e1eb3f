"""Review of a game: the moves that a search considers, and its verdicts on the played ones."""

"""How a network sees the board, found by showing it positions."""

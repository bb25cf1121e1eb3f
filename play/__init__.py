"""A network at the board, against a person or another network."""

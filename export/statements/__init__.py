"""What azx says of a network's outputs and board, and how it is known."""

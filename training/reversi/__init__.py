"""How the Reversi checkpoint was made."""

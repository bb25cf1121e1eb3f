"""How the Connect4 checkpoint was made."""

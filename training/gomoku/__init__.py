"""How the Gomoku checkpoint was made."""

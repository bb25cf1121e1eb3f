"""How the tic-tac-toe checkpoint was made."""

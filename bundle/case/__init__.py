"""What a proof starts from: the checkpoint, the user's settings, the game, the positions."""

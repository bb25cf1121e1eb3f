"""The inputs of a proof: the checkpoint, the user's settings, the game and the positions."""

"""What manifest.json and golden.json say, held to the checkpoint, or to the artifacts and the rules of the game."""

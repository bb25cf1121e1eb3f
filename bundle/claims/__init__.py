"""Compares manifest.json and golden.json with the checkpoint, or with the artifacts and the game's rules."""

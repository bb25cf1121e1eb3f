"""The rules, one file a game."""

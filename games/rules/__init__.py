"""The rules, one file per game."""

"""Detects how a network reads the board, by showing it positions."""

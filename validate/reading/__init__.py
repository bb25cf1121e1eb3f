"""Finds how a network sees the board, by showing it positions."""

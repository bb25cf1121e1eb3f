"""Judges whether a network in a lower precision still chooses like the original."""

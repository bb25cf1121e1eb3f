"""Judges whether a network in a lower precision still decides as the original does."""

"""Hex 7x7: the teacher, its games, and the recipe of the reference checkpoint."""

"""Exact answers of games that are small enough, each for the positions that it can solve in some seconds."""

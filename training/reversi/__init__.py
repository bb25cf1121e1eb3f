"""Reversi: the players that the reference checkpoint, which `azx train` made, is measured against."""

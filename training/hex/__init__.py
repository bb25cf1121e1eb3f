"""Hex 7x7: the player that the reference checkpoint, which `azx train` made, is measured against."""

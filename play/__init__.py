"""A person and a network at one board: the network in any runtime, the game, its record."""

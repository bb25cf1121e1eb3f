"""Games of a network against itself, whose searches are what the next network learns from."""

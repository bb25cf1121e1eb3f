"""Games of a network against itself; the next network learns from their searches."""

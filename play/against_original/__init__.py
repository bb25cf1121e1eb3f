"""Whether artifacts still play as well as their original: with as many simulations, and with as much time."""

"""Architectures that come from outside the file of weights: a function of the user's, a family of networks."""

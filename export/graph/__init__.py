"""Turns a Network, or Keras' trace, into one FrozenGraph."""

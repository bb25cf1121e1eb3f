"""Network, or what Keras traced, to one FrozenGraph."""
